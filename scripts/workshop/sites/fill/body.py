"""Changing a script's body for a site: modules, launcher, the folder to start from, its own name."""

import re
from pathlib import Path

from workshop.jobs.dialect import Notion, dialect
from workshop.jobs.model import Script
from workshop.sites import Site
from workshop.sites.fill.plan import CannotFill, Plan

ENVIRONMENT = re.compile(r"^\s*(source|\.) .*bin/activate|^\s*conda activate")
CONTAINER = re.compile(r"\b(apptainer|singularity)\b")
# A line that does nothing but load modules: what else it did would be lost with it.
MODULE = re.compile(r"^\s*(module|ml) [^;&|#]*(#.*)?$")
# The line of a staging job that says where the node's own disk is, and does nothing else.
NODE_DISK = re.compile(r"^place=\$[^\s;&|]+\s*# EDIT: a folder on (the|each) node's own disk$")
# Options of Open MPI's mpirun that PALS says otherwise, or needs none of: it passes all variables and knows the nodes.
# A value is one word of the shell: what $((…)), $(…) and quotes hold together may have blanks.
OPEN_MPI = re.compile(
    r"--?(?P<name>hostfile|bind-to|map-by|x|np?) "
    r"(?P<value>(?:\"[^\"]*\"|\$\(\([^()]*\)\)|\$\([^()]*\)|\$(?!\()|[^\s\"$])+) "
)
# A launch by pbsdsh as the course writes it: its output kept in a variable, since its exit status says nothing.
PBSDSH = re.compile(r"^\s*(?P<variable>\w+)=\$\(pbsdsh -- (?P<program>.*)\)(?P<rest>\s*(\|\| \w+=\$\?)?)\s*$")


def change_body(lines: list[str], script: Script, site: Site, found: Plan) -> list[str]:
    lines = _with_modules(lines, site, found)
    disk = site.get("storage.node_local.path")
    if disk:
        lines = [f"place={disk}" if NODE_DISK.match(line) else line for line in lines]
    if site.get("launcher.multi_node") == "mpiexec-pals":
        lines = _with_pals(lines, site, found)
    place = next((number + 1 for number, line in enumerate(lines) if line.startswith("set -")), 0)
    guard = _guard(script.scheduler, site)
    return lines if not guard or guard[0] in lines else [*lines[:place], *guard, *lines[place:]]


def _with_modules(lines: list[str], site: Site, found: Plan) -> list[str]:
    """The site's module lines before the environment or the container, in place of the script's own."""
    rest = _without_the_sites(lines, site)
    wanted = _within_options(_module_lines(rest, site), rest)
    if wanted and _stand_in(wanted, lines):
        return lines
    if not wanted:
        if _loads_pytorch(lines) and site.name != "practice":  # whose modules the course's scripts load
            found.notes.append(f"No PyTorch module of {site.title} is known: put its module lines in place of ours.")
        return lines
    own = [n for n, line in enumerate(lines) if MODULE.match(line)]
    kept = [line for n, line in enumerate(lines) if n not in own]
    if own:
        place = own[0]
        found.notes.append(f"The script's own module lines were replaced by those of {site.title}.")
    else:
        place = next(n for n, line in enumerate(kept) if ENVIRONMENT.match(line) or _runs_container(line))
        while place > 0 and kept[place - 1].endswith("\\"):  # the container stands within a longer command
            place -= 1
    kept[place:place] = wanted + _activation(lines, wanted, site, found)
    # A task of pbsdsh gets no variables and no functions: only a login shell knows what "module" is.
    return [line.replace("pbsdsh -- /bin/bash -ec ", "pbsdsh -- /bin/bash -lec ") for line in kept]


def _without_the_sites(lines: list[str], site: Site) -> list[str]:
    """The lines without those that the site's file names: what a script needs is told by its own."""
    named = {line for key in ("python", "pytorch", "container") for line in site.get(f"software.{key}") or []}
    return ["" if line.strip() in named and not SWITCH.fullmatch(line) else line for line in lines]


# Lines of a site's file that switch an option of the shell off and on again around a command that cannot bear it.
SWITCH = re.compile(r"set [-+](\w)")


def _within_options(wanted: list[str], lines: list[str]) -> list[str]:
    """The site's lines without those that would switch on an option of the shell that is not in force there."""
    place = next((n for n, line in enumerate(lines) if ENVIRONMENT.match(line) or _runs_container(line)), len(lines))
    above = [line for line in lines[:place] if re.match(r"set [-+]", line)]
    return [line for line in wanted if not (found := SWITCH.fullmatch(line)) or _in_force(found[1], above)]


def _in_force(letter: str, lines: list[str]) -> bool:
    """Whether the last of these ``set`` lines that speaks of an option of the shell switches it on."""
    name = {"u": "nounset", "e": "errexit"}.get(letter, letter)
    for line in reversed(lines):
        found = re.search(rf"([-+])(?:\w*{letter}\w*|\w*o\s+{name})(?=\s|$)", line)
        if found:
            return found[1] == "-"
    return False


def _stand_in(wanted: list[str], lines: list[str]) -> bool:
    """Whether the site's lines stand in the script already, one below the other."""
    bare = [re.sub(r"\s+#.*", "", line).strip() for line in lines]
    return any(bare[n : n + len(wanted)] == wanted for n in range(len(bare)))


def _activation(lines: list[str], wanted: list[str], site: Site, found: Plan) -> list[str]:
    """The line that activates an environment, where a module brought PyTorch and none of the site's modules does."""
    has_other = any(ENVIRONMENT.match(line) or _runs_container(line) for line in lines)
    if has_other or not _loads_pytorch(lines) or _loads_pytorch(wanted) or any(map(ENVIRONMENT.match, wanted)):
        return []
    found.notes.append(f"{site.title} has no PyTorch module: the job activates an environment that you make once.")
    return ["source .venv/bin/activate  # EDIT: your own environment"]


def _loads_pytorch(lines: list[str]) -> bool:
    """Whether a module line names PyTorch, in whatever spelling."""
    return any(MODULE.match(line) and "torch" in line.lower() for line in lines)


def _module_lines(lines: list[str], site: Site) -> list[str]:
    wanted: list[str] = []
    if any(ENVIRONMENT.match(line) for line in lines) or _loads_pytorch(lines):
        wanted += site.get("software.pytorch") or site.get("software.python") or []
    elif any(MODULE.match(line) for line in lines):
        wanted += site.get("software.python") or []
    if any(_runs_container(line) for line in lines):
        wanted += [line for line in site.get("software.container", []) if line not in wanted]
    return wanted


def _runs_container(line: str) -> bool:
    return bool(CONTAINER.search(line)) and not line.lstrip().startswith("#") and not MODULE.match(line)


def _guard(scheduler: str, site: Site) -> list[str]:
    """Lines that stop a job which was submitted from a place where the site cannot run it."""
    rule, path = site.get("run_from.rule"), site.get("run_from.path", "")
    folder = f"${dialect(scheduler).variable(Notion.SUBMIT_DIR)}"
    if rule == "only":
        test, place = f"{folder} != {path}/*", f"submit from {path}"
    elif rule == "not-home":
        test, place = f'{folder}/ == "$HOME"/*', "do not submit from the home directory"
    else:
        return []
    message = f"{site.title}: {place}. {site.get('run_from.why', '')}".strip().replace('"', "'")
    return [f"if [[ {test} ]]; then", f'    echo "{message}" >&2', "    exit 1", "fi"]


def _with_pals(lines: list[str], site: Site, found: Plan) -> list[str]:
    """HPE PALS starts the tasks: its mpiexec passes folder, variables and exit status."""
    for number, line in enumerate(lines):
        if launch := PBSDSH.match(line):
            return _with_pals(_pals_for_pbsdsh(lines, number, launch, site, found), site, found)
        if re.match(r"\s*mpirun ", line):
            return _with_pals(_pals_for_mpirun(lines, number, site, found), site, found)
    return lines


def _pals_for_pbsdsh(lines: list[str], start: int, old: re.Match[str], site: Site, found: Plan) -> list[str]:
    """The launch by mpiexec, without the lines that read the tasks' exit status from what pbsdsh printed."""
    program = old["program"].replace("bash -ec", "bash -lec")
    launch = f'mpiexec -n "$(wc --lines < "$PBS_NODEFILE")" --ppn 1 --cpu-bind none {program}{old["rest"]}'
    report = re.escape(old["variable"])
    reads_report = re.compile(
        rf'echo "\${report}"|\[\[ \${report} != \*"exit status"\* \]\](?: \|\| \w+=1)?|# .*\bpbsdsh\b.*'
    )
    rest = [line for line in lines[start + 1 :] if not reads_report.fullmatch(line)]
    if any(re.search(rf"\${{?{report}\b", line) for line in rest):
        raise CannotFill(
            f"{site.title} starts tasks with mpiexec, and the script does more with the output of pbsdsh "
            f"({old['variable']}) than print it and look for an exit status. Write the launch with mpiexec first."
        )
    note = f"pbsdsh was replaced by mpiexec, the launcher of {site.title}."
    if note not in found.notes:
        found.tell(note, "pbsdsh")
    return [*(line for line in lines[:start] if not reads_report.fullmatch(line)), launch, *rest]


def _pals_for_mpirun(lines: list[str], start: int, site: Site, found: Plan) -> list[str]:
    end = start
    while lines[end].endswith("\\") and end + 1 < len(lines):
        end += 1
    command = " ".join(line.rstrip("\\").strip() for line in lines[start : end + 1]).removeprefix("mpirun ")
    given = {}
    while option := OPEN_MPI.match(command):  # up to the program: what stands behind it is the program's
        given[option["name"]] = option["value"]
        command = command[option.end() :]
    each = re.fullmatch(r"ppr:(\d+):node(?::\S+)?", given.get("map-by", ""))
    if command.startswith("-") or ("map-by" in given and not each):
        option = command.split()[0] if command.startswith("-") else f"--map-by {given['map-by']}"
        raise CannotFill(f"{site.title} has no Open MPI, and its mpiexec has no option for mpirun's {option}.")
    ranks, depth = int(each[1]) if each else found.needs.tasks, found.cpus_per_task
    # The node file has one line for each rank, as mpirun needed it.
    number = given.get("np", given.get("n", '"$(wc --lines < "$PBS_NODEFILE")"'))
    launch = f"mpiexec -n {number} --ppn {ranks} --depth={depth} --cpu-bind depth"
    note = f"mpirun was replaced by mpiexec, the launcher of {site.title}."
    if note not in found.notes:
        found.tell(note, "mpirun")
    found.because(f"{note} It knows the nodes of its job.", "mpirun hostfile", nearest="nothing is needed")
    found.because(f"{note} It passes all variables.", "mpirun export", nearest="nothing is needed")
    kept = [line for line in lines[:start] if "mpirun" not in line or not line.startswith("#")]
    return [*kept, f"{launch} \\", f"    {command}", *lines[end + 1 :]]


def with_own_name(text: str, script: Script, saved_as: Path | None, found: Plan) -> str:
    """A job that submits its own script again must name the filled one, not the generic one."""
    own = Path(script.path).name
    if not re.search(rf"scripts/\w+/{re.escape(own)}", text):
        return text
    if saved_as is None:
        found.notes.append(f"The job submits its script again: put the filled one's path in place of {own} in it.")
        return text
    return re.sub(rf"scripts/\w+/{re.escape(own)}", lambda _: saved_as.as_posix(), text)
