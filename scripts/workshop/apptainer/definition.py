"""Read Apptainer definition files: header, sections, arguments, and what is wrong with them.

Singularity Python (spython 0.3.14) has a reader, too; it knows neither ``%arguments`` nor ``{{ }}``.
"""

import re
from dataclasses import dataclass, field

# Sections of one stage, as Apptainer 1.4 names them.
SECTIONS = {
    "arguments",
    "setup",
    "files",
    "environment",
    "post",
    "runscript",
    "startscript",
    "test",
    "labels",
    "help",
    "pre",
    *(f"app{name}" for name in ("install", "files", "env", "run", "start", "test", "labels", "help")),
}
SCRIPTS = ("post", "runscript", "test")


@dataclass
class Definition:
    """A definition file with one stage.

    Attributes:
        header: keyword in lower case -> value with the defaults of ``%arguments`` filled in.
        sections: name without ``%`` -> its lines, without the common indentation.
        arguments: defaults of ``%arguments``.
        used: names between ``{{`` and ``}}``.
    """

    header: dict[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)


def read(text: str) -> Definition:
    """Read a definition file.

    Args:
        text: the file's content.
    """
    found = Definition(used=set(re.findall(r"{{\s*(\w+)\s*}}", text)))
    lines: dict[str, list[str]] = {}
    section = None
    header = []
    for line in text.splitlines():
        start = re.match(r"%(\w+)", line)
        if start:
            section = start[1]
            lines.setdefault(section, [])
        elif section:
            lines[section].append(line.strip() if section in ("arguments", "labels") else line)
        elif ":" in line and not line.lstrip().startswith("#"):
            header.append(line)
    found.sections = {name: _dedent(body) for name, body in lines.items()}
    for line in found.sections.get("arguments", "").splitlines():
        name, equals, value = line.partition("=")
        if equals:
            found.arguments[name.strip()] = value.strip()
    for line in header:
        name, _, value = line.partition(":")
        found.header[name.strip().lower()] = filled(value.strip(), found.arguments)
    return found


def _dedent(lines: list[str]) -> str:
    """Without the indentation of the first line; the text of a here-document stands at column 1 already."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in lines).strip("\n") + "\n"


def filled(text: str, arguments: dict[str, str]) -> str:
    """The text with ``{{ NAME }}`` replaced where the argument is known."""
    return re.sub(r"{{\s*(\w+)\s*}}", lambda m: arguments.get(m[1], m[0]), text)


def problems(found: Definition) -> list[str]:
    """What makes an image of this definition hard to trust or to repeat; one sentence each, empty if nothing."""
    said = [f"%{name} is no section of a definition file." for name in sorted(set(found.sections) - SECTIONS)]
    agent, base = found.header.get("bootstrap"), found.header.get("from", "")
    if agent is None:
        said.append("The header lacks 'Bootstrap:', which says where the base comes from.")
    if agent in ("docker", "library", "oras") and "from" not in found.header:
        said.append("The header lacks 'From:', the name of the base image.")
    elif agent in ("docker", "library", "oras"):
        name = base.rsplit("/", 1)[-1]
        if "@sha256:" not in base and ":" not in name:
            said.append(
                f"The base {base} has no tag, so each build may get another one: pin it, as in debian:12.11-slim."
            )
        elif name.endswith(":latest"):
            said.append(f"The base {base} is another one each month: pin a version, as in debian:12.11-slim.")
    for name in ("labels", "help", "test", "runscript"):
        if not found.sections.get(name, "").strip():
            said.append(f"The section %{name} is missing or empty.")
    post = found.sections.get("post", "").replace("\\\n", " ")
    if "apt-get install" in post and not re.search(r"apt-get install.* (--yes|--assume-yes|-[a-z]*y[a-z]*)\b", post):
        said.append("apt-get install in %post asks a question that nobody answers: add --yes.")
    if "apt-get install" in post and "apt-get update" not in post:
        said.append("apt-get install in %post knows no packages yet: run apt-get update before it.")
    if re.search(r"\$HOME\b|(^|\s)~/|/home/|/root/", post):
        said.append("%post writes to a home folder; at run time yours is mounted over it. Use /opt or /usr/local.")
    return said
