# recorded 2026-11-29 with slurm-wlm 22.05.8
The chapter's job on the practice cluster: all ranks share this machine's cores with whatever else runs on it.

  $ job=$(sbatch --wait --parsable scripts/slurm/scaling.sbatch)
  $ grep backend scaling-$job.out | cut --characters=1-40
  backend=gloo world_size=1 device=cpu (no
  backend=gloo world_size=2 device=cpu (no
  backend=gloo world_size=4 device=cpu (no
  $ tail --lines=13 scaling-$job.out
  weak scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64    29256 27006-29439     1.00       100%      8%
      2         128    34667 28580-41457     1.18        59%     40%
      4         256    14629 14007-17291     0.50        13%     65%
  
  strong scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64    29013 26943-29312     1.00       100%      7%
      2          64    19102 17731-26970     0.66        33%     59%
      4          64     5217   4619-6639     0.18         4%     73%
  
  waiting: the share of a step that its all-reduce adds
