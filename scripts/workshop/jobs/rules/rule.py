"""Rules: what each is called, what it means for the script, and where it is documented.

A rule is a function of a `Context` with the decorator `rule`; its docstring's first line is the rule's text. It is
found because it lies in ``jobs/rules/`` (every scheduler) or in a module ``rules*.py`` of a dialect. What the readers
report has no function and is declared in ``reading.py``.

What a finding advises stands in its ``fix``, in one of two forms. A plain string is for a person: it says what to
decide, with the script's own names and numbers. A `Write` also brings the edits that do just that, and
``workshop check --fix`` makes them; give one only where nothing is left to decide (``jobs/fix.py`` says when that is).
Both come from one expression, so that they cannot disagree. Nobody builds edits by hand; take

- ``revalued(directive, "gres/gpu:1")`` (``parts/directives.py``): another value for a directive;
- ``item(directives, line, "-l", "ncpu=", "ncpus=")`` (``parts/leftover.py``): a part of a directive's value;
- ``respelt(line, text, start, end, new)``: other text in columns of a line that a reader knows;
- ``new_line(context.script.body_line, "cd …")``: a line of its own above another, such as the first command;
- ``context.rewritten(word.start, old, new)`` (``rules/base.py``): another word of a command.

All of them give a plain string where the place is not certain (options behind sbatch, continued lines, generated
scripts). A rule that fires once for many lines must bring the edits for all of them, or fire once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, wraps
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from workshop.jobs.model import ACCEPT, REJECT, SUSPICIOUS, Finding


@dataclass(frozen=True)
class Rule:
    """One rule as it is told to people.

    Attributes:
        name: as findings name it. text: what it is about, in one sentence.
        verdict: of the script, where the rule gives a warning. note_verdict: where it gives a note. Errors reject.
        severity: of all its findings; None = it depends.
        source: address of its documentation; empty = it depends on the scheduler.
        where: the module and the function that give it.
    """

    name: str
    text: str
    verdict: str = SUSPICIOUS
    note_verdict: str = ACCEPT
    severity: str | None = None
    source: str = ""
    where: str = ""


# Name -> all rules of that name: the same mistake can be found in several schedulers, by different means.
_CATALOGUE: dict[str, list[Rule]] = {}


def declare(*rules: Rule) -> None:
    """Adds rules to the catalogue.

    Raises:
        ValueError: a rule of the same name gives another verdict, or the same function has it already.
    """
    for one in rules:
        for other in _CATALOGUE.setdefault(one.name, []):
            if (one.verdict, one.note_verdict) != (other.verdict, other.note_verdict):
                raise ValueError(f"rule {one.name}: {one.where} and {other.where} give it different verdicts")
            if one.where == other.where:
                raise ValueError(f"rule {one.name} stands twice at {one.where}")
        _CATALOGUE[one.name].append(one)


def rule(*names: str, **facts: str) -> Callable[[Callable], Callable]:
    """Makes a function a rule.

    Args:
        names: what its findings are called. facts: the other fields of `Rule`; a finding without a source of its own
            gets that of its rule.
    """

    def decorate(function: Callable) -> Callable:
        text = (function.__doc__ or "").strip().partition("\n")[0]
        own = [Rule(name, text, where=f"{function.__module__}.{function.__name__}", **facts) for name in names]
        declare(*own)

        @wraps(function)
        def with_sources(context: Any) -> Iterator[Finding]:
            for finding in function(context):
                known = not finding.source and finding.rule in names
                yield replace(finding, source=own[0].source) if known else finding

        with_sources.rules = (*getattr(function, "rules", ()), *own)
        return with_sources

    return decorate


def catalogue() -> list[Rule]:
    """All rules of the modules that are loaded, by name."""
    return [one for name in sorted(_CATALOGUE) for one in _CATALOGUE[name]]


@cache
def functions_of(package: ModuleType) -> tuple[Callable, ...]:
    """The rules in the modules ``rules*.py`` of a dialect, or in all modules of ``jobs/rules/``, in a fixed order."""
    names = sorted(module.name for module in iter_modules(package.__path__))
    if not package.__name__.endswith(".rules"):
        names = [name for name in names if name.startswith("rules")]
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    values = [(module.__name__, value) for module in modules for value in vars(module).values()]
    return tuple(value for home, value in values if hasattr(value, "rules") and value.__module__ == home)


def verdict_of(finding: Finding) -> str:
    """What one finding means for the script."""
    if finding.severity == "error":
        return REJECT
    known = _CATALOGUE.get(finding.rule)
    if finding.severity == "note":
        return finding.verdict or (known[0].note_verdict if known else ACCEPT)
    return finding.verdict or (known[0].verdict if known else SUSPICIOUS)
