"""JPEGs for tests: pieces of the two photographs that scikit-learn ships.

By scikit-learn's note on them (sklearn/datasets/images/README.txt), both under CC BY 2.0, from Flickr:
china.jpg by danielbuechele (photo 6061409035), flower.jpg by vultilion (photo 6056698931).
"""

from pathlib import Path

from PIL import Image

PIECE = 72  # pixels


def write(folder: Path, count: int) -> None:
    """``folder/LABEL/piece.jpg``: pieces with a label each, so that a label names an image; 010, 011 … in order."""
    from sklearn.datasets import load_sample_images  # a second of CPU time: only where photographs are wanted

    pictures = [Image.fromarray(pixels) for pixels in load_sample_images().images]
    for number in range(count):
        picture = pictures[number % 2]
        left, top = PIECE // 2 * (number % 14), PIECE // 2 * (number // 14 % 9)
        place = folder / f"{number + 10:03d}"
        place.mkdir(parents=True)
        piece = picture.crop((left, top, left + PIECE, top + PIECE - number % 5))
        piece.save(place / "piece.jpg", quality=90)
