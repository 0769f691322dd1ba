# recorded 2026-11-28 with slurm-wlm 22.05.8
The chapter's job on the practice cluster: all ranks share this machine's cores with whatever else runs on it.

  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .
#show
  $ job=$(sbatch --wait --parsable scripts/slurm/scaling.sbatch)
  $ grep backend scaling-$job.out | cut --characters=1-40
  backend=gloo world_size=1 device=cpu (no
  backend=gloo world_size=2 device=cpu (no
  backend=gloo world_size=4 device=cpu (no
  $ tail --lines=13 scaling-$job.out
  weak scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64     2113   1890-3022     1.00       100%     30%
      2         128     6753  3928-10846     3.20       160%     21%
      4         256     5190   3575-6302     2.46        61%     44%
  
  strong scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64     2236   1859-3011     1.00       100%     25%
      2          64     5897   5809-6599     2.64       132%     27%
      4          64     2169   1809-3008     0.97        24%     65%
  
  waiting: the share of a step that its all-reduce adds
