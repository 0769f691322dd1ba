"""The directives of a PBS script: which lines count, and how their words become options.

See ``pbs`` for the rules.
"""

from __future__ import annotations

import re

from workshop.jobs.dialects.pbs.resources import split_list
from workshop.jobs.dialects.pbs.words import split
from workshop.jobs.model import Directive, Finding, Script
from workshop.jobs.parts import blanks, sources
from workshop.jobs.parts.directives import respelt, shebang_on_top
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.leftover import RETYPE, Places, comment_above, dashes, inside_curly, joined, plain_value
from workshop.jobs.parts.lexer import UnmatchedQuote
from workshop.jobs.parts.text import BLANKS, heredocs, typographic

MAGIC = re.compile(r"^[ \t]*#PBS(?P<rest>.*)$")
LOOKS_LIKE = re.compile(r"^\s*#(?P<space>\s*)(?P<word>pbs)(?P<rest>\s+-\S.*)$", re.IGNORECASE)

VALUE = {"pbs": "aAcCejJklmMNopPqrRSuvW", "torque": "aAbcCdDeFjkKlLmMNopPqrStTuvwW"}
# Options of which nothing is said where they are given several times: OpenPBS takes the last -v (process_opts() in its
# qsub.c), Torque's is not settled. -l and -W add up by names.
ADDS_UP = {"pbs": "", "torque": "v"}
FLAG = {"pbs": "fhIGVXz", "torque": "fhInVxXz"}
TORQUE_HELP = {
    "t": "-J 1-10",
    "d": "cd DIRECTORY in the body",
    "D": "cd DIRECTORY in the body",
    "w": "cd DIRECTORY in the body",
    "T": "ask the administrators for a hook",
    "F": "-v VARIABLE=value",
    "b": "delete it",
    "n": "-l place=exclhost",
    "x": "delete it",
    "K": "delete it",
    "L": "-l select=…",
}


class PbsDirectives:
    """The directives of one file.

    Attributes:
        options: letter -> value. resources: item of -l -> value. where: letter or item -> line.
        attributes: item of -W -> value.
    """

    def __init__(self, lines: list[str], script: Script) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.script = script
        self.torque = script.scheduler == "torque"
        self.options: dict[str, str | None] = {}
        self.resources: dict[str, str | None] = {}
        self.where: dict[str, int] = {}
        self.attributes: dict[str, str] = {}
        self.places = Places(0, "", [], None)  # of the line that is being read
        self.lookalikes: list[tuple[int, re.Match[str]]] = []

    def say(self, rule: str, severity: str, line: int | None, message: str, fix: str = "", source: str = "") -> None:
        source = source or (sources.TORQUE_QSUB if self.torque else sources.QSUB)
        self.script.problems.append(Finding(rule, severity, line, message, fix, source))

    def read_directives(self) -> None:
        """Fills options, resources and attributes, and the script's body."""
        self._command_line()
        first = self._header()
        self._shebang()
        self._lookalike_findings()
        self._body(first)

    def _command_line(self) -> None:
        """The options behind qsub, which win over the lines of the file."""
        submission = self.script.seen.submission
        if submission:
            self.places = Places(submission.line, "", [], None)  # these words are not the file's lines
            self._words([(word, word) for word in submission.words], submission.line)

    def _wins(self, name: str, number: int) -> bool:
        """True where an option or item was given behind qsub already, so that the one of line ``number`` is void."""
        submission = self.script.seen.submission
        return bool(submission) and self.where.get(name) == submission.line != number

    def _text(self, number: int) -> str:
        """The line as it is read; qsub with its options may stand below the text of the job."""
        return self.lines[number - 1] if number <= len(self.lines) else ""

    def _shebang(self) -> None:
        start = self.script.seen.first_line
        first = self.lines[start - 1] if len(self.lines) >= start else ""
        if first.startswith("#!"):
            self.script.shebang = first[2:].strip()
        elif any(line.strip() for line in self.lines) and not self._is_command():
            told = any(directive.option == "-S" for directive in self.script.directives)
            self.say(
                "shebang_missing_or_not_first_line",
                "note" if told or not any(line.startswith("#!") for line in self.lines) else "warning",
                start,
                "The first line is no #! line: PBS runs the script with your login shell (or the one of -S), "
                "whatever that is; Slurm would refuse the file.",
                shebang_on_top(self.lines, start),
            )

    def _is_command(self) -> bool:
        """True where a few commands go to qsub through a pipe, which is no file that somebody wrote."""
        submission = self.script.seen.submission
        return bool(submission) and submission.how == "pipe" and len(self.script.seen.generated.lines) == 1

    def _header(self) -> int:
        number = 1
        while number <= len(self.lines):
            line = self.lines[number - 1]
            match = MAGIC.match(line)
            if match:
                number = self._directive(match["rest"], number, match.start("rest"))
                continue
            if line.strip(BLANKS) and not line.lstrip(BLANKS).startswith("#"):
                return number
            self._lookalike(line, number)
            number += 1
        return number

    def _lookalike(self, line: str, number: int) -> None:
        match = LOOKS_LIKE.match(line)
        if not match:
            return
        self.script.ignored_lines.append(number)
        self.lookalikes.append((number, match))

    def _lookalike_findings(self) -> None:
        """Lines that look like directives; one whose option stands active elsewhere is an alternative, switched off."""
        for number, match in self.lookalikes:
            if not (match["space"] and self._stands_active(match["rest"])):
                self._lookalike_finding(number, match)

    def _stands_active(self, text: str) -> bool:
        option = re.match(r"\s*-(\w)\s*(\S*)", text)
        if not option:
            return False
        if option[1] == "l":
            return all(name in self.resources for name, _ in split_list(option[2]))
        return option[1] in self.options

    def _lookalike_finding(self, number: int, match: re.Match[str]) -> None:
        rule = "space_in_directive" if match["space"] else "lowercase_directive"
        what = "has a blank between # and PBS" if match["space"] else "is not written in capitals"
        self.say(
            rule,
            "warning",
            number,
            f"This line {what}, so for qsub it is a comment and has no effect.",
            f"#PBS{match['rest']}, or ##PBS{match['rest']} if it is meant to be off",
        )

    def _directive(self, text: str, number: int, start: int) -> int:
        """Reads the directive that begins at line ``number`` with its continuations; gives the next line."""
        following = number + 1
        while text.endswith("\\") and following <= len(self.lines):
            text = text[:-1] + " " + self.lines[following - 1]
            following += 1
        text = self._plain(text, number)
        try:
            words = split(text.rstrip("\\"))
        except UnmatchedQuote as quote:
            text, advice = self._without_remark(text, number, start if following == number + 1 else None)
            self.say("unmatched_quote", "error", number, f"The quote in '{quote}' is not closed.", advice)
            if not text:
                return following
            words = split(text)
        whole = following == number + 1
        self.places = Places(number, self.lines[number - 1], [raw for _, raw in words], start if whole else None)
        self._words(words, number)
        return following

    def _without_remark(self, text: str, number: int, start: int | None) -> tuple[str, str]:
        """The options in front of a remark with an apostrophe, which are read all the same, and what to write."""
        before = re.split(r"\s#", text)[0]
        if before == text or re.search("[\"']", before):
            return "", "close the quote"
        if start is None:
            return before, "the comment on a line of its own"
        line = self.lines[number - 1]
        return before, comment_above(number, line, start + len(before), text[len(before) :])

    def _plain(self, text: str, number: int) -> str:
        """The text as it was meant, where it has blanks that are none."""
        found = blanks.finding(number, f"#PBS{text}", text, refused=not self.torque, whose="qsub")
        if found is None:
            return text
        self.script.problems.append(found)
        return blanks.with_plain_blanks(text)

    def _words(self, words: list[tuple[str, str]], number: int) -> None:
        rest = list(words)
        while rest:
            word = rest[0][0]
            if not word.startswith("-") or len(word) < 2:
                self._left_over(words, rest, number)
                return
            raw = rest.pop(0)[1]
            if not self._letters(word, raw, rest, number):
                return

    def _letters(self, word: str, raw: str, rest: list[tuple[str, str]], number: int) -> bool:
        """One word that begins with a dash; False where qsub stops reading the line."""
        for index in range(1, len(word)):
            letter = word[index]
            kind = self.script.scheduler
            if letter in FLAG[kind]:
                self._set(letter, None, number)
                continue
            if letter not in VALUE[kind]:
                self._unknown(letter, word, rest, number)
                if rest and not rest[0][0].startswith("-"):
                    rest.pop(0)
                return True
            value = word[index + 1 :]
            at = len(self.places.raws) - len(rest) - 1
            span = self.places.span(at, index + 1) if raw[: index + 1] == word[: index + 1] else None
            if not value:
                if not rest:
                    self.say(
                        "missing_value",
                        "error",
                        number,
                        f"option requires an argument -- '{letter}'",
                        f"-{letter} VALUE",
                    )
                    return False
                value, span = rest.pop(0)[0], self.places.span(at + 1)
            elif value.startswith("="):
                self._equals(letter, value, number, span)
            self._set(letter, value, number, span)
            return True
        return True

    def _equals(self, letter: str, value: str, number: int, span: tuple[int, int] | None) -> None:
        """``-N=name``: the equals sign becomes part of the value."""
        self.say(
            "equals_after_short_option",
            "warning" if letter in "oeAMv" else "error",
            number,
            f"After a one-letter option the equals sign belongs to the value: qsub reads '{value}'.",
            respelt(number, self.places.line, span[0], span[0] + 1, " ") if span else f"-{letter} {value[1:]}",
        )

    def _unknown(self, letter: str, word: str, rest: list[tuple[str, str]], number: int) -> None:
        if typographic(word):
            self._typographic(word, len(self.places.raws) - len(rest) - 1, number)
        elif letter in TORQUE_HELP and not self.torque:
            self.say(
                "torque_only_options_on_pbspro",
                "error",
                number,
                f"-{letter} is an option of Torque; PBS Pro and OpenPBS refuse it: invalid option -- '{letter}'.",
                TORQUE_HELP[letter].replace("1-10", rest[0][0] if letter == "t" and rest else "1-10"),
            )
        elif self.torque and letter == "J":
            self.say(
                "unknown_option",
                "error",
                number,
                "-J is an option of PBS Pro; Torque's job arrays are asked for with -t.",
                f"-t {rest[0][0] if rest else '1-10'} and PBS_ARRAYID",
            )
        else:
            self.say(
                "unknown_option",
                "error",
                number,
                f"qsub refuses the script: invalid option -- '{letter}'.",
                "see man qsub",
            )

    def _typographic(self, word: str, index: int, number: int) -> None:
        names = ", ".join(sorted({name for _, name in typographic(word)}))
        self.say(
            "non_ascii_dash",
            "warning" if self.torque else "error",
            number,
            f"'{word}' has a typographic character ({names}): qsub does not see an option there.",
            dashes(number, self.places.line, span[0], self.places.raws[index])
            if (span := self.places.span(index))
            else RETYPE,
        )

    def _left_over(self, words: list[tuple[str, str]], rest: list[tuple[str, str]], number: int) -> None:
        whole = " ".join(raw for _, raw in words)  # as qsub repeats it (tests/records/pbs/05, trailing_comment)
        text = " ".join(raw for _, raw in rest)
        outcome = (
            "Torque throws the rest of the line away."
            if self.torque
            else f"PBS refuses the script: 'qsub: directive error: {whole[:60]}'."
        )
        severity = "warning" if self.torque else "error"
        if typographic(rest[0][0][:1]):
            self._typographic(rest[0][0], len(words) - len(rest), number)
        elif rest[0][0].startswith("#"):
            self.say(
                "trailing_comment_on_pbs_directive",
                "note" if self.torque else "error",
                number,
                f"A #PBS line has no comments: '{text}' is left over. {outcome}",
                self._above(words, rest, number),
                sources.PBS_SOURCE,
            )
        elif rest[0][0].startswith("=") or self._ends_with_equals(number):
            self.say(
                "spaces_around_equals",
                severity,
                number,
                f"There must be no blank around '='. '{text}' is left over. {outcome}",
                self._joined(number),
            )
        elif self._is_remark(rest, number):
            self.say(
                "trailing_text_without_hash",
                severity,
                number,
                f"'{text}' is neither an option nor a value. {outcome}",
                self._above(words, rest, number),
                sources.PBS_SOURCE,
            )
        else:
            self.say(
                "unquoted_space",
                severity,
                number,
                f"A blank ends the value: '{text}' is left over. {outcome}",
                self._in_one(rest, number),
                sources.PBS_SOURCE,
            )

    def _above(self, words: list[tuple[str, str]], rest: list[tuple[str, str]], number: int) -> str:
        """A comment goes to a line of its own; what may be half a value or an option stays."""
        span = self.places.span(len(words) - len(rest))
        remark = self.places.line[span[0] :] if span else ""
        prose = remark.startswith("#") or (re.search(r"[A-Za-z]{2}", remark) and not re.search(r"(^|\s)-", remark))
        if not prose or self.places.line[: span[0]].strip() == "#PBS":
            return "put the comment on a line of its own above; a #PBS line has none"
        return comment_above(number, self.places.line, span[0], remark)

    def _last(self, number: int) -> Directive | None:
        last = self.script.directives[-1] if self.script.directives else None
        return last if last and last.line == number and last.span else None

    def _joined(self, number: int) -> str:
        last = self._last(number)
        return joined(number, self.places.line, last.span[0]) if last else "-l resource=value"

    def _in_one(self, rest: list[tuple[str, str]], number: int) -> str:
        """A list without its blanks; of a name a person says what stands in place of the blank."""
        last = self._last(number)
        value = f"{last.value if last else ''} {' '.join(raw for _, raw in rest)}"
        if last and last.option == "-l" and re.search(r"[:,+]\s|\s[:,+]", value):
            return self._joined(number)
        named = f"{_named(value)}, for example; " if last and last.option == "-N" else ""
        return f"{named}no blanks in names and resource lists"

    def _plain_name(self, value: str | None, span: tuple[int, int] | None, number: int) -> str:
        """A job's name with ASCII signs; one with blanks in curly quotes as it could be called."""
        line = self._text(number)
        whole = inside_curly(line[span[0] :].rstrip()) if span else None
        if whole and re.search(r"\s", whole):
            return f"{_named(whole)}, for example; no blanks in names and resource lists"
        return plain_value(number, line, span)

    def _is_remark(self, rest: list[tuple[str, str]], number: int) -> bool:
        """Prose behind a complete value, as opposed to the second half of one."""
        last = self.script.directives[-1] if self.script.directives else None
        if last is None or last.line != number or rest[0][0].startswith("("):
            return True
        if last.option != "-l":
            return False
        return not re.search(r"[:=,]", rest[0][0]) and not (last.value or "").endswith((":", ",", "="))

    def _ends_with_equals(self, number: int) -> bool:
        return bool(re.search(r"=\s", self._text(number)))

    def _set(self, letter: str, value: str | None, number: int, span: tuple[int, int] | None = None) -> None:
        if letter not in "lW" and self._wins(letter, number):
            return
        self.script.directives.append(Directive(number, self._text(number), f"-{letter}", value, span))
        for char, name in typographic(value or "")[:1]:
            self.say(
                "non_ascii_dash",
                "warning",
                number,
                f"'{value}' has a typographic character ({name} {char}).",
                self._plain_name(value, span, number)
                if letter == "N"
                else plain_value(number, self._text(number), span),
            )
        if letter == "l":
            self._resource_list(value or "", number)
        elif letter == "W":
            self.attributes.update({k: v or "" for k, v in _attributes(value or "")})
        else:
            earlier = self.options.get(letter)
            if letter in self.options and earlier != value and letter not in ADDS_UP[self.script.scheduler]:
                self.say(
                    "duplicate_option",
                    "warning",
                    number,
                    f"-{letter} is given twice ({earlier}, {value}). The last one wins.",
                    f"-v {earlier},{value}" if letter == "v" else f"keep one -{letter}",
                )
            self.options[letter] = value
            self.where[letter] = number

    def _resource_list(self, text: str, number: int) -> None:
        for name, value in split_list(text):
            if name in self.resources:
                if self.resources[name] != value and not self._wins(name, number):
                    self.say(
                        "duplicate_option",
                        "warning",
                        number,
                        f"-l {name} is given twice ({self.resources[name]}, {value}). The first one wins.",
                        f"keep one -l {name}",
                    )
                continue
            self.resources[name] = value
            self.where[name] = number
            if value is None and name in ("walltime", "select", "nodes", "ncpus", "mem", "place", "ngpus"):
                self.say(
                    "bad_resource",
                    "error",
                    number,
                    f"'-l {name}' has no '=value': illegal -l value.",
                    f"-l {name}=VALUE",
                )

    def _body(self, first: int) -> None:
        script = self.script
        script.body_line = first
        script.body = "\n".join(self.lines[first - 1 :])
        inside = {n for doc in heredocs(self.lines) for n in range(doc.start, doc.start + len(doc.lines))}
        if any("#PBS" in line for line in self.lines[first - 1 :]):
            inside |= string_lines(self.lines, first, script.shebang)
        lost = [
            number
            for number, line in enumerate(self.lines[first - 1 :], first)
            if re.match(r"[ \t]*#PBS\s*-", line) and number not in inside
        ]
        if lost:
            script.ignored_lines.extend(lost)
            listed = ", ".join(map(str, lost[:12]))
            self.say(
                "directives_after_first_command",
                "warning",
                lost[0],
                f"qsub stops reading directives at the first command (line {first}: "
                f"'{self.lines[first - 1].strip()[:60]}'). Lines without effect: {listed}. There is no message.",
                f"move all #PBS lines above line {first}",
            )
        script.ignored_lines.sort()


def _attributes(text: str) -> list[tuple[str, str | None]]:
    """-W: ``depend=afterok:1:2,umask=022``; a depend list has commas of its own (``afterok:1,afterany:2``)."""
    items: list[tuple[str, str | None]] = []
    for name, value in split_list(text):
        if value is None and items:
            items[-1] = (items[-1][0], f"{items[-1][1]},{name}")
        else:
            items.append((name, value))
    return items


def option_words(words: list[str], scheduler: str = "pbs") -> int:
    """How many of the words behind ``qsub`` are its options: the first other one is the script."""
    count = 0
    while count < len(words) and words[count].startswith("-") and len(words[count]) > 1 and words[count] != "--":
        letters = words[count][1:]
        index = next((i for i, letter in enumerate(letters) if letter not in FLAG[scheduler]), len(letters))
        takes_next = index == len(letters) - 1 and letters[index] in VALUE[scheduler] + VALUE["torque"]
        count += 2 if takes_next else 1
    return min(count, len(words))


def _named(value: str) -> str:
    """``-N`` with the name as it could be called: no blanks, no signs that PBS refuses."""
    return f"-N {re.sub(r'[^A-Za-z0-9_.+-]+', '_', value).strip('_')}"
