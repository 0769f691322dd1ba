"""Changing a script's directives for a site: one function for each scheduler."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from workshop.jobs.dialect import dialect
from workshop.jobs.parts.directives import Header, Line
from workshop.jobs.parts.units import clock
from workshop.sites import Site
from workshop.sites.fill.plan import Plan

MIB = 1024**2


@dataclass(frozen=True)
class Wishes:
    """What the user of `fill` gives: their account and mail address; None = not given."""

    account: str | None = None
    mail: str | None = None


def change(scheduler: str, header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    """Change ``header`` in place so that it asks for what ``plan`` says, in the site's spelling."""
    for option in site.get("directives.never", []):
        header.remove(option)
    WRITERS[dialect(scheduler).package](header, plan, site, wishes, body)
    for text in site.get("directives.always", []):
        if not any(line.text.endswith(text) for line in header.lines):
            header.append(f"{header.keyword} {text}", text.split("=")[0].split()[0])


def account_value(plan: Plan, site: Site, wishes: Wishes) -> tuple[str | None, str]:
    """The account to write, and the comment that goes with it; None = the script needs no account line."""
    if wishes.account:
        return wishes.account, ""
    rule = site.get("account.rule", "optional")
    if rule not in ("required", "required-if-several"):
        return None, ""
    form = site.get("account.gpu_form") if plan.needs.gpus else None
    hint = f" ({site.get('account.find')} lists them)" if site.get("account.find") else ""
    only = "; delete this line if you have only one" if rule == "required-if-several" else ""
    return form or site.get("account.form"), f"EDIT: your own account{hint}{only}"


def _account(header: Header, option: str, plan: Plan, site: Site, wishes: Wishes) -> None:
    value, comment = account_value(plan, site, wishes)
    none = site.get("account.rule") == "none"
    if none or value:
        header.drop_switched_off(option)
    if none:
        if header.remove(option):
            plan.notes.append(f"{site.title} uses no account option; it was taken out.")
    elif value and (wishes.account or header.find(option) is None):
        header.set(option, value, comment)


def _partition(header: Header, option: str, plan: Plan, site: Site) -> None:
    """Name the partition, or leave the default out; where the file lists none the script's line stays."""
    if plan.partition is None:
        return
    if plan.partition.default:
        header.remove(option)
    else:
        header.set(option, plan.partition.name)


def _gpu_request(plan: Plan, site: Site) -> str:
    gpu_type = plan.node.gpu_type if plan.node else None
    return site.get("gpu.request").format(count=plan.needs.gpus, type=gpu_type)


# --- Slurm -------------------------------------------------------------------------------------------


def _slurm(header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    _partition(header, "--partition", plan, site)
    _account(header, "--account", plan, site, wishes)
    _slurm_gpus(header, plan, site)
    _slurm_cores(header, plan, site, body)
    _slurm_memory(header, plan, site)
    _slurm_time(header, plan)
    if plan.node and plan.node.constraint:
        _slurm_constraint(header, plan.node.constraint, site)
    if wishes.mail:
        header.set("--mail-user", wishes.mail, after="--time")
        header.set("--mail-type", "END,FAIL", after="--mail-user")


def _slurm_gpus(header: Header, plan: Plan, site: Site) -> None:
    if not plan.needs.gpus or not site.get("gpu.request"):
        return
    option, _, value = _gpu_request(plan, site).partition("=")
    per_job = [name for name in ("--gpus-per-node", "--gres", "--gpus") if header.find(name)]
    if not per_job:
        return  # --gpus-per-task and the like mean more than a number; they stay as they are
    old = header.find(per_job[0])
    if option not in per_job:
        # The site's spelling is another option: it takes the old line's place.
        assert old is not None
        old.directives = [type(old.directives[0])(0, old.text, option, value)]
    for name in per_job:
        if name != option:
            header.remove(name)
    header.set(option, value)


def _slurm_cores(header: Header, plan: Plan, site: Site, body: str) -> None:
    line = header.find("--cpus-per-task")
    if site.get("memory.rule") == "with-gpus" and plan.needs.gpus and "SLURM_CPUS_PER_TASK" not in body:
        if header.remove("--cpus-per-task"):
            plan.notes.append(f"No cores asked for: at {site.title} they come with the GPU.")
    elif plan.cpus_per_task != (int(line.directives[0].value or 1) if line else 1):
        header.set("--cpus-per-task", str(plan.cpus_per_task))


def _slurm_memory(header: Header, plan: Plan, site: Site) -> None:
    rule = site.get("memory.rule")
    if rule in ("with-cores", "whole-node") or (rule == "with-gpus" and plan.needs.gpus):
        for option in ("--mem", "--mem-per-cpu", "--mem-per-gpu"):
            if header.remove(option):
                what = {"with-cores": "the cores", "with-gpus": "the GPU"}.get(rule, "the node")
                plan.notes.append(f"No memory asked for: at {site.title} it comes with {what}.")
    elif plan.node and plan.node.memory_per_gpu and plan.needs.gpus and header.find("--mem"):
        share = plan.node.memory_per_gpu * plan.needs.gpus
        if plan.needs.memory == share:
            header.set("--mem", f"{share // MIB}M")


def _slurm_time(header: Header, plan: Plan) -> None:
    if plan.raised_time is not None:
        header.set("--time", clock(plan.raised_time))


def _slurm_constraint(header: Header, feature: str, site: Site) -> None:
    line = header.find("--constraint")
    old = (line.directives[0].value or "").strip("\"'") if line else ""
    if feature not in re.split(r"[&|()]", old):
        gpus = site.get("gpu.request", "").partition("=")[0]
        header.set("--constraint", f"{old}&{feature}" if old else feature, after=gpus)


# --- PBS ---------------------------------------------------------------------------------------------


def _pbs(header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    _partition(header, "-q", plan, site)
    _account(header, "-A", plan, site, wishes)
    for line in _lines_with(header, "-l"):
        line.text = re.sub(r"(?<=select=)[^,\s]+", lambda found: _chunks(found.group(), plan, site), line.text)
        if plan.raised_time is not None:
            walltime = f"walltime={clock(plan.raised_time)}"
            line.text = re.sub(r"walltime=[0-9:.]+", walltime, line.text)
    place = site.get("directives.place")
    if place and not any("place=" in line.text for line in _lines_with(header, "-l")):
        header.append(f"{header.keyword} -l place={place}", "-l")
    if wishes.mail:
        header.set("-M", wishes.mail, after="-N")
        header.set("-m", "ae", after="-M")


def _chunks(select: str, plan: Plan, site: Site) -> str:
    return "+".join(_chunk(chunk, plan, site) for chunk in select.split("+"))


def _chunk(chunk: str, plan: Plan, site: Site) -> str:
    """One chunk with the site's spelling of GPUs and what the node's kind and the site want in each."""
    if plan.needs.gpus and site.get("gpu.request"):
        chunk = re.sub(r"ngpus=\d+", _gpu_request(plan, site), chunk)
    wanted = [plan.node.constraint if plan.node else None, site.get("directives.chunk")]
    missing = [resource for resource in wanted if resource and resource not in chunk.split(":")]
    return ":".join([chunk, *missing])


# --- LSF ---------------------------------------------------------------------------------------------


def _lsf(header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    _partition(header, "-q", plan, site)
    _account(header, "-P", plan, site, wishes)
    if plan.needs.gpus and site.get("gpu.request") and header.find("-gpu"):
        option, _, value = _gpu_request(plan, site).partition(" ")
        header.set(option, value)
    if site.get("memory.rule") == "per-slot":
        _lsf_memory_per_slot(header, plan)
    if plan.raised_time is not None:
        header.set("-W", f"{plan.raised_time // 3600}:{plan.raised_time % 3600 // 60:02}")
    constraint = plan.node.constraint if plan.node else None
    if constraint and not any(constraint in line.text for line in _lines_with(header, "-R")):
        header.append(f'{header.keyword} -R "{constraint}"', "-R")
    if wishes.mail:
        header.set("-u", wishes.mail, after="-W")
        header.set("-N", None, after="-u")


def _lsf_memory_per_slot(header: Header, plan: Plan) -> None:
    """The scripts of the course state memory for each host; here rusage[mem=…] counts for every slot."""
    if plan.needs.memory is None:
        return
    megabytes = ceil(plan.needs.memory / plan.needs.tasks / MIB)
    amount = f"{megabytes // 1024}GB" if megabytes % 1024 == 0 else f"{megabytes}MB"
    for line in _lines_with(header, "-R"):
        # A "/host" or "/task" behind the amount said what it counts for: the new amount counts for a slot.
        line.text = re.sub(r"(rusage\[[^\]]*mem=)[0-9.]+[KMGT]?B?(?:/\w+)?", rf"\g<1>{amount}", line.text)
        line.text = re.sub(
            r"(rusage.*# EDIT: memory of) each node.*|(rusage.*# EDIT: memory of) the node.*",
            lambda found: f"{found.group(1) or found.group(2)} each core",
            line.text,
        )
    if plan.needs.tasks > 1:
        plan.notes.append(f"Memory: {amount} for each of the {plan.needs.tasks} slots of a node.")


def _lines_with(header: Header, option: str) -> list[Line]:
    return [line for line in header.lines if option in line.options]


# Package of jobs/dialects -> the function that changes its directives.
WRITERS: dict[str, Callable[..., None]] = {"slurm": _slurm, "pbs": _pbs, "lsf": _lsf}
