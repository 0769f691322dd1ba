"""The command ``workshop why``."""

from __future__ import annotations

import json
import sys
import textwrap

import click

from workshop.logs.why import Answer, Found, load_messages, spoken, why

KNOWN, UNKNOWN, UNREADABLE = 0, 1, 2
WIDTH = 80


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(file: str, form: str) -> None:
    """Say why a job failed: find the first cause in its log FILE, and what mends it; '-' is standard input.

    A message alone will do, too: workshop why - <<< 'the message'

    Exit status: 0 where the cause is known, 1 where it is not, 2 where FILE cannot be read.
    """
    try:
        log = _read(file)
    except OSError as problem:
        click.echo(f"{file}: {problem.strerror or problem}", err=True)
        sys.exit(UNREADABLE)
    answer = why(log, load_messages())
    click.echo(json.dumps(answer.to_dict(), indent=2, ensure_ascii=False) if form == "json" else _text(answer))
    sys.exit(KNOWN if answer.entry else UNKNOWN)


def _read(file: str) -> str:
    """The text of a log, whatever bytes are in it.

    Raises:
        OSError: it cannot be read.
    """
    if file == "-":
        return sys.stdin.buffer.read().decode("utf-8", errors="replace")
    with open(file, "rb") as stream:
        return stream.read().decode("utf-8", errors="replace")


def _text(answer: Answer) -> str:
    if answer.entry:
        return "\n".join([_place(answer.error), "", *_entry(answer.entry, answer.causes)])
    if answer.warning:
        told = "No error found. This warning is known here:"
        return "\n".join([told, "", *_entry(answer.warning, answer.warning["causes"])])
    if answer.error is None:
        return "No error found that is known here."
    if answer.only:
        told = "What is known here in this log follows from something else; the cause itself is not known."
        return "\n".join([_place(answer.error), "", told, "", *_entry(answer.only, answer.only["causes"])])
    return "\n".join([_place(answer.error), "", "This is the first error. Its cause is not known here."])


def _place(error: Found) -> str:
    rank = "" if error.rank is None else f", rank {error.rank}"
    where = f"\n  in {error.where}" if error.where else ""
    return f"line {error.line}{rank}: {textwrap.shorten(error.text, 300, placeholder=' …')}{where}"


def _entry(entry: dict, causes: list[dict]) -> list[str]:
    """What the page says, the likeliest cause first."""
    lines = [spoken(entry["title"]), f"from {spoken(entry['from'])}"]
    for number, cause in enumerate(causes, start=1):
        mark = f"{number}. " if len(causes) > 1 else ""
        lines += ["", *_wrapped(mark + spoken(cause["why"]), ""), *_wrapped("Mend: " + spoken(cause["mend"]), "  ")]
    return [*lines, "", f"More: book/troubleshooting.html#{entry['id']}"]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
