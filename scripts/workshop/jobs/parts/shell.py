"""A rough reading of a shell script: its commands, word by word, with line numbers. Not a shell, and never an error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from workshop.jobs.parts import grammar
from workshop.jobs.parts.text import heredocs

# Words that may stand in front of a command without being one.
LEADERS = {
    "if",
    "then",
    "else",
    "elif",
    "do",
    "while",
    "until",
    "!",
    "{",
    "(",
    "time",
    "exec",
    "nohup",
    "command",
    "eval",
    "sudo",
    "builtin",
}
ASSIGN = re.compile(r"^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=(.*)$", re.DOTALL)
SHELLS = {"sh", "bash", "dash", "zsh", "ksh"}
LAUNCHERS = {
    "srun",
    "mpirun",
    "mpiexec",
    "mpiexec.hydra",
    "mpiexec.mpt",
    "mpirun_rsh",
    "aprun",
    "jsrun",
    "lrun",
    "ibrun",
    "prun",
    "blaunch",
    "pbsdsh",
    "ompi-run",
    "orterun",
    "horovodrun",
    "prterun",
}
PYTHON = re.compile(r"^(?:.*/)?python(?:\d(?:\.\d+)?)?$")


@dataclass(frozen=True)
class Command:
    """A simple command.

    Attributes:
        line: 1-based. words: quotes kept as written. assigns: NAME -> value in front of it (or its only content).
        background: True where ``&`` follows. text: as written. piped: its input comes from a pipe.
    """

    line: int
    words: tuple[str, ...]
    assigns: dict[str, str] = field(default_factory=dict)
    background: bool = False
    text: str = ""

    @property
    def name(self) -> str:
        """The program without its folder; empty for a bare assignment."""
        return self.words[0].strip("\"'").rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[1:]


def logical_lines(lines: list[str], first: int) -> list[tuple[int, str]]:
    """Lines with backslash continuations joined and here-documents left out, as (1-based number, text)."""
    skip: set[int] = set()
    for document in heredocs(lines):
        skip.update(range(document.start, document.start + len(document.lines) + 1))
    found = []
    index = 0
    while index < len(lines):
        number, text = index + 1, lines[index].rstrip("\r")
        index += 1
        if number in skip or number < first:
            continue
        while text.endswith("\\") and not text.endswith("\\\\") and index < len(lines):
            text = text[:-1] + " " + lines[index].rstrip("\r")
            index += 1
        # A quoted string may run over several lines: srun bash -c '…'.
        # Only the added line is looked at: a huge string must not cost the square of its length.
        quote, parts, length = _open_quote(text), [text], len(text)
        while quote and index < len(lines) and length < LONGEST_LINE:
            line = lines[index].rstrip("\r")
            quote = _open_quote(line, quote)
            parts.append(line)
            length += len(line) + 1
            index += 1
        found.append((number, "\n".join(parts)))
    return found


def _open_quote(text: str, quote: str = "") -> str:
    """The quote that is still open at the end of ``text``, else an empty string; ``quote`` was open before it."""
    index = 0
    while index < len(text):
        char = text[index]
        if quote == "'":
            quote = "" if char == "'" else quote
        elif char == "\\":
            index += 1
        elif quote:
            quote = "" if char == '"' else quote
        elif char in "\"'":
            quote = char
        elif char == "#" and (index == 0 or text[index - 1] in " \t;\n"):
            end = text.find("\n", index)
            if end < 0:
                return ""
            index = end
        index += 1
    return quote


# A longer line is data, not a command that somebody wrote.
LONGEST_LINE = 20_000
SEPARATOR = re.compile(r"&&|\|\||\|&|;;|[;|&\n()]")


def split_commands(text: str) -> list[tuple[list[str], str]]:
    """Words of each simple command of ``text`` with the separator behind it (``&``, ``|``, ``;``, …)."""
    commands: list[tuple[list[str], str]] = []
    words: list[str] = []
    word, index, quote, depth = "", 0, "", 0

    def end_word() -> None:
        nonlocal word
        if word:
            words.append(word)
        word = ""

    while index < len(text):
        char = text[index]
        if quote or depth:
            quote, depth = _inside(char, quote, depth, text, index)
            word += char
            if char == "\\" and quote != "'" and index + 1 < len(text):
                index += 1
                word += text[index]
        elif char == "\\":
            word += text[index : index + 2]
            index += 1
        elif char in "\"'`":
            quote = char
            word += char
        elif text.startswith(("$(", "${", "<(", ">("), index):
            depth = 1
            word += text[index : index + 2]
            index += 1
        elif char == "#" and not word:
            end = text.find("\n", index)
            index = len(text) if end < 0 else end - 1
        elif char in " \t":
            end_word()
        elif text.startswith((">&", "&>", "<&"), index):
            word += text[index : index + 2]
            index += 1
        elif match := SEPARATOR.match(text, index):
            end_word()
            if words:
                commands.append((words, match[0]))
                words = []
            index = match.end() - 1
        else:
            word += char
        index += 1
    end_word()
    if words:
        commands.append((words, ""))
    return commands


def _inside(char: str, quote: str, depth: int, text: str, index: int) -> tuple[str, int]:
    """State after ``char`` inside quotes or a ``$(…)``."""
    if quote:
        return ("", depth) if char == quote and (quote == "'" or text[index - 1] != "\\") else (quote, depth)
    if char in "\"'`":
        return char, depth
    return "", depth + {"(": 1, "{": 1, ")": -1, "}": -1}.get(char, 0)


STRINGS = ("string", "raw_string", "ansi_c_string", "translated_string")
TRIPLE = re.compile(r"(\"{3}|'{3})(?:.|\n)*?\1")


def string_lines(lines: list[str], first: int, shebang: str | None) -> set[int]:
    """Numbers of the lines from ``first`` on that begin inside a string: text of a job that the script writes.

    Such a string is a quoted one of a shell, or a triple-quoted one of Python. One that never ends does not count:
    it is a slip of the pen, and hides nothing.
    """
    if "python" in (shebang or ""):
        text = "\n".join(lines[first - 1 :])
        found = set()
        for match in TRIPLE.finditer(text):
            start = first + text.count("\n", 0, match.start())
            found.update(range(start + 1, start + match[0].count("\n") + 1))
        return found
    text = "\n".join(line.rstrip("\r") for line in lines)
    found = set()
    waiting = [grammar.parse(text)]
    while waiting:
        node = waiting.pop()
        if node.kind in STRINGS:
            begin = text.count("\n", 0, node.start) + 1
            if begin >= first:
                found.update(range(begin + 1, begin + text.count("\n", node.start, node.end) + 1))
        else:
            waiting += node.children
    return found


def commands(lines: list[str], first: int) -> list[Command]:
    """All simple commands of ``lines`` from line ``first`` on."""
    found = []
    for number, text in logical_lines(lines, first):
        for words, separator in split_commands(text[:LONGEST_LINE]):
            command = _command(number, words, separator, text)
            if command:
                found.append(command)
    return found


def _command(number: int, words: list[str], separator: str, text: str) -> Command | None:
    rest = list(words)
    while rest and rest[0] in LEADERS:
        rest.pop(0)
    assigns: dict[str, str] = {}
    if rest and rest[0] in ("export", "declare", "typeset", "readonly", "local", "env"):
        keyword = rest.pop(0)
        while rest and (rest[0].startswith("-") or (keyword == "env" and ASSIGN.match(rest[0]))):
            match = ASSIGN.match(rest.pop(0))
            if match:
                assigns[match[1]] = match[3]
        if keyword != "env":
            assigns.update({m[1]: m[3] for m in map(ASSIGN.match, rest) if m})
            return Command(number, (keyword, *rest), assigns, False, text)
    while rest and (match := ASSIGN.match(rest[0])):
        assigns[match[1]] = match[3]
        rest.pop(0)
    rest = [word for word in rest if not word.startswith("<<")]
    if not rest and not assigns:
        return None
    return Command(number, tuple(rest), assigns, separator == "&", text)


def unquote(word: str) -> str:
    """``word`` without its outer quotes."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def option_value(arguments: tuple[str, ...], *names: str) -> str | None:
    """The value of an option among ``arguments``: ``--name=V``, ``--name V``, ``-nV`` or ``-n V``."""
    for index, raw in enumerate(arguments):
        word = unquote(raw)
        # A whole option comes first: mpirun's -np is not -n with the value p.
        if word in names:
            return unquote(arguments[index + 1]) if index + 1 < len(arguments) else None
        for name in names:
            if word.startswith(name + "=") and name.startswith("--"):
                return unquote(word[len(name) + 1 :])
            if len(name) == 2 and word.startswith(name) and len(word) > 2 and not word.startswith("--"):
                return unquote(word[2:].removeprefix("="))
    return None


def launched(command: Command) -> tuple[str, ...]:
    """The words of the program behind a launcher, a container or a wrapper; all words for a plain command.

    The first word from the end of the launcher's options is hard to tell without knowing them all, so this looks
    for the first word that looks like a program.
    """
    if command.name not in LAUNCHERS | {
        "apptainer",
        "singularity",
        "numactl",
        "nice",
        "env",
        "stdbuf",
        "timeout",
        "conda",
        "mamba",
        "uv",
        "pixi",
        "poetry",
    }:
        return command.words
    for index, raw in enumerate(command.arguments):
        word = unquote(raw)
        name = word.rpartition("/")[2]
        if PYTHON.match(word) or name in SHELLS or name in TORCH or name.endswith(".py"):
            return command.arguments[index:]
    return command.arguments


TORCH = {"torchrun", "accelerate", "deepspeed", "composer", "colossalai"}


def is_torchrun(words: tuple[str, ...]) -> bool:
    """True for torchrun, ``python -m torch.distributed.run`` and ``accelerate launch``."""
    plain = [unquote(word) for word in words]
    if not plain:
        return False
    name = plain[0].rpartition("/")[2]
    if name in ("torchrun", "accelerate"):
        return True
    return bool(PYTHON.match(plain[0])) and any(
        word in ("torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch")
        for word in plain[1:]
    )


def is_python(words: tuple[str, ...]) -> bool:
    """True for ``python file.py`` or ``python -m module`` that could be the training itself."""
    plain = [unquote(word) for word in words]
    if not plain or not PYTHON.match(plain[0]) or is_torchrun(words):
        return False
    rest = plain[1:]
    if "-c" in rest[:3] or not rest or rest[0] in ("--version", "-V"):
        return False
    helpers = ("venv", "pip", "virtualenv", "build", "ensurepip", "http.server", "zipfile", "ipykernel")
    return not (
        "-m" in rest and rest[rest.index("-m") + 1 : rest.index("-m") + 2] and rest[rest.index("-m") + 1] in helpers
    )


# Programs that run another one: what counts is the launcher behind them.
WRAPPERS = {"timeout", "nice", "stdbuf", "numactl", "taskset", "strace", "perf", "ionice", "chrt"}
WITHOUT_EFFECT = {"echo", "printf", "module", "ml", "which", "type", "command", "export"}
NAMES_LAUNCHER = re.compile(
    r"(?:^|[\s/\"'(`;&|])(?:" + "|".join(sorted(map(re.escape, LAUNCHERS), key=len, reverse=True)) + r")(?=[\s)\"'`]|$)"
)


def _starts_launcher(command: Command) -> bool:
    """True where a launcher runs inside: ``apptainer exec IMG mpirun …``, ``$(which mpirun) …``, ``bash -c '…'``."""
    text = " ".join(command.words)[:LONGEST_LINE]
    return command.name not in WITHOUT_EFFECT and bool(NAMES_LAUNCHER.search(text))


def _unwrapped(command: Command) -> Command:
    """``timeout 3600 srun python`` is srun's command."""
    if command.name not in WRAPPERS:
        return command
    for index, word in enumerate(command.words):
        if unquote(word).rpartition("/")[2] in LAUNCHERS:
            return replace(command, words=command.words[index:])
    return command


@dataclass
class Body:
    """The commands of a job script and what follows from them.

    Attributes:
        commands: all of them, in order. lines: the file's lines. is_shell: False for a python (or other) script.
    """

    commands: list[Command]
    lines: list[str]
    first: int
    is_shell: bool = True

    @property
    def launchers(self) -> list[Command]:
        return [command for command in self.commands if command.name in LAUNCHERS or _starts_launcher(command)]

    @property
    def sruns(self) -> list[Command]:
        return [command for command in self.commands if command.name == "srun"]

    def expanded(self, command: Command) -> str:
        """The words of ``command`` with what the lines above it have assigned; two levels, for CMD="$LAUNCHER x"."""
        values = {
            name: unquote(value)
            for other in self.commands
            if other.line <= command.line
            for name, value in other.assigns.items()
        }
        return expand(expand(" ".join(command.words), values), values)[:LONGEST_LINE]

    def assignments(self, name: str) -> list[tuple[Command, str]]:
        return [(command, command.assigns[name]) for command in self.commands if name in command.assigns]

    def code(self) -> list[tuple[int, str]]:
        """Lines from the first command on without whole-line comments, here-documents included."""
        return [
            (number, line)
            for number, line in enumerate(self.lines, 1)
            if number >= self.first and not line.lstrip().startswith("#")
        ]


VARIABLE = re.compile(r"\$(?:\{(\w+)(?:\[[@*]\])?\}|(\w+))")


def expand(text: str, values: dict[str, str]) -> str:
    """``text`` with the variables that the script itself has set; one level, as written."""
    return VARIABLE.sub(lambda match: values.get(match[1] or match[2], match[0]), text)


def _resolved(found: list[Command]) -> list[Command]:
    """The same commands; one that begins with a variable of the script begins with its value: ``$LAUNCHER app``."""
    values: dict[str, str] = {}
    resolved = []
    for command in found:
        first = unquote(command.words[0]) if command.words else ""
        match = VARIABLE.fullmatch(first)
        value = values.get(match[1] or match[2]) if match else None
        if value and not value.startswith(("$(", "`")):
            parts = split_commands(value)
            if len(parts) == 1:
                command = replace(command, words=(*parts[0][0], *command.words[1:]))
        resolved.append(_unwrapped(command))
        values.update({name: unquote(text).strip() for name, text in command.assigns.items() if text})
    return resolved


def read_body(lines: list[str], first: int, shebang: str | None) -> Body:
    """The body of a script; of a script in another language than shell only the text is kept."""
    program = (shebang or "/bin/sh").replace("/usr/bin/env", "").replace("-S", "").split()
    name = program[0].rpartition("/")[2] if program else "sh"
    shell = name in SHELLS or name in ("csh", "tcsh", "") or (shebang or "").startswith("/bin/env")
    return Body(_resolved(commands(lines, first)) if shell else [], lines, first, shell)
