The chapter's job on the practice cluster: all ranks share this machine's cores with whatever else runs on it.

  $ job=$(sbatch --wait --parsable scripts/slurm/scaling.sbatch)
  $ grep backend scaling-$job.out | cut --characters=1-40
  backend=gloo world_size=1 device=cpu .* (re)
  backend=gloo world_size=2 device=cpu .* (re)
  backend=gloo world_size=4 device=cpu .* (re)
  $ tail --lines=13 scaling-$job.out
  weak scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64 +\d+ +\d+-\d+     1.00       100% +\d+% (re)
      2         128 +\d+ +\d+-\d+ +\d\.\d\d +\d+% +\d+% (re)
      4         256 +\d+ +\d+-\d+ +\d\.\d\d +\d+% +\d+% (re)
  
  strong scaling, cnn
  ranks images/step images/s       range speed-up efficiency waiting
      1          64 +\d+ +\d+-\d+     1.00       100% +\d+% (re)
      2          64 +\d+ +\d+-\d+ +\d\.\d\d +\d+% +\d+% (re)
      4          64 +\d+ +\d+-\d+ +\d\.\d\d +\d+% +\d+% (re)
  
  waiting: the share of a step that its all-reduce adds
