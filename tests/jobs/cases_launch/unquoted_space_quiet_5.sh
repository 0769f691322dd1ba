#!/bin/bash
STAMP=`date "+%H %M"`
BASE=$(pwd)
qsub <<EOF
#!/bin/bash
#PBS -N fit_$STAMP
#PBS -l select=1:ncpus=4
#PBS -l walltime=0:30:00
#PBS -o $BASE/$(head -1 names | cut -d ' ' -f 1).log
cd "$BASE"
./fit
EOF
