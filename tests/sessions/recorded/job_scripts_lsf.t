# recorded 2026-11-30 with torch 2.14.1
An LSF script whose memory only the site understands.

  $ cat > train.lsf << 'END'
  > #!/bin/bash
  > #BSUB -J train
  > #BSUB -o train-%J.out
  > #BSUB -n 8
  > #BSUB -R "span[hosts=1]"
  > #BSUB -gpu "num=2"
  > #BSUB -R "rusage[mem=64000]"
  > #BSUB -W 1:30
  > 
  > torchrun --standalone --nproc-per-node=2 train.py
  > END
  $ workshop check train.lsf | sed -n '/^note/,$p' | grep -v "See:"
  note whole file [bsub_needs_redirect]
    'bsub FILE' runs the file as a command and leaves its #BSUB lines unread, unless the site sets LSB_BSUB_PARSE_SCRIPT; 'bsub < FILE' reads them.
    Write: bsub < FILE
  warning line 7 [lsf_memory_units_depend_on_site]
    rusage[mem=64000] has no unit: MB by IBM's default, something else where the site sets LSF_UNIT_FOR_LIMITS.
    Write: rusage[mem=64GB], or rusage[mem=64000MB]
  note line 7 [lsf_memory_scope_depends_on_site]
    rusage[mem=64000] is 64000 for each host by IBM's default, or 64000 for each slot where the site sets RESOURCE_RESERVE_PER_TASK.
    Write: rusage[mem=64000/host] or rusage[mem=64000/task] (LSF 10.1 fix pack 9)
  0 errors, 1 warning, 2 notes. Submit with: bsub < train.lsf
