# recorded 2026-11-29 with slurm-wlm 22.05.8 and Apptainer 1.4.5
Needs: apptainer.
Two tasks of Slurm ask launch.py who they are: with the environment, and without it.

  $ ln -sf "$(workshop apptainer image pytorch-cpu 2> /dev/null)" pytorch-cpu.sif
  $ cat > who.py << 'END'
  > import sys
  > sys.path.insert(0, "scripts/train")
  > import launch
  > me = launch.detect()
  > sys.stdout.write(f"rank {me.rank}: world size {me.world_size} (launcher: {me.launcher})\n")
  > END
  $ srun --ntasks=2 apptainer exec pytorch-cpu.sif python who.py | sort
  rank 0: world size 2 (launcher: slurm)
  rank 1: world size 2 (launcher: slurm)
  $ srun --ntasks=2 apptainer exec --cleanenv pytorch-cpu.sif python who.py | sort
  rank 0: world size 1 (launcher: none)
  rank 0: world size 1 (launcher: none)
