#BSUB -n 2
#BSUB -W 1:00
#BSUB -o %J.out
./app
