Needs: accounting.
--exclusive takes all cores and GPUs of a node, and of its memory only what was asked for.

  $ job=$(sbatch --parsable --wait --partition=gpu --exclusive --mem=500M --output=/dev/null --wrap="true")
  $ scontrol show job $job | grep TRES
     TRES=cpu=8,mem=500M,node=1,billing=8,gres/gpu=4,gres/gpu:v100=4
  $ job=$(sbatch --parsable --wait --partition=gpu --exclusive --mem=0 --output=/dev/null --wrap="true")
  $ scontrol show job $job | grep TRES
     TRES=cpu=8,mem=32000M,node=1,billing=8,gres/gpu=4,gres/gpu:v100=4
