A script for Torque in the words of PBS: read by the course's own reader, nothing is submitted.

  $ cat > torque.pbs <<'EOF'
  > #!/bin/bash
  > #PBS -N sweep
  > #PBS -j oe
  > #PBS -l nodes=2:ppn=4
  > #PBS -l walltime=02:00:00
  > #PBS -t 1-3
  > 
  > cd "$PBS_O_WORKDIR"
  > mpirun -np 8 python sweep.py --seed "$PBS_ARRAYID"
  > EOF
  $ workshop translate torque.pbs --to pbs
  #!/bin/bash
  #PBS -N sweep
  #PBS -l select=2:ncpus=4:mpiprocs=4
  #PBS -l place=scatter
  #PBS -l walltime=02:00:00
  #PBS -J 1-3
  #PBS -j oe
  
  cd "$PBS_O_WORKDIR"
  mpirun -np 8 python sweep.py --seed "$PBS_ARRAY_INDEX"
