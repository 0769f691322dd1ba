# recorded 2026-11-28 with slurm-wlm 22.05.8
The chapter's job on the practice cluster: all ranks share this machine's cores with whatever else runs on it.

  $ job=$(sbatch --wait --parsable scripts/slurm/scaling.sbatch)
  $ grep backend scaling-$job.out | cut --characters=1-40
  backend=gloo world_size=1 device=cpu (no
  backend=gloo world_size=2 device=cpu (no
  backend=gloo world_size=4 device=cpu (no
  $ tail --lines=13 scaling-$job.out
  weak scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64    12856 11341-12998     1.00       100%      6%
      2         128    15411 13583-15866     1.20        60%     39%
      4         256    12754 11918-13830     0.99        25%     53%
  
  strong scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64    12732 12484-13171     1.00       100%      8%
      2          64    10676  9855-12042     0.84        42%     40%
      4          64     4504   3538-5235     0.35         9%     64%
  
  waiting: the share of a step that its all-reduce adds
