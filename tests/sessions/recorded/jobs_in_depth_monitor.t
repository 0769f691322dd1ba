# recorded 2026-11-28 with slurm-wlm 22.05.8
Needs: accounting.
What a job uses, while it runs and after its end. The job has one step of two tasks, each of which computes until
it has been looked at; the functions wait for figures, as a person would ask again. The database learns of the step at
once and of the job some seconds later: until then it calls it "allocation".

  $ . "$REPO/tests/sessions/waits.bash"
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
  $ measured() { command sstat --noheader --parsable2 --jobs=$job.0 --format=MaxRSS,AveCPU 2> /dev/null | grep --quiet -E "^([0-9]{6}K|[0-9]{3}M).*:(0[2-9]|[1-9][0-9])"; }
  $ sstat() { wait_until "figures of job $job" measured; command sstat "$@"; touch seen; }
  $ complete() { command seff $job | grep --quiet "State: COMPLETED" && command sacct --noheader --jobs=$job --format=JobName | grep --quiet work; }
  $ seff() { wait_until "a complete record of job $1" complete; command seff "$1"; }
#show
  $ job=$(sbatch --parsable work.sbatch)
  $ sstat --allsteps --jobs=$job --format=JobID,NTasks,MaxRSS,AveCPU
  JobID          NTasks     MaxRSS     AveCPU 
  ------------ -------- ---------- ---------- 
  1657.batch          1     12244K   00:00:00 
  1657.0              2    113144K   00:00:02 
  $ seff $job | grep --invert-match User
  Job ID: 1657
  Cluster: practice
  State: COMPLETED (exit code 0)
  Nodes: 1
  Cores per node: 2
  CPU Utilized: 00:00:04
  CPU Efficiency: 51.66% of 00:00:08 core-walltime
  Job Wall-clock time: 00:00:04
  Memory Utilized: 220.98 MB
  Memory Efficiency: 44.20% of 500.00 MB
  $ sacct --jobs=$job --format=JobID,JobName,State,Elapsed,TotalCPU,MaxRSS
  JobID           JobName      State    Elapsed   TotalCPU     MaxRSS 
  ------------ ---------- ---------- ---------- ---------- ---------- 
  1657               work  COMPLETED   00:00:04  00:04.133            
  1657.batch        batch  COMPLETED   00:00:04  00:00.013     12244K 
  1657.0          python3  COMPLETED   00:00:04  00:04.120    113144K 
