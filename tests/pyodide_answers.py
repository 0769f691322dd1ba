"""Commands on the scripts of the corpora, and the same as questions to the package in Pyodide, with their answers."""

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from workshop import sites
from workshop.cli import main
from workshop.jobs.dialect import targets
from workshop.jobs.read import UnreadableInput, read_script

# Names of scripts are given from here: that is where the commands have to run.
HERE = Path(__file__).parent / "jobs"
NO_SCRIPTS = {".expect", ".md", ".txt", ".py", ""}


def scripts() -> list[str]:
    """Every script of the corpora, by its name from `HERE`."""
    found = [path for folder in HERE.glob("cases*") if folder.is_dir() for path in folder.rglob("*")]
    names = [
        path for path in found if path.is_file() and path.suffix not in NO_SCRIPTS and path.stem != "gitattributes"
    ]
    return sorted(str(path.relative_to(HERE)) for path in names)


@dataclass(frozen=True)
class Question:
    """One command, and the same as a question to the package in Pyodide."""

    words: tuple[str, ...]
    asked: dict[str, str]


def questions(names: list[str]) -> list[Question]:
    """All commands for each script; it is filled for one site of its scheduler, the next script for the next site."""
    everywhere = [site.name for site in sites.all_sites()]
    found = []
    for number, name in enumerate(names):
        data = (HERE / name).read_bytes()
        asked = {"name": name, "data": base64.b64encode(data).decode()}
        found.append(Question(("check", "--format", "json", name), {"do": "check", **asked}))
        site = everywhere[number % len(everywhere)]
        words = ("check", "--format", "json", "--site", site, name)
        found.append(Question(words, {"do": "check", "site": site, **asked}))
        found.append(Question(("check", "--fix", name), {"do": "fix", **asked}))
        found.append(Question(("check", "--diff", name), {"do": "fix", **asked}))
        for to in targets():
            words = ("translate", "--format", "json", "--to", to, name)
            found.append(Question(words, {"do": "translate", "to": to, **asked}))
        site = site_of(name, data, number)
        words = ("fill", "--format", "json", "--site", site, "--account", "mine", name)
        found.append(Question(words, {"do": "fill", "site": site, "account": "mine", **asked}))
    return found


def site_of(name: str, data: bytes, number: int) -> str:
    """A site that has the script's scheduler, where there is one: of several another one for each number."""
    everywhere = sites.all_sites()
    try:
        scheduler = read_script(data, path=name).scheduler
    except UnreadableInput:
        return everywhere[0].name
    same = [site.name for site in everywhere if site.scheduler == scheduler] or [everywhere[0].name]
    return same[number % len(same)]


def printed(words: tuple[str, ...], name: str, answer: dict) -> tuple[int, bytes, str]:
    """Exit status, standard output and error as the command prints them, made of the answer."""
    status, said = answer["status"], answer.get("said", "")
    if words[:2] in (("check", "--fix"), ("check", "--diff")):
        key = "after" if words[1] == "--fix" else "diff"
        out = base64.b64decode(answer[key]) if key in answer else b""
        return status, out, said if key in answer else f"{name}: {said}\n"
    if "json" in answer:
        return status, (json.dumps(answer["json"], indent=2, ensure_ascii=False) + "\n").encode(), ""
    if words[0] == "fill":
        title = sites.load_site(words[words.index("--site") + 1]).title
        cannot = f"{name}: cannot be filled for {title}.\n  {said}\n"
        return status, b"", cannot if status == 1 else f"{said}\n"
    return status, b"", f"{name}: {said}\n"


def differences(asked: list[Question], answers: list[dict]) -> list[str]:
    """The commands that print something else than what their answer says. They run in the current folder: `HERE`."""
    wrong = []
    for question, answer in zip(asked, answers, strict=True):
        result = CliRunner().invoke(main, question.words)
        expected = result.exit_code, result.stdout_bytes, result.stderr
        found = printed(question.words, question.asked["name"], answer)
        if found != expected:
            wrong.append(f"{' '.join(question.words)}\n  Pyodide: {found}\n  command: {expected}")
    return wrong
