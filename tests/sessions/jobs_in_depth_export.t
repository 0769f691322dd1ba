What --export leaves out is missing in every srun of the job, too: even PATH. And a comma ends a value.

  $ cat > export.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > echo "NOTE=$NOTE"
  > srun bash -c 'echo "a step"'
  > export PATH SLURM_EXPORT_ENV=ALL
  > srun bash -c 'echo "a step with NOTE=$NOTE"'
  > END
  $ sbatch --quiet --wait --export=NOTE=first export.sbatch
  $ grep --invert-match ^srun: export.sbatch.out
  NOTE=first
  slurmstepd-cpu[12]: error: execve\(\): bash: No such file or directory (re)
  a step with NOTE=first
  $ sbatch --quiet --wait --export=ALL,NOTE="first, then" export.sbatch
  $ head -n 1 export.sbatch.out
  NOTE=first
  $ NOTE="first, then" sbatch --quiet --wait export.sbatch
  $ head -n 1 export.sbatch.out
  NOTE=first, then
