# recorded 2026-11-28 with Lmod 8.6.19
A load in a pipe happens in another process.
Needs: lmod.

  $ export HOME=$PWD
  $ unset CC
#show
  $ module load gcc/12 2>&1 | tee load.log
  $ echo "CC=$CC"
  CC=
  $ module load gcc/12
  $ echo "CC=$CC"
  CC=/usr/bin/gcc-12
