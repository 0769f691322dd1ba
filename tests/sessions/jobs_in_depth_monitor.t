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
  JobID          NTasks     MaxRSS     AveCPU \s* (re)
  ------------ -------- ---------- ---------- \s* (re)
  \d+\.batch +1 +\d+[KM]? +00:\d\d[:.\d]* * (re)
  \d+\.0 +2 +(1\d{5}K|1\d\dM) +00:(00:)?(0[2-9]|[1-9]\d)[:.\d]* * (re)
  $ touch seen
  $ seff $job | grep --invert-match User
  Job ID: \d+ (re)
  Cluster: practice
  State: COMPLETED (exit code 0)
  Nodes: 1
  Cores per node: 2
  CPU Utilized: 00:\d\d:\d\d (re)
  CPU Efficiency: \d+\.\d\d% of 00:\d\d:\d\d core-walltime (re)
  Job Wall-clock time: 00:\d\d:\d\d (re)
  Memory Utilized: 2\d\d\.\d\d MB (re)
  Memory Efficiency: \d+\.\d\d% of 500.00 MB (re)
  $ sacct --jobs=$job --format=JobID,JobName,State,Elapsed,TotalCPU,MaxRSS
  JobID           JobName      State    Elapsed   TotalCPU     MaxRSS * (re)
  ------------ ---------- ---------- ---------- ---------- ---------- * (re)
  \d+ +work  COMPLETED   00:\d\d:\d\d  00:\d\d\.\d+ * (re)
  \d+\.batch +batch  COMPLETED   00:\d\d:\d\d  00:\d\d\.\d+ +\d+[KM]? * (re)
  \d+\.0 +python3  COMPLETED   00:\d\d:\d\d  00:\d\d\.\d+ +1\d+[KM] * (re)
