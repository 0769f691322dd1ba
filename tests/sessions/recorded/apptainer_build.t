# recorded 2026-11-28 with Apptainer 1.4.5
An image built on a local one, as an ordinary user; the base has labels and a help text of its own.
Needs: apptainer.

  $ . "$REPO/tests/sessions/waits.bash"
  $ ln -s "$(workshop apptainer image base 2> /dev/null)" base.sif && cp "$REPO/containers/hello.def" .
  $ apptainer() { quick_build "$@"; }
#show
  $ apptainer build --build-arg BOOTSTRAP=localimage \
  >   --build-arg FROM=base.sif hello.sif hello.def
  INFO:    Starting build...
  INFO:    Verifying bootstrap image base.sif
  INFO:    Extracting local image...
  INFO:    Running post scriptlet
  + date --iso-8601
  WARNING: Help message already exists and force option is false, not overwriting
  INFO:    Adding labels
  WARNING: Label: org.opencontainers.image.title already exists and force option is false, not overwriting
  INFO:    Adding environment to container
  INFO:    Adding runscript
  INFO:    Adding testscript
  INFO:    Running testscript
  INFO:    Creating SIF file...
  INFO:    Build complete: hello.sif
  $ apptainer inspect hello.sif | grep title
  org.opencontainers.image.title: Debian base
