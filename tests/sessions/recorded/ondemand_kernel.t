# recorded 2026-11-28 with Lmod 8.6.19
Needs: lmod.
A kernel for an environment, and a second one that loads a module first. JUPYTER_DATA_DIR keeps both out of the home
folder. The module sets one variable. The function nano stands for a person who puts the wrapper in front.

  $ source /usr/share/lmod/lmod/init/bash
  $ export JUPYTER_DATA_DIR="$PWD/kernels-of-ada" BASH_ENV=/usr/share/lmod/lmod/init/bash
  $ mkdir -p modules/mylib && echo 'setenv("MYLIB_HOME", "/opt/mylib")' > modules/mylib/1.0.lua
  $ export MODULEPATH="$PWD/modules"
  $ echo 'import os; print(os.environ.get("MYLIB_HOME"))' > where.py
  $ cp "$REPO/scripts/ondemand/kernels/mylib-kernel" .
  $ python() { command python "$@" | sed "s|$PWD/kernels-of-ada|/home/ada/.local/share/jupyter|"; }
  $ nano() { command sed -i "s|\"argv\": \[|&\n  \"$PWD/mylib-kernel\",|" kernels-of-ada/kernels/course-mylib/kernel.json; }
  $ cp() { command cp -r kernels-of-ada/kernels/course kernels-of-ada/kernels/course-mylib; }
  $ grep() { command grep -A 1 argv kernels-of-ada/kernels/course-mylib/kernel.json | sed "s|$PWD|/home/ada|"; }
#show
  $ python -m ipykernel install --user --name course
  Installed kernelspec course in /home/ada/.local/share/jupyter/kernels/course
  $ kernels=/home/ada/.local/share/jupyter/kernels
  $ cp -r $kernels/course $kernels/course-mylib
  $ nano $kernels/course-mylib/kernel.json
  $ grep -A 1 argv $kernels/course-mylib/kernel.json
   "argv": [
    "/home/ada/mylib-kernel",
  $ cat mylib-kernel
  #!/bin/bash
  module load mylib
  exec "$@"
  $ cat where.py
  import os; print(os.environ.get("MYLIB_HOME"))
  $ jupyter run --kernel=course where.py 2> kernel.log
  None
  $ jupyter run --kernel=course-mylib where.py 2> kernel.log
  /opt/mylib
