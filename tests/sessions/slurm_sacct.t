Needs: accounting.
Looking back: one job that succeeds, one that fails.

  $ good=$(sbatch --parsable --wait --job-name=good --partition=gpu --gpus-per-node=2 \
  >   --cpus-per-task=4 --output=/dev/null --wrap="srun sleep 3")
  $ bad=$(sbatch --parsable --wait --job-name=bad --output=/dev/null --wrap="sleep 1; exit 3")
  [3]
  $ sacct --jobs=$good,$bad --format=JobID%12,JobName%8,State,ExitCode,Elapsed,Timelimit,NCPUS
         JobID  JobName      State ExitCode    Elapsed  Timelimit      NCPUS 
  ------------ -------- ---------- -------- ---------- ---------- ---------- 
   +\d+ +good  COMPLETED      0:0   00:00:\d+   00:10:00          4 * (re)
   +\d+.batch +batch  COMPLETED      0:0   00:00:\d+                     4 * (re)
   +\d+.0 +sleep  COMPLETED      0:0   00:00:\d+                     4 * (re)
   +\d+ +bad     FAILED      3:0   00:00:\d+   00:10:00          1 * (re)
   +\d+.batch +batch     FAILED      3:0   00:00:\d+                     1 * (re)
  $ sacct --allocations --parsable2 --jobs=$good,$bad --format=JobName,QOS,State,ElapsedRaw,AllocTRES
  JobName|QOS|State|ElapsedRaw|AllocTRES
  good\|normal\|COMPLETED\|\d+\|billing=4,cpu=4,gres/gpu.*node=1 (re)
  bad\|normal\|FAILED\|\d+\|billing=1,cpu=1,mem=1000M,node=1 (re)
  $ sacct --starttime=now-1hour --endtime=now --state=FAILED --allocations --noheader --name=bad --format=JobName,State,ExitCode | tail -n 1
         bad     FAILED      3:0 
