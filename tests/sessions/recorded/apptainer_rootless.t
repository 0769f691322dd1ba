# recorded 2026-11-28 with Apptainer 1.4.5
Who one is inside: oneself, root of a range of ids, and root without such a range.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image hello 2> /dev/null)" hello.sif
  $ apptainer() { command apptainer "$@" 2>&1 | grep -v "^INFO:    Converting"; }
#show
  $ apptainer exec hello.sif id
  uid=1000(student) gid=1000(student) groups=1000(student)
  $ apptainer exec --fakeroot hello.sif id
  uid=0(root) gid=0(root) groups=0(root)
  $ touch mine
  $ apptainer exec --fakeroot hello.sif bash -c 'chown games mine; stat -c %U mine'
  games
