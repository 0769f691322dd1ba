"""Why a job failed: the first cause in its log, by the messages in ``messages.json``.

Several ranks write into one log. The first rank to fail takes the others with it ("Connection closed by peer"), and
launchers add lines of their own. So a message is of one of these kinds:

- ``cause``: it says what is wrong;
- ``ending``: the job, or a program, was ended from outside (time limit, signal);
- ``weak``: an error of one command, such as "No such file": many jobs survive it;
- ``hint``: a warning that explains a failure, if there is one; ``note``: a warning that explains none;
- ``consequence``: another rank, or the whole job, has ended.

This file needs the standard library and ``messages.json`` only: copy the two.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Before each line: "[rank1]: " by PyTorch, "[default1]:" by torchrun --tee, "1: " by srun --label.
PREFIX = re.compile(r"^(?:\[(?:rank|default)(\d+)\]: ?|\s*(\d+): )")
ROOT_CAUSE = re.compile(r"Root Cause.*?\n.*?rank\s+: (\d+)", re.S)
TRACEBACK = re.compile(r"^[\s|+]*Traceback \(most recent call last\)")
PLACE = re.compile(r'\s+File "(.+)", line (\d+)')
CHAINED = re.compile(r"^(?:During handling of the above exception|The above exception was the direct cause)")
# What Python reports and does not raise.
IGNORED = re.compile(r"^(?:Exception ignored in|--- Logging error ---)")
# Errors of shells, of the kernel and of schedulers: one line each.
PLAIN = re.compile(
    r"error:|fatal:|command not found|[Nn]o such file or directory|Permission denied|unbound variable|[Kk]illed"
    r"|Segmentation fault|Bus error|No space left|quota exceeded|not found \(required by|CANCELLED AT|PBS: job killed"
    r"|^Exited with|^\w+(?:\.\w+)*(?:Error|Exception): ",
    re.I,
)
WARNING = re.compile(
    r"^\s*(?:#|(?:\[[^\]]*\]:?\s*)*\[?W\d{4}|\[W\d*|warning|INFO\b)|Warning: |warning: |NCCL INFO", re.I
)
# torchrun's own lines after a rank has failed, and how the rank ended; what stands before is the rank's last word.
TORCHRUN = re.compile(r"^[EW]\d{4} \S+ \d+ \S*torch/distributed/elastic/")
ENDED_ITSELF = re.compile(r"exitcode\s*: [1-9]")
PROGRESS = re.compile(r"^(?:epoch \d|backend=|result: )")
SHELL_TRACE = re.compile(r"^\++ ")
FRAME = re.compile(r"-{20,}$")  # above and below what Open MPI says
CALLS = re.compile(r"frame #\d+: |Exception raised from ")  # where compiled code was; says nothing to a reader
PROMPT = re.compile(r">>> |\$ |\S*\[\S+ [^\]]*\][$>] ")  # somebody has copied a session, to ask about it
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
QUOTES = str.maketrans('`\u00b4\u2018\u2019\u201c\u201d"\u00a0\t', "''''''' " + " ")
FAILURES = ("cause", "ending", "consequence")
VAGUE = {"weak": -1, "consequence": -2}  # kinds that give way to others in the same line
FRAME_WEIGHT = 1  # of a wording that is a frame ("sbatch: error: …"): what else is known of the line says more
SHORT = 3  # lines of a message that somebody copied
NEAR = 8  # lines around a message in which signs of its cause are looked for
MANY = 3  # small errors that together are a failure
END = 4  # lines at the end of a log: an error there is probably what ended the job
MAX_PLACES = 200  # of one wording in one log


@dataclass(frozen=True)
class Line:
    """One line of a log: number from 1, the rank that wrote it if the line says so, its text without that.

    ``plain`` is the text as patterns see it: one kind of quotation marks, single blanks, no colours.
    """

    number: int
    rank: int | None
    text: str
    plain: str


@dataclass
class Found:
    """One error: its line number (from 1), the rank that wrote it if the log says so, its text and its place."""

    line: int
    rank: int | None
    text: str
    where: str = ""
    is_consequence: bool = False
    begin: int = 0  # a traceback's first line, and the last one that belongs to it
    end: int = 0

    def to_dict(self) -> dict:
        return {"line": self.line, "rank": self.rank, "text": self.text, "where": self.where}


@dataclass(frozen=True)
class Match:
    """A line that a known message explains. ``weight``: letters of the wording, since a longer one knows more."""

    line: Line
    entry: dict
    kind: str
    weight: int


@dataclass
class Answer:
    """What a log says: the first error, and the entry that explains it with its causes, the likeliest first.

    ``entry`` is None where nothing is known; ``only`` is then the entry of a consequence, if the log has one, and
    ``warning`` that of a known warning in a log without errors.
    """

    error: Found | None = None
    entry: dict | None = None
    causes: list[dict] = field(default_factory=list)
    only: dict | None = None
    warning: dict | None = None

    def to_dict(self) -> dict:
        """The answer as data, for other programs."""
        causes = [{"why": spoken(cause["why"]), "mend": spoken(cause["mend"])} for cause in self.causes]
        return {
            "error": self.error.to_dict() if self.error else None,
            "entry": self.entry["id"] if self.entry else None,
            "follows_from_another": self.only["id"] if self.only and not self.entry else None,
            "warning": self.warning["id"] if self.warning else None,
            "causes": causes if self.entry else [],
        }


def load_messages(path: Path | None = None) -> list[dict]:
    """The known messages, from ``messages.json`` beside this file unless another one is named."""
    file = path or Path(__file__).with_name("messages.json")
    return json.loads(file.read_text(encoding="utf-8"))["messages"]


def plain(text: str) -> str:
    """A line as patterns see it."""
    return re.sub(r" +", " ", ESCAPES.sub("", text).translate(QUOTES)).strip()


def spoken(text: str) -> str:
    """A sentence of the page for a terminal: links without their targets, no stars."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(?<!\*)\*\*(?!\*)(.+?)\*\*(?!\*)", r"\1", text)


def lines_of(log: str) -> list[Line]:
    """The lines of a log; the carriage returns of a progress bar end lines, too."""
    found = []
    for number, raw in enumerate(log.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        text = ESCAPES.sub("", raw)
        prefix = PREFIX.match(text)
        rank = int(prefix[1] or prefix[2]) if prefix else None
        text = text[prefix.end() :] if prefix else text
        found.append(Line(number, rank, text.rstrip(), plain(text)))
    return found


class Log:
    """The lines of a log, with the known messages and the tracebacks in it."""

    def __init__(self, log: str, messages: Iterable[dict]) -> None:
        self.lines = lines_of(log)
        self.text = "\n".join(line.plain for line in self.lines)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line.plain) + 1)
        filled = [line.number for line in self.lines if line.plain]
        self.is_short = len(filled) <= SHORT or any(PROMPT.match(line.plain) for line in self.lines)
        self.end_begins = filled[-END] if len(filled) > END else 0
        self.matches = self._matches(messages)
        self.tracebacks = list(_tracebacks(self.lines))
        root = ROOT_CAUSE.search(log)
        self.root = int(root[1]) if root else None  # torchrun knows which rank ended first

    def _matches(self, messages: Iterable[dict]) -> list[Match]:
        """For each line the entry that knows most of it, in the order of lines."""
        lines: dict[int, list[Match]] = {}
        for entry in messages:
            for wording in entry["wordings"]:
                for line in self.places(wording):
                    lines.setdefault(line.number, []).append(Match(line, entry, _kind(entry, line), wording["weight"]))
        return [_best(lines[number]) for number in sorted(lines)]

    def places(self, wording: dict) -> Iterator[Line]:
        """The lines in which a wording begins; a message may be wrapped over three."""
        position = self.text.find(wording["find"])
        for _ in range(MAX_PLACES):
            if position < 0:
                return
            index = bisect_right(self.starts, position) - 1
            begins = [i for i in (index, index - 1, index - 2) if i >= 0 and self._begins(wording["pattern"], i)]
            yield from (self.lines[i] for i in begins[:1])
            position = self.text.find(wording["find"], self.starts[index + 1])

    def _begins(self, pattern: str, index: int) -> bool:
        line = self.lines[index].plain
        if SHELL_TRACE.match(line):
            return False
        if re.search(pattern, line):
            return True
        joined = " ".join(line.plain for line in self.lines[index : index + 3])
        found = re.search(pattern, joined)
        return found is not None and found.start() < len(line)

    def is_mostly(self, kind: str) -> bool:
        """Whether at least half of the lines are of one kind: its own, and those in one frame with them.

        Notes, and where compiled code was, do not count.
        """
        told = {match.line.number for match in self.matches if match.kind == kind}
        beside = {line.number for line in self.lines if CALLS.match(line.plain)}
        beside |= {match.line.number for match in self.matches if match.kind == "note"}
        messages = [message for message in self.framed() if beside.isdisjoint(message)]
        of_kind = [message for message in messages if not told.isdisjoint(message)]
        return 2 * sum(map(len, of_kind)) >= sum(map(len, messages))

    def framed(self) -> Iterator[list[int]]:
        """The numbers of the lines with text: those in one frame of dashes together, each other one by itself."""
        frame: list[int] | None = None
        for line in self.lines:
            if FRAME.match(line.plain):
                yield from [frame] if frame else []
                frame = [] if frame is None else None
            elif line.plain and frame is None:
                yield [line.number]
            elif line.plain:
                frame.append(line.number)
        yield from ([number] for number in frame or [])

    def near(self, line: Line, wording: dict) -> bool:
        """Whether a sign of a cause stands near a line."""
        return any(abs(place.number - line.number) <= NEAR for place in self.places(wording))


def _best(matches: list[Match]) -> Match:
    """Of the matches of one line that which says why, and else knows most of it; a frame only if there is no other."""
    there = {match.entry["id"] for match in matches}
    own = [match for match in matches if not there & set(match.entry.get("follows", ()))]
    return max(own or matches, key=lambda match: (match.weight > FRAME_WEIGHT, VAGUE.get(match.kind, 0), match.weight))


def _kind(entry: dict, line: Line) -> str:
    """A warning that only may have to do with a failure is a hint, whatever the message says elsewhere."""
    kind = entry["kind"]
    return "hint" if kind in ("cause", "weak") and WARNING.search(line.text) else kind


def _tracebacks(lines: list[Line]) -> Iterator[Found]:
    """The last line of each Python traceback, with the innermost file that it names; ranks may be interleaved.

    A chain ("During handling of the above exception …") is one: what was raised first began it.
    """
    open_: dict[int | None, Found] = {}
    last: dict[int | None, Found] = {}
    going_on: set[int | None] = set()
    ignored: set[int | None] = set()
    for line in lines:
        rank, text = line.rank, line.text
        if TRACEBACK.match(text):
            open_[rank] = Found(line.number, rank, "", begin=line.number)
        elif CHAINED.match(text) and rank in last:
            going_on.add(rank)
        elif IGNORED.match(text):
            ignored.add(rank)
        elif rank in open_ and (place := PLACE.match(text)):
            # The programmer's own file helps more than one inside a package.
            if "site-packages" not in place[1] or not open_[rank].where:
                open_[rank].where = f"{place[1]}:{place[2]}"
        elif rank in open_ and text.strip() and not text[0].isspace():
            found = open_.pop(rank)
            found.line, found.end, found.text = line.number, line.number + NEAR, text.strip()
            if rank in going_on:
                last[rank].end = found.end
            elif rank not in ignored:
                last[rank] = found
                yield found
            going_on.discard(rank)
            ignored.discard(rank)


def _errors(log: Log) -> list[Found]:
    """Everything that looks like an error, in the order of lines."""
    consequences = {m.line.number for m in log.matches if m.kind == "consequence"}
    errors = list(log.tracebacks)
    known = {error.line for error in errors}
    matched = {m.line.number for m in log.matches if m.kind not in ("hint", "note")}
    noted = {m.line.number for m in log.matches if m.kind == "note"}
    for line in log.lines:
        looks = PLAIN.search(line.text) and not WARNING.search(line.text) and not CALLS.match(line.plain)
        looks = looks and line.number not in noted
        if line.number not in known and (looks or line.number in matched):
            errors.append(Found(line.number, line.rank, line.text.strip()))
    for error in errors:
        error.is_consequence = error.line in consequences
    return sorted(errors, key=lambda error: error.line)


def _of_root(items: list, log: Log, rank) -> list:
    """Those of the rank that torchrun says ended first, if it says so and there are any."""
    return [item for item in items if rank(item) == log.root] or items if log.root is not None else items


def _last_word(log: Log) -> list[Found]:
    """Where a rank has ended itself with a message and without a traceback: the line before torchrun's first one."""
    start = next((number for number, line in enumerate(log.lines) if TORCHRUN.match(line.text)), 0)
    spoken_before = [line for line in log.lines[:start] if line.plain]
    if not spoken_before or not any(ENDED_ITSELF.search(line.text) for line in log.lines[start:]):
        return []
    line = spoken_before[-1]
    consequences = {m.line.number for m in log.matches if m.kind == "consequence"}
    if PROGRESS.match(line.plain) or line.number in consequences:
        return []
    return [Found(line.number, line.rank, line.text.strip())]


def _first(log: Log) -> Found | None:
    errors = _errors(log)
    causes = [e for e in errors if not e.is_consequence] or _last_word(log) or errors
    own = _of_root(causes, log, lambda error: error.rank)
    # A traceback says more than a line of the scheduler that happens to stand above it in the file.
    return next((e for e in own if e.where), None) or next(iter(own), None)


def first_error(log: str, messages: list[dict]) -> Found | None:
    """The error that came first, and not what followed from it; None where the log has none.

    Args:
        log: the text of one log, of any number of ranks.
        messages: see ``load_messages``.
    """
    return _first(Log(log, messages))


def _unknown(log: Log) -> list[Found]:
    """Tracebacks that no message explains."""
    told = [m for m in log.matches if m.kind not in ("hint", "note")]
    return [traceback for traceback in log.tracebacks if not any(_explains(match, traceback) for match in told)]


def _explains(match: Match, traceback: Found) -> bool:
    """Whether a message stands in a traceback, or in the further lines of its last one."""
    if traceback.begin <= match.line.number <= traceback.line:
        return True
    further = traceback.line < match.line.number <= traceback.end
    return further and match.kind == "cause" and match.line.rank == traceback.rank


def _candidates(log: Log, kind: str) -> list[Match]:
    """Matches of a kind that do not follow from another message in the log."""
    there = {m.entry["id"] for m in log.matches}
    found = [m for m in log.matches if m.kind == kind and not there & set(m.entry.get("follows", ()))]
    return _of_root(found, log, lambda match: match.line.rank)


def _cause(log: Log) -> Match | None:
    """The match that explains the failure best, if one does."""
    unknown = _of_root(_unknown(log), log, lambda error: error.rank)
    causes = _candidates(log, "cause")
    cause = next((m for m in causes if m.weight > FRAME_WEIGHT), next(iter(causes), None))
    if unknown:
        # A rank that went on after a traceback had caught it.
        same = cause and any(u.rank is not None and u.rank == cause.line.rank for u in unknown[:1])
        return cause if cause and (same or cause.line.number < unknown[0].line) else None
    weak = _candidates(log, "weak")
    kinds = [m.kind for m in log.matches]
    failed = log.is_short or kinds.count("weak") >= MANY or any(kind in FAILURES for kind in kinds)
    if not failed:
        weak = [m for m in weak if m.line.number >= log.end_begins]
    for found in (cause, next(iter(_candidates(log, "ending")), None), next(iter(weak), None)):
        if found:
            return found
    hints = _candidates(log, "hint") if failed else []
    notes = _candidates(log, "note") if log.is_short else []
    return next(iter(hints + notes), None)


def _ordered(log: Log, match: Match) -> list[dict]:
    """An entry's causes, the likeliest first: one whose signs stand near, then those without signs."""
    seen = [c for c in match.entry["causes"] if any(log.near(match.line, sign) for sign in c.get("when", ()))]
    rest = [c for c in match.entry["causes"] if c not in seen]
    return seen + [c for c in rest if not c.get("when")] + [c for c in rest if c.get("when")]


def why(log: str, messages: list[dict]) -> Answer:
    """The first cause in a log, as far as the messages know it.

    Args:
        log: the text of one log, of any number of ranks, or a message that somebody copied.
        messages: see ``load_messages``.
    """
    read = Log(log, messages)
    match = _cause(read)
    if match:
        error = Found(match.line.number, match.line.rank, match.line.text.strip())
        for traceback in read.tracebacks:
            if traceback.begin <= error.line <= traceback.end:
                error.where = traceback.where
        return Answer(error, match.entry, _ordered(read, match))
    error = _first(read)
    only = next((m for m in read.matches if m.kind == "consequence"), None)
    if only and error and error.is_consequence:
        known = read.is_mostly("consequence")
        return Answer(error, only.entry if known else None, _ordered(read, only), only.entry)
    if error is None:
        warnings = _candidates(read, "hint") + _candidates(read, "note")
        return Answer(warning=warnings[0].entry if warnings else None)
    return Answer(error, only=only.entry if only else None)
