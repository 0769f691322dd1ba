-- A stand-in for NVIDIA's CUDA toolkit, which this course does not need: PyTorch's wheels bring CUDA's libraries along.
whatis("Name: cuda")
whatis("Description: STAND-IN for teaching: no CUDA toolkit is behind it")
help([[
A stand-in: there is no nvcc and no library behind it, and it sets no variable. Real ones are needed to compile CUDA
code. PyTorch's wheels bring the libraries that they need; only the driver comes from the machine.
]])
if mode() == "load" then
    LmodMessage("cuda/12.6 is a stand-in for teaching: no CUDA toolkit is behind it.")
end
