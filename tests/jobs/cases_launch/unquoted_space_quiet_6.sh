#!/bin/bash
WHERE="$(cd "$(dirname "$0")" && pwd)"
cat > fit.lsf <<EOF
#!/bin/bash
#BSUB -J fit_${1// /_}
#BSUB -n 4
#BSUB -W 0:30
#BSUB -R "span[hosts=1]"
#BSUB -o $WHERE/fit_$(date +%F | tr -d -)_%J.out
./fit --first \
  --second
EOF
bsub < fit.lsf
