"""The models behind the things to play with (``book/static/play``), asked in Node.js."""

import json
import subprocess
from pathlib import Path
from typing import Any

from workshop.book import play


def answers(kind: str, questions: list[tuple[str, list]]) -> list[Any]:
    """What the model ``kind`` answers: a question is a function's name with its arguments, or a constant's name."""
    command = ["node", str(Path(__file__).with_suffix(".js")), str(play.SCRIPTS / f"{kind}_model.js"), kind]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
