"""What a rule gets and gives."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workshop.jobs.dialect import Dialect, dialect
from workshop.jobs.model import JobRequest, Script
from workshop.jobs.parts.shell import Body
from workshop.jobs.profile import Profile


@dataclass
class Context:
    """One script with all that a rule may look at.

    Attributes:
        script: as read. body: its commands. profile: facts of the site. submit: how it is handed over, if known.
    """

    script: Script
    body: Body
    profile: Profile
    submit: str | None = None

    @property
    def dialect(self) -> Dialect:
        """What is known of the script's scheduler."""
        return dialect(self.script.scheduler)

    @property
    def request(self) -> JobRequest:
        return self.script.request

    @property
    def requests(self) -> list[JobRequest]:
        """The request, or those of all components of a heterogeneous job."""
        return self.script.components or [self.script.request]

    @property
    def heterogeneous(self) -> bool:
        return bool(self.script.components)

    def exported(self, name: str, value: str) -> str:
        """How the script's own shell gives a variable to the programs that it starts."""
        csh = re.search(r"csh\b", self.script.shebang or "")
        return f"setenv {name} {value}" if csh else f"export {name}={value}"

    def sets(self, name: str) -> bool:
        """True where a command of csh sets the variable ``name``."""
        return any(command.words[:2] == ("setenv", name) for command in self.body.commands)

    def line(self, *options: str) -> int | None:
        """Line of the last directive that gives one of ``options``."""
        lines = [d.line for d in self.script.directives if d.option in options]
        return lines[-1] if lines else None

    def given(self, *options: str) -> bool:
        return self.line(*options) is not None


VARIABLE = re.compile(r"\$(?:\{)?([A-Za-z_]\w*)")


def variables(text: str) -> set[str]:
    """Names of the shell variables that ``text`` uses."""
    return set(VARIABLE.findall(text))


def guarded(line: str, name: str) -> bool:
    """True where ``line`` asks whether ``name`` is set, as portable scripts do: ``${X:-…}``, ``[ -n "$X" ]``."""
    tests = (
        rf"\$\{{{name}[:]?[-+=?]",
        rf"-[nzv]\s+[\"']?\$?\{{?{name}\b",
        rf"\[\[?\s+[\"']?\$\{{?{name}\}}?[\"']?\s+\]",
    )
    return any(re.search(test, line) for test in tests)
