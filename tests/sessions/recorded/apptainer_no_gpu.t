# recorded 2026-11-28 with Apptainer 1.4.5
--nv on a machine without a GPU, and without --nv the same.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image pytorch-cpu 2> /dev/null)" pytorch-cpu.sif
#show
  $ apptainer exec --nv pytorch-cpu.sif nvidia-smi
  FATAL:   "nvidia-smi": executable file not found in $PATH
  [255]
