# recorded 2026-11-28 with slurm-wlm 22.05.8 and Apptainer 1.4.5
Two tasks of Slurm ask launch.py who they are: with the environment, and without it.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image pytorch-cpu 2> /dev/null)" pytorch-cpu.sif && mkdir -p scripts && cp -r "$REPO/scripts/train" scripts
  $ cat > who.py << 'END'
  > import sys
  > sys.path.insert(0, "scripts/train")
  > import launch
  > me = launch.detect()
  > sys.stdout.write(f"rank {me.rank}: world size {me.world_size} (launcher: {me.launcher})\n")
  > END
  $ srun() { command srun "$@" < /dev/null | sort; }
#show
  $ cat who.py
  import sys
  sys.path.insert(0, "scripts/train")
  import launch
  me = launch.detect()
  sys.stdout.write(f"rank {me.rank}: world size {me.world_size} (launcher: {me.launcher})\n")
  $ srun --ntasks=2 apptainer exec pytorch-cpu.sif python who.py
  rank 0: world size 2 (launcher: slurm)
  rank 1: world size 2 (launcher: slurm)
  $ srun --ntasks=2 apptainer exec --cleanenv pytorch-cpu.sif python who.py
  rank 0: world size 1 (launcher: none)
  rank 0: world size 1 (launcher: none)
