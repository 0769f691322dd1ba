"""How a #SBATCH line that sbatch misunderstands is written right: the advice, with the edit that does it where the
meaning is certain (`Write`), in words where it is not."""

from __future__ import annotations

import re
from itertools import takewhile

from workshop.jobs.dialects.slurm.options import SHORT, Option, full_name
from workshop.jobs.dialects.slurm.words import Word
from workshop.jobs.model import Edit, Write
from workshop.jobs.parts.directives import respelt
from workshop.jobs.parts.leftover import inside_curly
from workshop.jobs.parts.text import CLOSING, CURLY, CURLY_DOUBLE, DASHES, OPENING, plain_ascii
from workshop.jobs.parts.units import clock, meant_memory, meant_time

MAGIC = "#SBATCH"
# A value with blanks is quoted here; a list loses them. (man sbatch)
QUOTED = {"job-name", "comment"}
LISTS = {"mail-type", "partition", "nodelist", "exclude", "dependency", "gres", "licenses", "export", "clusters"}
MEMORY = {"mem", "mem-per-cpu", "mem-per-gpu", "tmp"}
NAMES_OF_NODES = {"nodelist", "nodefile"}
PATHS = {"output", "error", "input", "chdir"}
IN_FULL = re.compile(rf"[-{DASHES}]+(?P<name>[A-Za-z][\w-]*)")


def in_full(line: str, word: Word, option: Option) -> str:
    """The whole name of an abbreviated option."""
    short = option.written.partition("=")[0]
    if word.raw.startswith(short):
        return respelt(word.line, line, word.start, word.start + len(short), f"--{option.name}")
    return f"--{option.name}{'' if option.value is None else '=' + option.value}"


def continued(lines: list[str], number: int) -> str:
    """Directives of their own for the options that stand behind a backslash, as far as they are options."""
    edits = [_without_backslash(lines, number)]
    while lines[number - 1].rstrip().endswith("\\") and number < len(lines):
        number += 1
        text = lines[number - 1]
        if text.startswith(MAGIC):
            break
        if not re.match(r"\s*--?[A-Za-z]", text):
            return f"one {MAGIC} line for each option"
        blank = len(text) - len(text.lstrip())
        edits.append(Edit(number, text[:blank], f"{MAGIC} "))
        if text.rstrip().endswith("\\"):
            edits.append(_without_backslash(lines, number))
    return Write(f"one {MAGIC} line for each option, without the backslash", *edits)


def _without_backslash(lines: list[str], number: int) -> Edit:
    kept = lines[number - 1].rstrip()[:-1].rstrip()
    return Edit(number, lines[number - 1][len(kept) :], "", len(kept))


def switched_on(line: str, number: int, match: re.Match[str]) -> str:
    """The line as a directive. Only blanks in front are surely a mistake: the other ways may mean to switch it off."""
    text = f"{MAGIC}{match['rest']}"
    if match["indent"] and not match["space"] and match["word"] == "SBATCH":
        return respelt(number, line, 0, len(match["indent"]), "")
    return f"{text}, or #{text} if it is meant to be off"


def unambiguous(line: str, words: list[Word], written: str, known: list[str]) -> str:
    """The whole name where a number as value leaves one candidate: no list and no file of nodes is called 2."""
    left = [name for name in known if name not in NAMES_OF_NODES]
    short, _, value = written.partition("=")
    word = next((one for one in words if one.raw == written), None)
    if len(left) != 1 or not value.isdigit() or word is None:
        return f"the option in full, one of {', '.join('--' + name for name in known)}"
    return respelt(word.line, line, word.start, word.start + len(short), f"--{left[0]}")


def without_equals(line: str, word: Word, option: Option) -> str:
    """``-t 10`` for ``-t=10``."""
    place = word.raw.find("=")
    if place == len(word.raw) - 1 or word.text != word.raw:
        return f"--{option.name}={(option.value or '=')[1:]} or {option.written[:2]} {(option.value or '=')[1:]}"
    return respelt(word.line, line, word.start + place, word.start + place + 1, " ")


def joined(line: str, words: list[Word], name: str) -> str:
    """``--nodes=2`` for ``--nodes = 2``: the words of the line from the option on."""
    text, last = "", None
    for word in words:
        if text and not text.endswith("=") and not word.raw.startswith("="):
            break
        text, last = text + word.raw, word
    if last is None or text.endswith("=") or "==" in text or re.search(r"=.*=|\s", text):
        return f"--{name}=VALUE without blanks"
    return respelt(last.line, line, words[0].start, last.start + len(last.raw), text)


def dashes(line: str, word: Word) -> str:
    """The word with the hyphens that its option needs: two before a name, one before a letter."""
    match = IN_FULL.match(word.raw)
    name = match["name"] if match else ""
    long = len(full_name(name)) == 1 if match else False
    if match is None or not (long or name[:1] in SHORT):
        return "retype it with the plain ASCII - ' \""
    text = ("--" if long and len(name) > 1 else "-") + plain_ascii(word.raw[match.start("name") :])
    return respelt(word.line, line, word.start, word.start + len(word.raw), text)


def plain_value(line: str, words: list[Word], option: Option) -> str:
    """The value with ASCII signs; of a path a person has to say whether the folder's name has the sign."""
    first, last = words[option.at], words[option.at + option.apart]
    if option.name in PATHS or last.line != first.line:
        return "retype it with the plain ASCII - ' \", if the folder's name has them"
    if closed := _closed(line, words, option):
        return closed
    end = _closing(words, option.at + option.apart)
    text = _retyped(line[last.start : end])
    if text.count('"') % 2:
        return "retype it with the plain ASCII - ' \", and close the quote"
    return respelt(last.line, line, last.start, end, text)


def _retyped(text: str) -> str:
    """``text`` with ASCII signs, so that its quotes are those of the shell once and not twice."""
    if not re.search("[\"']", text):
        plain = plain_ascii(text)
        head, equals, value = plain.rpartition("=") if plain.startswith("-") else ("", "", plain)
        return f'{head}{equals}"{value}"' if "'" in value.strip("'") and '"' not in value else plain
    whole = re.sub(rf"([\"'])[{CURLY}](.*)[{CURLY}]\1", r"\1\2\1", text)
    return plain_ascii(re.sub(f"[{CURLY_DOUBLE}]", "'", whole) if '"' in whole else whole)


def _closed(line: str, words: list[Word], option: Option) -> str | None:
    """A value behind a curly quote that nothing closes, in straight quotes as far as the next option or comment.

    None where another value begins like that, or where the words behind it need not belong to it.
    """
    index = option.at + option.apart
    first, value = words[index], option.value or ""
    run = list(takewhile(lambda word: word.line == first.line and not word.raw.startswith("-"), words[index + 1 :]))
    end = (run or [first])[-1].start + len((run or [first])[-1].raw)
    start = first.start + len(first.raw) - len(value)
    inside = inside_curly(line[start:end]) if first.raw.endswith(value) else None
    if inside is None or line[end - 1] in CLOSING or (run and option.name not in QUOTED):
        return None
    return respelt(first.line, line, start, end, f'"{inside}"')


def _closing(words: list[Word], index: int) -> int:
    """One past the word that closes a curly quote which the word at ``index`` opens: the shell sees no quote there."""
    line, opened = words[index].line, 0
    for word in words[index:]:
        if word.line != line:
            break
        opened += sum(word.raw.count(mark) for mark in OPENING) - sum(word.raw.count(mark) for mark in CLOSING)
        if opened <= 0:
            return word.start + len(word.raw)
    return words[index].start + len(words[index].raw)


def with_its_rest(line: str, words: list[Word], index: int, option: Option) -> str:
    """A value that a blank has cut in two: a list loses its blanks, a name gets quotes, an amount its own form.

    Args:
        index: of the word behind the blank. option: whose value was cut.
    """
    same = [word for word in words[index:] if word.line == words[index].line]
    rest = list(takewhile(lambda word: not word.raw.startswith("-"), same))
    if not rest:
        return f'--{option.name}="…" with all of the value in quotes'
    if closed := _closed(line, words, option):
        return closed
    first, end = words[option.at + option.apart], rest[-1].start + len(rest[-1].raw)
    if _closing(words, option.at + option.apart) == end > first.start:
        return plain_value(line, words, option)
    value = option.value or ""
    whole = f"{value} {line[rest[0].start : end]}"
    new = _whole(option.name, inside_curly(whole) or whole)
    if new is None or not first.raw.endswith(value):
        joint = "," if option.name in LISTS else "_"
        without = re.sub(r"[\s,]+", joint, whole) if joint == "," else whole.replace(" ", joint)
        return f"--{option.name}={without}" if joint == "," else f'--{option.name}="{whole}", or {without}'
    return respelt(words[index].line, line, first.start + len(first.raw) - len(value), end, new)


def _whole(name: str, value: str) -> str | None:
    """``value`` as it can only have been meant; None where that is not certain."""
    if any(mark in value for mark in "\"'\\"):
        return None
    if name in LISTS and "," in value and re.fullmatch(r"[^\s,]+(\s*,\s*[^\s,]+)+", value):
        return re.sub(r"\s+", "", value)
    if name in QUOTED:
        return f'"{value}"'
    if name in MEMORY:
        return meant_memory(value.replace(" ", ""))
    seconds = meant_time(value) if name in ("time", "time-min") else None
    return None if seconds is None else clock(seconds)


def commented(line: str, number: int, start: int) -> str:
    """A remark behind the options, from column ``start`` on, with its ``#``: then its quotes do no harm."""
    rest = line[start:]
    if re.search(r"(^|\s)-", rest) or not re.search(r"[A-Za-z]{2}", rest):
        return f"put '#' in front if it is a remark:  # {rest}"
    return respelt(number, line, start, start, "# ")


def without_value(line: str, words: list[Word], written: str) -> str:
    """A flag that got a value: ``--requeue=yes``."""
    name, _, value = written.partition("=")
    word = next((one for one in words if one.text == written), None)
    if word is None or word.raw != written or value.lower() not in ("yes", "true", "1", ""):
        return f"{name}, or no such line"
    return respelt(word.line, line, word.start + len(name), word.start + len(written), "")


def quoted_hash(line: str, word: Word, option: Option | None) -> str:
    """A ``#`` inside a name, protected by quotes; behind other values it may be a remark that lacks its blank."""
    name = option.name if option else "job-name"
    value = f"{option.value if option else ''}#{(word.cut or '').split(' ')[0]}"
    glued = bool(option) and word.raw.endswith(option.value or "")
    if not glued or name not in (QUOTED | {"output", "error"}) or re.search(r"\s[^#\s]", word.cut or ""):
        return f'quote the value if the # belongs to it: --{name}="{value}"'
    start = word.start + len(word.raw) - len(option.value or "")
    return respelt(word.line, line, start, start + len(value), f'"{value}"')
