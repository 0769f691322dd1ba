# recorded 2026-11-30 with slurm-wlm 22.05.8
A script of the course for a named cluster and an account.

  $ workshop fill scripts/slurm/hello.sbatch --site kebnekaise \
  >   --account hpc2n2026-001 --output mine.sbatch
  For Kebnekaise (Slurm), status: live, open to its own universities only. In service; the project's leader must be at Umeå, Luleå, IRF, Mid Sweden or SLU. It stays several more years while the national clusters move to Arrhenius.
  - No memory asked for: at Kebnekaise it comes with the cores.
  - Submit from a folder under /proj/nobackup. The home directory holds 25 GB only.
  $ diff --unified=0 scripts/slurm/hello.sbatch mine.sbatch | tail --lines=+3
  @@ -1,0 +2,2 @@
  +# Filled for Kebnekaise (local; facts checked 2026-11-27)
  +#SBATCH --account=hpc2n2026-001
  @@ -4 +5,0 @@
  -##SBATCH --account=NAME            # EDIT: your account, with one #
  @@ -8 +8,0 @@
  -#SBATCH --mem=500M                 # EDIT: memory of the node
