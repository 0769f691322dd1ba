Needs: lmod.
A kernel for an environment, and a second one that loads a module first. JUPYTER_DATA_DIR keeps both out of the home
folder here. The module sets one variable.

  $ source /usr/share/lmod/lmod/init/bash
  $ export JUPYTER_DATA_DIR="$PWD/jupyter" BASH_ENV=/usr/share/lmod/lmod/init/bash
  $ mkdir -p modules/mylib && echo 'setenv("MYLIB_HOME", "/opt/mylib")' > modules/mylib/1.0.lua
  $ export MODULEPATH="$PWD/modules"
  $ echo 'import os; print(os.environ.get("MYLIB_HOME"))' > where.py
  $ cat > mylib-kernel << 'END'
  > #!/bin/bash
  > module load mylib
  > exec "$@"
  > END
  $ chmod +x mylib-kernel
#show
  $ cat where.py
  import os; print(os.environ.get("MYLIB_HOME"))
  $ python -m ipykernel install --user --name course --display-name "Course" | cut -c 1-27
  Installed kernelspec course
  $ cp -r jupyter/kernels/course jupyter/kernels/course-mylib
  $ sed -i "s|\"argv\": \[|&\n  \"$PWD/mylib-kernel\",|" jupyter/kernels/course-mylib/kernel.json
  $ cat mylib-kernel
  #!/bin/bash
  module load mylib
  exec "$@"
  $ grep -A 1 argv jupyter/kernels/course-mylib/kernel.json | sed "s|$PWD|/home/ada|"
   "argv": [
    "/home/ada/mylib-kernel",
  $ jupyter run --kernel=course where.py 2> kernel.log
  None
  $ jupyter run --kernel=course-mylib where.py 2> kernel.log
  /opt/mylib
