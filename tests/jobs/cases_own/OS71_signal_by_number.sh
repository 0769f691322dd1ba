#!/bin/bash
#SBATCH --signal=B:10@300
#SBATCH --time=1:00:00
handler() { echo saving; kill -USR1 "$pid"; }
trap 'handler' SIGUSR1
srun ./app &
pid=$!
wait $pid
wait $pid
