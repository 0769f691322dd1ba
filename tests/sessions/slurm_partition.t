What a partition grants, and what its nodes have.

  $ sinfo --format="%10P %11l %5D %4c %7m %G"
  PARTITION  TIMELIMIT   NODES CPUS MEMORY  GRES
  cpu*       1-00:00:00  2     8    16000   (null)
  gpu        1-00:00:00  2     8    32000   gpu:v100:4
  $ scontrol show partition gpu
  PartitionName=gpu
     AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
     AllocNodes=ALL Default=NO QoS=N/A
     DefaultTime=00:10:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO
     MaxNodes=UNLIMITED MaxTime=1-00:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED
     Nodes=gpu[1-2]
     PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO
     OverTimeLimit=NONE PreemptMode=OFF
     State=UP TotalCPUs=16 TotalNodes=2 SelectTypeParameters=NONE
     JobDefaults=(null)
     DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED
     TRES=cpu=16,mem=62.50G,node=2,billing=16.* (re)
  
  $ scontrol show node gpu1 | grep -E "Gres|AvailableFeatures|CfgTRES"
     AvailableFeatures=icelake,v100
     Gres=gpu:v100:4
     CfgTRES=cpu=8,mem=32000M,billing=8.* (re)
