# recorded 2026-11-29 with Lmod 8.6.19
Needs: lmod.
Two messages that look alike and mean different things.

  $ module purge
  $ module load PyTorch/2.14.1
  Lmod has detected the following error: These module(s) or extension(s) exist
  but cannot be loaded as requested: "PyTorch/2.14.1"
     Try: "module spider PyTorch/2.14.1" to see how to load the module(s).
  
  
  
  [1]
  $ module load pytorch/2.14.1
  Lmod has detected the following error: The following module(s) are unknown:
  "pytorch/2.14.1"
  
  Please check the spelling or version number. Also try "module spider ..."
  It is also possible your cache file is out-of-date; it may help to try:
    $ module --ignore_cache load "pytorch/2.14.1"
  
  Also make sure that all modulefiles written in TCL start with the string
  #%Module
  
  
  
  [1]
