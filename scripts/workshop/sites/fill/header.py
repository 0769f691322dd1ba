"""Changing a script's directives for a site: one function for each scheduler."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from workshop.jobs.dialect import dialect
from workshop.jobs.parts.directives import Header, Line
from workshop.jobs.parts.units import clock
from workshop.sites import Site
from workshop.sites.fill.plan import GPU_OPTIONS, Plan

MIB = 1024**2


@dataclass(frozen=True)
class Wishes:
    """What the user of `fill` gives: their account and mail address; None = not given."""

    account: str | None = None
    mail: str | None = None


def change(scheduler: str, header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    """Change ``header`` in place so that it asks for what ``plan`` says, in the site's spelling."""
    for text in site.get("directives.never", []):
        _never(header, text, plan, site)
    WRITERS[dialect(scheduler).package](header, plan, site, wishes, body)
    for text in site.get("directives.always", []):
        _always(header, text, plan, site)


def _never(header: Header, text: str, plan: Plan, site: Site) -> None:
    """Take out an option that the site refuses; ``-k but doe`` is one of which it takes that value alone."""
    option, _, allowed = text.partition(" but ")
    given = [one for line in header.lines for one in line.directives if one.option == option]
    if given and not (allowed and all(one.value == allowed for one in given)):
        header.remove(option)
        values = " ".join(one.value or "" for one in given)
        only = f" but {allowed}" if allowed else ""
        text = f"Left out: {option} {values}. {site.title} takes no {option}{only}."
        plan.tell(text, option, nearest=f"{option} {allowed}" if allowed else f"{site.title} without it")


def _always(header: Header, text: str, plan: Plan, site: Site) -> None:
    """Add an option that every job of the site needs; where the script has it with another value, that value stays."""
    option, value = re.fullmatch(r"(--?[\w-]+)[ =]?(.*)", text).groups()
    name = value.partition("=")[0] + "=" if header.keyword == "#PBS" and option == "-l" else ""
    for line in header.lines:
        for one in line.directives:
            parts = (one.value or "").split(",") if name else [one.value or ""]
            own = next((part for part in parts if one.option == option and part.startswith(name)), None)
            if own is not None:
                if own.strip("\"'") != value:
                    plan.notes.append(f"{option} {own} stays; {site.title} wants {value} in every job.")
                return
    header.append(f"{header.keyword} {text}", option, value)
    key = f"{option} {name.rstrip('=')}" if name else option
    plan.tell(f"Added: {text}. {site.title} wants it in every job.", key)


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
            text = f"{site.title} uses no account option; it was taken out."
            plan.tell(text, option, nearest="your login decides")
    elif value and (wishes.account or header.find(option) is None):
        header.set(option, value, comment)
        plan.because("You named it." if wishes.account else f"{site.title} wants an account in every job.", option)


def _partition(header: Header, option: str, plan: Plan, site: Site) -> None:
    """Name the partition, or leave the default out; where the file lists none the script's line stays."""
    chosen, line = plan.partition, header.find(option)
    own = line.directives[0].value if line else None
    if chosen is None or chosen.name == own:
        return
    word = dialect(site.scheduler).queue
    if not chosen.default:
        header.set(option, chosen.name)
        instead = f" in place of '{own}'" if own else ""
        note = f" {chosen.note.rstrip('.')}." if chosen.note else ""
        plan.tell(f"{word.capitalize()} '{chosen.name}'{instead}: it takes this job.{note}", option)
    elif header.remove(option):
        text = f"Left out: {word} '{own}'. The default of {site.title}, '{chosen.name}', takes this job."
        plan.tell(text, option, nearest=f"the default {word}, '{chosen.name}'")


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
        _slurm_constraint(header, plan, plan.node.constraint, site)
    if wishes.mail:
        plan.because("You gave an address: mail at the job's end or failure.", "--mail-user", "--mail-type")
        header.set("--mail-user", wishes.mail, after="--time")
        header.set("--mail-type", "END,FAIL", after="--mail-user")


# A GPU among the resources of --gres: gpu, gpu:2, gpu:a100, gpu:a100:2, also gres/gpu.
GRES = re.compile(r"(?:gres[/:])?gpu(?::(?P<type>[A-Za-z][^:,]*))?(?::(?P<count>\d+))?")


def _slurm_gpus(header: Header, plan: Plan, site: Site) -> None:
    """The site's spelling where it says the same; else the script's own, with the type that the site wants."""
    if not plan.needs.gpus or not site.get("gpu.request"):
        return
    asking = [line for name in GPU_OPTIONS["slurm"] for line in _lines_with(header, name) if _gpu_value(line)]
    new = _gpu_request(plan, site)
    # Of two lines that ask, the other one would hold once this one has another option: they keep theirs.
    own = asking[0].directives[0].option if len(asking) == 1 else None
    if own in GPU_OPTIONS["slurm"][:2] or (own == "--gpus" and plan.needs.even_gpus):
        (line,) = asking
        old = _gpu_value(line)
        if not _taken(own, old, plan, site):
            _respell_gpus(header, line, old, new)
            plan.tell(f"{new} in place of {own}={old}: so {site.title} asks for GPUs.", own, new.partition("=")[0])
        return
    for line in asking:
        _with_type(header, line, plan, site)


def _unquoted(line: Line) -> str:
    return (line.directives[0].value or "").strip("\"'")


def _gpu_value(line: Line) -> str | None:
    """What the line asks of GPUs: the value, and of --gres the part that is for GPUs; None where it asks for none."""
    value = _unquoted(line)
    if line.directives[0].option != "--gres":
        return value or None
    return next((part for part in value.split(",") if GRES.fullmatch(part)), None)


def _taken(option: str, value: str, plan: Plan, site: Site) -> bool:
    """Whether the site's file has this spelling, in ``gpu.request`` or ``gpu.also``."""
    kind = plan.node.gpu_type if plan.node else None
    forms = [site.get("gpu.request"), *site.get("gpu.also", [])]
    spelled = [form.format(count=plan.needs.gpus, type=kind) for form in forms if "{count}" in form]
    return f"{option}={value}" in spelled


def _respell_gpus(header: Header, line: Line, old: str, new: str) -> None:
    """The option ``new`` in place of what ``line`` asks of GPUs; other resources of --gres stay."""
    option, _, value = new.partition("=")
    directive = line.directives[0]
    there = _lines_with(header, option)
    if option == "--gres" and directive.option != "--gres" and there:
        # sbatch takes the last --gres alone: the GPUs join the resources that stand there already.
        header.rename(there[-1], option, f"{value},{_unquoted(there[-1])}")
        header.lines.remove(line)
        return
    others = [part for part in _unquoted(line).split(",") if part != old]
    if directive.option != "--gres" or not others:
        header.rename(line, option, value)
    elif option == "--gres":
        header.rename(line, option, ",".join([value, *others]))
    else:
        header.rename(line, "--gres", ",".join(others))
        header.add(option, value, after="--gres")


def _with_type(header: Header, line: Line, plan: Plan, site: Site) -> None:
    """The type of the GPUs put into an option whose number is no number a node."""
    kind, old = plan.node.gpu_type if plan.node else None, _gpu_value(line)
    typed = "{type}" in site.get("gpu.request")
    if old is None or not typed or kind is None or re.search(rf"\b{re.escape(kind)}:", old + ":"):
        return
    number = old.rpartition(":")[2] if old.rpartition(":")[2].isdigit() else "1"
    prefix = "gpu:" if line.directives[0].option == "--gres" else ""
    new = f"{prefix}{kind}:{number}"
    option = line.directives[0].option
    parts = _unquoted(line).split(",")
    header.rename(line, option, ",".join(new if part == old else part for part in parts))
    plan.tell(f"{option}={new} in place of {old}: {site.title} wants the type of GPU.", option)


def _slurm_cores(header: Header, plan: Plan, site: Site, body: str) -> None:
    line = header.find("--cpus-per-task")
    if site.get("memory.rule") == "with-gpus" and plan.needs.gpus and "SLURM_CPUS_PER_TASK" not in body:
        if header.remove("--cpus-per-task"):
            text = f"No cores asked for: at {site.title} they come with the GPU."
            plan.tell(text, "--cpus-per-task", nearest="the cores that come with each GPU")
    elif plan.cores_changed and plan.cpus_per_task != (int(line.directives[0].value or 1) if line else 1):
        header.set("--cpus-per-task", str(plan.cpus_per_task))


def _slurm_memory(header: Header, plan: Plan, site: Site) -> None:
    rule = site.get("memory.rule")
    if rule in ("with-cores", "whole-node") or (rule == "with-gpus" and plan.needs.gpus):
        for option in ("--mem", "--mem-per-cpu", "--mem-per-gpu"):
            if header.remove(option):
                what = {"with-cores": "the cores", "with-gpus": "the GPU"}.get(rule, "the node")
                plan.tell(f"No memory asked for: at {site.title} it comes with {what}.", option, nearest=what)
    elif plan.node and plan.node.memory_per_gpu and plan.needs.gpus and header.find("--mem"):
        share = plan.node.memory_per_gpu * plan.needs.gpus
        if plan.needs.memory == share:
            header.set("--mem", f"{share // MIB}M")


def _slurm_time(header: Header, plan: Plan) -> None:
    if plan.raised_time is not None:
        header.set("--time", clock(plan.raised_time))


def _slurm_constraint(header: Header, plan: Plan, feature: str, site: Site) -> None:
    line = header.find("--constraint")
    old = (line.directives[0].value or "").strip("\"'") if line else ""
    if feature not in re.split(r"[&|()]", old):
        gpus = site.get("gpu.request", "").partition("=")[0]
        header.set("--constraint", f"{old}&{feature}" if old else feature, after=gpus)
        plan.because(f"{site.title} tells its nodes apart by it: '{feature}' has what the job needs.", "--constraint")


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
    lines = [line.text for line in _lines_with(header, "-l")]
    if place and any("select=" in line for line in lines) and not any("place=" in line for line in lines):
        header.append(f"{header.keyword} -l place={place}", "-l", f"place={place}")
        plan.tell(f"Added: -l place={place}, as {site.title} advises.", "-l place")
    if wishes.mail:
        plan.because("You gave an address: mail when the job ends or fails.", "-M", "-m")
        header.set("-M", wishes.mail, after="-N")
        header.set("-m", "ae", after="-M")


def _chunks(select: str, plan: Plan, site: Site) -> str:
    return "+".join(_chunk(chunk, plan, site) for chunk in select.split("+"))


def _chunk(chunk: str, plan: Plan, site: Site) -> str:
    """One chunk with the site's spelling of GPUs and what the node's kind and the site want in each."""
    if plan.needs.gpus and site.get("gpu.request"):
        kind = plan.node.gpu_type if plan.node else None
        request = site.get("gpu.request")
        old, chunk = chunk, re.sub(r"ngpus=([1-9]\d*)", lambda was: request.format(count=was[1], type=kind), chunk)
        if chunk != old:
            plan.because(f"{chunk} in place of {old}: so {site.title} asks for GPUs.", "-l ngpus")
    wanted = [plan.node.constraint if plan.node else None, site.get("directives.chunk")]
    missing = [resource for resource in wanted if resource and resource not in chunk.split(":")]
    for resource in missing:
        name = resource.partition("=")[0]
        plan.because(f"Added to each chunk: {resource}, by which {site.title} tells its nodes apart.", f"-l {name}")
    return ":".join([chunk, *missing])


# --- LSF ---------------------------------------------------------------------------------------------


def _lsf(header: Header, plan: Plan, site: Site, wishes: Wishes, body: str) -> None:
    _partition(header, "-q", plan, site)
    _account(header, "-P", plan, site, wishes)
    if plan.needs.gpus and site.get("gpu.request") and header.find("-gpu"):
        _lsf_gpus(header, plan, site)
    if site.get("memory.rule") == "per-slot":
        _lsf_memory_per_slot(header, plan)
    if plan.raised_time is not None:
        header.set("-W", f"{plan.raised_time // 3600}:{plan.raised_time % 3600 // 60:02}")
    constraint = plan.node.constraint if plan.node else None
    if constraint and not any(constraint in line.text for line in _lines_with(header, "-R")):
        header.append(f'{header.keyword} -R "{constraint}"', "-R", constraint)
        plan.because(f"{site.title} tells its hosts apart by it.", "-R")
    if wishes.mail:
        plan.because("You gave an address: mail when the job ends.", "-u", "-N")
        header.set("-u", wishes.mail, after="-W")
        header.set("-N", None, after="-u")


def _lsf_gpus(header: Header, plan: Plan, site: Site) -> None:
    """The site's own keys of -gpu, put into what the script has: its model, exclusiveness and the like stay."""
    line = header.find("-gpu")
    old = (line.directives[0].value or "").strip("\"'") if line else ""
    wanted = _gpu_request(plan, site).partition(" ")[2].strip("\"'")
    keys = dict(part.partition("=")[::2] for part in old.split(":") if part and old != "-")
    for key, value in (part.partition("=")[::2] for part in wanted.split(":")):
        if key != "num" or not keys.get("num", "").startswith(value):  # "2/host" is the same number, and says more
            keys[key] = value
    new = ":".join(f"{key}={value}" for key, value in keys.items())
    if new != old:
        header.set("-gpu", f'"{new}"')
        plan.tell(f'-gpu "{new}" in place of "{old}": {site.title} wants {wanted}.', "-gpu")


# How the course's scripts say that their memory counts for a host: behind the directive, and to be changed with it.
OF_A_NODE = re.compile(r"(# EDIT: memory of) (?:each node|the node)\b.*")
MEMORY = re.compile(r"(rusage\[[^\]]*\bmem=)([0-9.]+[KMGT]?B?)(?![\w./])")


def _lsf_memory_per_slot(header: Header, plan: Plan) -> None:
    """Memory that the script says it counts for each host, as it counts here: for each slot.

    Only the scripts of the course do so, in their comment. All other amounts count for a slot already, or say
    themselves (``8GB/host``) what they count for.
    """
    slots = plan.needs.tasks
    for line in _lines_with(header, "-R"):
        found = MEMORY.search(line.text)
        if plan.needs.memory is None or found is None or not OF_A_NODE.search(line.text):
            continue
        megabytes = ceil(plan.needs.memory / slots / MIB)
        amount = f"{megabytes // 1024}GB" if megabytes % 1024 == 0 else f"{megabytes}MB"
        line.text = OF_A_NODE.sub(r"\1 each core", MEMORY.sub(rf"\g<1>{amount}", line.text))
        if slots > 1:
            plan.tell(f"Memory: {found[2]} for a node became {amount} for each of its {slots} slots.", "-R")


def _lines_with(header: Header, option: str) -> list[Line]:
    return [line for line in header.lines if option in line.options]


# Package of jobs/dialects -> the function that changes its directives.
WRITERS: dict[str, Callable[..., None]] = {"slurm": _slurm, "pbs": _pbs, "lsf": _lsf}
