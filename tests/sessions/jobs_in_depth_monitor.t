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
  JobID          NTasks     MaxRSS     AveCPU \s* (re)
  ------------ -------- ---------- ---------- \s* (re)
  \d+\.batch +1 +\d+[KM]? +00:\d\d[:.\d]* * (re)
  \d+\.0 +2 +1\d+[KM] +00:\d\d[:.\d]* * (re)
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
