-- The environment .venv of this repository (`make env`), put in front of PATH and PYTHONPATH as real sites do it.
local venv = myFileName():gsub("/scripts/modulefiles/.*", "/.venv")

whatis("Name: PyTorch")
whatis("Description: PyTorch and the other packages of the course's environment .venv")
help("Python with PyTorch: the environment .venv in the folder of this course. Nothing needs to be activated.")
if mode() == "load" and not isDir(pathJoin(venv, "lib")) then
    LmodError("PyTorch/2.14.1 needs the environment " .. venv .. ", which is not there. Make it with: make env")
end
prepend_path("PATH", pathJoin(venv, "bin"))
-- So that other interpreters of the same version find the packages: a virtual environment made on top of this module.
for folder in lfs.dir(pathJoin(venv, "lib")) do
    if folder:match("^python3") then
        prepend_path("PYTHONPATH", pathJoin(venv, "lib", folder, "site-packages"))
    end
end
