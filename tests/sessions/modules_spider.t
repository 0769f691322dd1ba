Needs: lmod.
Where is PyTorch, and what must be loaded before it?

  $ module spider PyTorch
  
  -+ (re)
    PyTorch: PyTorch/2.14.1
  -+ (re)
      Description:
        PyTorch and the other packages of the course's environment .venv
  
  
      You will need to load all module(s) on any one of the lines below before the "PyTorch/2.14.1" module is available to load.
  
        gcc/12  openmpi/4.1
   
      Help:
        Python with PyTorch: the environment .venv in the folder of this course. Nothing needs to be activated.
  
  
   
  
