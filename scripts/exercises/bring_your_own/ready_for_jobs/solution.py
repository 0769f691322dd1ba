"""A "training" that counts, ready for jobs."""

import argparse
import json
import os
import time
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, required=True, help="folder for what this run writes")
parser.add_argument("--epochs", type=int, default=4, help="in all, also over several jobs")
args = parser.parse_args()

args.out.mkdir(parents=True, exist_ok=True)
checkpoint = args.out / "checkpoint.json"
total, start = 0, 0
if checkpoint.exists():
    saved = json.loads(checkpoint.read_text())
    total, start = saved["total"], saved["epoch"] + 1

for epoch in range(start, args.epochs):
    time.sleep(0.1)  # the work
    total += epoch + 1
    print(f"epoch {epoch} total {total}", flush=True)
    unfinished = checkpoint.with_suffix(".part")
    unfinished.write_text(json.dumps({"epoch": epoch, "total": total}))
    os.replace(unfinished, checkpoint)  # whole or not at all

(args.out / "result.json").write_text(json.dumps({"total": total}))
