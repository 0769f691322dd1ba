Needs: apptainer.
Writing into an image. Apptainer notes now and then that a driver ended before it was stopped: --quiet leaves that
out.

  $ apptainer --quiet exec hello.sif touch /opt/new
  /usr/bin/touch: cannot touch '/opt/new': Read-only file system
  [1]
  $ mkdir my_changes
  $ apptainer --quiet exec --overlay my_changes hello.sif touch /opt/new
  $ apptainer --quiet exec --overlay my_changes hello.sif ls /opt
  new
  $ apptainer --quiet exec hello.sif ls /opt
  $ ls my_changes
  upper
  work
