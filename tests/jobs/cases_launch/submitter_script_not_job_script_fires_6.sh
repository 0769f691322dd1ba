#!/bin/bash
for rate in 0.1 0.01; do
    bsub <<EOF
#!/bin/bash
#BSUB -J lr_$rate
#BSUB -q gpu
#BSUB -n 8
#BSUB -R "span[hosts=1]"
#BSUB -gpu "num=2"
#BSUB -W 4:00
#BSUB -o %J.out
source .venv/bin/activate
torchrun --standalone --nproc_per_node=2 train.py --lr $rate
EOF
done
