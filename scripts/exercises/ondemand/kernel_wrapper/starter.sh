#!/bin/bash
# First word of argv in kernel.json: Jupyter adds the Python of the environment and the kernel's arguments.
module load mylib &
python -m ipykernel_launcher
