Four ways to be refused at once: sbatch says why, prints no job id, and its exit code is not 0 (the number in
brackets).

  $ cp scripts/slurm/hello.sbatch hello.sbatch
  $ sed '1d' hello.sbatch > no_shebang.sbatch
  $ sed 's/$/\r/' hello.sbatch > from_windows.sbatch
  $ sbatch no_shebang.sbatch
  sbatch: error: This does not look like a batch script.  The first
  sbatch: error: line must start with #! followed by the path to an interpreter.
  sbatch: error: For instance: #!/bin/sh
  [1]
  $ sbatch from_windows.sbatch
  sbatch: error: Batch script contains DOS line breaks (\r\n)
  sbatch: error: instead of expected UNIX line breaks (\n).
  [1]
  $ sbatch --cpu-per-task=2 hello.sbatch
  sbatch: unrecognized option '--cpu-per-task=2'
  Try "sbatch --help" for more information
  [255]
  $ sbatch --mem=900G hello.sbatch
  sbatch: error: Memory specification can not be satisfied
  sbatch: error: Batch job submission failed: Requested node configuration is not available
  [1]
