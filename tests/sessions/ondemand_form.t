Needs: ruby.
The options of sbatch that the app's form becomes, with two of its values changed.

  $ python scripts/ondemand/portal.py --show \
  >   scripts/ondemand/workshop_jupyter bc_account=def-prof memory_gb=32
  -A def-prof
  -p gpu
  -t 02:00:00
  --nodes=1
  --ntasks=1
  --cpus-per-task=4
  --mem=32G
  --gpus-per-node=1
