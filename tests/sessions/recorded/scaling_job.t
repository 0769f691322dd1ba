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
      1          64     3175   2592-4324     1.00       100%     16%
      2         128    11735 10830-15299     3.70       185%     18%
      4         256    12131 10055-12863     3.82        96%     26%
  
  strong scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64     3900   3356-4685     1.00       100%      0%
      2          64     8011  6988-11123     2.05       103%     29%
      4          64     4070   2665-4841     1.04        26%     37%
  
  waiting: the share of a step that its all-reduce adds
