"""Comparing what the readers and the checker say with an .expect file (keys: cases/README.md)."""

import pickle
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from workshop.jobs.check import Report, check
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_script
from workshop.yaml_files import read_yaml

KIB = 1024
SAME = {
    "queue": "partition",
    "project": "account",
    "slots": "tasks",
    "hosts": "nodes",
    "chunks": "nodes",
    "ppn": "tasks_per_node",
    "gpus_per_host": "gpus_per_node",
    "gpus_per_chunk": "gpus_per_node",
    "slots_per_host": "tasks_per_node",
    "name": "job_name",
    "mpiprocs_total": "tasks",
    "nodes_min": "nodes",
    "ranks": "tasks",
    "walltime_s": "time_s",
    "cpus": "cpus_total",
    "gpus": "gpus_total",
    "stdout": "output",
    "stderr": "error",
    "workdir": "chdir",
    "licences": "licenses",
    "tasks_min": "tasks",
    "depend": "dependency",
    "gpu_model": "gpu_type",
    "cpus_per_slot": "cpus_per_task",
    "time_limit_s": "time_s",
    "ranks_per_chunk": "tasks_per_node",
    "rerunnable": "requeue",
    "rerun": "requeue",
    "mpiprocs": "tasks_per_node",
}
# The folders of scripts with their right reading, beside this file.
CORPORA = ("cases", "cases_own", "cases_public", "cases_launch")
UNKNOWN = ("DEFAULT", "SITE", "UNCLEAR")
# The machine on which the cases were tried (cases/README.md): for cases that need a profile but describe it in words.
TRIED_ON = Profile(
    "tried", {"gpu": None, "compute": None, "debug": 1800}, {"gpu": ["a100", "v100"]}, ["a100", "v100"], True
)


def cases(folder: Path) -> list[dict]:
    """All cases of ``folder`` with the path of their script under ``path``."""
    return pickle.loads(_read_once(folder))


@cache
def _read_once(folder: Path) -> bytes:
    """The cases, pickled: a dozen test modules ask for the same hundreds of files, and may change what they get."""
    found = []
    for expect in sorted(folder.glob("*.expect")):
        case = read_yaml(expect)
        case["path"] = expect.parent / case.get("file", "")
        if not case["path"].is_file():
            case["path"] = next(path for path in expect.parent.glob(expect.stem + ".*") if path.suffix != ".expect")
        found.append(case)
    return pickle.dumps(found)


def profile_of(case: dict) -> Profile | None:
    """The facts of ``profile_needed``; other words for the same thing are taken, text is not."""
    needed = case.get("profile_needed")
    if not isinstance(needed, dict):
        wants = "gpu_type_or_partition_not_in_profile" in (case.get("warnings_right") or [])
        return TRIED_ON if wants else None
    profile = Profile(str(needed.get("name", "case")))
    partitions = needed.get("partitions") or {}
    profile.complete = bool(partitions)
    if isinstance(partitions, dict):
        for name, facts in partitions.items():
            profile.partitions[name] = facts.get("max_time_s") if isinstance(facts, dict) else None
            if isinstance(facts, dict) and facts.get("gpu_types"):
                profile.partition_gpu_types[name] = list(facts["gpu_types"])
    else:
        profile.partitions.update(dict.fromkeys(partitions))
    partition = needed.get("partition") or needed.get("queue")
    if isinstance(partition, str):
        profile.partitions[partition] = needed.get("max_time_s")
    types = needed.get("gpu_types") or needed.get("types") or needed.get("gpus")
    if isinstance(types, (list, dict)):
        profile.gpu_types = [str(name) for name in types]
    elif isinstance(types, str):
        profile.gpu_types = re.findall(r"[A-Za-z]\w+", types)
    for key in ("gpus_per_node", "cpus_per_node", "totals", "slurm_version"):
        if key in needed:
            setattr(profile, key, needed[key])
    profile.memory_per_task = needed.get("per_task_memory", needed.get("memory_per_task"))
    profile.memory_unit = needed.get("memory_unit", needed.get("LSF_UNIT_FOR_LIMITS"))
    parse = needed.get("parse_script", needed.get("LSB_BSUB_PARSE_SCRIPT"))
    profile.parse_script = parse if isinstance(parse, bool) else {"Y": True, "y": True}.get(parse)
    return profile


def size(text) -> int | None:
    """Bytes of ``30G``, ``64gb``, ``768GB``, ``64M``; None for anything else."""
    match = re.fullmatch(r"(\d+)\s*([kmgtp]?)b?", str(text), re.IGNORECASE)
    return int(match[1]) * KIB ** " kmgtp".index(match[2].lower() or " ") if match else None


def actual_value(key: str, request: dict):
    """The value that stands in the JSON request for a key of an .expect file."""
    memory = request.get("mem") or {}
    if key in ("mem_per_node", "mem_per_chunk", "mem_per_host"):
        return memory.get("value") if memory.get("scope") == "per_node" else request.get("mem_per_node")
    if key == "mem_total":
        return request.get("mem_total") or _total_memory(memory, request)
    if key == "mem":
        return memory.get("value")
    if key in ("mem_request", "mem_limit"):
        return {name: (request.get(key) or {}).get(name) for name in ("value", "scope")}
    if key in ("nodes_max", "nodes_min") and key not in request:
        return request.get("nodes")
    name = SAME.get(key, key)
    if name not in request:
        inside = [value[name] for value in request.values() if isinstance(value, dict) and name in value]
        return inside[0] if inside else None
    return request[name]


def _total_memory(memory: dict, request: dict) -> int | None:
    """Bytes of the whole job, where the request says enough."""
    factor = {
        "total": 1,
        "per_node": request.get("nodes"),
        "per_cpu": request.get("cpus_total"),
        "per_task": request.get("tasks"),
        "per_gpu": request.get("gpus_total"),
    }.get(memory.get("scope"))
    return memory["value"] * factor if factor and memory.get("value") else None


def _as_text(actual) -> set[str]:
    """Short forms in which a case may write an array or a signal: ``1-10%2``, ``B:USR1@120``."""
    if not isinstance(actual, dict):
        return {str(actual)}
    if "indices" in actual:
        limit = f"%{actual['max_running']}" if actual["max_running"] else ""
        return {actual["indices"] + limit, actual["indices"]}
    if "before_s" in actual:
        short = f"{actual['name']}@{actual['before_s']}"
        return {short, f"B:{short}", actual["name"]}
    return {str(actual)}


def same_value(expected, actual) -> bool:
    """True where the two mean the same."""
    if expected in UNKNOWN:
        return actual is None
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(same_value(value, actual.get(key)) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(actual, list) and len(expected) == len(actual) and all(map(same_value, expected, actual))
    if isinstance(expected, str):
        bytes_ = size(expected)
        if bytes_ is not None and isinstance(actual, int) and not expected.isdigit():
            return bytes_ == actual
        if expected.upper() in ("UNLIMITED", "NO LIMIT"):
            return actual == 0
        plain = expected.replace("<submit dir>/", "").replace("<jobid>", "%j")
        return bool(_as_text(actual) & {expected, plain})
    if isinstance(expected, bool) or expected is None:
        return actual is expected or (expected is False and actual is None)
    return str(expected) == str(actual)


@dataclass
class Score:
    """What was right and what was not in one case.

    Attributes:
        values, warnings: (right, asked). missed: what was asked and not found. false: alarms that are wrong here.
        unasked: warnings and errors that the case does not name either way.
    """

    name: str
    values: tuple[int, int] = (0, 0)
    warnings: tuple[int, int] = (0, 0)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)


def report_of(case: dict) -> Report:
    """The checker's report on a case, handed over as the case says."""
    return check(read_script(case["path"], case["scheduler"]), profile_of(case), case.get("submit"))


def score(case: dict) -> Score:
    """Reads and checks the case's script and compares everything that its .expect file states."""
    report = report_of(case)
    plain = report.to_dict()
    found = Score(case["path"].name)
    wanted = [(key, value, actual_value(key, plain["request"])) for key, value in (case.get("effective") or {}).items()]
    wanted += [
        (f"if fixed: {key}", value, actual_value(key, plain["request"]))
        for key, value in (case.get("effective_if_fixed") or {}).items()
    ]
    wanted += _parts("component", case.get("components"), plain["request"].get("components"))
    wanted += _parts("chunk", case.get("chunks"), plain["request"].get("chunks"))
    if "ignored_lines" in case:
        wanted.append(("ignored_lines", case["ignored_lines"], plain["ignored_lines"]))
    wanted.append(("verdict", case["verdict"], plain["verdict"]))
    wrong = [
        f"{key}: expected {value}, read {actual}" for key, value, actual in wanted if not same_value(value, actual)
    ]
    found.values = (len(wanted) - len(wrong), len(wanted))
    rules = {finding.rule for finding in report.findings}
    right = set(case.get("warnings_right") or [])
    found.warnings = (len(right & rules), len(right))
    found.missed = wrong + [f"no {rule}" for rule in sorted(right - rules)]
    found.false = sorted(rules & set(case.get("warnings_wrong") or []))
    loud = {finding.rule for finding in report.of("error", "warning")}
    found.unasked = sorted(loud - right - set(case.get("notes_ok") or []))
    return found


def _parts(name: str, expected: list | None, actual: list | None) -> list[tuple]:
    rows = []
    for number, part in enumerate(expected or []):
        there = actual[number] if actual and number < len(actual) else {}
        get = actual_value if name == "component" else lambda key, values: values.get(key)
        rows += [(f"{name} {number} {key}", value, get(key, there)) for key, value in part.items()]
    return rows
