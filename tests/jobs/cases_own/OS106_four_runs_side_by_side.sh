#!/bin/bash
#SBATCH -N1 --ntasks-per-node=4 --gres=gpu:4 -p gpu
#SBATCH --time=1:00:00
for i in 0 1 2 3; do
  CUDA_VISIBLE_DEVICES=$i python train.py --seed $i > log.$i &
done
wait
