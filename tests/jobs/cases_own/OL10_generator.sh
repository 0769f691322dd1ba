#!/bin/bash
for lr in 0.1 0.01; do
bsub <<EOT
#!/bin/bash
#BSUB -J run_$lr
#BSUB -o $HOME/logs/%J.out
#BSUB -n 4
#BSUB -R "span[hosts=1]"
#BSUB -W 60
python train.py --lr $lr
EOT
done
