#! /bin/bash -l
#SBATCH --time 90:30
#SBATCH -p gpu --comment="two words" --begin=now+1hour
#SBATCH --exclude=n[1-3] --hint=nomultithread -D /tmp
#SBATCH --mail-type=END,FAIL,TIME_LIMIT_80 --nice=100
hostname
