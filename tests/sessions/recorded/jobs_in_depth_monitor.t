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
  6885.batch          1     12440K   00:00:00 
  6885.0              2    113236K   00:00:02 
  $ touch seen
  $ seff $job | grep --invert-match User
  Job ID: 6885
  Cluster: practice
  State: COMPLETED (exit code 0)
  Nodes: 1
  Cores per node: 2
  CPU Utilized: 00:00:04
  CPU Efficiency: 70.15% of 00:00:06 core-walltime
  Job Wall-clock time: 00:00:03
  Memory Utilized: 221.16 MB
  Memory Efficiency: 44.23% of 500.00 MB
  $ sacct --jobs=$job --format=JobID,JobName,State,Elapsed,TotalCPU,MaxRSS
  JobID           JobName      State    Elapsed   TotalCPU     MaxRSS 
  ------------ ---------- ---------- ---------- ---------- ---------- 
  6885               work  COMPLETED   00:00:03  00:04.209            
  6885.batch        batch  COMPLETED   00:00:03  00:00.009     12440K 
  6885.0          python3  COMPLETED   00:00:03  00:04.199    113236K 
