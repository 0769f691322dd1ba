"""Doing what the checker advises: every edit that is safe, and no other.

An edit is safe where what was meant is certain from the script alone: the line is refused or does something that
nobody can have wanted, and there is one way to write what it was to say (a typographic dash, a blank around ``=``, a
carriage return, a comment behind a #PBS option); or the new line means the same as the old one in every version
(``--mem=64000M`` for ``--mem=64000``). It is not safe where it chooses between two things that a person may have
wanted (which of two ``--time`` counts, whether ``# SBATCH`` is switched off), where it changes what the job asks for
(directives below the first command), or where it needs what stands elsewhere (folders, the site, the program). Then
the advice is a plain string that says what to decide. A rule makes the choice by giving a `Write` or a string.

Whatever a rule says of its edit, it is made only if the mended script, read anew, has the finding no longer and no
other one in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import diff_bytes, unified_diff
from io import BytesIO

from workshop.jobs.check import Report, check
from workshop.jobs.model import VERDICTS, Edit, Finding, Script
from workshop.jobs.parts.text import MAX_CHARS
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_text

# A mended line can show what its fault had hidden. Each round takes away one finding at least.
MOST_ROUNDS = 100
# Characters that may be read again in all: a huge file in which nothing can be kept must not take minutes.
MOST_READ = 10_000_000
# How often one edit may be mended by those of the findings that it brought to light in the same line.
MOST_FOLLOWING = 3


@dataclass(frozen=True)
class Fixed:
    """A mended script.

    Attributes:
        text: the script. applied: findings that are gone, in the order in which they were mended.
        left: findings that are still there. report: what the checker says of ``text``.
    """

    text: str
    applied: list[Finding]
    left: list[Finding]
    report: Report


def fix(
    script: Script, profile: Profile | None = None, submit: str | None = None, scheduler: str | None = None
) -> Fixed:
    """Makes all safe edits, until nothing safe is left.

    Args:
        script: from ``read_script``. A text that is not in UTF-8 or Latin-1 is left as it is.
        profile, submit: as for ``check``.
        scheduler: as it was given to ``read_script``; None = it is found out from the text again.
    """
    return _Mender(script, profile, submit, scheduler).mend()


def fix_one(
    script: Script,
    place: int,
    profile: Profile | None = None,
    submit: str | None = None,
    scheduler: str | None = None,
) -> Fixed:
    """Makes the edits of one finding, the one at ``place`` in what ``check`` finds; otherwise like ``fix``."""
    return _Mender(script, profile, submit, scheduler).mend_one(place)


def apply(text: str, edits: tuple[Edit, ...]) -> str | None:
    """``text`` with the edits made; None where one of them does not fit. Line ends stay as they are."""
    lines = text.split("\n")
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.line, edit.start), reverse=True):
        if not _fits(edit, lines):
            return None
        line = lines[min(edit.line, len(lines)) - 1]
        end = "\r" if line.endswith("\r") else ""
        if edit.kind == "insert":
            lines.insert(edit.line - 1, edit.new + end)
        elif edit.kind == "delete":
            del lines[edit.line - 1]
        else:
            lines[edit.line - 1] = line[: edit.start] + edit.new + line[edit.start + len(edit.old) :]
    return "\n".join(lines)


def _fits(edit: Edit, lines: list[str]) -> bool:
    if edit.kind == "insert":
        return 1 <= edit.line <= len(lines)
    if not 1 <= edit.line <= len(lines):
        return False
    line = lines[edit.line - 1]
    return line.rstrip("\r") == edit.old if edit.kind == "delete" else line.startswith(edit.old, edit.start)


def difference(before: bytes, after: bytes, name: str) -> Iterator[bytes]:
    """The unified diff that leads from ``before`` to ``after``, for patch(1)."""
    old, new = (BytesIO(data).readlines() for data in (before, after))  # a lone CR ends no line
    encoded = name.encode("utf-8", "surrogateescape")
    for line in diff_bytes(unified_diff, old, new, encoded, encoded):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


class _Mender:
    """One script on its way: ``report`` is always that of the text as it stands."""

    def __init__(self, script: Script, profile: Profile | None, submit: str | None, scheduler: str | None) -> None:
        self.profile, self.submit, self.scheduler = profile, submit, scheduler
        self.report = check(script, profile, submit)
        self.applied: list[Finding] = []
        self.read = 0

    def mend(self) -> Fixed:
        """Round after round, as long as one of them makes an edit."""
        for _ in range(MOST_ROUNDS if self.report.script.seen.encoding != "utf-16" else 0):
            if not (self._together() or any(map(self._alone, self._safe()))):
                break
        return Fixed(self.report.script.text, self.applied, self.report.findings, self.report)

    def mend_one(self, place: int) -> Fixed:
        """One finding's edits, where they are safe."""
        finding = self.report.findings[place]
        if finding.edits and self.report.script.seen.encoding != "utf-16":
            self._alone(finding)
        return Fixed(self.report.script.text, self.applied, self.report.findings, self.report)

    def _safe(self) -> list[Finding]:
        return [finding for finding in self.report.findings if finding.edits]

    def _together(self) -> bool:
        """All edits at once, which is what nearly every script needs; False where one of them cannot be kept."""
        chosen: list[Finding] = []
        edits: tuple[Edit, ...] = ()
        for finding in self._safe():
            if not any(_clash(edit, other) for edit in finding.edits for other in edits):
                chosen.append(finding)
                edits += finding.edits
        return bool(chosen) and self._keep(self._checked(apply(self.report.script.text, edits)), chosen)

    def _alone(self, finding: Finding) -> bool:
        """The edits of one finding, with those that they make necessary in the same lines."""
        lines = {edit.line for edit in finding.edits}
        after = self._checked(apply(self.report.script.text, finding.edits))
        for _ in range(MOST_FOLLOWING):
            new = _new(self.report, after) if after else Counter()
            following = [one for one in after.findings if one.edits and one.line in lines] if new else []
            following = [one for one in following if new[one.rule]]
            if not following:
                break
            after = self._checked(apply(after.script.text, following[0].edits))
        return self._keep(after, [finding])

    def _checked(self, text: str | None) -> Report | None:
        if text is None or self.read > MOST_READ:
            return None
        self.read += len(text)
        script = read_text(text[:MAX_CHARS], self.scheduler, self.report.script.path)
        script.text, script.seen.encoding = text, self.report.script.seen.encoding
        return check(script, self.profile, self.submit)

    def _keep(self, after: Report | None, findings: list[Finding]) -> bool:
        """Takes ``after`` over if ``findings`` are gone and nothing has come."""
        if after is None or _new(self.report, after) or _rank(after) > _rank(self.report):
            return False
        gone = _counted(self.report) - _counted(after)
        if Counter(finding.rule for finding in findings) - gone:
            return False
        self.report = after
        self.applied += findings
        return True


def _counted(report: Report) -> Counter[str]:
    return Counter(finding.rule for finding in report.findings)


def _new(before: Report, after: Report) -> Counter[str]:
    return _counted(after) - _counted(before)


def _rank(report: Report) -> int:
    return VERDICTS.index(report.verdict) if report.verdict in VERDICTS else 0


def _clash(one: Edit, other: Edit) -> bool:
    """True where two edits touch the same characters; the same edit twice is one edit."""
    if one == other or one.line != other.line or "insert" in (one.kind, other.kind):
        return False
    if "delete" in (one.kind, other.kind):
        return True
    return one.start < other.start + len(other.old) and other.start < one.start + len(one.old)
