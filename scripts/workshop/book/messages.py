"""The entries of *When it goes wrong*, written from the messages that ``workshop why`` reads.

On the page they stand between a line ``% messages: SECTION`` and ``% end of messages``; the text between is made by
``workshop book messages`` and never edited.
"""

import re

from workshop.logs import wordings
from workshop.paths import REPO

PAGE = REPO / "book" / "troubleshooting.md"
BLOCK = re.compile(r"^% messages: (\w+)\n.*?^% end of messages$", re.M | re.S)
ALSO = 8  # other wordings that the page shows; the command knows all


def page(text: str) -> str:
    """The text of a page with its entries written anew."""
    entries = wordings.read()
    return BLOCK.sub(lambda block: _block(block[1], [e for e in entries if e["section"] == block[1]]), text)


def _block(section: str, entries: list[dict]) -> str:
    return "\n".join([f"% messages: {section}\n", *(_entry(entry) for entry in entries), "% end of messages"])


def _entry(entry: dict) -> str:
    lines = [f"({entry['id']})=", f"### {wordings.title(entry)}", "", *_causes(entry), *_also(entry)]
    for name in ("shown", "report", "pbs", "lsf"):
        if name in entry:
            lines.append(f"- **{LABELS[name]}** {entry[name]}")
    if "session" in entry:
        lines += ["", f"```{{session}} {entry['session']}", "```"]
    return "\n".join([*lines, ""])


LABELS = {"shown": "Shown in", "report": "Reported in", "pbs": "PBS", "lsf": "LSF"}


def _causes(entry: dict) -> list[str]:
    first, *others = entry["causes"]
    if not others:
        return [f"- **From** {entry['from']}. {_one_line(first['why'])}", f"- **Mend** {_one_line(first['mend'])}"]
    lines = [f"- **From** {entry['from']}"]
    for cause in sorted(entry["causes"], key=lambda cause: bool(cause.get("when"))):  # the usual one first
        lines += [f"- **{_sign(cause)}** {_one_line(cause['why'])}", f"  - **Mend** {_one_line(cause['mend'])}"]
    return lines


def _sign(cause: dict) -> str:
    """How one tells that it is this cause."""
    signs = " or ".join(_quoted(sign) for sign in cause.get("when", ())[:3])
    return f"With {signs} near it:" if signs else "Cause"


def _also(entry: dict) -> list[str]:
    """Other wordings of the message, without those that the heading has or that are part of another one."""
    shown, heading = [], wordings.plain(wordings.title(entry))
    for text in (wordings.bare(text) for texts in entry["wordings"].values() for text in texts):
        if text not in heading and not any(text in other for other in shown):
            shown.append(text)
    more = " …" if len(shown) > ALSO else ""
    return [f"- **Also** {', '.join(_quoted(text) for text in shown[:ALSO])}{more}"] if shown else []


def _quoted(text: str) -> str:
    text = wordings.bare(text)
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _one_line(text: str) -> str:
    return " ".join(text.split())
