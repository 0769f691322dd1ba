The same script for three clusters.

#show
  $ for site in alvis kebnekaise narval; do echo "# $site"; workshop fill "$REPO/scripts/slurm/modules_ddp.sbatch" --site $site 2> /dev/null | grep -E "^(module|source)"; done
