"""The course's job scripts filled for each cluster that the site offers: what `workshop fill` prints, for the browser.

Pages show generic scripts. ``my_cluster.js`` puts a reader's own in their place, from the file that is written here.
"""

import hashlib
import json
from functools import cache
from html import escape, unescape
from pathlib import Path
from re import sub
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer

from workshop import sites
from workshop.book.lexers import LsfLexer, PbsLexer, SlurmLexer
from workshop.jobs.dialect import dialect
from workshop.paths import BUILD, PACKAGE, SCRIPTS
from workshop.sites.fill import CannotFill, Filled, fill
from workshop.sites.show import summary

FILE = "filled.js"
# Stands for the reader's account, who writes it in the browser.
ACCOUNT = "YOURACCOUNT"
_LEXERS: dict[str, type[Lexer]] = {"slurm": SlurmLexer, "pbs": PbsLexer, "lsf": LsfLexer}
_CACHE = BUILD / "filled"


def scripts() -> dict[str, Path]:
    """Name as pages have it (``slurm/hello.sbatch``) → file, of all job scripts."""
    files = [path for folder in _LEXERS for path in sorted((SCRIPTS / folder).glob("[!.]*"))]
    return {f"{path.parent.name}/{path.name}": path for path in files}


def fillable(site: sites.Site) -> dict[str, Path]:
    """The scripts for a site's own scheduler."""
    return {name: path for name, path in scripts().items() if name.startswith(f"{site.scheduler}/")}


def for_site(site: sites.Site) -> dict[str, dict[str, Any]]:
    """What became of each script of the site's scheduler; kept from build to build while nothing that counts changes.

    Returns:
        name → ``{"refused": reason}`` or ``text``, ``named`` (the text with an account, `ACCOUNT`), ``warnings`` and
        ``notes``.
    """
    key, kept = _key(site), _CACHE / f"{site.name}.json"
    if kept.is_file():
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found["key"] == key:
            return found["filled"]
    filled = {name: _fill(path, site) for name, path in fillable(site).items()}
    _CACHE.mkdir(parents=True, exist_ok=True)
    new = kept.with_suffix(f".{id(filled)}.new")  # pages are made side by side
    new.write_text(json.dumps({"key": key, "filled": filled}), encoding="utf-8")
    new.replace(kept)
    return filled


def _key(site: sites.Site) -> str:
    state = hashlib.sha256(site.path.read_bytes() + _code())
    for name, path in fillable(site).items():
        state.update(f"{name}\0".encode() + path.read_bytes())
    return state.hexdigest()


@cache
def _code() -> bytes:
    """A digest of the code that fills."""
    files = [*sorted((PACKAGE / "jobs").rglob("*.py")), *sorted((PACKAGE / "sites").rglob("*.py")), Path(__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).digest()


def _fill(path: Path, site: sites.Site) -> dict[str, Any]:
    try:
        plain: Filled = fill(path, site)
    except CannotFill as reason:
        return {"refused": str(reason)}
    named = fill(path, site, account=ACCOUNT).text
    return {"text": plain.text, "named": named, "warnings": plain.warnings, "notes": plain.notes}


def lines(text: str, scheduler: str) -> list[str]:
    """The lines of a script as HTML, coloured as on pages; their text is the script's."""
    made = highlight(text, _LEXERS[scheduler](stripnl=False), HtmlFormatter(nowrap=True)).removesuffix("\n").split("\n")
    if [unescape(sub(r"<[^>]*>", "", line)) for line in made] != text.removesuffix("\n").split("\n"):
        return [escape(line, quote=False) for line in text.removesuffix("\n").split("\n")]
    return made


class _Lines:
    """Each different line once: scripts for one cluster and for another have most lines in common."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def add(self, text: str, scheduler: str) -> list[int]:
        return [self.numbers.setdefault(line, len(self.numbers)) for line in lines(text, scheduler)]


def collect() -> dict[str, Any]:
    """What my_cluster.js reads: sites, generic scripts and filled ones; a script is a list of numbers of ``lines``."""
    table, offered = _Lines(), sites.offered()
    generic = {name: table.add(path.read_text(), name.partition("/")[0]) for name, path in scripts().items()}
    filled = {
        site.name: {name: _numbered(made, table, site) for name, made in for_site(site).items()} for site in offered
    }
    return {
        "account": ACCOUNT,
        "sites": [_about(site) for site in offered],
        "schedulers": {name: dialect(name).title for name in _LEXERS},
        "lines": list(table.numbers),
        "generic": generic,
        "filled": filled,
    }


def _numbered(made: dict[str, Any], table: _Lines, site: sites.Site) -> dict[str, Any]:
    """What became of a script, its texts as numbers of lines."""
    texts = {key: table.add(made[key], site.scheduler) for key in ("text", "named") if key in made}
    return {**made, **texts}


def _about(site: sites.Site) -> dict[str, Any]:
    """What the picker says of a site and must know of it."""
    account = {key: site.get(f"account.{key}") for key in ("rule", "form", "gpu_form", "pattern", "find")}
    known = {key: value for key, value in account.items() if value}
    return {**summary(site), "account": known, "submit": dialect(site.scheduler).submit}


def write(folder: Path) -> None:
    """Write the file into the built site's ``_static``."""
    data = json.dumps(collect(), ensure_ascii=False, separators=(",", ":"))
    (folder / "_static").mkdir(exist_ok=True)
    # Not JSON: a page opened from a disk may load scripts only.
    (folder / "_static" / FILE).write_text(f"window.workshopFilled={data};\n", encoding="utf-8")
