#!/usr/bin/env bash
# Make the environment .venv with exactly the pinned packages and the package `workshop`. Called by `make env`.
# PYTHON: the interpreter to use. TORCH=cpu: the CPU build of torch, for machines without an NVIDIA driver.
# HASHES=no: the pinned versions whatever their files; a cluster with wheels of its own has other files.
# UV: the program uv, which installs faster than pip and is used where it is installed; UV= for pip.
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
uv=$(command -v "${UV-uv}") || uv=
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
install() {
    if [ -n "$uv" ]; then
        "$uv" pip install --python .venv/bin/python "$@"  # shows its own progress
    else
        .venv/bin/python -m pip install --disable-pip-version-check --progress-bar off "$@" |
            .venv/bin/python scripts/workshop/setup_progress.py "$packages"
    fi
}

requirements=$(mktemp -d)
trap 'rm -r "$requirements"' EXIT
if [ "${HASHES:-}" = no ]; then
    sed -e '/^ *--hash=/d' -e 's/ \\$//' requirements.txt > "$requirements/all"
else
    cp requirements.txt "$requirements/all"
fi

if [ "${TORCH:-}" = cpu ]; then
    # PyTorch's own index has builds without CUDA, which need none of the nvidia-*, cuda-* and triton packages. Their
    # hashes are not among the pinned ones. Not tested by the project's own tests: their machine cannot reach this index.
    awk '/^[^ ]/ { keep = !/^(nvidia-|cuda-|triton==|torch==|torchvision==)/ } keep' "$requirements/all" > "$requirements/rest"
    grep -oE '^(torch|torchvision)==[^ ;]+' requirements.txt > "$requirements/torch"
    install --no-deps -r "$requirements/rest"
    install --no-deps -r "$requirements/torch" --index-url https://download.pytorch.org/whl/cpu
else
    echo "Installing the pinned packages: with CUDA's libraries about 7 GB, a few minutes."
    echo "A machine without an NVIDIA driver can ask for less: make book TORCH=cpu"
    if ! install -r "$requirements/all"; then
        echo "Not installed: see above. If it speaks of hashes and your cluster has wheels of its own (pip config list):" >&2
        echo "make env HASHES=no" >&2
        exit 1
    fi
fi
# Built with the pinned setuptools that is there now, not with one from an index.
install --quiet --no-deps --no-build-isolation --editable .
touch .venv/ready
