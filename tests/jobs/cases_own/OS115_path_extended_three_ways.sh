#!/bin/bash
#SBATCH --mail-type=NONE
PATH="$HOME/.local/bin:${PATH}"
export PATH=$PATH:/opt/bin
PATH+=:/opt/y
PYTHONPATH=/x python a.py
