Slots and hosts, in a rehearsal: all slots on one host, and four on each.

  $ cat > slots.lsf <<'EOF'
  > #!/bin/bash
  > #BSUB -J slots
  > #BSUB -o slots-%J.out
  > #BSUB -n 8
  > #BSUB -R "span[ptile=4]"
  > #BSUB -W 0:05
  > 
  > echo "LSB_HOSTS:      $LSB_HOSTS"
  > echo "LSB_MCPU_HOSTS: $LSB_MCPU_HOSTS"
  > echo "host file:      $(uniq --count "$LSB_DJOB_HOSTFILE" | xargs)"
  > EOF
  $ workshop rehearse slots.lsf | grep -E "^(LSB|host)"
  LSB_HOSTS:      node01 node01 node01 node01 node02 node02 node02 node02
  LSB_MCPU_HOSTS: node01 4 node02 4 
  host file:      4 node01 4 node02
  $ sed "s/ptile=4/hosts=1/" slots.lsf > one.lsf
  $ workshop rehearse one.lsf | grep -E "^(LSB|host)"
  LSB_HOSTS:      node01 node01 node01 node01 node01 node01 node01 node01
  LSB_MCPU_HOSTS: node01 8 
  host file:      8 node01
