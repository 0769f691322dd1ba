# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
What a job uses, while it runs and after its end. The database learns of the step at once and of the job some seconds
later: until then it calls it "allocation".

  $ cat > work.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=work
  > #SBATCH --output=%x-%j.out
  > #SBATCH --ntasks=2
  > #SBATCH --mem=500M
  > #SBATCH --time=00:05:00
  > srun python3 -c '
  > import os
  > block = bytearray(100 * 2**20)
  > while not os.path.exists("seen"): sum(range(10**6))'
  > END
  $ job=$(sbatch --parsable work.sbatch)
  $ sstat --allsteps --jobs=$job --format=JobID,NTasks,MaxRSS,AveCPU
  JobID          NTasks     MaxRSS     AveCPU 
  ------------ -------- ---------- ---------- 
  5482.batch          1     12248K   00:00:00 
  5482.0              2    113204K   00:00:02 
  $ touch seen
  $ seff $job | grep --invert-match User
  Job ID: 5482
  Cluster: practice
  State: COMPLETED (exit code 0)
  Nodes: 1
  Cores per node: 2
  CPU Utilized: 00:00:04
  CPU Efficiency: 51.46% of 00:00:08 core-walltime
  Job Wall-clock time: 00:00:04
  Memory Utilized: 221.10 MB
  Memory Efficiency: 44.22% of 500.00 MB
  $ sacct --jobs=$job --format=JobID,JobName,State,Elapsed,TotalCPU,MaxRSS
  JobID           JobName      State    Elapsed   TotalCPU     MaxRSS 
  ------------ ---------- ---------- ---------- ---------- ---------- 
  5482               work  COMPLETED   00:00:04  00:04.117            
  5482.batch        batch  COMPLETED   00:00:04  00:00.009     12248K 
  5482.0          python3  COMPLETED   00:00:03  00:04.107    113204K 
