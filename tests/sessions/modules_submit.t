The script of this chapter, from a shell in which no environment is active.
Needs: lmod.

  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .
  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH
#show
  $ command -v torchrun || echo "no torchrun"
  $ job=$(sbatch --parsable --wait scripts/slurm/modules_ddp.sbatch)
  $ cat modules_ddp-$job.out
