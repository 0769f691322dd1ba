# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
Accounts, QOS and shares of the one who asks.

  $ sacctmgr show user $(whoami) format=User,DefaultAccount
        User   Def Acct 
  ---------- ---------- 
         ada     course 
  $ sacctmgr show assoc user=$(whoami) account=course,def-student format=Account%12,QOS%14,DefaultQOS
       Account            QOS   Def QOS 
  ------------ -------------- --------- 
   def-student   normal,short    normal 
        course   normal,short    normal 
  $ sacctmgr show qos format=Name,Priority,MaxWall,MaxJobsPerUser,MaxTRESPerUser,Flags%12
        Name   Priority     MaxWall MaxJobsPU     MaxTRESPU        Flags 
  ---------- ---------- ----------- --------- ------------- ------------ 
      normal          0                                                  
       short        100    00:30:00         2         cpu=8  DenyOnLimit 
  $ sshare --accounts=course,def-student --format=Account,RawShares,NormShares,FairShare
  Account               RawShares  NormShares  FairShare 
  -------------------- ---------- ----------- ---------- 
  course                       10    0.476190            
   course                       1    1.000000   1.000000 
  def-student                  10    0.476190            
   def-student                  1    1.000000   1.000000 
