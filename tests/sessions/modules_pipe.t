Needs: lmod.
A load in a pipe happens in another process.

  $ module purge
  $ module load gcc/12 2>&1 | tee load.log
  $ echo "CC=$CC"
  CC=
  $ module load gcc/12
  $ echo "CC=$CC"
  CC=/usr/bin/gcc\S* (re)
  $ module purge
