"""Write a folder of JPEGs to try an input with: as many and as large as you like, in the form that ImageNet has.

    python scripts/train/make_photos.py FOLDER --images 15360      FOLDER/LABEL/NAME.jpg

Each is a random part of one of the two photographs that scikit-learn ships, 500 x 375 pixels as ImageNet's often are.
By scikit-learn's note on them (sklearn/datasets/images/README.txt) both are under CC BY 2.0, from Flickr: china.jpg by
danielbuechele (photo 6061409035), flower.jpg by vultilion (photo 6056698931).
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_sample_images

import options

SIZE = 500, 375  # width, height
QUALITY = 90
LABELS = 10  # china.jpg's parts have the even ones


def write_some(folder: Path, numbers: range) -> None:
    """Write the images with these numbers: the same each time."""
    photos = [Image.fromarray(pixels) for pixels in load_sample_images().images]
    for number in numbers:
        random, photo = np.random.default_rng(number), photos[number % 2]
        share = random.uniform(0.6, 1)
        width, height = round(photo.width * share), round(photo.height * share)
        left, top = random.integers(photo.width - width + 1), random.integers(photo.height - height + 1)
        part = photo.resize(SIZE, Image.Resampling.BILINEAR, (left, top, left + width, top + height))
        part.save(folder / f"{number % LABELS:03d}" / f"{number:07d}.jpg", quality=QUALITY)


def write(folder: Path, images: int) -> None:
    """Write so many images, with all cores."""
    for label in range(LABELS):
        (folder / f"{label:03d}").mkdir(parents=True, exist_ok=True)
    shares = [range(start, min(images, start + 256)) for start in range(0, images, 256)]
    with ProcessPoolExecutor() as processes:
        list(processes.map(write_some, [folder] * len(shares), shares))


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folder", type=Path, help="folder for the labels' folders")
    parser.add_argument("--images", type=options.at_least(1), default=2048, metavar="N", help="default: 2048")
    args = parser.parse_args()
    write(args.folder, args.images)
    sizes = [path.stat().st_size for path in args.folder.glob("*/*.jpg")]
    print(f"{args.folder}: {len(sizes)} images of {sum(sizes) / len(sizes) / 1000:.0f} KB")


if __name__ == "__main__":
    main()
