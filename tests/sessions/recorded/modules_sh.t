# recorded 2026-11-28 with Lmod 8.6.19, slurm-wlm 22.05.8
A job script for sh.
Needs: lmod.

  $ export HOME=$PWD
  $ printf '#!/bin/sh\n#SBATCH --output=%%x-%%j.out\n\nmodule load gcc/12\necho "CC=$CC"\n' > job.sbatch
#show
  $ cat job.sbatch
  #!/bin/sh
  #SBATCH --output=%x-%j.out
  
  module load gcc/12
  echo "CC=$CC"
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -oE "(slurm_script|CC).*" job.sbatch-$job.out
  slurm_script: 4: module: not found
  CC=
  $ sed -i 's|^#!/bin/sh|#!/bin/bash|' job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -oE "(slurm_script|CC).*" job.sbatch-$job.out
  CC=/usr/bin/gcc-12
