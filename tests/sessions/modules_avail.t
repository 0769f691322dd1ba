What can be loaded now, and what a compiler makes visible.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module avail
  $ module load gcc
  $ module --terse avail
