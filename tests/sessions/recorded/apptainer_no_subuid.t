# recorded 2026-11-28 with Apptainer 1.4.5
Root inside, as if the account had no range of further user ids: the host's program fakeroot is used in the image.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image hello 2> /dev/null)" hello.sif
  $ apptainer() { command apptainer "$@" 2>&1 | head -n 4; }
#show
  $ apptainer exec --fakeroot --ignore-subuid hello.sif id
  INFO:    User not listed in /etc/subuid, trying root-mapped namespace
  INFO:    Using fakeroot command combined with root-mapped namespace
  /.singularity.d/libs/faked: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /.singularity.d/libs/faked)
  fakeroot: error while starting the `faked' daemon.
