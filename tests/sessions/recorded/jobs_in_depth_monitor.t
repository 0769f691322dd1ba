# recorded 2026-11-28 with slurm-wlm 22.05.8
Needs: accounting.
What a job uses, while it runs and after its end. The job has one step of two tasks, each of which computes for some
seconds; the functions wait for figures, as a person would ask again.

  $ cat > work.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=work
  > #SBATCH --output=%x-%j.out
  > #SBATCH --ntasks=2
  > #SBATCH --mem=500M
  > #SBATCH --time=00:05:00
  > srun python3 -c '
  > import time
  > block, start = bytearray(100 * 2**20), time.time()
  > while time.time() < start + 12: pass'
  > END
  $ sstat() { for try in $(seq 100); do command sstat "$@" 2> /dev/null | grep --quiet -E " [0-9]{6}K" && break || sleep 0.2; done; command sstat "$@"; }
  $ seff() { for try in $(seq 300); do command seff "$1" | grep --quiet "State: COMPLETED" && break || sleep 0.5; done; command seff "$1"; }
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
