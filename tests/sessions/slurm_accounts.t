Needs: accounting.
Accounts, QOS and shares of the one who asks.

  $ sacctmgr show user $(whoami) format=User,DefaultAccount
        User   Def Acct 
  ---------- ---------- 
   *\S+     course * (re)
  $ sacctmgr show assoc user=$(whoami) account=course,def-student format=Account%12,QOS%14,DefaultQOS
       Account            QOS   Def QOS 
  ------------ -------------- --------- 
   +(course|def-student)   normal,short    normal * (re)
   +(course|def-student)   normal,short    normal * (re)
  $ sacctmgr show qos format=Name,Priority,MaxWall,MaxJobsPerUser,MaxTRESPerUser,Flags%12
        Name   Priority     MaxWall MaxJobsPU     MaxTRESPU        Flags 
  ---------- ---------- ----------- --------- ------------- ------------ 
      normal          0                                                  
       short        100    00:30:00         2         cpu=8  DenyOnLimit 
  $ sshare --accounts=course,def-student --format=Account,RawShares,NormShares,FairShare
  Account +RawShares +NormShares +FairShare * (re)
  -+ -+ -+ -+ * (re)
  course +10 +[0-9.]+ * (re)
   course +1 +[0-9.]+ +[0-9.]+ * (re)
  def-student +10 +[0-9.]+ * (re)
   def-student +1 +[0-9.]+ +[0-9.]+ * (re)
