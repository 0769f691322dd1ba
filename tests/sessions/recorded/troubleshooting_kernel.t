# recorded 2026-11-29 without a scheduler
A notebook that names a kernel which is not installed here.

  $ cat > analysis.ipynb <<'END'
  > {"cells": [], "metadata": {"kernelspec": {"name": "my-env", "display_name": "my-env"}}, "nbformat": 4, "nbformat_minor": 5}
  > END
  $ jupyter execute analysis.ipynb 2>&1 | tail -n 1
  jupyter_client.kernelspec.NoSuchKernel: No such kernel named my-env
