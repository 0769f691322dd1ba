-- A stand-in: a second compiler, so that there is something to swap.
whatis("Name: gcc")
whatis("Description: STAND-IN for teaching: no compiler is behind it")
help([[
A stand-in: it sets no variable that finds a compiler. It is here so that you can see what happens to the modules
that were built with gcc/12 when you change the compiler.
]])
family("compiler")
if mode() == "load" then
    LmodMessage("gcc/13 is a stand-in for teaching: no compiler is behind it.")
end
prepend_path("MODULEPATH", (myFileName():gsub("/Core/gcc/.*", "/gcc-13")))
