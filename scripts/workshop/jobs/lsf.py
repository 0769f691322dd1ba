def read(lines, script): pass
