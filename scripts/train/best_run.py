"""Compare the runs of a sweep and name the options of the best one.

    python scripts/train/best_run.py runs/sweep-*

Each folder holds what ``metrics.py`` writes: config.json and metrics.jsonl. The table shows the options in which the
runs differ. A run that did not finish its epochs is named and does not take part.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

WHERE = ("name", "runs", "data_dir")  # options that say where, not what


@dataclass
class Finished:
    """One run: its folder, its options, and the values of its last epoch."""

    folder: Path
    options: dict
    last: dict


def read(folder: Path) -> Finished:
    """The run in ``folder``; ValueError with the reason if it is not complete."""
    try:
        options = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ValueError(f"no readable config.json and metrics.jsonl ({error})") from None
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue  # the last line of a killed run may be torn
    if len(rows) < options["epochs"]:
        raise ValueError(f"{len(rows)} of {options['epochs']} epochs")
    return Finished(folder, options, rows[-1])


def differing(runs: list[Finished]) -> list[str]:
    """Names of the options that are not the same in all runs."""
    names = [name for name in runs[0].options if name not in WHERE]
    return [name for name in names if len({json.dumps(run.options.get(name)) for run in runs}) > 1]


def ordered(runs: list[Finished]) -> list[Finished]:
    """The best run first: highest accuracy in validation, then lowest loss."""
    return sorted(runs, key=lambda run: (-run.last["val_accuracy"], run.last["val_loss"]))


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="a run's folder")
    runs, unfinished = [], {}
    for folder in parser.parse_args().folders:
        try:
            runs.append(read(folder))
        except ValueError as error:
            unfinished[folder] = error
    for folder, reason in unfinished.items():
        print(f"not finished: {folder}: {reason}")
    if not runs:
        raise SystemExit("best_run: no finished run")
    names = differing(runs)
    print("val_accuracy  val_loss  " + "".join(f"{name:12}" for name in names) + "run")
    for run in ordered(runs):
        values = "".join(f"{run.options.get(name)!s:12}" for name in names)
        print(f"{run.last['val_accuracy']:12.4f}  {run.last['val_loss']:8.4f}  {values}{run.folder.name}")
    best = ordered(runs)[0].options
    print("best: " + " ".join(f"--{name.replace('_', '-')} {best[name]}" for name in names))


if __name__ == "__main__":
    main()
