"""A "training" that counts. On a laptop it runs to its end; in a job it meets another folder, and an early end.

Make it ready for jobs: a required option --out names the folder for what it writes, --epochs how many epochs there are
in all (default 4); each line is printed at once; and a run that was ended goes on where it was.
"""

import json
import time
from pathlib import Path

total = 0
for epoch in range(4):
    time.sleep(0.1)  # the work
    total += epoch + 1
    print(f"epoch {epoch} total {total}")

Path("result.json").write_text(json.dumps({"total": total}))
