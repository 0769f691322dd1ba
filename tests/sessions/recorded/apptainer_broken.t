# recorded 2026-11-28 with Apptainer 1.4.5
Two builds that end early.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image base 2> /dev/null)" base.sif && cp "$REPO/containers/base.def" .
  $ cat > broken.def << 'END'
  > Bootstrap: localimage
  > From: base.sif
  > 
  > %post
  >     mkdir /opt/model
  >     cp weights.pt /opt/model
  >     echo "all copied"
  > END
#show
  $ tail -4 broken.def
  %post
      mkdir /opt/model
      cp weights.pt /opt/model
      echo "all copied"
  $ apptainer build broken.sif broken.def
  INFO:    Starting build...
  INFO:    Verifying bootstrap image base.sif
  INFO:    Extracting local image...
  INFO:    Running post scriptlet
  + mkdir /opt/model
  + cp weights.pt /opt/model
  cp: cannot stat 'weights.pt': No such file or directory
  FATAL:   While performing build: while running engine: while running %post section: exit status 1
  [255]
  $ apptainer build base2.sif base.def
  FATAL:   Unable to build from base.def: build var MIRROR is not defined through either --build-arg (--build-arg-file) or 'arguments' section
  [255]
