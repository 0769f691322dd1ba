What can be loaded now, what a compiler makes visible, and what is hidden.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module avail
  $ module load gcc
  $ module --terse avail
  $ module --terse --show_hidden avail gcc
