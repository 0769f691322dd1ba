-- A stand-in that `module avail` does not show (see .modulerc.lua); who knows its name can load it.
whatis("Name: gcc")
whatis("Description: STAND-IN for teaching: no compiler is behind it")
help([[
A stand-in for a module that a site has installed but not announced. `module --show_hidden avail` lists it.
]])
family("compiler")
if mode() == "load" then
    LmodMessage("gcc/14-test is a stand-in for teaching: no compiler is behind it.")
end
