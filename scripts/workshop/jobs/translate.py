"""A job script of one scheduler as a script of another; nothing is dropped silently."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workshop.jobs.check import check
from workshop.jobs.dialect import dialect, dialects, targets
from workshop.jobs.fates import Lists
from workshop.jobs.launch.started import differences, started
from workshop.jobs.model import Script
from workshop.jobs.parts.written import CannotWrite, Loss
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_script, read_text
from workshop.jobs.rules.base import Context, guarded, variables
from workshop.jobs.translate_body import translate_body
from workshop.jobs.translate_header import Account
from workshop.jobs.translate_request import meant
from workshop.jobs.write import write

TARGETS = targets()


class CannotTranslate(Exception):
    """There is no sensible translation; the message says why and what to do."""


@dataclass
class Translation:
    """A translated script.

    Attributes:
        text: the new script. source: the script as it was read. to: its new scheduler.
        lists: what became of each option of the header and of the launchers.
        losses: what a person has to look at; each stands in ``text`` as a line that begins ``# NOT TRANSLATED`` or,
            where something stands there for it, ``# CHECK``.
        changes: what the new scheduler counts otherwise and means the same.
    """

    text: str
    source: Script
    to: str
    lists: Lists = field(default_factory=Lists)
    losses: list[Loss] = field(default_factory=list)
    changes: list[Loss] = field(default_factory=list)

    @property
    def marks(self) -> list[str]:
        """The lines of the new script that ask a person to look, without their ``#``."""
        lines = (line.strip() for line in self.text.split("\n"))
        return [line[2:] for line in lines if line.startswith(("# CHECK: ", "# NOT TRANSLATED: "))]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the script and the three lists."""
        return {"scheduler": self.source.scheduler, "to": self.to, "text": self.text, **self.lists.to_dict()}


def translate(source: str | bytes | Path | Script, to: str, scheduler: str | None = None) -> Translation:
    """Translates a job script.

    Args:
        source: a path, the text, or a script that was read already.
        to: ``slurm``, ``pbs`` (PBS Pro and OpenPBS) or ``lsf``.
        scheduler: whose script it is; None = found out.

    Raises:
        CannotTranslate: the scheduler would refuse the script, or the target cannot express it at all.
        OSError, UnreadableInput, ValueError: see ``read_script``.
    """
    if to not in TARGETS:
        raise ValueError(f"no translation to '{to}': choose {', '.join(TARGETS)}")
    script = source if isinstance(source, Script) else read_script(source, scheduler)
    _refuse_errors(script)
    context = Context(script, Profile())
    request, regrouped = meant(context)
    try:
        written = write(request, to, script.components)
    except CannotWrite as problem:
        raise CannotTranslate(str(problem)) from problem
    new = read_text("\n".join(["#!/bin/bash", *written.lines, "true", ""]), to)
    changes = [*regrouped, *written.changes]
    account = Account(script, new, written.losses, changes)
    lists = account.lists()
    body = translate_body(context, to, request, Context(new, Profile()))
    lists.add(body.lists)
    losses = written.losses + account.unsaid
    lines = [*_head(script, to), *written.lines, *(_mark(account, loss) for loss in losses)]
    lines += ["", *_threads(script, to), *_gpus(context, new), *_without_leading_blanks(body.lines)]
    lines, put_in = _out_of_its_document(script, lines, len(written.lines) + len(_head(script, to)))
    losses += put_in
    text = "\n".join(lines).rstrip("\n") + "\n"
    return _compared(context, Translation(text, script, to, lists, losses + body.losses, changes))


def _out_of_its_document(script: Script, lines: list[str], place: int) -> tuple[list[str], list[Loss]]:
    """The lines as the job gets them, where a here-document of another script writes them, and what that puts in.

    Args:
        place: where a remark may stand: behind the directives.
    """
    generated = script.seen.generated
    if generated is None or not generated.expands:
        return lines, []
    found = (match[0] for line in [*generated.lines, *lines[:place]] for match in PUT_IN.finditer(line))
    # A variable of the scheduler is meant as the job's, which has its counterpart now.
    own = dialect(script.scheduler).prefixes
    names = dict.fromkeys(name for name in found if not name.lstrip("${").startswith(own))
    plain = [ESCAPED.sub(r"\1", line) for line in lines]
    if not names:
        return plain, []
    loss = Loss(", ".join(f"'{name}'" for name in names), "the script that writes this job puts it in: set it here")
    return [*plain[:place], f"# CHECK: {loss.what}: {loss.reason}", *plain[place:]], [loss]


# What a here-document without quotes expands, and what it takes a backslash from.
PUT_IN = re.compile(r"(?<!\\)\$(?:\{\w+\}|\w+)")
ESCAPED = re.compile(r"\\([$`\\])")


def _mark(account: Account, loss: Loss) -> str:
    return f"# {account.verb(loss)}: {account.quoted(loss)}: {loss.reason}"


def _compared(context: Context, result: Translation) -> Translation:
    """The translation, with a remark where it is not certain to start what the source starts."""
    new = Context(read_text(result.text, result.to), Profile())
    found = differences(started(context.launches, context.shape), started(new.launches, new.shape))
    if not found or new.heterogeneous or context.dialect.package == new.dialect.package:
        return result
    loss = Loss("what is started", f"by the script alone it is not the same: {'; '.join(found)}")
    magic = new.dialect.magic
    lines = result.text.split("\n")
    place = max((number for number, line in enumerate(lines, 1) if line.startswith(magic)), default=1)
    lines.insert(place, f"# CHECK: {loss.what}: {loss.reason}")
    return replace(result, text="\n".join(lines), losses=[*result.losses, loss])


def _refuse_errors(script: Script) -> None:
    errors = check(script).of("error")
    if errors:
        first = errors[0]
        raise CannotTranslate(
            f"line {first.line}: {first.message} The scheduler refuses this script, so what it asks "
            "for is not certain. "
            f"Mend it first: {first.fix}"
        )


def _head(script: Script, to: str) -> list[str]:
    """Shebang and the header's own comments."""
    lines = script.seen.lines
    first = script.seen.first_line
    head = [f"#!{script.shebang}" if script.shebang is not None else "#!/bin/bash"]
    directives = {directive.line for directive in script.directives} | set(script.ignored_lines)
    for number, line in enumerate(lines[: script.body_line - 1], 1):
        comment = line.strip().startswith("#") and not line.startswith("#!")
        if line.startswith("##") and _is_directive(line) and head[-1].startswith("# EDIT"):
            head.pop()  # it spoke of this directive, which is switched off and has no place in the new script
        if number >= first and comment and number not in directives and not _is_directive(line):
            head.append(line.strip())
    return head


def _is_directive(line: str) -> bool:
    return line.lstrip("# \t").startswith(tuple(one.magic.removeprefix("#") for one in dialects().values()))


def _threads(script: Script, to: str) -> list[str]:
    """PBS sets OMP_NUM_THREADS from ompthreads; the others do not."""
    threads = script.request.extra.threads_per_task
    if threads and to != "pbs" and "OMP_NUM_THREADS=" not in script.body:
        return [f"export OMP_NUM_THREADS={threads}"]
    return []


def _gpus(context: Context, new: Script) -> list[str]:
    """Slurm and LSF tell a job its GPUs in CUDA_VISIBLE_DEVICES; PBS leaves that to the site."""
    name = "CUDA_VISIBLE_DEVICES"
    used = [line for _, line in context.code if name in variables(line)]
    told = any(not guarded(line, name) for line in used) and not context.reading.set(name)
    count = new.request.gpus_per_node
    if not told or not count or new.scheduler != "pbs" or context.dialect.package == "pbs":
        return []
    numbers = ",".join(str(number) for number in range(count))
    return [
        f"# CHECK: '{name}': a PBS site may not set it; these are the job's GPUs only on a node of its own",
        f"export CUDA_VISIBLE_DEVICES=${{CUDA_VISIBLE_DEVICES:-{numbers}}}",
    ]


def _without_leading_blanks(lines: list[str]) -> list[str]:
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    return lines[start:]
