# recorded 2026-11-29 without a scheduler
The same job for PBS and LSF, checked and rehearsed.

  $ workshop check train.pbs | tail --lines=1
  0 errors, 0 warnings, 0 notes. Submit with: qsub train.pbs
  $ workshop check train.lsf | tail --lines=1
  0 errors, 0 warnings, 2 notes. Submit with: bsub < train.lsf
  $ rm --recursive --force runs/first
  $ EPOCHS=1 workshop rehearse train.lsf | grep "^epoch"
  epoch 0 accuracy 0.81
