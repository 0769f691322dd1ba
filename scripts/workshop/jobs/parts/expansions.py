"""The words of a command after the expansions of the shell, as far as they are known."""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace

from workshop.jobs.parts import grammar
from workshop.jobs.parts.grammar import Node
from workshop.jobs.parts.reading import Command, Environment, Marks, Reading
from workshop.jobs.parts.values import BREAK, Atom, Source, Value, Word, constant, place, shown, through

EXPANSIONS = {
    "simple_expansion",
    "expansion",
    "command_substitution",
    "process_substitution",
    "arithmetic_expansion",
    "string",
    "raw_string",
    "ansi_c_string",
    "array",
}
BARE_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
QUOTED_ESCAPE = re.compile(r"\\([$`\"\\\n])")
DOCUMENT_ESCAPE = re.compile(r"\\([$`\\\n])")
ANSI = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "0": "\0"}
BLANKS = re.compile(r"[ \t\n]+")
NAME = re.compile(r"[A-Za-z_]\w*\Z")


TESTS = {"test_command", "parenthesized_expression", "negated_command", "list", "binary_expression", "unary_expression"}
NUMERIC = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}


class Expander(ABC):
    """Words and values. The statements, which know what is assigned where, are those of its subclass."""

    reading: Reading
    environment: Environment
    marks: Marks
    source: Source
    newlines: list[int]
    line: int
    stdin: Value | None
    reads: Value | None
    writes: Value | None
    sourced: bool = False  # a file of unknown content has been read

    @abstractmethod
    def _statements(self, nodes: Iterable[Node]) -> None:
        """Reads statements: those of a substitution."""

    @abstractmethod
    def _under(self, read: Callable[[], None], *, copy: bool = True, **marks: object) -> Environment:
        """Runs ``read`` under other marks, in a copy of the environment if asked to; that environment."""

    @abstractmethod
    def _redirect(self, node: Node) -> None:
        """Notes what a redirection reads or writes."""

    @abstractmethod
    def _set(self, name: str, value: Value, exported: bool = False) -> None:
        """Sets a variable."""

    @abstractmethod
    def _assigned(self, node: Node) -> list[str]:
        """Reads an assignment; the names that it sets."""

    @abstractmethod
    def _printed(self, commands: list[Command]) -> Value | None:
        """What commands print, where that is known."""

    def line_of(self, node: Node) -> int:
        start, _ = self.source.place(node.start, node.start + 1)
        return self.line if start is None else bisect_right(self.newlines, start - 1) + 1

    def text_of(self, node: Node) -> str:
        return self.source.text[node.start : node.end]

    def _take_redirects(self) -> tuple[Value | None, Value | None, Value | None]:
        taken = (self.stdin, self.reads, self.writes)
        self.stdin = self.reads = self.writes = None
        return taken

    def _document(self, body: Node) -> Value:
        if body.kind == "heredoc_raw" or body.end <= body.start:
            return tuple(self.source.atoms(body.start, body.end, True))
        # A here-document is read like a string in which double quotes are ordinary characters.
        inside = self.source.text[body.start : body.end].replace('"', " ")
        tree = grammar.parse(f'"{inside}"')
        string = _first(tree, "string")
        if string is None or string.end != len(inside) + 2:
            return tuple(self.source.atoms(body.start, body.end, True))
        return tuple(self._mixed(_shifted(string, body.start - 1), body.start, body.end, DOCUMENT_ESCAPE))

    def words(self, node: Node) -> list[Word]:
        """The words that a word of the script becomes."""
        atoms = self.value(node)
        start, end = _own_place(self.source.place(node.start, node.end), tuple(atoms))
        line = self.line_of(node)
        groups: list[list[Atom]] = [[]]
        split = False
        for atom in atoms:
            if atom.kind == "break":
                groups.append([])
                split = True
            elif atom.is_text and not atom.quoted and atom.via and BLANKS.search(atom.text):
                split = self._split(atom, groups) or split
            else:
                groups[-1].append(atom)
        words = [tuple(group) for group in groups if group or (not split and self._is_quoted(node))]
        if not split:
            return [Word(words[0], line, start, end)] if words else []
        return [Word(value, self._line_of_atoms(value, line), *place(value)) for value in words]

    @staticmethod
    def _is_quoted(node: Node) -> bool:
        return node.kind in ("string", "raw_string", "ansi_c_string", "concatenation", "translated_string")

    @staticmethod
    def _split(atom: Atom, groups: list[list[Atom]]) -> bool:
        position = 0
        for match in BLANKS.finditer(atom.text):
            if match.start() > position:
                groups[-1].append(_slice(atom, position, match.start()))
            if groups[-1]:
                groups.append([])
            position = match.end()
        if position < len(atom.text):
            groups[-1].append(_slice(atom, position, len(atom.text)))
        return True

    def _line_of_atoms(self, value: Value, line: int) -> int:
        first = next((atom.start for atom in value if atom.start is not None), None)
        return line if first is None else bisect_right(self.newlines, first - 1) + 1

    def value(self, node: Node, quoted: bool = False) -> list[Atom]:
        """The value of a word or a part of one."""
        kind = node.kind
        if kind == "string" or kind == "translated_string":
            begin = node.start + (2 if kind == "translated_string" else 1)
            return self._mixed(node, begin, max(node.end - 1, begin), QUOTED_ESCAPE)
        if kind == "raw_string":
            return self.source.atoms(node.start + 1, max(node.end - 1, node.start + 1), True)
        if kind == "ansi_c_string":
            return self._ansi(node)
        if kind == "simple_expansion":
            return self._simple(node, quoted)
        if kind == "expansion":
            return self._expansion(node, quoted)
        if kind in ("command_substitution", "process_substitution"):
            return self._output(node, quoted)
        if kind == "arithmetic_expansion":
            return self._arithmetic(node)
        return self._mixed(node, node.start, node.end, BARE_ESCAPE)

    def _mixed(self, node: Node, start: int, end: int, escape: re.Pattern) -> list[Atom]:
        """Text with expansions in it; quoted where ``escape`` is that of quotes."""
        quoted = escape is not BARE_ESCAPE
        found: list[Atom] = []
        position = start
        for child in self._expanding(node, quoted):
            found += self._plain(position, child.start, escape, quoted)
            found += self.value(child, quoted)
            position = child.end
        return found + self._plain(position, end, escape, quoted)

    def _expanding(self, node: Node, quoted: bool) -> list[Node]:
        found: list[Node] = []
        for child in node.children:
            if child.kind in EXPANSIONS and not (quoted and child.kind in ("raw_string", "ansi_c_string")):
                found.append(child)
            elif child.children:
                found += self._expanding(child, quoted)
        return found

    def _plain(self, start: int, end: int, escape: re.Pattern, quoted: bool) -> list[Atom]:
        if end <= start:
            return []
        text = self.source.text[start:end]
        if "\\" not in text:
            return self.source.atoms(start, end, quoted)
        found: list[Atom] = []
        position = 0
        for match in escape.finditer(text):
            found += self.source.atoms(start + position, start + match.start(), quoted)
            if match[1] != "\n":
                found += self.source.atoms(start + match.start(1), start + match.end(1), True)
            position = match.end()
        return found + self.source.atoms(start + position, end, quoted)

    def _ansi(self, node: Node) -> list[Atom]:
        text = self.source.text[node.start + 2 : max(node.end - 1, node.start + 2)]
        if "\\" not in text:
            return self.source.atoms(node.start + 2, node.end - 1, True)
        plain = re.sub(r"\\(.)", lambda match: ANSI.get(match[1], match[0]), text, flags=re.DOTALL)
        return [Atom("text", plain, self.marks.by, quoted=True)]

    def _simple(self, node: Node, quoted: bool) -> list[Atom]:
        name = self.text_of(node).lstrip("$")
        if name in ("@", "*"):
            return self._all_arguments(name, quoted)
        return self._named(name, node, quoted)

    def _all_arguments(self, name: str, quoted: bool) -> list[Atom]:
        if self.environment.arguments is None:
            return [Atom("argument", name, self.marks.by, quoted=quoted, many=True)]
        found = self._joined(self.environment.arguments, name, quoted)
        # What may be several words where a function is called stays so behind "$@".
        given = [atom for value in self.environment.arguments for atom in value]
        lost = {(atom.kind, atom.text) for atom in given if atom.many}
        return [replace(one, many=True) if (one.kind, one.text) in lost else one for one in found]

    def _joined(self, values: tuple[Value, ...], name: str, quoted: bool) -> list[Atom]:
        found: list[Atom] = []
        for index, value in enumerate(values):
            if index:
                found.append(Atom("text", " ", self.marks.by, quoted=True) if quoted and name == "*" else BREAK)
            found += through(value, f"${name}", quoted)
        return found

    def _named(self, name: str, node: Node, quoted: bool, default: Value | None = None) -> list[Atom]:
        """The variable ``name`` at this place."""
        start, end = self.source.place(node.start, node.end)
        value = self.environment.value(name)
        if value is not None:
            return list(through(value, name, quoted))
        number = name.isdigit()
        if number and self.environment.arguments is not None:
            index = int(name) - 1
            if any_number(self.environment.arguments[: index + 1]):
                return [Atom("unknown", name, self.marks.by, quoted=quoted, many=not quoted)]
            if 0 <= index < len(self.environment.arguments):
                return list(through(self.environment.arguments[index], "$" + name, quoted))
            if index >= 0:
                return list(default or ())
        kind = "argument" if number else "variable"
        if name == "#" and self.environment.arguments is not None:
            if any_number(self.environment.arguments):
                return [Atom("unknown", name, self.marks.by, quoted=quoted)]
            return [Atom("text", str(len(self.environment.arguments)), self.marks.by, quoted=quoted)]
        many = not quoted and name not in ("$", "#", "?", "!")
        parts = () if default is None else (default,)
        return [Atom(kind, name, self.marks.by, start, end, (), quoted, many, parts)]

    def _expansion(self, node: Node, quoted: bool) -> list[Atom]:
        """``${…}`` in all its forms."""
        inner = [child for child in node.children if child.kind not in ("${", "}")]
        names = [child for child in inner if child.kind in ("variable_name", "special_variable_name", "subscript")]
        before = self.text_of(inner[0]) if inner and inner[0] not in names else ""
        if not names:
            return [Atom("changed", self.text_of(node).strip("${}"), self.marks.by, quoted=quoted, many=not quoted)]
        target = names[0]
        rest = inner[inner.index(target) + 1 :]
        if before == "#":
            return self._length(target, quoted)
        if before:
            return [Atom("unknown", self.text_of(target), self.marks.by, quoted=quoted, many=True)]
        if target.kind == "subscript":
            found = self._subscript(target, quoted)
        elif self.text_of(target) in ("@", "*"):
            found = self._all_arguments(self.text_of(target), quoted)
        else:
            found = self._named(self.text_of(target), node, quoted)
        return self._operated(node, target, found, rest, quoted) if rest else found

    def _operated(self, node: Node, target: Node, found: list[Atom], rest: list[Node], quoted: bool) -> list[Atom]:
        operator = self.text_of(rest[0])
        name = self.text_of(target)
        is_set = not (len(found) == 1 and found[0].kind in ("variable", "argument") and not found[0].via)
        if operator in (":-", "-", ":=", "="):
            default = tuple(self._rest(rest[1:], node, quoted))
            if not is_set:
                value = self._named(name, node, quoted, default) if target.kind != "subscript" else found
                if "=" in operator and NAME.match(name):
                    self._set(name, tuple(value))
                return value
            text = constant(tuple(found))
            return list(default) if text == "" and operator[0] == ":" else found
        if operator in (":+", "+"):
            value = self._rest(rest[1:], node, quoted)
            text = constant(tuple(found))
            if is_set and text:
                return value
            if is_set and text == "" and operator == ":+":
                return []
            return [Atom("unknown", name, self.marks.by, quoted=quoted, many=True, parts=(tuple(value),))]
        if operator in (":?", "?"):
            return found
        many = not quoted or re.match(r"\$\{(?:@|\*|\w+\[@)", self.text_of(node)) is not None
        text = self.text_of(node)[2:-1]
        return [Atom("changed", text, self.marks.by, quoted=quoted, many=many, parts=(tuple(found),))]

    def _rest(self, nodes: list[Node], node: Node, quoted: bool) -> list[Atom]:
        """The word behind ``:-``: all between the operator and the closing brace."""
        if not nodes:
            return []
        holder = Node("concatenation", nodes[0].start, node.end - 1, tuple(nodes))
        return self._mixed(holder, nodes[0].start, node.end - 1, QUOTED_ESCAPE if quoted else BARE_ESCAPE)

    def _length(self, target: Node, quoted: bool) -> list[Atom]:
        name = self.text_of(target.one("name") or target)
        held = self.environment.variables.get(name)
        everything = target.kind == "subscript" and self._index(target) in ("@", "*")
        if name in ("@", "*") and self.environment.arguments is not None:
            if any_number(self.environment.arguments):
                return [Atom("unknown", "#", self.marks.by, quoted=quoted)]
            return [Atom("text", str(len(self.environment.arguments)), self.marks.by, quoted=quoted)]
        if everything and held and held.elements is not None:
            if not any(atom.many for element in held.elements for atom in element):
                return [Atom("text", str(len(held.elements)), self.marks.by, quoted=quoted, via=(name,))]
            return [Atom("count", name, self.marks.by, quoted=quoted, parts=held.elements)]
        parts = (held.value,) if held else ()
        return [Atom("count" if everything else "changed", name, self.marks.by, quoted=quoted, parts=parts)]

    def _index(self, target: Node) -> str | None:
        index = target.one("index")
        return constant(tuple(self.value(index))) if index else None

    def _subscript(self, target: Node, quoted: bool) -> list[Atom]:
        name_node = target.one("name")
        name = self.text_of(name_node) if name_node else ""
        index = self._index(target)
        held = self.environment.variables.get(name)
        if held is None:
            return [Atom("variable", name, self.marks.by, quoted=quoted, many=index in ("@", "*"))]
        elements = held.elements if held.elements is not None else (held.value,)
        if index in ("@", "*"):
            return [
                replace(atom, many=atom.many or not atom.is_text) if atom.kind == "unknown" else atom
                for atom in self._joined(tuple(through(value, name) for value in elements), index, quoted)
            ]
        if index is not None and index.isdigit() and int(index) < len(elements):
            value = elements[int(index)]
            # The first of a list that a command writes is one word of it; of the others nothing is known.
            if not any(atom.many for element in elements[: int(index) + 1] for atom in element):
                return list(through(value, name, quoted))
        return [
            Atom("changed", f"{name}[{index or '?'}]", self.marks.by, quoted=quoted, parts=elements[:1], via=(name,))
        ]

    def _output(self, node: Node, quoted: bool = False) -> list[Atom]:
        """What ``$(…)`` writes, where that is known; its commands are read."""
        start, end = self.source.place(node.start, node.end)
        before, level = len(self.reading.commands), self.marks.substituted + 1
        redirects = self._take_redirects()
        inner = [child for child in node.children if child.kind not in ("$(", ")", "`", "<(", ">(")]
        if inner and inner[0].kind == "file_redirect" and len(inner) == 1:
            self._redirect(inner[0])
            text = "cat " + shown(self.reads or ())
        else:
            self._under(lambda: self._statements(inner), substituted=level, background=False, test=False)
            text = ""
        self.stdin, self.reads, self.writes = redirects
        commands = [command for command in self.reading.commands[before:] if command.marks.substituted == level]
        value = self._known_output(node, commands)
        if value is not None:
            # Without quotes the shell splits what a command writes, like the value of a variable.
            split = not quoted and any(atom.is_text and BLANKS.search(atom.text) for atom in value)
            return [replace(atom, quoted=quoted, via=atom.via or ("$()",) if split else atom.via) for atom in value]
        text = text or " | ".join(_told(command) for command in commands)[:500]
        return [Atom("output", text, self.marks.by, start, end, (), quoted, not quoted)]

    def _known_output(self, node: Node, commands: list[Command]) -> Value | None:
        if node.kind != "process_substitution" and any(child.kind == "declaration_command" for child in node.children):
            return (Atom("text", ":", self.marks.by),)  # $(declare -f name): the function itself
        if node.kind == "process_substitution" or len(commands) != 1:
            return None
        command = commands[0]
        words = [word.text for word in command.words]
        if words[:2] in (["command", "-v"], ["type", "-P"]) or words[:1] == ["which"]:
            return command.words[-1].atoms
        return self._printed(commands)

    def truth(self, node: Node, depth: int = 0) -> bool | None:
        """The answer of a test whose values are all constants of the script; None = not known."""
        inner = [child for child in node.children if child.kind not in ("[", "]", "[[", "]]", "(", ")")]
        if depth > 20 or node.kind not in TESTS or self.sourced:
            return None
        if node.kind in ("test_command", "parenthesized_expression"):
            return self.truth(inner[0], depth + 1) if len(inner) == 1 else None
        sign = self.text_of(inner[-2 if len(inner) == 3 else 0]) if len(inner) in (2, 3) else ""
        if sign == "!":
            answer = self.truth(inner[1], depth + 1)
            return None if answer is None else not answer
        if sign in ("&&", "||", "-a", "-o") and len(inner) == 3:
            answers = [self.truth(side, depth + 1) for side in inner[::2]]
            decisive = sign in ("||", "-o")
            return decisive if decisive in answers else None if None in answers else not decisive
        return self._compared(sign, inner[0] if len(inner) == 3 else None, inner[-1]) if sign else None

    def _compared(self, sign: str, left: Node | None, right: Node) -> bool | None:
        sides = [side for side in (left, right) if side is not None]
        if any(side.kind in TESTS or side.kind == "regex" for side in sides):
            return None
        texts = [constant(tuple(self.value(side))) for side in sides]
        if None in texts:
            return None
        if left is None:
            return {"-n": texts[0] != "", "-z": texts[0] == ""}.get(sign)
        if sign in ("==", "=", "!="):
            if right.kind not in ("string", "raw_string") and re.search(r"[*?\[]", texts[1]):
                return None
            return (texts[0] == texts[1]) is (sign != "!=")
        compare = NUMERIC.get(sign)
        return compare(int(texts[0]), int(texts[1])) if compare and all(_is_number(text) for text in texts) else None

    def _arithmetic(self, node: Node) -> list[Atom]:
        inner = [child for child in node.children if child.kind not in ("$((", "))", "$[", "]")]
        if len(inner) != 1:
            return [self._sum(node, ())]
        value = self._number(inner[0])
        return list(value)

    def _sum(self, node: Node, parts: tuple[Value, ...], operator: str = "") -> Atom:
        start, end = self.source.place(node.start, node.end)
        text = operator or self.text_of(node).removeprefix("$((").removesuffix("))").strip()
        return Atom("arithmetic", text, self.marks.by, start, end, parts=parts)

    def _number(self, node: Node, depth: int = 0) -> Value:
        """The value of an arithmetic expression: text where it is constant."""
        if node.kind == "parenthesized_expression" and len(node.children) == 3:
            return self._number(node.children[1], depth + 1)
        if node.kind == "variable_name" or (node.kind == "word" and NAME.match(self.text_of(node))):
            return tuple(self._named(self.text_of(node), node, True))
        if node.kind in ("number", "word"):
            return tuple(self.source.atoms(node.start, node.end, True))
        if node.kind == "binary_expression" and depth < 30:
            operator = node.one("operator")
            left, right = node.one("left"), node.one("right")
            if operator is not None and left is not None and right is not None:
                sign = self.text_of(operator)
                a, b = self._number(left, depth + 1), self._number(right, depth + 1)
                result = calculated(sign, constant(a), constant(b))
                if result is not None:
                    return (Atom("text", str(result), self.marks.by, quoted=True, via=_ways(a + b)),)
                return (self._sum(node, (a, b), sign),)
        if node.kind in EXPANSIONS:
            return tuple(self.value(node, True))
        for name in self._assigned(node):
            self._set(name, (Atom("unknown", name, self.marks.by),))
        return (self._sum(node, ()),)


def any_number(arguments: tuple[Value, ...]) -> bool:
    """True where one of the arguments may be any number of words: ``$OPTS``."""
    return any(atom.many for value in arguments for atom in value)


def calculated(operator: str, left: str | None, right: str | None) -> int | None:
    """The result of an operation on two constants, as bash counts; None where there is none."""
    if not _is_number(left) or not _is_number(right):
        return None
    a, b = int(left), int(right)
    if operator in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if operator == "/" else a - quotient * b
    return {"+": a + b, "-": a - b, "*": a * b}.get(operator)


def _is_number(text: str | None) -> bool:
    return text is not None and re.fullmatch(r"-?(0|[1-9]\d{0,17})", text) is not None


def _ways(value: Value) -> tuple[str, ...]:
    return tuple(dict.fromkeys(way for atom in value for way in atom.via))


def _told(command: Command) -> str:
    text = " ".join(word.shown for word in command.words)
    return f"{text} < {shown(command.reads)}" if command.reads else text


def _own_place(written: tuple[int | None, int | None], value: Value) -> tuple[int | None, int | None]:
    """Where a word is to be changed: where its text stands, which is elsewhere if it came through a variable."""
    start, end = place(value)
    if start is None or end is None or not any(atom.is_text for atom in value):
        return written
    inside = written[0] is not None and written[0] <= start and end <= (written[1] or 0)
    return written if inside else (start, end)


def _slice(atom: Atom, start: int, end: int) -> Atom:
    begin = None if atom.start is None else atom.start + start
    stop = None if begin is None else begin + end - start
    return replace(atom, text=atom.text[start:end], start=begin, end=stop)


def _first(node: Node, kind: str) -> Node | None:
    stack = [node]
    while stack:
        inner = stack.pop(0)
        if inner.kind == kind:
            return inner
        stack += inner.children
    return None


def _shifted(node: Node, by: int) -> Node:
    children = tuple(_shifted(child, by) for child in node.children)
    return Node(node.kind, node.start + by, node.end + by, children, node.field)
