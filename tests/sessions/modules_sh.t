A job script for sh.
Needs: lmod.

  $ export HOME=$PWD
  $ printf '#!/bin/sh\n#SBATCH --output=%%x-%%j.out\n\nmodule load gcc/12\necho "CC=$CC"\n' > job.sbatch
#show
  $ cat job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ cat job.sbatch-$job.out
  $ sed -i 's|^#!/bin/sh|#!/bin/bash|' job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ cat job.sbatch-$job.out
