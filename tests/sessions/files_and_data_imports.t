A program finds the modules beside it from everywhere, those of the project's root only if Python is told where that
is.

  $ cd my_files
  $ mkdir --parents project/networks project/tools
  $ touch project/networks/__init__.py project/tools/__init__.py
  $ echo 'WIDTH = 32' > project/networks/small.py
  $ cat > project/main.py << 'END'
  > from networks import small
  > print("width", small.WIDTH)
  > END
  $ cp project/main.py project/tools/evaluate.py
  $ python project/main.py
  width 32
  $ python project/tools/evaluate.py 2>&1 | tail --lines=1
  ModuleNotFoundError: No module named 'networks'
  $ cd project
  $ python -m tools.evaluate
  width 32
  $ cd ..
  $ PYTHONPATH=project python project/tools/evaluate.py
  width 32
