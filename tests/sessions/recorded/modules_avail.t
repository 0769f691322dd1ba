# recorded 2026-11-29 with Lmod 8.6.19
Needs: lmod.
What can be loaded now, what a compiler makes visible, and what is hidden.

  $ module purge
  $ module avail
  
  -------------------- ~/hpc-cluster-workshop/scripts/modulefiles/Core --------------------
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
  ~/hpc-cluster-workshop/scripts/modulefiles/gcc-12:
  openmpi/
  openmpi/4.1
  ~/hpc-cluster-workshop/scripts/modulefiles/Core:
  cuda/
  cuda/12.6
  cuda/13.0
  gcc/
  gcc/12
  gcc/13
  $ module --terse --show_hidden avail gcc
  ~/hpc-cluster-workshop/scripts/modulefiles/Core:
  gcc/12
  gcc/13
  gcc/14-test
