"""Write scikit-learn's digits into digits.npz beside data.py, from where the training programs read them.

    python scripts/train/make_digits.py

The file is in the repository: this is how it was made. Its content and credit: see README.md, "Digits".
"""

import argparse
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    beside = Path(__file__).with_name("digits.npz")
    parser.add_argument("--out", type=Path, default=beside, help="the file to write (default: beside this program)")
    path = parser.parse_args().out
    digits = load_digits()
    images, labels = digits.images.astype(np.uint8), digits.target.astype(np.uint8)
    np.savez_compressed(path, images=images, labels=labels)
    print(f"{path}: {len(labels)} images, {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
