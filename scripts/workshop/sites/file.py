"""Reading one site file: YAML to values and provenance, then every check, with errors that say what to do.

A ``source`` (and ``checked``) holds for everything beside and below it, and a narrower one wins; in place of
any value may stand ``{value: …, source: …, checked: …}``. All problems of a file are reported together.
"""

import json
from collections.abc import Iterator
from datetime import date
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from workshop.paths import COURSE, data
from workshop.sites.values import Fact, SiteError, parse_time, show_path

SCHEMA = data("sites") / "schema.json"

# Keys that say where a fact comes from; they may stand in any mapping and hold for all beside and below them.
PROVENANCE = ("source", "checked")
# Top-level keys that name the site rather than state a fact on it.
IDENTITY = ("name", "title", "sources")


def read(text: str, path: Path) -> tuple[dict[str, Any], list[Fact]]:
    """The values of a site file and its facts with their provenance.

    Raises:
        SiteError: with one line for each problem: file, line, key, what is wrong, remedy.
    """
    try:
        reader = _Reader(text, path)
    except RecursionError:
        raise SiteError(f"{show_path(path)}: a YAML alias holds itself. Remedy: write it out.") from None
    values = reader.values
    problems = reader.problems or _schema_problems(values, reader) or _rule_problems(values, reader)
    if problems:
        raise SiteError("\n".join(problems))
    return values, reader.facts


class _Reader:
    """Reads one YAML text into values, facts with their provenance, line numbers and problems."""

    def __init__(self, text: str, path: Path) -> None:
        self.path = path
        self.values: dict[str, Any] = {}
        self.facts: list[Fact] = []
        self.lines: dict[str, int] = {}
        self.raw: dict[str, str] = {}  # scalars as the file has them, before YAML makes numbers of them
        self.problems: list[str] = []
        self._loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            root = self._loader.get_single_node()
        except yaml.YAMLError as error:
            self._yaml_problem(error)
            return
        if not isinstance(root, yaml.MappingNode):
            self.problem(
                "", f"{show_path(path)} holds no 'key: value' pairs", "start from a copy of examples/my-cluster.yml"
            )
            return
        self.values = self._mapping(root, "", ((), None))

    def _yaml_problem(self, error: yaml.YAMLError) -> None:
        mark = getattr(error, "problem_mark", None)
        if mark is not None:
            self.lines[""] = mark.line + 1
        what = getattr(error, "problem", None) or str(error)
        self.problem("", f"not YAML: {what}", "indent with spaces only, and put text with ': ' or '#' in quotes")

    def problem(self, key: str, what: str, remedy: str) -> None:
        """Note one problem at a dotted key; the line is that of the nearest key above that the file has."""
        self.problems.append(self.describe(key, what, remedy))

    def describe(self, key: str, what: str, remedy: str) -> str:
        number = self.line(key)
        line = f", line {number}" if number else ""
        named = f", key {key}" if key else ""
        return f"{show_path(self.path)}{line}{named}: {what}.\n  Remedy: {remedy.rstrip('.')}."

    def line(self, key: str) -> int:
        """The line of a key, or of the nearest key above it that the file has; 0 = the file as a whole."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key, 0)

    def _mapping(self, node: yaml.MappingNode, key: str, origin: tuple) -> Any:
        entries = self._entries(node, key)
        origin = self._origin(entries, key, origin)
        if "value" in entries and set(entries) <= {"value", *PROVENANCE}:
            return self._value(entries["value"], key, origin)
        return {
            name: self._value(child, f"{key}.{name}" if key else name, origin)
            for name, child in entries.items()
            if name not in PROVENANCE
        }

    def _entries(self, node: yaml.MappingNode, key: str) -> dict[str, yaml.Node]:
        entries: dict[str, yaml.Node] = {}
        for name_node, child in node.value:
            name = str(self._loader.construct_object(name_node, deep=True))
            place = f"{key}.{name}" if key else name
            self.lines[place] = name_node.start_mark.line + 1
            if name in entries:
                self.problem(place, "the key stands twice; YAML would keep the last one silently", "remove one of them")
            entries[name] = child
        return entries

    def _origin(self, entries: dict[str, yaml.Node], key: str, inherited: tuple) -> tuple:
        """Sources and check date that hold inside a mapping: its own, else those of the mapping around it."""
        if key == "sources" or key.startswith("sources."):
            return inherited
        sources, checked = inherited
        if "source" in entries:
            given = self._loader.construct_object(entries["source"], deep=True)
            sources = tuple(map(str, given)) if isinstance(given, list) else (str(given),)
        if "checked" in entries:
            checked = str(self._loader.construct_object(entries["checked"], deep=True))
        return sources, checked

    def _value(self, node: yaml.Node, key: str, origin: tuple) -> Any:
        if isinstance(node, yaml.MappingNode):
            if key == "sources" or key.startswith("sources."):
                return self._plain(node, key)
            return self._mapping(node, key, origin)
        if isinstance(node, yaml.SequenceNode) and _has_mappings(node):
            return self._items(node, key, origin)
        value = self._construct(node, key)
        if key.split(".")[0] not in IDENTITY:
            self.facts.append(Fact(key, value, *origin))
        return value

    def _items(self, node: yaml.SequenceNode, key: str, origin: tuple) -> list[Any]:
        """A list of mappings; an item is called by its 'name' where it has one, else by its number."""
        items = []
        for number, child in enumerate(node.value):
            self.lines[f"{key}.{number}"] = child.start_mark.line + 1
            items.append(self._value(child, f"{key}.{number}", origin))
        return items

    def _plain(self, node: yaml.MappingNode, key: str) -> dict[str, Any]:
        """A mapping of the section 'sources', where 'checked' is a plain value and a bare year is text."""
        plain: dict[str, Any] = {}
        for name, child in self._entries(node, key).items():
            nested = isinstance(child, yaml.MappingNode)
            value = self._plain(child, f"{key}.{name}") if nested else self._construct(child, f"{key}.{name}")
            plain[name] = str(value) if type(value) is int else value
        return plain

    def _construct(self, node: yaml.Node, key: str) -> Any:
        if isinstance(node, yaml.ScalarNode):
            self.raw[key] = node.value
        try:
            value = self._loader.construct_object(node, deep=True)
        except (yaml.YAMLError, ValueError) as error:
            self.problem(key, f"cannot read the value: {error}", "correct it, or put it in quotes")
            return None
        return _dates_to_text(value)


def _has_mappings(node: yaml.SequenceNode) -> bool:
    return any(isinstance(child, yaml.MappingNode) for child in node.value)


def _dates_to_text(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return [_dates_to_text(item) for item in value]
    return value


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a site's values (provenance taken out)."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator  # a tenth of a second to import: only when a site is read

    return Draft202012Validator(schema())


def _schema_problems(values: dict[str, Any], reader: _Reader) -> list[str]:
    problems = [_explain(error, reader) for error in _validator().iter_errors(values)]
    return [reader.describe(*problem) for problem in sorted(problems, key=lambda found: reader.line(found[0]))]


def _explain(error: Any, reader: _Reader) -> tuple[str, str, str]:
    """Key, problem and remedy of one error of jsonschema, in words for someone who never saw a schema."""
    key = ".".join(map(str, error.absolute_path))
    remedy = _remedy(error)
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        child = error.schema.get("properties", {}).get(missing, {})
        return _join(key, missing), "the key is missing", _remedy_of(child) or f"add the key '{missing}'"
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(name for name in error.instance if name not in known)
        close = get_close_matches(unknown, known, n=1)
        advice = f"did you mean '{close[0]}'? " if close else ""
        return _join(key, unknown), "no such key", f"{advice}Keys here: {', '.join(known)}"
    if error.validator == "type":
        wanted, raw = _article(error.validator_value), reader.raw.get(key, error.instance)
        same = str(error.instance) == str(raw)
        return (
            key,
            f"{raw!r} is not {wanted}" if same else f"YAML reads {raw} as {error.instance}, not {wanted}",
            remedy,
        )
    return key, f"{error.instance!r} does not fit" if key else "the file does not fit", remedy


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _article(kind: str) -> str:
    words = {"string": "text", "object": "a mapping of keys", "array": "a list", "integer": "a whole number"}
    return words.get(kind, f"a {kind}")


def _remedy(error: Any) -> str:
    """The nearest remedy written in the schema, from the failing place outwards."""
    node: Any = schema()
    found = None
    for step in error.absolute_schema_path:
        if isinstance(node, dict) and step not in node:  # the path leaves out the step through a $ref
            node = _referenced(node["$ref"])
        node = node[step]
        if isinstance(node, dict):
            found = _remedy_of(node) or found
    return found or error.message


def _remedy_of(node: dict[str, Any]) -> str | None:
    if "x-remedy" in node:
        return node["x-remedy"]
    return _referenced(node["$ref"]).get("x-remedy") if isinstance(node.get("$ref"), str) else None


def _referenced(reference: str) -> dict[str, Any]:
    return schema()["$defs"][reference.removeprefix("#/$defs/")]


def _rule_problems(values: dict[str, Any], reader: _Reader) -> list[str]:
    """What a schema cannot see: names that point nowhere, facts without a source, limits out of order."""
    found = [
        *_provenance_problems(values, reader.facts),
        *_reference_problems(values),
        *_sense_problems(values),
    ]
    if values["name"] != reader.path.stem:
        what = f"'{values['name']}' is not the file's stem '{reader.path.stem}'"
        found.append(("name", what, "make both the same"))
    return [reader.describe(*problem) for problem in found]


def _provenance_problems(values: dict[str, Any], facts: list[Fact]) -> Iterator[tuple[str, str, str]]:
    known = list(values["sources"])
    for fact in facts:
        if not fact.sources:
            advice = "write 'source: NAME' beside it, in its section, or once at the head for the whole file"
            yield fact.key, "the fact has no source", advice
        for name in fact.sources:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                advice = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
                yield fact.key, f"source '{name}' is not in the section 'sources'", advice
    used = {name for fact in facts for name in fact.sources}
    for name in known:
        if name not in used:
            yield (
                f"sources.{name}",
                "no fact uses this source",
                "remove it, or name it as the source of a fact",
            )
        file = values["sources"][name].get("file")
        if file is not None and COURSE and not (COURSE / file).exists():
            advice = "give a path from the repository's root"
            yield f"sources.{name}.file", f"no '{file}' in this repository", advice


def _reference_problems(values: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    partitions = [item["name"] for item in values.get("partitions", [])]
    for number, node in enumerate(values.get("nodes", [])):
        if node.get("partition", None) not in (None, *partitions):
            advice = f"use one of: {', '.join(partitions) or '(the file has no partitions)'}"
            yield f"nodes.{number}.partition", f"no partition '{node['partition']}' in this file", advice
    for section in ("partitions", "nodes"):
        listed = [item["name"] for item in values.get(section, [])]
        for number, name in enumerate(listed):
            if name in listed[:number]:
                yield f"{section}.{number}.name", f"'{name}' is listed twice", "give each entry its own name"
    defaults = [item["name"] for item in values.get("partitions", []) if item.get("default")]
    if len(defaults) > 1:
        what = f"{len(defaults)} partitions are the default: {', '.join(defaults)}"
        yield "partitions", what, "leave 'default: true' at one"


def _sense_problems(values: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    account = values.get("account", {})
    if account.get("rule", "none") != "none" and not account.get("form"):
        yield "account.form", "the key is missing", "show what an account looks like: def-PI"
    gpu_nodes = [(number, node) for number, node in enumerate(values.get("nodes", [])) if node.get("gpus")]
    request = values.get("gpu", {}).get("request")
    if gpu_nodes and request is None:
        advice = "write the option, such as '--gpus-per-node={type}:{count}'"
        yield "gpu.request", "the key is missing, but some nodes have GPUs", advice
    for number, node in gpu_nodes:
        if request and "{type}" in request and not node.get("gpu_type"):
            what = "the key is missing, but gpu.request holds {type}"
            yield f"nodes.{number}.gpu_type", what, "add the type's name"
    run_from = values.get("run_from", {})
    if run_from.get("rule") in ("only", "advised") and not run_from.get("path"):
        yield "run_from.path", "the key is missing", "name the place, such as /scratch"
    if run_from.get("rule") == "only" and not run_from.get("path", "/").startswith("/"):
        yield "run_from.path", f"'{run_from['path']}' is not an absolute path", "start it with a slash"
    yield from _time_problems(values)


def _time_problems(values: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    pairs = [("time", values.get("time", {}), "min", "max")]
    for number, item in enumerate(values.get("partitions", [])):
        pairs.append((f"partitions.{number}", item, "min_time", "max_time"))
    for key, item, low, high in pairs:
        if low in item and high in item and parse_time(item[low]) > parse_time(item[high]):
            yield f"{key}.{low}", f"{item[low]} is longer than {high}, {item[high]}", "swap or correct them"
