-- Open MPI of the distribution. mpirun lies in /usr/bin anyway; this module says where, and opens the next level.
local found = isFile("/usr/bin/mpirun") and capture("/usr/bin/mpirun --version"):match("Open MPI%) ([%d.]+)") or "none"

whatis("Name: openmpi")
whatis("Description: Open MPI of this machine's distribution, found: " .. found)
help([[
The Open MPI that the distribution installs (package openmpi-bin).
After it, `module avail` shows what was built with it.
]])
family("mpi")
if found ~= "none" then
    setenv("MPIRUN", "/usr/bin/mpirun")
end
if mode() == "load" and not found:match("^4%.1%.") then
    LmodMessage("openmpi/4.1: this machine has no Open MPI 4.1. Found: " .. found .. ".")
end
prepend_path("MODULEPATH", (myFileName():gsub("/gcc%-12/openmpi/.*", "/gcc-12-openmpi-4.1")))
