# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
A QOS whose limit holds for all of its users together.

  $ sacctmgr --immediate add qos gpus GrpTRES=gres/gpu=4 > /dev/null
  $ sacctmgr --immediate modify user name=$(id -un) account=course set qos+=gpus > /dev/null
  $ sacctmgr --parsable2 show qos gpus format=Name,GrpTRES
  Name|GrpTRES
  gpus|gres/gpu=4
  $ for name in first second; do
  >   sbatch --quiet --job-name=$name --qos=gpus --partition=gpu --gpus-per-node=3 \
  >     --output=/dev/null --wrap="sleep 290"
  > done
  $ squeue --me --sort=i --format="%.8j %.8T %R"
      NAME    STATE NODELIST(REASON)
     first  RUNNING gpu1
    second  PENDING (QOSGrpGRES)
  $ scancel --me
  $ sacctmgr --immediate delete qos gpus > /dev/null
