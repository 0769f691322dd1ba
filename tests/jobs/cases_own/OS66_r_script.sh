#!/usr/bin/env Rscript
#SBATCH --time=1:00:00
#SBATCH -c 4
library(parallel)
n <- as.integer(Sys.getenv("SLURM_CPUS_PER_TASK"))
mclapply(1:10, function(i) i^2, mc.cores = n)
