# recorded 2026-11-29 with slurm-wlm 24.11.5
Needs: Slurm 24.11.
--exclusive takes all cores and GPUs of a node, and of its memory only what was asked for; both are shown.

  $ job=$(sbatch --parsable --wait --partition=gpu --exclusive --mem=500M --output=/dev/null --wrap="true")
  $ scontrol show job $job | grep TRES
     ReqTRES=cpu=1,mem=500M,node=1,billing=1
     AllocTRES=cpu=8,mem=500M,node=1,billing=8
