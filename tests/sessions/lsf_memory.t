The same request at a site that counts memory for each host, and at one that counts for each slot.

  $ cat > memory.lsf <<'EOF'
  > #!/bin/bash
  > #BSUB -J train
  > #BSUB -o train-%J.out
  > #BSUB -n 4
  > #BSUB -R "span[hosts=1] rusage[mem=8GB]"
  > #BSUB -W 1:00
  > 
  > python train.py
  > EOF
  $ workshop check memory.lsf | grep -E "^  (memory|rusage)"
    memory        8 GB per host or per slot, as the site counts
    rusage[mem=8GB] is 8 GB for each host by IBM's default, or 8 GB for each slot (32 GB for 4 slots) where the site sets RESOURCE_RESERVE_PER_TASK.
  $ workshop check --site dtu-hpc memory.lsf | grep -E "^  memory"
    memory        8 GB for each slot
  $ sed "s/8GB/32GB\/host/" memory.lsf > said.lsf
  $ workshop check --site dtu-hpc said.lsf | grep -E "^  memory"
    memory        32 GB on each host
