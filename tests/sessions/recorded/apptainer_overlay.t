# recorded 2026-11-28 with Apptainer 1.4.5
Writing into an image. Apptainer notes now and then that a driver ended before it was stopped: --quiet leaves that out.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image hello 2> /dev/null)" hello.sif
  $ apptainer() { command apptainer --quiet "$@"; }
#show
  $ apptainer exec hello.sif touch /opt/new
  /usr/bin/touch: cannot touch '/opt/new': Read-only file system
  [1]
  $ mkdir changes
  $ apptainer exec --overlay changes hello.sif touch /opt/new
  $ apptainer exec --overlay changes hello.sif ls /opt
  new
  $ apptainer exec hello.sif ls /opt
  $ ls changes
  upper
  work
