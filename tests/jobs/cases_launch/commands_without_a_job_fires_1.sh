srun -N 2 -n 8 python train.py
srun -N 2 -n 8 python evaluate.py
