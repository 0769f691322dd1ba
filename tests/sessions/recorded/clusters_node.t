# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
What Slurm knows about one node, when no job is left on it. (Without a database GPUs are no TRES.)

  $ scontrol show node gpu1 | grep -oE "(Arch|CPUAlloc|CPUTot|RealMemory|AllocMem|Gres|AvailableFeatures|State|Partitions|CfgTRES)=\S+"
  Arch=x86_64
  CPUAlloc=0
  CPUTot=8
  AvailableFeatures=icelake,v100
  Gres=gpu:v100:4
  RealMemory=32000
  AllocMem=0
  State=IDLE
  Partitions=gpu
  CfgTRES=cpu=8,mem=32000M,billing=8,gres/gpu=4,gres/gpu:v100=4
