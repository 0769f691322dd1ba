#!/bin/bash
for lr in 0.1 0.01; do
qsub <<EOF
#!/bin/bash
#PBS -N run-$lr
#PBS -l select=1:ncpus=4
#PBS -o $PWD/logs/$lr.log
cd $PWD
python train.py --lr $lr
EOF
done
