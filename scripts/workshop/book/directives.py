"""Directives of the book's pages: everything that a page shows comes from a file that was run or recorded."""

import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.directives.code import LiteralInclude
from sphinx.util.docutils import SphinxDirective

from workshop.book import records, sessions

_SVG = "{http://www.w3.org/2000/svg}"
# Languages of starters and solutions, by file extension.
_LANGUAGES = {
    ".sbatch": "slurm",
    ".pbs": "pbs",
    ".lsf": "lsf",
    ".py": "python",
    ".sh": "bash",
    ".def": "apptainer",
    ".yml": "yaml",
    ".txt": "text",
}


# Folder of tests/records -> what was recorded there.
_RECORDED_WITH = {
    "pbs": "OpenPBS (development branch of April 2026)",
    "lsf": "OpenLava 2.2, an LSF-compatible scheduler",
}


class _FromFile(SphinxDirective):
    """A directive whose argument names a file below the book's source folder (the staged repository)."""

    required_arguments = 1
    has_content = False

    def root(self) -> Path:
        return Path(self.env.srcdir)

    def depend_on(self, path: Path) -> Path:
        """The path, after telling Sphinx that this page changes with it.

        Raises:
            docutils.utils.ExtensionOptionError: through ``self.error`` where the file does not exist.
        """
        if not path.is_file():
            raise self.error(f"{self.name}: no file {path.relative_to(self.root())}")
        self.env.note_dependency(str(path.relative_to(self.root())))
        return path

    def parse(self, markdown: str, source: str) -> list[nodes.Node]:
        """Nodes of a piece of Markdown that the directive composed."""
        container = nodes.Element()
        container.document = self.state.document
        self.state.nested_parse(StringList(markdown.splitlines(), source=source), self.content_offset, container)
        return container.children


def _console_block(text: str) -> nodes.literal_block:
    """Commands at a prompt with their output; output alone is marked, since nothing in it is to be copied."""
    commands = re.search(r"^\$ ", text, flags=re.M)
    classes = ["wk-session"] if commands else ["wk-session", "wk-output"]
    return nodes.literal_block(text, text, language="console", classes=classes)


def _with_commands(text: str) -> list[nodes.Node]:
    """A line of text; what is in brackets is a command, so no two dashes of it become one long one."""
    found: list[nodes.Node] = []
    for number, part in enumerate(re.split(r"(?<=\()([^()]+)(?=\))", text)):
        found.append(nodes.literal(part, part) if number % 2 else nodes.Text(part))
    return found


def _typed_first(commands: str) -> list[nodes.Node]:
    """What a reader types before a session that a page alone does not give, folded; empty without any."""
    if not commands:
        return []
    where = "In a new terminal of your own machine; leave it with exit afterwards, and go on in the one before."
    # What is pasted behind the line that opens another shell would never reach that shell: so it is a block of its own.
    parts = re.split(r"(?<=workshop cluster shell\n)|(?<=workshop ssh bash\n)", commands, maxsplit=1)
    return [
        nodes.raw("", '<details class="wk-before"><summary>To type it yourself, first</summary>', format="html"),
        nodes.paragraph("", where),
        *[nodes.literal_block(part, part.strip(), language="bash", classes=["wk-before"]) for part in parts],
        nodes.raw("", "</details>", format="html"),
    ]


class Diagram(_FromFile):
    """``{diagram} name``: the SVG file ``book/assets/name.svg`` inside the page, so that it follows light and dark."""

    def run(self) -> list[nodes.Node]:
        path = self.depend_on(self.root() / "book" / "assets" / f"{self.arguments[0]}.svg")
        svg = ElementTree.fromstring(path.read_text())
        title, description = svg.find(f"{_SVG}title"), svg.find(f"{_SVG}desc")
        if title is None or description is None or not (description.text or "").strip():
            raise self.error(f"diagram {path.name}: needs <title> and <desc> as its text alternative")
        name = " ".join(f"{title.text}. {description.text}".split()).replace('"', "&quot;")
        body = re.sub(r"<\?xml.*?\?>\s*", "", path.read_text())
        body = body.replace("<svg", f'<svg role="img" aria-label="{name}"', 1)
        html = f'<figure class="wk-diagram">{body}</figure>'
        return [nodes.raw("", html, format="html")]


class Session(_FromFile):
    """``{session} name``: the console session ``tests/sessions/name.t`` with its recorded output."""

    def run(self) -> list[nodes.Node]:
        pattern = self.depend_on(self.root() / "tests" / "sessions" / f"{self.arguments[0]}.t")
        recorded = self.depend_on(sessions.recorded_path(pattern))
        text, about = sessions.shown(recorded)
        block = [_console_block(text), nodes.paragraph("", "", *_with_commands(about), classes=["wk-recorded"])]
        return block + _typed_first(sessions.first(pattern))


class Record(_FromFile):
    """``{record} pbs/01_env.txt`` with ``:lines: 3-20, 25-26``: part of a recording of a scheduler CI can't run."""

    option_spec = {"lines": directives.unchanged_required}  # noqa: RUF012 - docutils' interface

    def run(self) -> list[nodes.Node]:
        path = self.depend_on(self.root() / "tests" / "records" / self.arguments[0])
        try:
            text = records.shown(path, self.options["lines"])
        except ValueError as problem:
            raise self.error(str(problem)) from None
        product = _RECORDED_WITH[self.arguments[0].split("/")[0]]
        about = f"Recorded on 2026-11-27 with {product}."
        return [_console_block(text), nodes.paragraph("", about, classes=["wk-recorded"])]


class ShownFile(LiteralInclude):
    """``literalinclude`` that names the job script it shows: my_cluster.js puts the reader's own in its place."""

    _SCRIPT = re.compile(r"scripts/((?:slurm|pbs|lsf)/[^/]+)$")

    def run(self) -> list[nodes.Node]:
        shown, script = super().run(), self._SCRIPT.search(self.arguments[0])
        if not script:
            return shown
        options = [name for name in ("start-at", "end-at", "diff") if name in self.options]
        more = "".join(f' data-{name}="{escape(self.options[name])}"' for name in options)
        start = f'<div class="wk-script" data-script="{escape(script[1])}"{more}>'
        return [nodes.raw("", start, format="html"), *shown, nodes.raw("", "</div>", format="html")]


class Exercise(_FromFile):
    """``{exercise} chapter/name``: the task (content), its starter, how to check it, and the folded solution."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        folder = self.root() / "scripts" / "exercises" / name
        starter, solution = (self.depend_on(self._only(folder, stem)) for stem in ("starter", "solution"))
        language = _LANGUAGES.get(starter.suffix, "text")
        up = "../" * self.env.docname.count("/")
        shown = f"{up}scripts/exercises/{name}"
        mine = f"my_{name.rsplit('/', 1)[-1]}{starter.suffix}"
        task = "\n".join(self.content)
        title, _, rest = task.partition("\n")
        markdown = f"""\
::::{{admonition}} Exercise: {title}
:class: exercise

{rest}

:::{{dropdown}} Starter
```{{literalinclude}} {shown}/{starter.name}
:language: {language}
```
:::

Copy the starter, change your copy, check it:

```bash
workshop exercise start {name} {mine}
workshop exercise check {name} {mine}
```

:::{{dropdown}} Solution
```{{literalinclude}} {shown}/{solution.name}
:language: {language}
```
:::
::::
"""
        return self.parse(markdown, f"exercise {name}")

    def _only(self, folder: Path, stem: str) -> Path:
        found = sorted(folder.glob(f"{stem}.*"))
        if len(found) != 1:
            raise self.error(f"exercise {folder.name}: needs exactly one {stem}.*, found {len(found)}")
        return found[0]


class SitesTable(_FromFile):
    """``{sites-table}``: the clusters that the site offers, with their status and a link to each one's page.

    With ``:hardware:`` only a table of their nodes with GPUs, with ``:containers:`` of where Apptainer comes from.
    """

    required_arguments = 0
    option_spec = {"hardware": directives.flag, "containers": directives.flag}  # noqa: RUF012 - docutils' interface

    def run(self) -> list[nodes.Node]:
        from workshop.book import clusters
        from workshop.sites import containers_table, hardware_table, in_order, table

        for path in sorted(self.root().glob("scripts/sites/**/*.yml")):
            self.depend_on(path)
        chosen = [
            make
            for name, make in (("hardware", hardware_table), ("containers", containers_table))
            if name in self.options
        ]
        if chosen:
            return self.parse(chosen[0](), "scripts/sites")
        paged = all((self.root() / clusters.FOLDER / f"{site.name}.md").is_file() for site in in_order())
        return self.parse(table(pages=f"/{clusters.FOLDER}" if paged else ""), "scripts/sites")


class References(_FromFile):
    """``{references} group``: that group of ``book/references.yml``, or ``papers`` from ``book/references.bib``."""

    def run(self) -> list[nodes.Node]:
        from workshop.book import references

        root, group = self.root(), self.arguments[0]
        for pattern in ("book/*.md", "book/references.*", "scripts/sites/examples/*.yml"):
            for path in sorted(root.glob(pattern)):
                self.depend_on(path)
        # One page holds all groups: what they share is found once for it.
        if "workshop_references" not in self.env.temp_data:
            self.env.temp_data["workshop_references"] = references.assigned(root)
        listed, to_papers, _ = self.env.temp_data["workshop_references"]
        if group == "papers":
            text = references.papers_markdown(to_papers, root)
        else:
            text = references.works_markdown(group, listed, root)
        if not text:
            raise self.error(f"references: no group '{group}' in book/references.yml")
        return self.parse(text, f"references {group}")
