A temporary folder that is not there.
Needs: apptainer.
#show
  $ ln -sf "$(workshop apptainer image base 2> /dev/null)" base.sif
  $ cat > my.def << 'END'
  > Bootstrap: localimage
  > From: base.sif
  > 
  > %post
  >     true
  > END
  $ APPTAINER_TMPDIR=/scratch/nobody apptainer build my.sif my.def
  FATAL:   Unable to create build: failed to create build parent dir: stat /scratch/nobody: no such file or directory
  [255]
