-- A stand-in: the same library "built" with the other compiler. There is no PyTorch above it.
whatis("Name: openmpi")
whatis("Description: STAND-IN for teaching: no MPI is behind it")
help([[
A stand-in: it changes no variable. It is here so that you can see how a module follows a change of the compiler.
]])
family("mpi")
