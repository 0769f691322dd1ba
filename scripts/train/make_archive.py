"""Write scikit-learn's digits as one archive of small images: a data set of many files to practice with.

    python scripts/train/make_archive.py data/digits.tar

The images go straight into the archive: the shared file system never sees 1797 files.
"""

import argparse
import io
import os
import tarfile
from pathlib import Path

from PIL import Image
from sklearn.datasets import load_digits


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("archive", type=Path, help="the file to write: NAME.tar; its images lie in the folder NAME")
    path = parser.parse_args().archive
    digits = load_digits()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".tmp")
        with tarfile.open(unfinished, "w") as archive:
            for number, (image, label) in enumerate(zip(digits.images, digits.target, strict=True)):
                buffer = io.BytesIO()
                Image.fromarray((15 * image).astype("uint8")).save(buffer, "png")  # pixels are 0 … 16
                entry = tarfile.TarInfo(f"{path.stem}/{label}/{number:04d}.png")
                entry.size = buffer.tell()
                buffer.seek(0)
                archive.addfile(entry, buffer)
        os.replace(unfinished, path)
    except OSError as error:
        raise SystemExit(f"make_archive: cannot write {path}: {error.strerror}") from None
    print(f"{path}: {len(digits.target)} images, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
