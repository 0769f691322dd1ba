# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
Looking back: one job that succeeds, one that fails.

  $ good=$(sbatch --parsable --wait --job-name=good --partition=gpu --gpus-per-node=2 \
  >   --cpus-per-task=4 --output=/dev/null --wrap="srun sleep 3")
  $ bad=$(sbatch --parsable --wait --job-name=bad --output=/dev/null --wrap="sleep 1; exit 3")
  [3]
  $ sacct --jobs=$good,$bad --format=JobID%12,JobName%8,State,ExitCode,Elapsed,Timelimit,NCPUS
         JobID  JobName      State ExitCode    Elapsed  Timelimit      NCPUS 
  ------------ -------- ---------- -------- ---------- ---------- ---------- 
          5477     good  COMPLETED      0:0   00:00:03   00:10:00          4 
    5477.batch    batch  COMPLETED      0:0   00:00:03                     4 
        5477.0    sleep  COMPLETED      0:0   00:00:03                     4 
          5478      bad     FAILED      3:0   00:00:01   00:10:00          1 
    5478.batch    batch     FAILED      3:0   00:00:01                     1 
  $ sacct --allocations --parsable2 --jobs=$good,$bad --format=JobName,QOS,State,ElapsedRaw,AllocTRES
  JobName|QOS|State|ElapsedRaw|AllocTRES
  good|normal|COMPLETED|3|billing=4,cpu=4,gres/gpu:v100=2,gres/gpu=2,mem=4000M,node=1
  bad|normal|FAILED|1|billing=1,cpu=1,mem=1000M,node=1
  $ sacct --starttime=now-1hour --endtime=now --state=FAILED --allocations --noheader --name=bad --format=JobName,State,ExitCode | tail -n 1
         bad     FAILED      3:0 
