#PBS -t 0-9%2
#PBS -l nodes=1:ppn=1
#PBS -l walltime=1:00:00
cd $PBS_O_WORKDIR
./run $PBS_ARRAYID
