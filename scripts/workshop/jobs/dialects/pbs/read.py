"""Reading a script as qsub does: PBS Pro and OpenPBS, and Torque's dialect.

Rules (qsub(1B), pbs_resources(7B), qsub.c; checked with OpenPBS 23.06): ``#PBS`` may be indented; a backslash at the
end continues the line; reading stops at the first command; words that are left over on a line are an error in PBS Pro
and are thrown away in Torque; of a repeated ``-l`` item the first counts, of any other repeated option the last.
"""

from __future__ import annotations

import re

from workshop.jobs.dialects.pbs.directives import PbsDirectives, option_words
from workshop.jobs.dialects.pbs.resources import (
    CHUNK_LEVEL,
    TORQUE_WORDS,
    WITH_WHOLE_NODES,
    Chunk,
    amount,
    chunk_memory,
    misspelt,
    parse_nodes,
    parse_place,
    parse_select,
    pbs_amount,
    same,
    total,
)
from workshop.jobs.model import Array, Edit, JobRequest, Memory, Script, Write
from workshop.jobs.parts import indices, sources
from workshop.jobs.parts.leftover import item
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.text import typographic
from workshop.jobs.parts.units import clock, meant_time, pbs_size, pbs_time, slurm_time

__all__ = ["option_words", "read"]  # what the readers of every scheduler have

TORQUE_RESOURCES = {
    "gpus": "select=…:ngpus=N",
    "procs": "select=N:ncpus=1",
    "naccesspolicy": "place=exclhost",
    "feature": "a site's own resource in select",
}
NAME = re.compile(r"[A-Za-z0-9_+\-.\[\]]+")
# Torque takes every printable character behind a letter (ck_job_name.c).
TORQUE_NAME = re.compile(r"[A-Za-z][!-~]*")


def read(lines: list[str], script: Script) -> None:
    """Fills ``script`` from ``lines``; its scheduler says which dialect counts."""
    PbsReader(lines, script).read()


class PbsReader(PbsDirectives):
    """One reading of one file: the request that its directives make."""

    def read(self) -> None:
        """Fills the script."""
        self.read_directives()
        self.script.request = self._request()

    def _request(self) -> JobRequest:
        request = JobRequest(gpus_total=0, gpus_per_node=0)
        self._names(request)
        self._times(request)
        self._array(request)
        try:
            self._sizes(request)
        except BadValue as bad:
            line = self._line("select", "nodes", "place")
            fix = item(self.script.directives, line, "-l", bad.old, bad.value) if bad.value else bad.fix
            self.say(bad.rule, "error", line, bad.message, fix, sources.PBS_RESOURCES)
        if not self.script.text_known and not set(self.resources) & {"select", "nodes"}:
            request.gpus_total = request.gpus_per_node = None  # the job's own lines may ask for some
        return request

    def _line(self, *names: str) -> int | None:
        return next((self.where[name] for name in names if name in self.where), None)

    def _names(self, request: JobRequest) -> None:
        get = self.options.get
        request.job_name, request.partition = get("N"), get("q")
        request.output, request.error = get("o"), get("e")
        request.mail_user, request.mail_type = get("M"), get("m")
        request.account = get("A") if self.torque else get("P") or get("A")
        if not self.torque and get("P") and get("A"):
            request.extra.account_string = get("A")
        request.join = {"oe": "oe", "eo": "eo"}.get(get("j") or "")
        request.export = "ALL" if "V" in self.options else get("v")
        request.requeue = {"y": True, "n": False}.get(get("r") or "")
        request.dependency = self.attributes.get("depend")
        self._check_name(request.job_name)
        for letter, key in (
            ("S", "shell"),
            ("k", "keep"),
            ("p", "priority"),
            ("a", "begin"),
            ("d", "chdir"),
            ("w", "chdir"),
        ):
            if letter in self.options:
                request.extra.take(**{key: self.options[letter]})
        if "V" in self.options and get("v"):
            request.extra.variables = get("v")
        others = {k: v for k, v in self.attributes.items() if k != "depend"}
        if others:
            request.extra.attributes = others
        for letter, values in (("j", ("oe", "eo", "n")), ("r", ("y", "n"))):
            if letter in self.options and self.options[letter] not in values:
                self.say(
                    "bad_value",
                    "error",
                    self.where[letter],
                    f"illegal -{letter} value '{self.options[letter]}'.",
                    f"-{letter} {values[0]}",
                )

    def _check_name(self, name: str | None) -> None:
        if name is None or "$" in name or typographic(name) or self.script.unclaimed(name):
            return
        line = self.where["N"]
        longest = 15 if self.torque else 230
        if not (TORQUE_NAME if self.torque else NAME).fullmatch(name):
            self.say(
                "bad_job_name",
                "error",
                line,
                f"illegal -N value: '{name}' has a character that PBS refuses in a name.",
                f"-N {re.sub(r'[^A-Za-z0-9_.+-]+', '_', name)}, for example: letters, digits, _ - + . only",
            )
        elif len(name) > longest:
            self.say(
                "bad_job_name",
                "note" if self.torque else "error",
                line,
                f"The name has {len(name)} characters; {longest} are allowed"
                + (" by older Torque." if self.torque else "."),
                "a shorter -N",
            )

    def _times(self, request: JobRequest) -> None:
        text = self.resources.get("walltime")
        if text is None:
            return
        request.time_s = pbs_time(text, self.torque)
        if request.time_s is None and "$" not in text and not self.script.unclaimed(text):
            self.say(
                "bad_time",
                "error",
                self.where["walltime"],
                f"PBS refuses walltime={text}: Illegal attribute or resource value.",
                self._time_in_form(text),
                sources.PBS_RESOURCES,
            )

    def _time_in_form(self, text: str) -> str:
        """The walltime as PBS reads it, where ``4h`` or Slurm's ``1-12:00:00`` say what it is."""
        seconds = meant_time(text) or (slurm_time(text) if "-" in text else None)
        if not seconds:
            return "walltime=HH:MM:SS"
        line, new = self.where["walltime"], f"walltime={clock(seconds)}"
        return item(self.script.directives, line, "-l", f"walltime={text}", new)

    def _size_in_form(self, name: str, text: str) -> str:
        size = pbs_amount(text)
        if size is None:
            return f"{name}= with a whole number and kb, mb, gb or tb"
        return item(self.script.directives, self.where[name], "-l", f"{name}={text}", f"{name}={size}")

    def _array(self, request: JobRequest) -> None:
        letter = "t" if self.torque else "J"
        text = self.options.get(letter)
        if text is None or self.script.unclaimed(text):
            return
        request.array = parse_torque_array(text) if self.torque else parse_array(text)
        if request.array is None:
            self.say(
                "bad_array",
                "error",
                self.where[letter],
                f"illegal -{letter} value '{text}'.",
                "-t 1-10%2 or 1,3,5" if self.torque else "-J 1-10, 0-9:3 or 1-10%2",
            )

    def _sizes(self, request: JobRequest) -> None:
        resources = self.resources
        others = sorted(set(resources) - CHUNK_LEVEL - STANDARD)
        own = {name: resources[name] if resources[name] is not None else True for name in others}
        request.extra.resources = own or None
        if "wd" in resources:
            request.extra.start_in_submit_dir = True
        if resources.get("place"):
            self._place(request, resources["place"])
        self._mixed()
        self._torque_resources()
        self._misspelt()
        if any(self.script.unclaimed(resources.get(name)) for name in ("select", "nodes", *CHUNK_LEVEL)):
            request.gpus_total = request.gpus_per_node = None
        elif resources.get("select"):
            chunks, problems = parse_select(resources["select"])
            for bad in problems:
                line = self.where["select"]
                fix = item(self.script.directives, line, "-l", bad.old, bad.value) if bad.value else bad.fix
                self.say(bad.rule, "error", line, bad.message, fix, sources.PBS_RESOURCES)
            self._chunks(request, chunks)
        elif resources.get("nodes"):
            self._nodes(request)
        elif any(resources.get(name) for name in (*CHUNK_LEVEL, "gpus", "procs", "pmem")):
            self._job_wide(request)
        if resources.get("nodes") and not request.gpus_total and any(map(resources.get, WITH_WHOLE_NODES)):
            request.gpus_total = request.gpus_per_node = None  # PBS Pro's old form has no word for those of the node
        if any(self.script.undecided(resources.get(name)) for name in ("select", "nodes", *CHUNK_LEVEL)):
            request.nodes = request.tasks = request.tasks_per_node = None
            request.cpus_per_task = request.cpus_total = request.gpus_total = request.gpus_per_node = None

    def _place(self, request: JobRequest, text: str) -> None:
        """Where the chunks lie; what is refused there does not end the reading of the chunks."""
        try:
            request.place = parse_place(text)
        except BadValue as bad:
            fix = item(self.script.directives, self.where["place"], "-l", bad.old, bad.value) if bad.value else bad.fix
            self.say(bad.rule, "error", self.where["place"], bad.message, fix, sources.PBS_RESOURCES)
            return
        request.exclusive = bool(re.search(r"\bexcl(host)?\b", request.place))

    def _mixed(self) -> None:
        """select= with nodes= or with job-wide chunk resources is refused by PBS Pro."""
        resources = self.resources
        if not resources.get("select") and not (resources.get("place") and not self.torque):
            return
        clash = [name for name in ("nodes", *sorted(CHUNK_LEVEL)) if name in resources]
        if resources.get("nodes") and not resources.get("select"):
            clash = ["nodes"]
        if clash:
            what = "select" if resources.get("select") else "place"
            self.say(
                "mixed_old_and_new_resource_syntax",
                "error",
                self.where[clash[0]],
                f"'{clash[0]}=' and '{what}=' exclude each other: PBS Pro refuses the job "
                f'("cannot be used with select or place").',
                "PBS Pro: everything inside -l select=…; Torque: everything inside -l nodes=…",
                sources.PBS_RESOURCES,
            )

    def _torque_resources(self) -> None:
        if self.torque:
            return
        for name, instead in TORQUE_RESOURCES.items():
            if name in self.resources:
                self.say(
                    "torque_only_options_on_pbspro",
                    "error",
                    self.where[name],
                    f"'-l {name}=' is Torque's: OpenPBS answers 'Unknown resource Resource_List.{name}'.",
                    f"-l {instead}",
                    sources.PBS_RESOURCES,
                )

    def _misspelt(self) -> None:
        """Names of resources one letter away from PBS's own, and Torque's words in a chunk."""
        found: dict[int, list[tuple[str, str, str]]] = {}
        for name, line, in_chunk in self._named_resources():
            meant = misspelt(name, in_chunk)
            if meant:
                word = (
                    "is Torque's word, no resource of a chunk"
                    if name.lower() in TORQUE_WORDS
                    else "is no resource of PBS"
                )
                found.setdefault(line, []).append((name, f"'{name}' {word}", meant))
        for line, names in found.items():
            told = ", ".join(said for _, said, _ in names)
            self.say(
                "misspelt_pbs_resource",
                "warning",
                line,
                f"{told}. Unless the site made one of that name, qsub refuses the job: Unknown resource.",
                self._respelt(line, [(name, meant) for name, _, meant in names]),
                sources.PBS_RESOURCES,
            )

    def _respelt(self, line: int, names: list[tuple[str, str]]) -> str:
        """The right names; with the edits where all of them are PBS's own but for a letter."""
        told = "; ".join(f"{meant} for {name}" for name, meant in names)
        edits: list[Edit] = []
        for name, meant in names:
            one = item(self.script.directives, line, "-l", f"{name}=", f"{meant}=")
            edits += one.edits if isinstance(one, Write) and name.lower() not in TORQUE_WORDS else ()
        return Write(told, *edits) if len(edits) == len(names) else told

    def _named_resources(self) -> list[tuple[str, int, bool]]:
        """(name, line, whether it stands in a chunk of select=) of every resource that the script names."""
        found = [(name, self.where[name], False) for name in self.resources]
        for list_, in_chunk in (("select", True), ("nodes", False)):
            pieces = re.split(r"[:+]", self.resources.get(list_) or "")
            found += [(piece.partition("=")[0], self.where[list_], in_chunk) for piece in pieces if "=" in piece]
        return found

    def _chunks(self, request: JobRequest, chunks: list[Chunk]) -> None:
        request.nodes = sum(chunk.count for chunk in chunks)
        request.tasks = total(chunks, "mpiprocs", 1)
        request.tasks_per_node = same(chunks, "mpiprocs") or (1 if not any(c.get("mpiprocs") for c in chunks) else None)
        request.cpus_total = total(chunks, "ncpus", 1)
        each = {(chunk.ncpus, chunk.mpiprocs) for chunk in chunks}
        if len(each) == 1:
            ncpus, mpiprocs = each.pop()
            request.cpus_per_task = max(ncpus // max(mpiprocs, 1), 1)
        request.gpus_total = total(chunks, "ngpus")
        request.gpus_per_node = (same(chunks, "ngpus") or 0) if request.gpus_total == 0 else same(chunks, "ngpus")
        if any(chunk.is_whole_node for chunk in chunks):
            request.gpus_total = request.gpus_per_node = None  # they come with the node; only the site knows
            if any(chunk.resources for chunk in chunks):  # of a bare chunk PBS's own default is one CPU
                request.cpus_total = request.cpus_per_task = None
        request.gpu_type = same(chunks, "gpu_type") or same(chunks, "accelerator_model") or same(chunks, "gpu_model")
        request.mem = chunk_memory(chunks)
        request.extra.chunks = [{"count": chunk.count, **chunk.resources} for chunk in chunks]
        if request.mem:
            request.extra.mem_total = total(chunks, "mem")
        if same(chunks, "ompthreads"):
            request.extra.threads_per_task = same(chunks, "ompthreads")

    def _nodes(self, request: JobRequest) -> None:
        specs = parse_nodes(self.resources["nodes"])
        request.nodes = sum(spec.count for spec in specs)
        request.tasks = sum(spec.count * spec.ppn for spec in specs)
        ppn = {spec.ppn for spec in specs}
        request.tasks_per_node = ppn.pop() if len(ppn) == 1 else None
        request.cpus_per_task, request.cpus_total = 1, request.tasks
        request.extra.ppn = request.tasks_per_node
        gpus = {spec.gpus or 0 for spec in specs}
        request.gpus_total = sum(spec.count * (spec.gpus or 0) for spec in specs)
        request.gpus_per_node = gpus.pop() if len(gpus) == 1 else None
        properties = [
            name for spec in specs for name in spec.properties if not name.startswith(("shared", "exclusive"))
        ]
        if any(name.startswith("ngpus=") for name in properties):
            request.gpus_total = request.gpus_per_node = None  # PBS Pro's word in Torque's place: versions differ
        request.constraint = ":".join(dict.fromkeys(properties)) or None
        self._node_faults(request, specs)
        self._job_memory(request)

    def _without_memory(self, specs) -> str:
        """The nodes and the memory apart: a total of the job, so that it cannot be told for several nodes."""
        memory = next(spec.mem for spec in specs if spec.mem)
        nodes = self.resources["nodes"].replace(f":{memory}", "")
        each = ", times the number of nodes" if sum(spec.count for spec in specs) > 1 else ""
        return f"-l nodes={nodes} -l {memory}{each}"

    def _node_faults(self, request: JobRequest, specs) -> None:
        line = self.where["nodes"]
        if any(spec.mem for spec in specs):
            self.say(
                "mem_inside_nodes_spec",
                "warning" if self.torque else "error",
                line,
                f"Memory is no part of a node: '{next(s.mem for s in specs if s.mem)}' inside nodes= is taken for a "
                "node property, which no node has, or is dropped.",
                self._without_memory(specs),
                sources.TORQUE_QSUB,
            )
        if "ppn" in self.resources:
            self.say(
                "comma_ends_node_spec",
                "warning" if self.torque else "error",
                self.where["ppn"],
                "The comma ends the node specification: ppn= is now an item of its own, and each node has one process.",
                f"-l nodes={self.resources['nodes']}:ppn={self.resources['ppn']}",
                sources.TORQUE_QSUB,
            )
        if "gpus" in self.resources:
            request.gpus_total = request.gpus_per_node = None
            self.say(
                "comma_ends_node_spec",
                "warning",
                self.where["gpus"],
                "The comma ends the node specification: gpus= is now an item of the whole job, which sites treat "
                "differently, and not a number of GPUs on each node.",
                f"-l nodes={self.resources['nodes']}:gpus={self.resources['gpus']}",
                sources.TORQUE_QSUB,
            )
        if not self.torque and any(spec.gpus for spec in specs):
            self.say(
                "torque_only_options_on_pbspro",
                "error",
                line,
                "':gpus=' inside nodes= is Torque's: OpenPBS answers 'node(s) specification error'.",
                "-l select=2:ncpus=4:mpiprocs=4:ngpus=1",
                sources.PBS_RESOURCES,
            )
        if not self.torque and "gpus" not in self.resources and request.place is None:
            request.place = "scatter"

    def _job_memory(self, request: JobRequest) -> None:
        for name, scope in (("mem", "total"), ("pmem", "per_task")):
            text = self.resources.get(name)
            if text is None or "$" in text:
                continue
            value = pbs_size(text)
            if value is None:
                self.say(
                    "bad_mem_unit",
                    "error",
                    self.where[name],
                    f"PBS refuses the size '{name}={text}'.",
                    self._size_in_form(name, text),
                    sources.PBS_RESOURCES,
                )
                continue
            request.mem = Memory(value, scope)
            request.extra.take(**{f"mem_{scope}": value})

    def _job_wide(self, request: JobRequest) -> None:
        """Without select and nodes: one chunk with everything (OpenPBS), or totals that the site splits."""
        known = {name: self.resources[name] for name in sorted(CHUNK_LEVEL) if self.resources.get(name)}
        chunk = Chunk(1, {name: amount(name, value) for name, value in known.items()})
        totals = set(self.resources) & SITE_TOTALS
        request.cpus_total = chunk.ncpus
        request.gpus_total = chunk.get("ngpus", 0)
        procs = self.resources.get("procs")
        if procs and procs.isdigit():
            request.tasks, request.cpus_total, request.cpus_per_task = int(procs), int(procs), 1
        if self.resources.get("gpus"):
            request.gpus_total = request.gpus_per_node = None
        self._job_memory(request)
        if totals:
            request.gpus_per_node = None if request.gpus_total else 0
            self.script.seen.totals_style = True
        elif not procs and not self.resources.get("gpus"):
            self._one_chunk(request, chunk)

    def _one_chunk(self, request: JobRequest, chunk: Chunk) -> None:
        request.nodes, request.tasks = 1, chunk.mpiprocs
        request.tasks_per_node = chunk.mpiprocs
        request.cpus_per_task = max(chunk.ncpus // max(chunk.mpiprocs, 1), 1)
        request.gpus_per_node = request.gpus_total
        if chunk.get("ompthreads"):
            request.extra.threads_per_task = chunk.get("ompthreads")
        if not self.torque:
            request.place = request.place or "pack"
            request.extra.chunks = [{"count": 1, **chunk.resources}]
            if request.mem and request.mem.scope == "total":
                request.mem = Memory(request.mem.value, "per_node")


# Job-wide resources of PBS itself; anything else is a site's own.
STANDARD = {
    "select",
    "nodes",
    "place",
    "walltime",
    "cput",
    "pcput",
    "nice",
    "software",
    "file",
    "pmem",
    "pvmem",
    "procs",
    "gpus",
    "min_walltime",
    "max_walltime",
    "soft_walltime",
    "preempt_targets",
    "wd",
}
# Their presence shows a site that takes ncpus, ngpus and mem as totals of the job.
SITE_TOTALS = {"wd", "storage", "jobfs"}


def parse_array(text: str) -> Array | None:
    """PBS Pro's ``X-Y[:Z][%max]``; None where qsub refuses it."""
    body, percent, limit = text.partition("%")
    found = indices.spans(body)
    if not found or len(found) > 1 or found[0][0] == found[0][1] or (percent and not _is_number(limit)):
        return None
    return indices.array(found, body, int(limit) if percent else None)


def parse_torque_array(text: str) -> Array | None:
    """Torque's ``0-9%3`` or ``1,3,5-7``; None where it does not parse."""
    body, _, limit = text.partition("%")
    found = indices.spans(body, steps=False)
    if not found or indices.too_many(found) or (limit and not _is_number(limit)):
        return None
    return indices.array(found, body, int(limit) if limit else None)


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"\d+", text, re.ASCII))
