"""``workshop book new``: the files of a new chapter, and its entry in every list that names chapters.

What is made builds and passes the tests of the repository's structure; what its author has to write says ``EDIT``.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from workshop.book.toc import documents
from workshop.paths import REPO

EXERCISES = ("first_task", "second_task")
TEACHING, EXERCISING = 20, 20  # minutes, until the author knows better

PAGE = """\
# {title}

```{{diagram}} {name}_here
```

:::{{admonition}} Questions
:class: questions
- EDIT: a question that this chapter answers?
:::

:::{{admonition}} Objectives
:class: objectives
- EDIT: what the reader can do afterwards.
:::

**Teaching** {teaching} min · **Exercises** {exercising} min · **Before this** [{before}]({after}.md)

The [notebook](../notebooks/{name}.ipynb) of this chapter EDIT: lets you do what.

## EDIT: the first section

EDIT: show scripts with `literalinclude`, commands and what they print with `session`.

## When it fails

EDIT: the failures of just this topic, each with its true message.

## Exercises

{exercises}
:::{{admonition}} Key points
:class: keypoints
- EDIT: what to remember.
:::

:::{{admonition}} For instructors
:class: instructor dropdown
EDIT: how to teach it.
:::

## Sources

EDIT: each source with its link and the day it was checked.
"""

EXERCISE = """\
```{{exercise}} {name}/{exercise}
{title}
EDIT: the task.
```
"""

DIAGRAM = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 120" font-family="inherit" font-size="16" fill="currentColor">
  <title>You are here: {title}</title>
  <desc>EDIT: what the picture shows, for those who do not see it.</desc>
  <rect x="160" y="30" width="200" height="60" rx="6" fill="var(--wk-soft)" stroke="var(--wk-accent)" stroke-width="3"/>
  <text x="260" y="66" text-anchor="middle">EDIT</text>
</svg>
"""

CHECK = '''\
"""Is the answer right?"""

from pathlib import Path

import yaml

ANSWER = 42  # EDIT


def check(path: Path) -> list[str]:
    """What is wrong with the answer in the YAML file ``path``, one sentence each."""
    try:
        given = yaml.safe_load(path.read_text())
    except yaml.YAMLError as error:
        return [f"This is not a line of the form 'answer: NUMBER': {error}"]
    if not isinstance(given, dict) or given.get("answer") is None:
        return ["The file must have a line of the form 'answer: NUMBER'."]
    return [] if given["answer"] == ANSWER else ["EDIT: say what leads to this wrong answer."]
'''
STARTER = "# EDIT: the question.\nanswer:\n"
SOLUTION = "# EDIT: the question.\nanswer: 42\n"


class CannotMake(Exception):
    """The chapter cannot be made; nothing was written. The text says why."""


@dataclass
class Made:
    """Files of a new chapter: path in the repository -> text. ``new`` are made, ``changed`` get an entry."""

    new: dict[str, str] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)


def new_chapter(name: str, after: str, title: str = "", repo: Path = REPO) -> Made:
    """Write the skeleton of a chapter.

    Args:
        name: the stem of its page and notebook.
        after: the chapter behind which it stands in the contents.
        title: its heading; made from ``name`` where none is given.

    Raises:
        CannotMake: a bad name, an unknown ``after``, or a file that exists already.
    """
    _refuse(name, after, repo)
    title = title or name.replace("_", " ").capitalize()
    made = Made(_new_files(name, title, after, repo), _lists(name, title, after, repo))
    there = [path for path in made.new if (repo / path).exists()]
    if there:
        raise CannotMake(f"These exist already and are left as they are: {', '.join(there)}.")
    for path, text in {**made.new, **made.changed}.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    return made


def _refuse(name: str, after: str, repo: Path) -> None:
    chapters = [document.removeprefix("book/") for document in documents(repo) if document.startswith("book/")]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CannotMake(f"'{name}' is no name of a chapter: small letters, digits and underscores, as in my_chapter.")
    if name in chapters:
        raise CannotMake(f"There is a chapter '{name}' already.")
    if f"notebooks/{after}" not in documents(repo) or after not in chapters:
        raise CannotMake(f"There is no chapter '{after}' with a notebook. One of: {', '.join(chapters)}.")


def _new_files(name: str, title: str, after: str, repo: Path) -> dict[str, str]:
    """Page, diagram, notebook and exercises."""
    before = re.search(r"^# (.*)$", (repo / "book" / f"{after}.md").read_text(), flags=re.M)[1]
    shown = [EXERCISE.format(name=name, exercise=one, title=one.replace("_", " ").capitalize()) for one in EXERCISES]
    page = PAGE.format(
        name=name,
        title=title,
        after=after,
        before=before,
        teaching=TEACHING,
        exercising=EXERCISING,
        exercises="\n".join(shown),
    )
    files = {
        f"book/{name}.md": page,
        f"book/assets/{name}_here.svg": DIAGRAM.format(title=title),
        f"notebooks/{name}.ipynb": _notebook(name, title),
    }
    for one in EXERCISES:
        folder = f"scripts/exercises/{name}/{one}"
        files |= {f"{folder}/check.py": CHECK, f"{folder}/starter.yml": STARTER, f"{folder}/solution.yml": SOLUTION}
    return files


def _notebook(name: str, title: str) -> str:
    v4 = nbformat.v4
    text = f"# {title}: try it\n\nEDIT: what is tried here. The [page](../book/{name}.md) of this chapter explains it."
    cells = [v4.new_markdown_cell(text, id=f"{name}-00"), v4.new_code_cell('print("EDIT")', id=f"{name}-01")]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return nbformat.writes(v4.new_notebook(cells=cells, metadata=metadata)) + "\n"


def _lists(name: str, title: str, after: str, repo: Path) -> dict[str, str]:
    """The contents, the table of chapters on the landing page, and the chapters for self-study."""
    contents = f"      - file: book/{name}\n        sections:\n          - file: notebooks/{name}\n"
    chapter = f"| [{title}](book/{name}.md) | EDIT: what you can do | [run it](notebooks/{name}.ipynb) |\n"
    study = f"| [{title}]({name}.md) | {TEACHING + EXERCISING} | EDIT: when |\n"
    places = {
        "_toc.yml": (rf"^ +- file: notebooks/{after}\n", contents),
        "index.md": (rf"^\| \[.*\]\(notebooks/{after}\.ipynb\) \|\n", chapter),
        "book/teaching.md": (r"^\(self-study-chapters\)=\n(?:.*\n)*?(?:\|.*\n)+", study),
    }
    return {path: _put_behind(repo / path, *place) for path, place in places.items()}


def _put_behind(path: Path, pattern: str, text: str) -> str:
    """The file's text with ``text`` behind the one place that ``pattern`` finds."""
    whole = path.read_text()
    found = list(re.finditer(pattern, whole, flags=re.M))
    if len(found) != 1:
        raise CannotMake(f"{path.name} does not have the one place where chapters are listed: {pattern}")
    return whole[: found[0].end()] + text + whole[found[0].end() :]
