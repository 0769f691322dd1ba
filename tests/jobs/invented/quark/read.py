"""Reading #QUARK lines: --nodes, --tasks and --minutes."""

from workshop.jobs.dialects.quark.words import split
from workshop.jobs.model import Directive, Script


def read(lines: list[str], script: Script) -> None:
    request = script.request
    for number, line in enumerate(lines, 1):
        if line.startswith("#QUARK"):
            for word in split(line.removeprefix("#QUARK")):
                option, _, value = word.partition("=")
                script.directives.append(Directive(number, line, option, value))
        elif line.strip() and not line.startswith("#"):
            script.body, script.body_line = "\n".join(lines[number - 1 :]), number
            break
    given = {directive.option: int(directive.value) for directive in script.directives}
    request.nodes, request.tasks = given.get("--nodes", 1), given.get("--tasks", 1)
    request.cpus_per_task, request.gpus_total, request.gpus_per_node = 1, 0, 0
    request.time_s = given["--minutes"] * 60 if "--minutes" in given else None
    script.shebang = lines[0].removeprefix("#!") if lines and lines[0].startswith("#!") else None
