"""Writing #QUARK lines."""

from workshop.jobs.model import JobRequest
from workshop.jobs.parts.directives import directive_line
from workshop.jobs.parts.written import Written


def write(request: JobRequest, components: list[JobRequest]) -> Written:
    given = {"--nodes": request.nodes, "--tasks": request.tasks, "--minutes": (request.time_s or 0) // 60}
    return Written([directive_line("#QUARK", option, str(value)) for option, value in given.items() if value])
