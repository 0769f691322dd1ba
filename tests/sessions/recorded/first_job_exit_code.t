# recorded 2026-11-29 with slurm-wlm 22.05.8
The exit code of a job is that of its last command, unless the script ends at the first error.

  $ cat > careful.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > set -euo pipefail
  > python3 -c "import torchx"
  > echo finished
  > END
  $ job=$(sbatch --parsable --wait careful.sbatch)
  [1]
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=FAILED
  Reason=NonZeroExitCode
  ExitCode=1:0
  $ tail -n 1 careful.sbatch-$job.out
  ModuleNotFoundError: No module named 'torchx'
  $ grep -v pipefail careful.sbatch > careless.sbatch
  $ job=$(sbatch --parsable --wait careless.sbatch)
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=COMPLETED
  Reason=None
  ExitCode=0:0
  $ tail -n 2 careless.sbatch-$job.out
  ModuleNotFoundError: No module named 'torchx'
  finished
