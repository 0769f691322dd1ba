Needs: accounting.
A job on an account that one does not belong to. Needs accounting, which a practice cluster starts in the background:
wait until it enforces accounts.

  $ for try in $(seq 300); do scontrol show config | grep -q "Enforce.*associations" && break || sleep 0.2; done
  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" scripts
#show
  $ sbatch --account=thesis scripts/slurm/hello.sbatch
  sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified
  [1]
