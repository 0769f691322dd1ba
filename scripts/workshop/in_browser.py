"""The package as the page *Check my job script* uses it: a question as JSON, its answer as JSON.

It runs in Pyodide, in a browser or in Node.js, with the standard library alone. JavaScript brings what is not there
(``start``): the parser of the shell, and the sites, whose files were read when the site was built. What an answer holds
in ``json`` is what ``workshop … --format json`` prints of the same file, and ``status`` is its exit status.
"""

import base64
import json
from collections.abc import Callable
from typing import Any

from workshop import sites
from workshop.jobs import asked as asking
from workshop.jobs.asked import UNREADABLE, Asked
from workshop.jobs.check import Report
from workshop.jobs.fix import difference
from workshop.jobs.launch.started import started
from workshop.jobs.model import OTHER
from workshop.jobs.parts import grammar
from workshop.jobs.profile import Profile
from workshop.jobs.read import UnreadableInput, read_script
from workshop.jobs.report import VERDICT, text
from workshop.jobs.rules.base import Context
from workshop.jobs.translate import CannotTranslate, translate
from workshop.sites.fill import CannotFill, fill

Answer = dict[str, Any]


def start(parser: Callable[[str, int], str], site_values: str) -> str:
    """Take what a browser has in another form.

    Args:
        parser: gives the syntax tree of a text, cut off at a depth, as JSON (see ``jobs.parts.grammar``).
        site_values: JSON, name of each site -> its values.

    Returns:
        JSON: for each site its ``name``, ``title``, ``scheduler`` and ``status`` in words.
    """
    grammar.supply(lambda plain: json.loads(parser(plain, grammar.DEEPEST)))
    values = json.loads(site_values)
    sites.supply(values)
    known = [sites.load_site(name) for name in values]
    return json.dumps(
        [
            {"name": site.name, "title": site.title, "scheduler": site.scheduler, "status": site.status_text}
            for site in known
        ]
    )


def answer(question: str) -> str:
    """Answer one question.

    Args:
        question: JSON with ``do`` (a key of `ANSWERS`), ``name`` and ``data`` (base64) of the file, and the options
            that it takes (``scheduler``, ``site``, ``to``, ``account``, ``only``).

    Returns:
        JSON with ``status``, and what there is to say.
    """
    words = json.loads(question)
    words["data"] = base64.b64decode(words["data"])
    return json.dumps(ANSWERS[words.pop("do")](**words))


def _asked(scheduler: str | None, site: str | None) -> Asked:
    return Asked(scheduler, sites.load_site(site).profile() if site else None)


def _check(name: str, data: bytes, scheduler: str | None = None, site: str | None = None) -> Answer:
    try:
        report = asking.checked(name, data, _asked(scheduler, site))
    except UnreadableInput as problem:
        return {"status": UNREADABLE, "json": asking.unreadable(name, problem), "said": asking.why(problem)}
    told = {"json": report.to_dict(), "said": _head(report), "lines": report.script.seen.lines}
    plain = report.script.seen.encoding != "utf-16"
    mendable = [n for n, finding in enumerate(report.findings) if finding.edits and plain]
    return {"status": asking.status(report), **told, "mendable": mendable, "starts": _starts(report)}


def _head(report: Report) -> str:
    """The report for people, without its findings, which stand at their lines."""
    return text(Report(report.script, report.verdict, [])).rpartition("\n0 errors")[0].strip() or VERDICT["none"]


def _starts(report: Report) -> list[str]:
    """What each launch starts, in words."""
    script = report.script
    if script.scheduler == OTHER or script.seen.commands:
        return []
    context = Context(script, Profile())
    return [f"{one.name}: {one.said}" for one in started(context.launches, context.shape)]


def _fix(
    name: str, data: bytes, scheduler: str | None = None, site: str | None = None, only: int | None = None
) -> Answer:
    """All safe edits, or those of one finding: the new text, the patch, and what is printed beside it."""
    try:
        result = asking.mended(name, data, _asked(scheduler, site), only)
    except UnreadableInput as problem:
        return {"status": UNREADABLE, "said": asking.why(problem)}
    patch = b"".join(difference(data, result.after, name))
    coded = {key: base64.b64encode(value).decode() for key, value in (("after", result.after), ("diff", patch))}
    return {"status": asking.status(result.report), "said": result.said, **coded}


def _translate(name: str, data: bytes, to: str, scheduler: str | None = None) -> Answer:
    try:
        result = translate(asking.read(name, data, scheduler), to)
    except UnreadableInput as problem:
        return {"status": UNREADABLE, "said": asking.why(problem)}
    except CannotTranslate as problem:
        return {"status": 1, "said": str(problem)}
    return {"status": 0, "json": {**result.to_dict(), "text": result.text}, "said": "\n".join(result.marks)}


def _fill(name: str, data: bytes, site: str, account: str | None = None) -> Answer:
    try:
        result = fill(read_script(data, path=name), sites.load_site(site), account)
    except UnreadableInput as problem:
        return {"status": UNREADABLE, "said": str(problem)}
    except CannotFill as reason:
        return {"status": 1, "said": str(reason)}
    return {"status": 0, "json": result.to_dict()}


ANSWERS: dict[str, Callable[..., Answer]] = {
    "check": _check,
    "fix": _fix,
    "translate": _translate,
    "fill": _fill,
}
