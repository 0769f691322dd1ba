"""The models behind the things to play with (``book/static/play``), asked in Node.js."""

import json
import subprocess
from typing import Any

from workshop.book import play

_ASK = """
const model = globalThis.workshopPlay[process.argv[1]];
const questions = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const answer = ([name, args]) => (typeof model[name] === "function" ? model[name](...args) : model[name]);
process.stdout.write(JSON.stringify(questions.map(answer)));
"""


def answers(kind: str, questions: list[tuple[str, list]]) -> list[Any]:
    """What the model ``kind`` answers: a question is a function's name with its arguments, or a constant's name.

    The file is read here, so that the test run sees on what a test depends.
    """
    model = (play.SCRIPTS / f"{kind}_model.js").read_text(encoding="utf-8")
    command = ["node", "--eval", model + _ASK, kind]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
