Needs: lmod.
What can be loaded now, what a compiler makes visible, and what is hidden.

  $ module purge
  $ module avail
  
  -+ \S+/scripts/modulefiles/Core -+ (re)
     cuda/12.6    cuda/13.0 (D)    gcc/12 (D)    gcc/13
  
    Where:
     D:  Default Module
  
  If the avail list is too long consider trying:
  
  "module --default avail" or "ml -d av" to just list the default modules.
  "module overview" or "ml ov" to display the number of modules for each name.
  
  Use "module spider" to find all possible modules and extensions.
  Use "module keyword key1 key2 ..." to search for all possible modules matching
  any of the "keys".
  
  
  $ module load gcc
  $ module --terse avail
  \S+/scripts/modulefiles/gcc-12: (re)
  openmpi/
  openmpi/4.1
  \S+/scripts/modulefiles/Core: (re)
  cuda/
  cuda/12.6
  cuda/13.0
  gcc/
  gcc/12
  gcc/13
  $ module --terse --show_hidden avail gcc
  \S+/scripts/modulefiles/Core: (re)
  gcc/12
  gcc/13
  gcc/14-test
