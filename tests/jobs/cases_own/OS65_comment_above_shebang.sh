# my training job
#!/bin/bash
#SBATCH --time=1:00:00
hostname
