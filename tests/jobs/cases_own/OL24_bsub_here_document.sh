#!/bin/bash
for f in *.inp; do
bsub <<EOF
#BSUB -J ${f%.inp}
#BSUB -o $PWD/%J.out
#BSUB -W 10
./run $f
EOF
done
