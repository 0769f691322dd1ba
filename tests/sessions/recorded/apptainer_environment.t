# recorded 2026-11-29 with Apptainer 1.4.5
Needs: apptainer.
What a container sees of the host's variables.

  $ export LEARNING_RATE=0.1
  $ apptainer exec hello.sif printenv LEARNING_RATE
  0.1
  $ apptainer exec --cleanenv hello.sif printenv LEARNING_RATE
  [1]
  $ apptainer exec --cleanenv --env LEARNING_RATE="$LEARNING_RATE" \
  >   hello.sif printenv LEARNING_RATE
  0.1
  $ PATH=/opt/of-a-module:$PATH apptainer exec hello.sif printenv PATH
  /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  $ APPTAINERENV_PREPEND_PATH=/opt/more apptainer exec hello.sif printenv PATH
  /opt/more:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  $ export GREETING=Hi
  $ apptainer run hello.sif
  Hello world from Debian GNU/Linux 12 (bookworm) on login
  $ apptainer run --env GREETING=Hi hello.sif
  Hi world from Debian GNU/Linux 12 (bookworm) on login
  $ export APPTAINERENV_GREETING=Hi
  $ apptainer run hello.sif
  Hi world from Debian GNU/Linux 12 (bookworm) on login
  $ unset GREETING APPTAINERENV_GREETING
