"""The grammar of the shell: the one place that knows the parser (tree-sitter with tree-sitter-bash).

``parse(text)`` never raises and always gives a tree of plain ``Node``; positions are indices into ``text``. In a
browser the same grammar runs as WebAssembly, and walking its tree node by node from Python is slow. There
JavaScript hands the whole tree over at once as nested lists, ``[kind, start, end, field or null, [children]]``::

    grammar.supply(lambda text: json.loads(js.syntaxTree(text)))

The parser sees only ASCII: each other character is replaced by one letter. So bytes (Python), UTF-16 units
(JavaScript) and indices of the text are the same number, and a no-break blank belongs to its word, as in bash.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any

# A longer text is data, not a script that somebody wrote (characters).
LONGEST = 4_000_000
# More levels than a hand-written script has; below them the tree is cut off.
DEEPEST = 100
SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "rbash", "ash")

Plain = list  # [kind, start, end, field, [children]]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the syntax tree.

    Attributes:
        kind: as the grammar calls it (``command``, ``word``, ``&&``); ``ERROR`` where it could not read.
        start, end: indices into the text. field: what it is to its parent (``name``, ``argument`` …) or None.
    """

    kind: str
    start: int
    end: int
    children: tuple[Node, ...] = ()
    field: str | None = None

    def all(self, field: str) -> list[Node]:
        """The children that the grammar calls ``field``."""
        return [child for child in self.children if child.field == field]

    def one(self, field: str) -> Node | None:
        """The first child that the grammar calls ``field``."""
        return next((child for child in self.children if child.field == field), None)


def interpreter(text: str) -> str:
    """The program of the shebang without its folder: ``bash``, ``tcsh``, ``python3``; ``sh`` where there is none."""
    first = text[:1000].lstrip("\ufeff").split("\n", 1)[0].strip()
    if not first.startswith("#!"):
        return "sh"
    words = [word for word in first[2:].split() if not word.startswith("-")]
    names = [word.rpartition("/")[2] for word in words]
    if names[:1] == ["env"]:
        names = [name for name in names[1:] if "=" not in name]
    return names[0] if names else "sh"


def is_shell(text: str) -> bool:
    """True where the grammar fits: a shell of Bourne's family, not csh, Python or R."""
    return interpreter(text) in SHELLS


def runner(text: str) -> str:
    """The shell with which a person runs this file."""
    return interpreter(text) if is_shell(text) else "sh"


@dataclass(frozen=True)
class HereDocument:
    """A here-document.

    Attributes:
        start, end: of the operator with its delimiter (``<<EOF``). body, body_end: of the text, last line end included.
        quoted: True where the shell expands nothing in it.
    """

    start: int
    end: int
    body: int
    body_end: int
    quoted: bool


INTERESTING = re.compile(r"[\\\"'`$()#<\n}]")
DELIMITER = re.compile(r"<<(-?)[ \t]*((?:'[^'\n]*'|\"[^\"\n]*\"|\\.|[^\s;&|<>()'\"\\])+)")
OPENING = {"$((": "))", "$(": ")", "${": "}"}


class _Scan:
    """The here-documents of a script, also those in ``$(…)``, found before the text is parsed.

    The grammar loses its way where more than a pipe follows on the line of the operator.

    Attributes:
        found: the here-documents. unclosed: place of a quote that is never closed; -1 where there is none.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[HereDocument] = []
        self.unclosed = -1
        self._pending: list[tuple[re.Match, int]] = []
        self._stack: list[str] = []  # what closes what is open
        self._quotes: list[int] = []
        index = 0
        while match := INTERESTING.search(text, index):
            index = self._step(match.start(), match[0])
        if self._quotes:
            self.unclosed = self._quotes[0]

    def _step(self, index: int, char: str) -> int:
        """Reads what begins at ``index``; where to go on."""
        top = self._stack[-1] if self._stack else ""
        opening = next((word for word in OPENING if self.text.startswith(word, index)), "")
        if char == "\\":
            return index + 2
        if opening:
            self._stack.append(OPENING[opening])
            return index + len(opening)
        if char in '"`' or (char == "'" and top != '"'):
            return self._quote(index, char, top)
        if top in ("", ")", "`") and (end := self._code(index, char)) >= 0:
            return end
        return index + self._bracket(index, char, top)

    def _quote(self, index: int, char: str, top: str) -> int:
        if char == "'":
            end = self.text.find("'", index + 1)
            if end < 0:
                self._quotes = [index]
                return len(self.text)
            return end + 1
        if top == char:
            self._stack.pop()
            self._quotes.pop()
        else:
            self._stack.append(char)
            self._quotes.append(index)
        return index + 1

    def _code(self, index: int, char: str) -> int:
        """Comments, line ends and operators, outside of quotes; -1 where it is none of them."""
        text = self.text
        if char == "\n" and self._pending:
            return self._bodies(index + 1)
        if char == "#" and (index == 0 or text[index - 1] in " \t\n;&|("):
            end = text.find("\n", index)
            return len(text) if end < 0 else end
        if text.startswith("<<<", index):
            return index + 3
        if char == "<" and (operator := DELIMITER.match(text, index)):
            self._pending.append((operator, index))
            return operator.end()
        return -1

    def _bracket(self, index: int, char: str, top: str) -> int:
        """Opens or closes what the bracket at ``index`` does; the number of characters it took."""
        if char == "(" and top != '"':
            arithmetic = self.text.startswith("((", index) and top in ("", ")")
            self._stack.append("))" if arithmetic else "paren" if top in ("))", "paren") else ")")
            return 2 if arithmetic else 1
        if char == ")" and top == "))" and self.text.startswith("))", index):
            self._stack.pop()
            return 2
        if (char == ")" and top in (")", "paren")) or (char == "}" and top == "}"):
            self._stack.pop()
        return 1

    def _bodies(self, index: int) -> int:
        """Reads the bodies that begin at ``index``; the line end in front of what follows them."""
        for operator, start in self._pending:
            delimiter = re.sub(r"['\"\\]", "", operator[2])
            tabs = r"\t*" if operator[1] else ""
            end = re.compile(rf"^{tabs}{re.escape(delimiter)}$", re.MULTILINE).search(self.text, index)
            body_end = end.start() if end else len(self.text)
            self.found.append(HereDocument(start, operator.end(), index, body_end, delimiter != operator[2]))
            index = min(end.end() + 1, len(self.text)) if end else len(self.text)
        self._pending = []
        return max(index - 1, 0)


@lru_cache(maxsize=4)
def here_documents(text: str) -> tuple[HereDocument, ...]:
    """All here-documents of a script, also those in ``$(…)``."""
    return tuple(_Scan(text).found)


def _is_broken(tree: Node) -> bool:
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.kind == "ERROR":
            return True
        stack += node.children
    return False


def _hidden(text: str, documents: list[HereDocument]) -> str:
    """``text`` without the bodies: each operator becomes a redirection from a file, each body blank lines."""
    changes = []
    for document in documents:
        changes.append((document.start, document.end, "<" + "h" * (document.end - document.start - 1)))
        end = text.find("\n", document.body_end)
        end = len(text) if end < 0 else end
        changes.append((document.body, end, re.sub(r"[^\n]", " ", text[document.body : end])))
    parts, position = [], 0
    for start, end, new in sorted(changes):
        if start >= position:
            parts += [text[position:start], new]
            position = end
    return "".join([*parts, text[position:]])


def _with_documents(node: Node, documents: dict[int, HereDocument]) -> Node:
    """The tree with ``heredoc_redirect`` where an operator was hidden; its child is the body."""
    if node.kind == "file_redirect" and (document := documents.get(node.start)):
        kind = "heredoc_raw" if document.quoted else "heredoc_body"
        return Node(
            "heredoc_redirect",
            document.start,
            document.end,
            (Node(kind, document.body, document.body_end),),
            node.field,
        )
    children = tuple([_with_documents(child, documents) for child in node.children])
    return Node(node.kind, node.start, node.end, children, node.field)


_supplier: Callable[[str], Plain] | None = None


def supply(supplier: Callable[[str], Plain] | None) -> None:
    """Take trees from ``supplier`` (see the module's text); None = the parser of this Python again."""
    global _supplier
    _supplier = supplier
    parse.cache_clear()


@lru_cache(maxsize=4)
def parse(text: str) -> Node:
    """The syntax tree of ``text``; an empty ``program`` where it is too long or the parser fails."""
    if len(text) > LONGEST:
        return Node("program", 0, len(text))
    clean, removed = _without_returns(text)
    plain, documents, tree = _closed(_no_arithmetic(_ascii(clean)))
    lost: set[int] = set()
    for _ in range(MENDS):
        mended = _mended(plain, tree, lost)
        if mended == plain:
            break
        plain, tree = mended, _read(mended)
    tree = _with_expansions(tree, sorted(lost), clean)
    if documents:
        tree = _with_documents(tree, {document.start: document for document in documents})
    return tree if not removed else _moved(tree, removed)


def _closed(plain: str) -> tuple[str, list[HereDocument], Node]:
    """The text without its here-documents, these, and its tree.

    A quote that nobody closes is a slip of the pen, and hides nothing.
    """
    scan = _Scan(plain)
    tree = _read(_hidden(plain, scan.found))
    for _ in range(MENDS):
        if scan.unclosed < 0 or not _is_broken(tree):
            break
        plain = plain[: scan.unclosed] + "x" + plain[scan.unclosed + 1 :]
        scan = _Scan(plain)
        tree = _read(_hidden(plain, scan.found))
    return _hidden(plain, scan.found), scan.found, tree


def _ascii(text: str) -> str:
    return text if text.isascii() and "\0" not in text else re.sub(r"[^\x01-\x7f]", "x", text)


def _no_arithmetic(text: str) -> str:
    """``text`` where ``$((a) && b)`` cannot be taken for arithmetic: it loses the inner pair of brackets."""
    if "$((" not in text:
        return text
    characters = list(text)
    stack: list[int] = []  # of the second bracket of "$((" its place, else -1
    for match in re.finditer(r"\$\(\(|[()]", text):
        if match[0] == "$((":
            stack += [-1, match.end() - 1]
        elif match[0] == "(":
            stack.append(-1)
        elif stack and (inner := stack.pop()) >= 0 and text[match.end() : match.end() + 1] not in (")", ""):
            characters[inner] = characters[match.start()] = " "
    return "".join(characters)


def _read(plain: str) -> Node:
    try:
        return _build((_supplier or _native)(plain))
    except (ValueError, TypeError, IndexError, RecursionError, MemoryError):
        return Node("program", 0, len(plain))


_parser = None


def _binding() -> Any:
    """tree-sitter-bash's compiled part alone: its package reads queries, and imports much for them (10 ms)."""
    package = find_spec("tree_sitter_bash")
    if package is None:
        raise ModuleNotFoundError("No module named 'tree_sitter_bash'", name="tree_sitter_bash")
    found = PathFinder.find_spec("tree_sitter_bash._binding", package.submodule_search_locations)
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _native(text: str) -> Plain:
    """The tree of tree-sitter as nested lists."""
    global _parser
    if _parser is None:
        # Imported when it is needed: a browser has another parser and not these packages.
        import tree_sitter

        _parser = tree_sitter.Parser(tree_sitter.Language(_binding().language()))
    cursor = _parser.parse(text.encode()).walk()
    root = [cursor.node.type, 0, len(text), None, []]
    above = [root]
    descend = cursor.goto_first_child()
    while True:
        if descend:
            node = cursor.node
            item = [node.type, node.start_byte, node.end_byte, cursor.field_name, []]
            above[-1][4].append(item)
            if len(above) < DEEPEST and cursor.goto_first_child():
                above.append(item)
                continue
        if cursor.goto_next_sibling():
            descend = True
            continue
        if len(above) == 1 or not cursor.goto_parent():
            return root
        above.pop()
        descend = False


EXPANSION_TOKENS = {"$", "${", "$(", "$((", "`", "<(", ">("}


def _build(plain: Plain, depth: int = 0) -> Node:
    kind, start, end, field, children = plain
    below = tuple([_build(child, depth + 1) for child in children]) if depth < DEEPEST else ()
    # In a string the grammar counts the blanks in front of an expansion to its first token.
    if kind in EXPANSION_TOKENS:
        start = max(start, end - len(kind))
    elif below and below[0].kind in EXPANSION_TOKENS:
        start = below[0].start
    return Node(kind, start, end, below, field)


MENDS = 6
EXPANDED = re.compile(r"\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])")


def _mended(text: str, tree: Node, lost: set[int]) -> str:
    """``text`` with two slips of tree-sitter-bash 0.25.1 avoided; no position moves.

    After several assignments in one line (``A=1 B=2``) it takes the next line for their command: the line end becomes
    ``;``. In ``$A:$B/c`` it takes the second dollar sign for text and ends the word: the sign becomes a letter, and
    ``lost`` keeps its place.
    """
    characters = list(text)
    stack = [tree]
    while stack:
        node = stack.pop()
        stack += node.children
        if node.kind == "command" and node.children and node.children[0].kind == "variable_assignment":
            for before, after in zip(node.children, node.children[1:], strict=False):
                gap = text[before.end : after.start]
                found = re.search(r"(?<!\\)\n", gap) if before.kind == "variable_assignment" else None
                if found:
                    characters[before.end + found.start()] = ";"
        elif node.kind not in ("simple_expansion", "string"):
            for child in node.children:
                if child.kind == "$" and EXPANDED.match(text, child.start):
                    characters[child.start] = "x"
                    lost.add(child.start)
    return "".join(characters)


def _with_expansions(node: Node, lost: list[int], text: str) -> Node:
    """The tree with the expansions that ``_mended`` had to hide put back into their words."""
    places = lost[bisect_left(lost, node.start) : bisect_left(lost, node.end)]
    if not places:
        return node
    children = [_with_expansions(child, lost, text) for child in node.children]
    if not children and (matches := [EXPANDED.match(text, place) for place in places]):
        for match in filter(None, matches):
            sign = Node("$", match.start(), match.start() + 1)
            children.append(
                Node("simple_expansion", *match.span(), (sign, Node("variable_name", match.start() + 1, match.end())))
            )
    return Node(node.kind, node.start, node.end, tuple(children), node.field)


def _without_returns(text: str) -> tuple[str, list[int]]:
    """``text`` with plain line ends, and where (in the result) a carriage return was taken out."""
    if "\r\n" not in text:
        return text, []
    parts = text.split("\r\n")
    removed, position = [], 0
    for part in parts[:-1]:
        position += len(part)
        removed.append(position)
        position += 1
    return "\n".join(parts), removed


def _moved(node: Node, removed: list[int]) -> Node:
    """``node`` with the positions of the text that still has its carriage returns."""
    start = node.start + bisect_left(removed, node.start)
    end = node.end + bisect_left(removed, node.end)
    return Node(node.kind, start, end, tuple(_moved(child, removed) for child in node.children), node.field)
