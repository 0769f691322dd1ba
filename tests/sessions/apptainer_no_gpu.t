Needs: apptainer.
--nv on a machine without a GPU, and without --nv the same.

  $ ln -sf "$(workshop apptainer image pytorch-cpu 2> /dev/null)" pytorch-cpu.sif
  $ apptainer exec --nv pytorch-cpu.sif nvidia-smi
  FATAL:   "nvidia-smi": executable file not found in $PATH
  [255]
