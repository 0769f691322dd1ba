"""Which variables a script uses: outside of single quotes, remarks and quoted here-documents."""

from __future__ import annotations

import re

from workshop.jobs.parts import grammar
from workshop.jobs.parts.grammar import Node

# In a here-document that the shell fills in; a backslash keeps the sign from it.
IN_DOCUMENT = re.compile(r"(?<!\\)\$\{?([A-Za-z_]\w*)")
EXPANSIONS = ("simple_expansion", "expansion", "arithmetic_expansion", "subscript", "binary_expression")


def used_variables(text: str) -> dict[str, int]:
    """Name -> the place where the script first asks for its value."""
    found: dict[str, int] = {}
    waiting: list[tuple[Node, str]] = [(grammar.parse(text), "")]
    while waiting:
        node, above = waiting.pop()
        if node.kind == "variable_name" and above in EXPANSIONS and node.field != "name":
            _note(found, text[node.start : node.end], node.start)
        elif node.kind == "heredoc_body":
            for match in IN_DOCUMENT.finditer(text, node.start, node.end):
                _note(found, match[1], match.start())
        waiting += [(child, node.kind) for child in node.children]
    return found


def used_arguments(text: str) -> dict[str, int]:
    """``$1``, ``$@`` and their like of the script itself, not of its functions -> the place of the first use."""
    found: dict[str, int] = {}
    waiting = [grammar.parse(text)]
    while waiting:
        node = waiting.pop()
        name = text[node.start : node.end]
        if node.kind in ("variable_name", "special_variable_name") and (name.isdigit() or name in "@*"):
            _note(found, f"${name}", node.start)
        waiting += [child for child in node.children if child.kind != "function_definition"]
    found.pop("$0", None)
    return found


def _note(found: dict[str, int], name: str, place: int) -> None:
    found[name] = min(place, found.get(name, place))
