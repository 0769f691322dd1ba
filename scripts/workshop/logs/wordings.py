"""The messages as people edit them, made into the patterns that Python and JavaScript read.

A wording is the message itself, with ``…`` for what differs from run to run. ``^`` at its beginning and ``$`` at its
end stand for those of a line, and ``~`` at its beginning for a frame: what else is known of the line says more. The
first letter may be of either size; all quotation marks are the same.
"""

import json
import re
from pathlib import Path

from workshop.logs.why import plain
from workshop.yaml_files import read_yaml

FOLDER = Path(__file__).with_name("messages")
KINDS = ("cause", "ending", "weak", "hint", "note", "consequence")
SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}/]")
GAP = ".{0,200}?"  # what … stands for


def _escaped(text: str) -> str:
    """A literal piece in the syntax that regular expressions of both languages share."""
    return SPECIAL.sub(r"\\\g<0>", text)


def compiled(text: str) -> dict:
    """A wording as data: its pattern, a word that every line with it has, and the number of letters it knows."""
    begins, ends, frame = text.startswith("^"), text.endswith("$"), text.startswith("~")
    body = bare(text)
    pieces = body.split("…")
    pattern = GAP.join(_escaped(piece) for piece in pieces)
    pattern = pattern.replace(f" {GAP} ", f" (?:{GAP} )?")  # between two words there may be nothing
    if body[0].isalpha() and body[0].isascii():
        pattern = f"[{body[0].upper()}{body[0].lower()}]" + pattern[1:]
    before = "^" if begins else r"(?<!\w)" if body[0].isalnum() else ""
    after = "$" if ends else r"(?!\w)" if body[-1].isalnum() else ""
    return {
        "text": text,
        "pattern": before + pattern + after,
        "find": _longest_word(pieces),
        "weight": 1 if frame else len(body.replace("…", "").replace(" ", "")),
    }


def bare(text: str) -> str:
    """A wording without its marks."""
    return plain(text.removeprefix("~").removeprefix("^").removesuffix("$"))


def _longest_word(pieces: list[str]) -> str:
    """The longest word; not the first letter of the wording, which may be of either size."""
    words = []
    for number, piece in enumerate(pieces):
        for place, word in enumerate(piece.split(" ")):
            words.append(word[1:] if number == place == 0 else word)
    return max(words, key=len)


def read() -> list[dict]:
    """All messages as they are edited, by file and then in their order."""
    found = []
    for file in sorted(FOLDER.glob("*.yml")):
        found += [entry | {"section": file.stem} for entry in read_yaml(file)]
    return found


def messages() -> list[dict]:
    """All messages as programs read them."""
    return [_message(entry) for entry in read()]


def _message(entry: dict) -> dict:
    wordings = [compiled(text) for texts in entry["wordings"].values() for text in texts]
    causes = [_cause(cause) for cause in entry["causes"]]
    made = {"id": entry["id"], "title": title(entry), "kind": entry.get("kind", "cause"), "from": entry["from"]}
    if "follows" in entry:
        made["follows"] = entry["follows"]
    return made | {"wordings": wordings, "causes": causes}


def _cause(cause: dict) -> dict:
    made = {"why": " ".join(cause["why"].split()), "mend": " ".join(cause["mend"].split())}
    return made | {"when": [compiled(sign) for sign in cause["when"]]} if "when" in cause else made


def title(entry: dict) -> str:
    """The heading of an entry: as it is given, else its first wording."""
    first = next(text for texts in entry["wordings"].values() for text in texts)
    return entry.get("title") or f"`{bare(first)}`"


def as_json() -> str:
    """The text of ``messages.json``: one entry a line, so that a change shows what it changes."""
    rows = ",\n".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in messages())
    return '{"messages": [\n' + rows + "\n]}\n"
