#!/usr/bin/env bash
# Make the environment .venv with exactly the pinned packages and the package `workshop`. Called by `make env`.
# PYTHON: the interpreter to use. TORCH=cpu: the CPU build of torch, for machines without an NVIDIA driver.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "The workshop needs Python 3.11 or newer; '$python' is $("$python" --version 2>&1)." >&2
    echo "Name a newer one: make env PYTHON=python3.12" >&2
    exit 1
fi
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "'$python' cannot make virtual environments: its module venv or ensurepip is missing." >&2
    echo "Debian, Ubuntu: apt-get install python3-venv" >&2
    exit 1
fi

[ -x .venv/bin/python ] || "$python" -m venv .venv
pip=(.venv/bin/python -m pip install --disable-pip-version-check --progress-bar off)
requirements=requirements.txt
if [ "${TORCH:-}" = cpu ]; then
    # PyTorch's own index has builds without CUDA, which need none of the nvidia-*, cuda-* and triton packages.
    # Not tested by the project's own tests: their machine cannot reach this index.
    requirements=$(mktemp)
    trap 'rm -f "$requirements"' EXIT
    grep -vE '^(nvidia-|cuda-|triton==)' requirements.txt > "$requirements"
    pip+=(--extra-index-url https://download.pytorch.org/whl/cpu)
else
    echo "Installing the pinned packages: with CUDA's libraries about 7 GB, a few minutes."
    echo "A machine without an NVIDIA driver can ask for less: make book TORCH=cpu"
fi
# One line a package keeps the reader informed without flooding the terminal.
"${pip[@]}" -r "$requirements" | awk '/^(Collecting|Installing|Successfully|ERROR)/ { print substr($0, 1, 100); fflush() }'
"${pip[@]}" --quiet --no-deps --editable scripts/workshop
touch .venv/ready
