Needs: apptainer.
What is mounted by itself, and what not where a site has switched it off.

  $ echo "0.5" > my_lr.txt
  $ apptainer exec hello.sif cat my_lr.txt
  0.5
  $ export APPTAINER_NO_MOUNT=tmp,cwd   # as at a site that mounts less
  $ apptainer exec hello.sif cat my_lr.txt
  WARNING: Error changing the container working directory. .* (re)
  /usr/bin/cat: my_lr.txt: No such file or directory
  [1]
  $ apptainer exec --bind "$PWD" hello.sif cat my_lr.txt
  0.5
  $ apptainer exec --bind "$PWD:/data:ro" --pwd /data hello.sif \
  >   bash -c 'cat my_lr.txt; echo 0.1 > my_lr.txt'
  0.5
  /usr/bin/bash: line 1: my_lr.txt: Read-only file system
  [1]
  $ unset APPTAINER_NO_MOUNT
