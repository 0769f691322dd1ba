"""Pack a folder of JPEGs into a few archives for shards.py, or index archives that are there.

python scripts/train/make_shards.py FOLDER OUT           FOLDER/LABEL/NAME.jpg -> OUT/shard-00000.tar …
python scripts/train/make_shards.py --index-only OUT     archives with LABEL/NAME.jpg -> OUT/index.npz
"""

import argparse
import os
import tarfile
from pathlib import Path

import numpy as np

import options

INDEX = "index.npz"  # as shards.py expects it
ENDINGS = (".jpg", ".jpeg")  # in small or capital letters


def write(folder: Path, out: Path, images_a_shard: int) -> None:
    """Pack FOLDER/LABEL/NAME.jpg into archives, labels mixed (numpy's generator 0), and make their index."""
    paths = sorted(path for path in folder.glob("*/*") if path.suffix.lower() in ENDINGS)
    if not paths:
        raise SystemExit(f"make_shards: no LABEL/NAME.jpg in {folder.resolve()}")
    out.mkdir(parents=True, exist_ok=True)
    if any(out.glob("*.tar")):  # they would go into the index, too
        raise SystemExit(f"make_shards: there are archives in {out.resolve()}: remove them, or take another folder")
    order = np.random.default_rng(0).permutation(len(paths))
    for number, start in enumerate(range(0, len(paths), images_a_shard)):
        with tarfile.open(out / f"shard-{number:05d}.tar", "w") as archive:
            for path in (paths[i] for i in order[start : start + images_a_shard]):
                archive.add(path, path.relative_to(folder))
    write_index(out)


def write_index(folder: Path) -> None:
    """Read the headers of all archives of a folder, once, and keep where each image lies."""
    archives, places, labels = sorted(folder.glob("*.tar")), [], []
    for number, path in enumerate(archives):
        try:
            with tarfile.open(path, "r:") as archive:
                files = [entry for entry in archive if entry.isfile()]
        except tarfile.TarError as error:
            raise SystemExit(f"make_shards: {path} is no whole tar archive: {error}") from None
        for name, entry in ((Path(entry.name), entry) for entry in files):
            if name.suffix.lower() in ENDINGS:
                places.append((number, entry.offset_data, entry.size))
                labels.append(name.parent.name)
    if not places:
        raise SystemExit(f"make_shards: no *.tar with LABEL/NAME.jpg in {folder.resolve()}")
    if "" in labels:
        raise SystemExit(f"make_shards: in {folder.resolve()} are images without a folder that names their label")
    _, numbers = np.unique(labels, return_inverse=True)
    temporary = folder / f"{os.getpid()}.tmp.npz"
    names, lengths = [path.name for path in archives], [path.stat().st_size for path in archives]
    np.savez(temporary, names=names, lengths=lengths, places=np.array(places, np.int64), labels=numbers)
    os.replace(temporary, folder / INDEX)
    print(f"{folder / INDEX}: {len(places)} images of {numbers.max() + 1} labels in {len(archives)} archives")


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    option = parser.add_argument
    option("folder", type=Path, help="folder with LABEL/NAME.jpg; with --index-only a folder of archives")
    option("out", type=Path, nargs="?", help="folder for the archives")
    option("--images", type=options.at_least(1), default=10_000, metavar="N", help="in an archive (default: 10000)")
    option("--index-only", action="store_true", help="the archives are there: only make their index")
    args = parser.parse_args()
    if args.index_only:
        write_index(args.folder)
    elif args.out:
        write(args.folder, args.out, args.images)
    else:
        parser.error("name the folder for the archives, too")


if __name__ == "__main__":
    main()
