"""A shell script read as it runs: its simple commands in order, each word with what is known of its value.

Not a shell: nothing is run, no file is read. Constants, arrays, defaults and arithmetic are put in; what depends on
a condition, a loop, an argument or the output of a command stays unknown. Functions are read where they are called,
``eval`` and here-documents are followed. Never raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from workshop.jobs.parts import grammar
from workshop.jobs.parts.expansions import NAME, Expander, any_number
from workshop.jobs.parts.grammar import Node
from workshop.jobs.parts.reading import Assignment, Command, Environment, Function, Marks, Reading, Variable
from workshop.jobs.parts.values import Atom, Source, Value, Word, bounded, constant, shown, through

# More is data, or a script that calls itself.
MOST_COMMANDS = 4_000
# Files that set no variable of the script. After any other a constant may be something else.
HARMLESS = re.compile(
    r"(?:^|/)(?:activate|conda\.sh|mamba\.sh|\.?bashrc|\.?(?:bash_)?profile|modules?\.sh|bash|lmod\.sh)$"
)
LONGEST_READ = 200_000
DEEPEST_CALL = 12
# Commands that hardly ever fail: what stands behind && runs, as behind a line end.
SURE = {
    "cd",
    "echo",
    "export",
    "source",
    ".",
    "mkdir",
    "module",
    "ml",
    "set",
    "conda",
    "mamba",
    "printf",
    "pushd",
    "ulimit",
}


def read_script(text: str, arguments: tuple[Value, ...] | None = None) -> Reading:
    """Reads a whole script. ``arguments``: what it is called with, None = unknown."""
    reading = Reading(text, shell=grammar.is_shell(text), interpreter=grammar.interpreter(text))
    if not reading.shell or len(text) > grammar.LONGEST:
        return reading
    walker = Walker(reading)
    walker.environment.arguments = arguments
    if len(text) > LONGEST_READ:
        # Nobody writes that much by hand: the beginning is read, up to the end of a line.
        text = text[: text.rfind("\n", 0, LONGEST_READ) + 1]
    walker.run(Source.of_file(text))
    walker.rest()
    return reading


def read_text(
    reading: Reading, value: Value, environment: Environment, marks: Marks, line: int, depth: int = 0
) -> Reading:
    """A text that a shell reads (``bash -c``, a here-document), as part of the file of ``reading``.

    Lines and places are those of the file; ``line`` for words without a place of their own. ``environment`` is
    changed; hand over a copy or a child.
    """
    inner = Reading(reading.text, interpreter=reading.interpreter)
    Walker(inner, environment, marks, line, depth).run(Source.of_value(value))
    return inner


class Walker(Expander):
    """Goes through a tree in the order in which a shell would, and keeps the environment."""

    def __init__(
        self,
        reading: Reading,
        environment: Environment | None = None,
        marks: Marks | None = None,
        line: int = 1,
        depth: int = 0,
    ) -> None:
        self.reading = reading
        self.environment = environment or Environment()
        self.marks = marks or Marks()
        self.source = Source("")
        self.line = line
        self.depth = depth
        self.locals: set[str] | None = None
        self.handlers: list[tuple[Value, int]] = []
        self.newlines = [match.start() for match in re.finditer("\n", reading.text)]
        self.stdin: Value | None = None
        self.reads: Value | None = None
        self.writes: Value | None = None
        self.ended = False  # the shell has ended: nothing below is run

    # Texts and places

    def run(self, source: Source) -> None:
        """Reads ``source`` in the present environment."""
        if self.depth > DEEPEST_CALL:
            return
        outer, self.source = self.source, source
        self.depth += 1
        # What is nested deeper than Python's stack allows is cut off there.
        with suppress(RecursionError):
            self.walk(grammar.parse(source.text))
        self.depth -= 1
        self.source = outer

    def rest(self) -> None:
        """Handlers of traps, and functions that nothing has called."""
        self.ended = False
        for value, line in self.handlers:
            self.line = line
            self._under(lambda value=value: self.run(Source.of_value(value)), handler=True, conditional=True)
        for function in list(self.environment.functions.values()):
            if not function.called:
                self._under(lambda function=function: self._body(function), uncalled=True, function=function.name)

    def _body(self, function: Function) -> None:
        outer, self.source = self.source, function.source
        self.walk(function.body)
        self.source = outer

    def _under(self, read: Callable[[], None], *, copy: bool = True, **marks: object) -> Environment:
        """Calls ``read`` with other marks, in a copy of the environment; that copy afterwards."""
        outer_marks, outer_environment = self.marks, self.environment
        self.marks = replace(self.marks, **marks)
        if copy:
            self.environment = outer_environment.copy()
        read()
        inner = self.environment
        self.marks = outer_marks
        if copy:
            self.environment = outer_environment
        return inner

    # Statements

    def walk(self, node: Node) -> None:
        if self.ended or len(self.reading.commands) + len(self.reading.assignments) > MOST_COMMANDS:
            return
        read = getattr(self, "_walk_" + node.kind, None) if node.kind.islower() else None
        if read:
            read(node)
        elif node.kind == "ERROR":
            self.reading.broken.append(self.line_of(node))
            self._under(lambda: self._statements(node.children), copy=False, unsure=True)
        else:
            self._statements(node.children)

    def _statements(self, nodes: Iterable[Node]) -> None:
        nodes = list(nodes)
        for index, node in enumerate(nodes):
            if not node.children and node.kind not in ("command", "word"):
                continue
            if node.kind in ("word", "concatenation", "string") and not self.marks.unsure:
                self._substitutions(node)
                continue
            if index + 1 < len(nodes) and nodes[index + 1].kind == "&":
                self._background(node)
            else:
                self.walk(node)

    def _background(self, node: Node) -> None:
        if node.kind == "list" and node.children:
            # a; b && c &: the whole list runs in the background.
            self._under(lambda: self.walk(node), background=True)
            return
        self._under(lambda: self.walk(node), background=True)

    def _walk_subshell(self, node: Node) -> None:
        self._under(lambda: self._statements(node.children))
        self.ended = False

    def _walk_compound_statement(self, node: Node) -> None:
        if node.children and node.children[0].kind == "((":
            self._changed_by_arithmetic(node)
        else:
            self._statements(node.children)

    def _changed_by_arithmetic(self, node: Node) -> None:
        for name in self._assigned(node):
            self._set(name, (Atom("unknown", name, self.marks.by),))

    def _walk_list(self, node: Node) -> None:
        left, operator, right = self._sides(node)
        if left is None:
            self._statements(node.children)
            return
        outer = self._take_redirects()
        self.walk(left)
        self.stdin, self.reads, self.writes = outer
        self._second(operator, left, lambda: self.walk(right))

    def _second(self, operator: str, left: Node, read: Callable[[], None]) -> None:
        """What stands behind ``&&`` or ``||``."""
        truth = self.truth(left)
        if (operator == "&&" and (truth or self._is_sure(left))) or (operator == "||" and truth is False):
            read()
        elif truth is None:
            before, asked = self.environment, (*self.marks.condition, self.text_of(left)[:200])
            self._merge([before, self._under(read, conditional=True, condition=asked)])

    def _sides(self, node: Node) -> tuple[Node | None, str, Node | None]:
        if len(node.children) != 3:
            return None, "", None
        return node.children[0], node.children[1].kind, node.children[2]

    def _is_sure(self, node: Node) -> bool:
        if node.kind == "list" and len(node.children) == 3:
            return node.children[1].kind == "&&" and all(self._is_sure(side) for side in node.children[::2])
        if node.kind == "redirected_statement" and node.children:
            return self._is_sure(node.children[0])
        name = node.one("name")
        return node.kind in ("variable_assignment", "variable_assignments", "declaration_command") or (
            node.kind == "command" and name is not None and self.text_of(name) in SURE
        )

    def _walk_pipeline(self, node: Node) -> None:
        parts = [child for child in node.children if child.kind not in ("|", "|&")]
        given: Value | None = None
        for index, part in enumerate(parts):
            first, last = index == 0, index == len(parts) - 1
            outer = self._take_redirects()
            self.stdin = given if not first else outer[0]
            before = len(self.reading.commands)
            # A first part with assignments in front (A=1 && b | c) is read in the shell itself.
            self._under(lambda part=part: self.walk(part), copy=not first, piped_from=not first, piped_to=not last)
            given = self._printed(
                [c for c in self.reading.commands[before:] if c.marks.substituted == self.marks.substituted]
            )
            self.stdin, self.reads, self.writes = outer

    @staticmethod
    def _printed(commands: list[Command]) -> Value | None:
        """What a command writes, where that is known: echo, printf '%s', cat of a here-document."""
        if not commands:
            return None
        command = commands[-1]
        if command.name == "cat" and len(command.words) == 1 and command.stdin is not None:
            return command.stdin
        words = list(command.arguments)
        if command.name == "echo":
            while words and re.fullmatch(r"-[neE]+", words[0].text or ""):
                words.pop(0)
        elif command.name == "printf" and words and words[0].text in ("%s", "%s\\n"):
            words.pop(0)
        else:
            return None
        joined: list[Atom] = []
        for index, word in enumerate(words):
            joined += [Atom("text", " ")] if index else []
            joined += word.atoms
        return tuple(joined)

    def _walk_negated_command(self, node: Node) -> None:
        self._under(lambda: self._statements(node.children), copy=False, test=True)

    def _walk_test_command(self, node: Node) -> None:
        if any(child.kind == "((" for child in node.children):
            self._changed_by_arithmetic(node)
        elif not self.marks.unsure:
            self._note_touching(node)
        self._substitutions(node)

    def _note_touching(self, node: Node) -> None:
        """Notes a test of one line whose brackets touch a word: ``[ -z "$1"]``."""
        text = self.text_of(node)
        start, _ = self.source.place(node.start, node.end)
        inside = re.fullmatch(r"(\[\[?)([^\n]*?)(\]\]?)", text)
        if start is None or inside is None or not inside[2].strip() or len(inside[1]) != len(inside[3]):
            return
        if not inside[2].startswith((" ", "\t")) or not inside[2].endswith((" ", "\t")):
            self.reading.tests.append((start, text))

    def _substitutions(self, node: Node) -> None:
        """Commands that run inside a word or a test."""
        for child in node.children:
            if child.kind in ("command_substitution", "process_substitution"):
                self._output(child)
            else:
                self._substitutions(child)

    def _walk_if_statement(self, node: Node) -> None:
        first = Node(
            "elif_clause", node.start, node.end, tuple(c for c in node.children if not c.kind.endswith("_clause"))
        )
        branches = [self._clause(child) for child in (first, *node.children) if child.kind == "elif_clause"]
        last = next((list(child.children) for child in node.children if child.kind == "else_clause"), None)
        ends: list[Environment] = []
        asked: tuple[str, ...] = self.marks.condition
        for conditions, statements in branches:
            for condition in conditions:
                self._under(lambda condition=condition: self._statements([condition]), copy=False, test=True)
            truth = self._truth_of(conditions)
            asked = (*asked, *(self.text_of(condition)[:200] for condition in conditions if condition.children))
            if truth is not False:
                ends.append(self._branch(statements, asked, certain=bool(truth) and not ends))
            if truth:
                break
        else:
            ends.append(self.environment if last is None else self._branch(last, asked, certain=not ends))
        self._merge(ends)

    def _branch(self, statements: list[Node], asked: tuple[str, ...], certain: bool) -> Environment:
        """Reads a branch; the environment at its end."""
        marks = {} if certain else {"conditional": True, "condition": asked}
        return self._under(lambda: self._statements(statements), **marks)

    def _truth_of(self, conditions: list[Node]) -> bool | None:
        asked = [condition for condition in conditions if condition.children]
        return self.truth(asked[0]) if len(asked) == 1 else None

    @staticmethod
    def _clause(node: Node) -> tuple[list[Node], list[Node]]:
        conditions: list[Node] = []
        statements: list[Node] = []
        into = conditions
        for child in node.children:
            if child.kind == "then":
                into = statements
            elif child.kind not in ("if", "elif", "fi"):
                into.append(child)
        return conditions, statements

    def _walk_case_statement(self, node: Node) -> None:
        ends = [self.environment]
        value = node.one("value")
        asked = self.text_of(value) if value is not None else ""
        for item in node.children:
            if item.kind == "case_item":
                statements = [child for child in item.children if child.field != "value"]
                pattern = " | ".join(self.text_of(child) for child in item.children if child.field == "value")
                condition = (*self.marks.condition, f"{asked} = {pattern}"[:200])
                read = partial(self._statements, statements)
                ends.append(self._under(read, conditional=True, condition=condition))
        self._merge(ends)

    def _merge(self, ends: list[Environment]) -> None:
        """Goes on with what all branches agree on; the rest is unknown."""
        base = ends[0]
        names = {name for end in ends for name in end.variables}
        merged: dict[str, Variable] = {}
        for name in names:
            held = [end.variables.get(name) for end in ends]
            if all(other == held[0] for other in held[1:]):
                if held[0] is not None:
                    merged[name] = held[0]
            elif held[0] is not None and (text := _agreed(held)) is not None:
                merged[name] = Variable((Atom("text", text, self.marks.by),), None, held[0].exported)
            else:
                exported = any(other is not None and other.exported for other in held)
                merged[name] = Variable((Atom("unknown", name, self.marks.by),), None, exported)
        functions = {name: value for end in ends for name, value in end.functions.items()}
        files = {name: value for end in ends for name, value in end.files.items()}
        arguments = base.arguments if all(end.arguments == base.arguments for end in ends) else None
        self.environment = Environment(merged, functions, files, arguments, base.exports_all)

    def _walk_for_statement(self, node: Node) -> None:
        variable = node.one("variable")
        name = self.text_of(variable) if variable else ""
        words = [word for child in node.all("value") for word in self.words(child)]
        if not any(child.kind == "in" for child in node.children) and self.environment.arguments is not None:
            words = [Word(value) for value in self.environment.arguments]
        select = bool(node.children) and node.children[0].kind == "select"
        values = () if select else tuple(word.atoms for word in words)
        atom: Value = (Atom("loop", name, self.marks.by, parts=values),)
        if len(values) == 1 and not words[0].many and not self._is_pattern(node):
            atom = values[0]
        self._loop(node, [child for child in node.children if child.field == "body"], {name: atom})

    def _is_pattern(self, loop: Node) -> bool:
        """True where the shell makes several words of one: ``{1..8}``, ``*.txt``; quoted, it stays one."""
        texts = [self.text_of(child) for child in loop.all("value")]
        return any(re.search(r"[*?\[]|\{[^{}]*(?:\.\.|,)", text) and text[0] not in "\"'" for text in texts)

    def _walk_c_style_for_statement(self, node: Node) -> None:
        names = self._assigned(node)
        atoms = {name: (Atom("loop", name, self.marks.by),) for name in names}
        self._loop(node, [child for child in node.children if child.field == "body"], atoms)

    def _walk_while_statement(self, node: Node) -> None:
        self._loop(node, list(node.children), {})

    def _loop(self, node: Node, body: list[Node], variables: dict[str, Value]) -> None:
        before = self.environment.copy()
        redirects = self._take_redirects()

        def read() -> None:
            for name in self._assigned(node):
                self._set(name, (Atom("unknown", name, self.marks.by),))
            for name, value in variables.items():
                self._set(name, value)
            for child in body:
                self.stdin, self.reads = redirects[0], redirects[1]
                self._statements([child])

        after = self._under(read, repeated=True)
        self.stdin, self.reads, self.writes = redirects
        self._merge([before, after])

    def _assigned(self, node: Node) -> list[str]:
        """Names that anything inside ``node`` sets."""
        found: list[str] = []
        stack = [node]
        while stack:
            inner = stack.pop()
            stack += inner.children
            if inner.kind in ("postfix_expression", "unary_expression") or (
                inner.kind == "binary_expression"
                and (operator := inner.one("operator")) is not None
                and self.text_of(operator).endswith("=")
                and self.text_of(operator) not in ("==", "!=", "<=", ">=")
            ):
                found += [self.text_of(child) for child in inner.children if child.kind in ("variable_name", "word")][
                    :1
                ]
            elif inner.kind == "variable_assignment" and (target := inner.one("name")) is not None:
                target = target.one("name") or target
                found.append(self.text_of(target))
            elif inner.kind == "command":
                words = [self.text_of(child) for child in inner.children if child.kind in ("command_name", "word")]
                found += [word.partition("=")[0] for word in self._told(words)]
        return [name for name in found if NAME.match(name)]

    @staticmethod
    def _told(words: list[str]) -> list[str]:
        """Names that read, mapfile, getopts, let or printf -v set."""
        if not words:
            return []
        name, rest = words[0], words[1:]
        if name in ("read", "mapfile", "readarray", "let", "unset"):
            names = [re.split(r"[-+*/]?=|\+\+|--", word)[0] for word in rest if not word.startswith("-")]
            if name == "read" and not names:
                return ["REPLY"]
            return names or ["MAPFILE"]
        if name == "getopts":
            return [*rest[1:2], "OPTARG", "OPTIND"]
        if name == "printf" and rest[:1] == ["-v"]:
            return rest[1:2]
        return []

    def _walk_function_definition(self, node: Node) -> None:
        name, body = node.one("name"), node.one("body")
        if name is None or body is None:
            return
        function = Function(self.text_of(name), self.line_of(node), body, self.source)
        self.environment.functions[function.name] = function
        self.reading.functions.append(function)

    # Assignments

    def _walk_variable_assignment(self, node: Node) -> None:
        self._assign(node)

    def _walk_variable_assignments(self, node: Node) -> None:
        for child in node.children:
            if child.kind == "variable_assignment":
                self._assign(child)

    def _walk_declaration_command(self, node: Node) -> None:
        keyword = self.text_of(node.children[0]) if node.children else ""
        options = ""
        words: list[Word] = []
        for child in node.children[1:]:
            if child.kind == "variable_assignment":
                exported = keyword == "export" or "x" in options
                self._local(keyword, child.one("name"))
                self._assign(child, exported=exported)
            elif child.kind == "variable_name":
                self._local(keyword, child)
                words.append(Word(tuple(self.source.atoms(child.start, child.end, True))))
                self._declare(self.text_of(child), keyword == "export" or "x" in options, options)
            else:
                found = self.words(child)
                options += "".join(word.prefix[1:] for word in found if word.prefix.startswith("-"))
                words += found
        if "f" in options or "F" in options:
            self._mark_called(words)  # export -f: for a shell of a task
            return
        for word in words:
            match = re.match(r"([A-Za-z_]\w*)=", word.prefix)
            if match:
                self._set(match[1], word.cut(match.end()), exported=keyword == "export")
            elif word.text and NAME.match(word.text):
                self._declare(word.text, keyword == "export" or "x" in options, options)

    def _local(self, keyword: str, name: Node | None) -> None:
        if name is not None and self.locals is not None and keyword in ("local", "declare", "typeset"):
            self.locals.add(self.text_of(name.one("name") or name))

    def _declare(self, name: str, exported: bool, options: str) -> None:
        held = self.environment.variables.get(name)
        if held is not None and exported:
            self.environment.variables[name] = replace(held, exported="n" not in options)

    def _walk_unset_command(self, node: Node) -> None:
        for child in node.children:
            self.environment.variables.pop(self.text_of(child), None)

    def _assign(self, node: Node, exported: bool = False, command: bool = False) -> Assignment | None:
        """Reads ``NAME=value``; in front of a command it is not kept."""
        target, value = node.one("name"), node.one("value")
        if target is None:
            return None
        name = self.text_of(target.one("name") or target)
        atoms, elements = self._assigned_value(name, target, value, any(child.kind == "+=" for child in node.children))
        held = self.environment.variables.get(name)
        exported = exported or self.environment.exports_all or (held is not None and held.exported)
        start, end = self.source.place(node.start, node.end)
        line = self.line_of(node)
        found = Assignment(name, atoms, line, start, end, self.marks, elements, exported or command, command)
        self.reading.assignments.append(found)
        if not command:
            self.environment.variables[name] = Variable(atoms, elements, exported)
        return found

    def _assigned_value(
        self, name: str, target: Node, value: Node | None, more: bool
    ) -> tuple[Value, tuple[Value, ...] | None]:
        """The value, and the elements where the variable becomes an array."""
        elements: tuple[Value, ...] | None = None
        if value is not None and value.kind == "array":
            elements = tuple(word.atoms for child in value.children for word in self._element(child))
            atoms: Value = elements[0] if elements else ()
        else:
            atoms = tuple(self.value(value)) if value is not None else ()
        if target.kind == "subscript":
            elements, atoms = self._with_element(name, target, atoms)
        elif more:
            elements, atoms = self._appended(name, elements, atoms)
        if elements is not None and len(elements) > 1000:
            return (Atom("unknown", name, self.marks.by),), None
        return bounded(atoms, name, self.marks.by), elements

    def _element(self, node: Node) -> list[Word]:
        return [] if node.kind in ("(", ")", "comment") else self.words(node)

    def _with_element(self, name: str, target: Node, value: Value) -> tuple[tuple[Value, ...] | None, Value]:
        held = self.environment.variables.get(name)
        index = target.one("index")
        position = constant(tuple(self.value(index))) if index else None
        elements = list(held.elements) if held and held.elements is not None else [] if held is None else None
        if elements is None or position is None or not position.isdigit() or int(position) != len(elements):
            return None, (Atom("unknown", name, self.marks.by),)
        elements.append(value)
        return tuple(elements), elements[0]

    def _appended(
        self, name: str, elements: tuple[Value, ...] | None, value: Value
    ) -> tuple[tuple[Value, ...] | None, Value]:
        held = self.environment.variables.get(name)
        if elements is not None:
            before = held.elements if held and held.elements is not None else () if held is None else None
            if before is None:
                return None, (Atom("unknown", name, self.marks.by),)
            joined = (*before, *elements)
            return joined, joined[0] if joined else ()
        if held is None:
            return None, (Atom("variable", name, self.marks.by), *value)
        if held.elements is not None:
            return None, (Atom("unknown", name, self.marks.by),)
        return None, (*held.value, *value)

    def _set(self, name: str, value: Value, exported: bool = False) -> None:
        held = self.environment.variables.get(name)
        exported = exported or self.environment.exports_all or (held is not None and held.exported)
        self.environment.variables[name] = Variable(bounded(value, name, self.marks.by), None, exported)

    # Commands

    def _walk_redirected_statement(self, node: Node) -> None:
        outer = self._take_redirects()
        self.stdin, self.reads = outer[0], outer[1]
        body = None
        for child in node.children:
            if child.kind in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
                self._redirect(child)
            else:
                body = body or child
        if body is not None:
            if body.kind == "list":
                self._last_of_list(body)
            else:
                self.walk(body)
        elif self.marks.unsure is False:
            self._command(node, [], [])
        self.stdin, self.reads, self.writes = outer

    def _last_of_list(self, node: Node) -> None:
        """``a && b > f``: the grammar puts the redirection around the list; the shell gives it to the last command."""
        redirects = (self.stdin, self.reads, self.writes)
        left, operator, right = self._sides(node)
        if left is None:
            self.walk(node)
            return
        self._take_redirects()
        self.walk(left)

        def read() -> None:
            self.stdin, self.reads, self.writes = redirects
            self.walk(right)

        self._second(operator, left, read)

    def _redirect(self, node: Node) -> None:
        if node.kind == "heredoc_redirect":
            body = node.children[0]
            self.stdin = through(self._document(body), "here-document")
            return
        if node.kind == "herestring_redirect":
            self.stdin = tuple(atom for child in node.children for atom in self.value(child) if child.kind != "<<<")
            return
        target = node.one("destination")
        operator = next((child.kind for child in node.children if child.kind not in ("file_descriptor",)), "")
        descriptor = node.one("descriptor")
        if target is None or (descriptor is not None and self.text_of(descriptor) not in ("0", "1")):
            self._substitutions(node)
            return
        value = tuple(self.value(target))
        if operator == "<":
            self.reads = value
        elif operator in (">", ">>", "&>", "&>>", ">|"):
            self.writes = (*value, Atom("text", "")) if operator in (">>", "&>>") else value

    def _walk_command(self, node: Node) -> None:
        assigns: list[Assignment] = []
        words: list[Word] = []
        redirects = (self.stdin, self.reads, self.writes)
        for child in node.children:
            if child.kind == "variable_assignment":
                found = self._assign(child, command=True)
                assigns += [found] if found else []
            elif child.kind in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
                self._redirect(child)
            elif child.kind == "command_name":
                for inner in child.children or (child,):
                    words += self.words(inner)
            else:
                words += self.words(child)
        self._command(node, words, assigns)
        self.stdin, self.reads, self.writes = redirects

    def _command(self, node: Node, words: list[Word], assigns: list[Assignment]) -> None:
        words = _without_prefixes(words)
        name = words[0].text if words else None
        if not words and assigns:
            for assign in assigns:  # nothing but assignments behind an expansion that is empty
                self._set(assign.name, assign.value)
            return
        environment = self._snapshot(assigns)
        function = self.environment.functions.get(name or (_default(words[0]) if words else ""))
        command = Command(
            tuple(words),
            tuple(assigns),
            self.line_of(node),
            *self.source.place(node.start, node.end),
            self.marks,
            environment,
            self.text_of(node),
            self.stdin,
            self.reads,
            self.writes,
            function.name if function else "",
        )
        self.reading.commands.append(command)
        self._written(command)
        if _ends_the_shell(command):
            self.ended, self.reading.end = True, command.end
            return
        if function and self.depth < DEEPEST_CALL:
            self._call(function, command)
        elif name:
            self._builtin(name, command)

    def _snapshot(self, assigns: list[Assignment]) -> Environment:
        """The environment as the command sees it; shared until the shell sets something again."""
        environment = self.environment.copy()
        for assign in assigns:
            environment.variables[assign.name] = Variable(assign.value, None, True)
        return environment

    def _written(self, command: Command) -> None:
        """Remembers what the script writes into a file of its own."""
        target = command.writes
        content = self._printed([command])
        if command.name == "tee" and command.arguments and command.stdin is not None:
            target, content = command.arguments[-1].atoms, command.stdin
        if target is None or content is None:
            return
        name = shown(target)
        add = target[-1:] == (Atom("text", ""),) and len(target) > 1
        before = self.environment.files.get(name, ())
        content = (*content, Atom("text", "\n"))
        self.environment.files[name] = bounded((*before, *content) if add else content, name, self.marks.by)

    def _call(self, function: Function, command: Command) -> None:
        function.called = True
        outer = (self.environment.arguments, self.locals, self.line, self.source)
        kept = dict(self.environment.variables)
        redirects = self._take_redirects()
        self.environment.arguments = tuple(word.atoms for word in command.arguments)
        self.locals, self.line, self.source = set(), command.line, function.source
        self.depth += 1
        self._under(lambda: self.walk(function.body), copy=False, function=function.name)
        self.depth -= 1
        for name in self.locals:
            if name in kept:
                self.environment.variables[name] = kept[name]
            else:
                self.environment.variables.pop(name, None)
        self.environment.arguments, self.locals, self.line, self.source = outer
        self.stdin, self.reads, self.writes = redirects

    def _builtin(self, name: str, command: Command) -> None:
        words = [word.text or "" for word in command.words]
        if name == "eval":
            self._eval(command)
        elif name == "set":
            self._set_options(command, words)
        elif name in ("source", ".") and not HARMLESS.search(words[1] if len(words) > 1 else ""):
            self.sourced = True
        elif name == "shift":
            count = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
            held = self.environment.arguments
            if held is not None:
                self.environment.arguments = None if any_number(held[:count]) else held[count:]
        elif name == "trap" and len(words) > 2:
            self.handlers.append((command.words[1].atoms, command.line))
            self._mark_called([command.words[1]])
        elif name == "unset":
            for word in words[1:]:
                self.environment.variables.pop(word, None)
        elif name in ("mapfile", "readarray"):
            self._mapfile(command, words)
        elif name == "read" and self._read_array(command, words):
            pass
        else:
            for target in self._told(words):
                target = target.partition("=")[0]
                if NAME.match(target):
                    self._set(target, (Atom("unknown", target, self.marks.by),))

    def _mark_called(self, words: list[Word]) -> None:
        for name in re.findall(r"[\w-]+", " ".join(word.text or "" for word in words)):
            if name in self.environment.functions:
                self.environment.functions[name].called = True

    def _eval(self, command: Command) -> None:
        joined: list[Atom] = []
        for index, word in enumerate(command.arguments):
            joined += [Atom("text", " ")] if index else []
            joined += word.atoms
        line, self.line = self.line, command.line
        self.run(Source.of_value(through(tuple(joined), "eval")))
        self.line = line

    def _set_options(self, command: Command, words: list[str]) -> None:
        if "--" in words:
            rest = command.words[words.index("--") + 1 :]
            self.environment.arguments = None if any(w.many for w in rest) else tuple(w.atoms for w in rest)
        if re.search(r"^-\w*a", " ".join(words[1:2])) or words[1:3] == ["-o", "allexport"]:
            self.environment.exports_all = True
        elif re.search(r"^\+\w*a", " ".join(words[1:2])):
            self.environment.exports_all = False

    def _mapfile(self, command: Command, words: list[str]) -> None:
        names = [word for word in words[1:] if NAME.match(word)] or ["MAPFILE"]
        source = command.reads or command.stdin or ()
        value: Value = tuple(replace(atom, many=True) for atom in source if atom.kind == "output")
        if len(value) == 1:
            self.environment.variables[names[-1]] = Variable(value, (value,))
        else:
            self._set(names[-1], (Atom("unknown", names[-1], self.marks.by),))

    def _read_array(self, command: Command, words: list[str]) -> bool:
        """``read -ra gpus <<< "$CUDA_VISIBLE_DEVICES"``: an array of what a variable of the job lists."""
        value = command.stdin or ()
        flags = [word for word in words[1:-1] if re.fullmatch(r"-\w*a", word)]
        if not flags or not NAME.match(words[-1]) or len(value) != 1 or value[0].kind != "variable":
            return False
        parts = (replace(value[0], many=True),)
        self.environment.variables[words[-1]] = Variable(parts, (parts,))
        return True


def _agreed(held: list[Variable | None]) -> str | None:
    """The constant that all branches set a variable to, each at a place of its own."""
    texts = {None if one is None or one.elements is not None else constant(one.value) for one in held}
    same = len({one.exported for one in held if one is not None}) == 1
    return texts.pop() if len(texts) == 1 and same else None


def _without_prefixes(words: list[Word]) -> list[Word]:
    """The words behind ``time``, ``builtin`` and ``command``, which start what follows them."""
    while len(words) > 1 and words[0].text in ("time", "builtin", "command", "!"):
        if words[0].text == "command" and words[1].prefix.startswith("-"):
            break
        words = words[1:]
    return words


def _ends_the_shell(command: Command) -> bool:
    """True for an ``exit`` that is certain to be run, and for an ``exec`` of another program in the shell's place."""
    marks = command.marks
    elsewhere = marks.background or marks.substituted or marks.piped_from or marks.piped_to or marks.handler
    if elsewhere or marks.conditional or marks.repeated or marks.uncalled or marks.unsure or command.calls:
        return False
    if command.name == "exec":
        return bool(command.arguments) and re.match(r"[\w./~]", command.arguments[0].text or "") is not None
    return command.name == "exit"


def _default(word: Word) -> str:
    """The name of a program that stands as the default of a variable: ``${1:-main}``."""
    atom = word.atoms[0] if len(word.atoms) == 1 else None
    return (constant(atom.parts[0]) or "") if atom and atom.parts and atom.kind in ("variable", "argument") else ""
