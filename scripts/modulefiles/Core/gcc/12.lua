-- The GNU compilers. They lie in /usr/bin anyway, so this module only says which ones to use, and opens the next level.
local function version_of(program)
    return isFile(program) and capture(program .. " -dumpfullversion"):gsub("%s+$", "") or nil
end
local c = isFile("/usr/bin/gcc-12") and "/usr/bin/gcc-12" or "/usr/bin/gcc"
local found = version_of(c) or "none"

whatis("Name: gcc")
whatis("Description: GNU C and C++ compilers of this machine's distribution, found: " .. found)
help([[
The compilers that the distribution installs. CC and CXX name them for build tools.
After it, `module avail` shows what was built with it.
]])
family("compiler")
if isFile(c) then
    setenv("CC", c)
    setenv("CXX", (c:gsub("gcc", "g++")))
end
if mode() == "load" and not found:match("^12%.") then
    LmodMessage("gcc/12: this machine has no gcc 12. Found: " .. found .. ".")
end
prepend_path("MODULEPATH", (myFileName():gsub("/Core/gcc/.*", "/gcc-12")))
