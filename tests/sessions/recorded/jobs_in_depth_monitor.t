# recorded 2026-11-28 with slurm-wlm 22.05.8
Needs: accounting.
What a job uses, while it runs and after its end. The job has one step of two tasks, each of which computes until
it has been looked at; the functions wait for figures, as a person would ask again.

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
  $ measured() { command sstat --noheader --parsable2 --jobs=$job.0 --format=MaxRSS,AveCPU 2> /dev/null | grep --quiet -E "^[0-9]{6}K.*:(0[2-9]|[1-9][0-9])"; }
  $ sstat() { wait_until "figures of job $job" measured; command sstat "$@"; touch seen; }
  $ complete() { command seff $job | grep --quiet "State: COMPLETED"; }
  $ seff() { wait_until "a complete record of job $1" complete; command seff "$1"; }
#show
  $ job=$(sbatch --parsable work.sbatch)
  $ sstat --allsteps --jobs=$job --format=JobID,NTasks,MaxRSS,AveCPU
  JobID          NTasks     MaxRSS     AveCPU 
  ------------ -------- ---------- ---------- 
  4244.batch          1     12432K   00:00:00 
  4244.0              2    113232K   00:00:00 
  $ seff $job | grep --invert-match User
  Job ID: 4244
  Cluster: practice
  State: COMPLETED (exit code 0)
  Nodes: 1
  Cores per node: 2
  CPU Utilized: 00:00:22
  CPU Efficiency: 90.84% of 00:00:24 core-walltime
  Job Wall-clock time: 00:00:12
  Memory Utilized: 221.16 MB
  Memory Efficiency: 44.23% of 500.00 MB
  $ sacct --jobs=$job --format=JobID,JobName,State,Elapsed,TotalCPU,MaxRSS
  JobID           JobName      State    Elapsed   TotalCPU     MaxRSS 
  ------------ ---------- ---------- ---------- ---------- ---------- 
  4244               work  COMPLETED   00:00:12  00:21.802            
  4244.batch        batch  COMPLETED   00:00:12  00:00.017     12432K 
  4244.0          python3  COMPLETED   00:00:12  00:21.785    113232K 
