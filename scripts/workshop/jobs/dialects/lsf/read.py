"""Reading a script as ``bsub < script`` does.

Rules (IBM Spectrum LSF 10.1, bsub; behavior on files seen with OpenLava): ``#BSUB`` lines count wherever they stand;
a word that begins with ``#`` ends a line's options; of a repeated option the last wins, but ``-R`` strings add up.
"""

from __future__ import annotations

import re

from workshop.jobs.dialects.lsf.resources import (
    LEGACY_GPU,
    GpuRequest,
    ResourceRequest,
    mended,
    parse_gpu,
    parse_name,
    parse_slots,
)
from workshop.jobs.dialects.lsf.words import split
from workshop.jobs.model import Directive, Finding, JobRequest, Memory, Script, Signal
from workshop.jobs.parts import blanks, sources
from workshop.jobs.parts.directives import respelt, revalued, shebang_on_top
from workshop.jobs.parts.leftover import RETYPE, Places, dashes, in_straight_quotes, item, plain_value
from workshop.jobs.parts.lexer import UnmatchedQuote
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.text import BLANKS, CLOSING, plain_ascii, typographic, words
from workshop.jobs.parts.units import MINUTE, lsf_size, lsf_time, meant_memory, meant_time
from workshop.jobs.parts.usage import is_usage

MAGIC = re.compile(r"^(?P<indent>[ \t]*)#BSUB(?P<rest>.*)$")
LOOKS_LIKE = re.compile(r"^\s*#(?P<space>[ \t]*)(?P<word>bsub)(?P<rest>\s+-\S.*)$", re.IGNORECASE)

# An unquoted -R string that a blank has cut: sections, or one of them with blanks at its operators.
SECTIONS = re.compile(r"(?:[a-z]+\[[^\[\]]*\]\s*)+")

VALUE = words("""
    -a -alloc_flags -app -b -c -C -cn_cu -cn_mem -core_isolation -csm -cwd -D -data -datagrp -E -Ep -e -eo
    -env -eptl -ext -F -f -freq -G -g -gpu -hostfile -i -is -J -Jd -jsdl -jsdl_strict -jsm -json -k -L -Lp -M
    -m -mig -n -nnodes -network -notify -o -oo -outdir -P -p -pack -ptl -Q -q -R -rnc -S -s -sla -smt -sp
    -stage -step_cgroup -T -t -U -u -v -W -We -w -wa -wt -yaml -jobgroup
    -jobaff -ln_slots -rcacct -Jm -clusters -ln_mem -extsched
    """)
FLAG = words(
    """-B -H -hl -I -Ip -Is -IS -ISp -ISs -IX -K -N -r -rn -ti -tty -ul -x -XF -h -V -Ne -nojob -q_all
    -Zs -ar -datachk -nopfs"""
)
LONGEST_FIRST = sorted(VALUE, key=len, reverse=True)

# Options whose value may have blanks, in quotes; of the second a blank can mean nothing else.
IN_QUOTES = ("-J", "-alloc_flags", "-m")
HOLD_BLANKS = (*IN_QUOTES, "-R", "-gpu", "-w", "-q", "-o", "-e")

# What of rusage[…] other facts speak of.
RUSAGE_READ = {"mem", *LEGACY_GPU}

COPIED = {
    "-G": "user_group",
    "-app": "application",
    "-m": "hosts",
    "-sla": "service_class",
    "-U": "reservation",
    "-Q": "requeue_exit_codes",
    "-cwd": "chdir",
    "-outdir": "output_dir",
    "-b": "begin",
    "-t": "end_by",
    "-L": "shell",
    "-i": "input",
    "-is": "input",
    "-a": "esub",
    "-alloc_flags": "alloc_flags",
    "-Lp": "license_project",
    "-g": "job_group",
    "-sp": "priority",
    "-E": "pre_exec",
    "-Ep": "post_exec",
    "-f": "copy_files",
    "-ext": "ext",
    "-c": "cpu_limit",
    "-v": "swap_limit",
    "-p": "process_limit",
    "-T": "thread_limit",
    "-Jd": "description",
    "-We": "time_estimate",
    "-jsm": "jsm",
    "-csm": "csm",
    "-C": "core_limit",
    "-D": "data_limit",
    "-F": "file_limit",
    "-S": "stack_limit",
    "-k": "checkpoint",
}

# Options that add up where they are given several times; of every other one the last wins. -R adds up by sections
# (ResourceRequest).
ADDS_UP = {"-f"}


def option_words(words: list[str]) -> int:
    """How many of the words behind ``bsub`` are its options: the first other one is the command that is to run."""
    count = 0
    while count < len(words) and words[count].startswith("-"):
        name, glued = _option(words[count])
        count += 2 if name in VALUE and not glued else 1
    return min(count, len(words))


def read(lines: list[str], script: Script) -> None:
    """Fills ``script`` from ``lines``."""
    LsfReader(lines, script).read()


ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")
ENDS_A_LOG = re.compile(r"%J|%I|\.(?:out|err|log|txt|stdout|stderr)\Z")


class LsfReader:
    """One reading of one file."""

    def __init__(self, lines: list[str], script: Script) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.script = script
        self.options: dict[str, str | None] = {}
        self.where: dict[str, int] = {}
        self.resources = ResourceRequest()
        self.places = Places(0, "", [], None)  # of the line that is being read
        self.unclaimed = False  # a resource string that only the submitting file knows

    def say(
        self, rule: str, severity: str, line: int | None, message: str, fix: str = "", source: str = sources.BSUB
    ) -> None:
        self.script.problems.append(Finding(rule, severity, line, message, fix, source))

    def read(self) -> None:
        self._shebang()
        self._command_line()
        first = 0
        number = 1
        while number <= len(self.lines):
            line = self.lines[number - 1]
            match = MAGIC.match(line)
            if match:
                number = self._directive(match, number)
                continue
            if line.strip(BLANKS) and not line.lstrip(BLANKS).startswith("#"):
                first = first or number
            self._lookalike(line, number)
            number += 1
        self.script.body_line = first or len(self.lines) + 1
        self.script.body = "\n".join(self.lines[self.script.body_line - 1 :])
        self._late(first)
        self.script.request = self._request()

    def _command_line(self) -> None:
        """The options behind bsub, which win over the lines of the file."""
        submission = self.script.seen.submission
        if submission:
            self.places = Places(submission.line, "", [], None)  # these words are not the file's lines
            self._words([(word, word) for word in submission.words], submission.line)

    def _wins(self, name: str, number: int) -> bool:
        """True where an option was given behind bsub already, so that the one of line ``number`` is void."""
        submission = self.script.seen.submission
        return bool(submission) and self.where.get(name) == submission.line != number

    def _shebang(self) -> None:
        start = self.script.seen.first_line
        first = self.lines[start - 1] if len(self.lines) >= start else ""
        if first.startswith("#!"):
            self.script.shebang = first[2:].strip()
        elif any(line.strip() for line in self.lines) and not self.script.seen.generated:
            told = any(re.match(r"[ \t]*#BSUB\s+-L\s*\S", line) for line in self.lines)
            self.say(
                "shebang_missing_or_not_first_line",
                "note" if told else "warning",
                start,
                "The first line is no #! line: LSF runs the script all the same, with /bin/sh, the login shell or the "
                "one of -L; "
                "Slurm would refuse the file.",
                shebang_on_top(self.lines, start),
                sources.BSUB_SCRIPT,
            )

    def _late(self, first: int) -> None:
        late = [d.line for d in self.script.directives if first and d.line > first]
        if late and not self.script.seen.generated:
            self.say(
                "directives_not_at_top",
                "note",
                late[0],
                f"LSF reads #BSUB lines anywhere, so line {late[0]} counts for the whole job although commands stand "
                "above it. Slurm and PBS would ignore it.",
                "keep all #BSUB lines at the top",
                sources.BSUB_SCRIPT,
            )

    def _lookalike(self, line: str, number: int) -> None:
        match = LOOKS_LIKE.match(line)
        if not match or "#BSUB" in line or is_usage(match, option_words):
            return
        if match["space"] and match["word"] == "BSUB":
            self.say(
                "space_in_directive_may_be_active",
                "warning",
                number,
                "'# BSUB' with a blank is a comment by IBM's documentation, but some LSF parsers obey it.",
                f"#BSUB{match['rest']}, or ##BSUB{match['rest']} if it is meant to be off",
                sources.BSUB_SCRIPT,
            )
            return
        self.script.ignored_lines.append(number)
        self.say(
            "lowercase_directive",
            "warning",
            number,
            "This line is not written in capitals, so for bsub it is a comment.",
            f"#BSUB{match['rest']}, or ##BSUB{match['rest']} if it is meant to be off",
            sources.BSUB_SCRIPT,
        )

    def _directive(self, match: re.Match[str], number: int) -> int:
        text, following = match["rest"], number + 1
        while text.endswith("\\") and following <= len(self.lines):
            text = text[:-1] + " " + re.sub(r"^[ \t]*#BSUB", "", self.lines[following - 1])
            following += 1
        if match["indent"]:
            self.say(
                "indented_directive",
                "note",
                number,
                "LSF skips blanks in front of #BSUB; its documentation wants the "
                "directive at the beginning of the line, and Slurm insists on column 1.",
                respelt(number, self.lines[number - 1], 0, len(match["indent"]), ""),
                sources.BSUB_SCRIPT,
            )
        text = self._plain(text, number)
        try:
            words = split(text.rstrip("\\"))
        except UnmatchedQuote as quote:
            self.say("unmatched_quote", "error", number, f"The quote in '{quote}' is not closed.", "close the quote")
            return following
        start = match.start("rest") if following == number + 1 else None
        self.places = Places(number, self.lines[number - 1], [raw for _, raw in words], start)
        self._words(words, number)
        return following

    def _plain(self, text: str, number: int) -> str:
        """The text as it was meant, where it has blanks that are none."""
        if text.isascii():
            return text
        try:
            read = " ".join(raw for _, raw in split(text))
        except UnmatchedQuote:
            read = text
        found = blanks.finding(number, f"#BSUB{text}", read, refused=True, whose="bsub")
        if found is None:
            return text
        self.script.problems.append(found)
        return blanks.with_plain_blanks(text)

    def _words(self, words: list[tuple[str, str]], number: int) -> None:
        rest = list(words)
        while rest:
            word, raw = rest.pop(0)
            if not word.startswith("-"):
                self._left_over(word, raw, rest, number)
                return
            name, glued = _option(word)
            if name is None:
                self._unknown(word, rest, number)
                return
            if name in FLAG:
                self._set(name, None, number)
                continue
            if not glued and not rest:
                self.say("missing_value", "error", number, f"{name} needs a value.", f"{name} VALUE")
                return
            at = len(words) - len(rest) - 1
            span = self.places.span(at, len(name)) if raw.startswith(name) else None
            if glued.startswith("="):
                self._equals(name, glued, number, span)
            if not glued:
                glued, span = rest.pop(0)[0], self.places.span(at + 1)
            self._set(name, glued, number, span)

    def _equals(self, name: str, value: str, number: int, span: tuple[int, int] | None) -> None:
        """``-n=4``: the equals sign becomes part of the value."""
        self.say(
            "equals_after_short_option",
            "error" if name in ("-n", "-W", "-q", "-M", "-R") else "warning",
            number,
            f"The equals sign belongs to the value: bsub reads '{value}'.",
            respelt(number, self.places.line, span[0], span[0] + 1, " ") if span else f"{name} {value[1:]}",
        )

    def _unknown(self, word: str, rest: list[tuple[str, str]], number: int) -> None:
        if typographic(word):
            self._typographic(word, rest, number)
            return
        self.say("unknown_option", "error", number, f"bsub: illegal option '{word}'.", "see bsub -h")

    def _typographic(self, word: str, rest: list[tuple[str, str]], number: int) -> None:
        names = ", ".join(sorted({name for _, name in typographic(word)}))
        index = len(self.places.raws) - len(rest) - 1
        span = self.places.span(index)
        self.say(
            "non_ascii_dash",
            "warning",
            number,
            f"'{word}' has a typographic character ({names}): bsub does not see an option there.",
            dashes(number, self.places.line, span[0], self.places.raws[index]) if span else RETYPE,
        )

    def _left_over(self, word: str, raw: str, rest: list[tuple[str, str]], number: int) -> None:
        if typographic(word) and plain_ascii(word).startswith("-"):
            self._typographic(word, rest, number)
            return
        text = " ".join([raw, *(other for _, other in rest)])
        last = self.script.directives[-1] if self.script.directives else None
        value = last is not None and last.line == number and last.option in HOLD_BLANKS
        rule = "spaces_around_equals" if word.startswith("=") else "unquoted_space"
        rule = rule if value or word.startswith("=") else "trailing_text_without_hash"
        self.say(
            rule,
            "warning",
            number,
            f"A blank ends the value: bsub takes '{text}' for the command to run, not for part of the option.",
            self._in_one(rule, rest, number),
        )

    def _in_one(self, rule: str, rest: list[tuple[str, str]], number: int) -> str:
        """The value with quotes around all of it, or a remark behind its ``#``."""
        line, last = self.places.line, self.script.directives[-1] if self.script.directives else None
        stray = self.places.span(len(self.places.raws) - len(rest) - 1)
        mailed = last is not None and last.line == number and last.option in ("-N", "-B", "-Ne")
        if stray and mailed and ADDRESS.fullmatch(self.places.raws[-1]) and not rest:
            return respelt(number, line, stray[0], stray[0], "-u ")
        if not stray or last is None or last.line != number or last.span is None:
            return 'quotes around a value with blanks, "# " in front of a remark'
        value = line[last.span[0] :].rstrip()
        whole = in_straight_quotes(number, line, last.span[0])
        if whole and (rule == "unquoted_space" or value[-1] in CLOSING):
            return whole
        if rule == "trailing_text_without_hash":
            remark = line[stray[0] :]
            prose = re.search(r"[A-Za-z]{2}", remark) and not re.search(r"(^|\s)-|[=\[]", remark)
            return respelt(number, line, stray[0], stray[0], "# ") if prose else f"# {remark}, if it is a remark"
        if last.option in ("-o", "-e", "-oo", "-eo") and ENDS_A_LOG.search(last.value or ""):
            return respelt(number, line, stray[0], stray[0], "# ")
        plain = not re.search(r"[\"'#\\]|\s-\w", value)
        if plain and (last.option in IN_QUOTES or (last.option == "-R" and SECTIONS.fullmatch(value))):
            return respelt(number, line, last.span[0], last.span[0] + len(value), f'"{value}"')
        return f'{last.option} "{value}", if all of it is the value' if plain else "quotes around the whole value"

    def _set(self, name: str, value: str | None, number: int, span: tuple[int, int] | None = None) -> None:
        if name != "-R" and self._wins(name, number):
            return
        text = self.lines[number - 1] if number <= len(self.lines) else ""
        self.script.directives.append(Directive(number, text, name, value, span))
        for char, what in typographic(value or "")[:1]:
            self.say(
                "non_ascii_dash",
                "warning",
                number,
                f"'{value}' has a typographic character ({what} {char}).",
                plain_value(number, text, span),
            )
        if name == "-R":
            self._resource_string(value or "", number)
            return
        if name in self.options and self.options[name] != value and name not in ADDS_UP:
            self.say(
                "duplicate_option",
                "warning",
                number,
                f"{name} is given twice ({self.options[name]}, {value}). The last one wins, for the whole job.",
                f"keep one {name}",
            )
        self.options[name] = value
        self.where[name] = number

    def _resource_string(self, text: str, number: int) -> None:
        self.where.setdefault("-R", number)
        for section in re.findall(r"\b(span|rusage)\[", text):
            self.where.setdefault(section, number)
        if self.script.unclaimed(text):
            self.unclaimed = True
        text, bad = mended(text)
        try:
            self.resources.add(text)
        except BadValue as worse:
            bad = bad or worse
        if bad:
            fix = item(self.script.directives, number, "-R", bad.old, bad.value) if bad.value else bad.fix
            self.say(bad.rule, "error", number, bad.message, fix, sources.LSF_R)
        if self.resources.hosts not in (None, 1, -1):
            self.say(
                "span_hosts_only_one",
                "warning",
                self.where.get("span", number),
                f"span[hosts={self.resources.hosts}] is not defined: hosts takes 1 (all slots on one host) or -1. Some "
                "versions refuse the string.",
                self._ptile_instead(),
                sources.LSF_SPAN,
            )

    def _ptile_instead(self) -> str:
        slots, hosts = self.options.get("-n") or "", self.resources.hosts or 1
        if slots.isdigit() and hosts > 1 and int(slots) % hosts == 0:
            return f"span[ptile={int(slots) // hosts}] with -n {slots} gives {hosts} hosts"
        return "span[ptile=SLOTS_PER_HOST]: hosts = -n divided by ptile"

    # The request.

    def _try(self, option: str, parse, default):
        text = self.options.get(option)
        if text is None or self.script.unclaimed(text):
            return default
        try:
            return parse(text)
        except BadValue as bad:
            self.say(bad.rule, "error", self.where[option], bad.message, bad.fix)
            return default

    def _request(self) -> JobRequest:
        request = JobRequest()
        self._names(request)
        self._sizes(request)
        self._gpus(request)
        self._memory(request)
        self._rest(request)
        hidden = not self.script.text_known
        if self.unclaimed or self.script.undecided(self.options.get("-n")) or (hidden and "-n" not in self.options):
            request.nodes = request.tasks = request.tasks_per_node = request.cpus_total = None
            request.gpus_total = None
        if self.script.undecided(self.options.get("-gpu")) or (hidden and "-gpu" not in self.options):
            request.gpus_total = request.gpus_per_node = None
        return request

    def _names(self, request: JobRequest) -> None:
        get = self.options.get
        request.job_name, request.array = self._try("-J", parse_name, (None, None))
        request.partition, request.account = get("-q"), get("-P")
        request.dependency, request.mail_user, request.export = get("-w"), get("-u"), get("-env")
        request.constraint = self.resources.select
        request.output = get("-oo") or get("-o")
        request.error = get("-eo") or get("-e")
        if get("-oo") or get("-eo"):
            request.open_mode = "truncate"
            request.extra.overwrite_logs = True
        elif get("-o") or get("-e"):
            request.open_mode = "append"
        kinds = [kind for option, kind in (("-B", "BEGIN"), ("-N", "END"), ("-Ne", "FAIL")) if option in self.options]
        request.mail_type = ",".join(kinds) or None

    def _sizes(self, request: JobRequest) -> None:
        least, most = self._try("-n", parse_slots, (1, 1))
        resources = self.resources
        nodes = self.options.get("-nnodes")
        request.tasks = least
        # ptile is a maximum: fewer slots than that lie on one host.
        request.tasks_per_node = min(resources.ptile, most) if resources.ptile else None
        if least != most:
            request.extra.slots_min, request.extra.slots_max = least, most
        if nodes is not None:
            self._nnodes(request, nodes)
        elif resources.hosts == 1 or most == 1:
            request.nodes = 1
            request.tasks_per_node = request.tasks_per_node or (least if least == most else None)
        elif resources.ptile and not resources.compound and resources.hosts in (None, -1):
            request.nodes = -(-least // resources.ptile)
            if most != least:
                request.extra.nodes_max = -(-most // resources.ptile)
        if resources.ptile:
            request.extra.slots_per_host = resources.ptile
        if least != most:
            request.tasks = None  # known only when the job starts
        request.cpus_per_task = resources.cores or 1
        request.cpus_total = request.tasks * request.cpus_per_task if request.tasks else None
        request.extra.affinity, request.extra.order = resources.affinity or None, resources.order or None
        reserved = [f"rusage[{name}={value}]" for name, value in resources.rusage.items() if name not in RUSAGE_READ]
        request.extra.requirements = " ".join([*resources.beside, *reserved]) or None
        if resources.compound:
            request.extra.compound = True

    def _nnodes(self, request: JobRequest, text: str) -> None:
        if text.isdigit() and int(text) > 0:
            request.nodes = int(text)
            request.tasks = None if "-n" not in self.options else request.tasks
        else:
            self.say(
                "bad_node_count",
                "error",
                self.where["-nnodes"],
                f"-nnodes {text} is not a number of nodes.",
                "-nnodes 2",
            )

    def _gpus(self, request: JobRequest) -> None:
        gpu = self._try("-gpu", parse_gpu, None)
        legacy = next((name for name in LEGACY_GPU if name in self.resources.rusage), None)
        request.gpus_per_node = request.gpus_total = 0
        if "-nnodes" in self.options or re.search(r"^[^#\n]*\bjsrun\b", self.script.body, re.MULTILINE):
            request.gpus_per_node = request.gpus_total = None  # they come with the node; only the site knows
        if gpu:
            request.extra.gpu_mode = gpu.mode
            request.gpu_type = gpu.model
            self._gpu_counts(request, gpu)
        if legacy:
            self._legacy(request, legacy, with_option=gpu is not None)

    def _gpu_counts(self, request: JobRequest, gpu: GpuRequest) -> None:
        if gpu.per_task:
            request.extra.gpus_per_task = gpu.num
            request.gpus_total = gpu.num * request.tasks if request.tasks else None
            request.gpus_per_node = gpu.num * request.tasks_per_node if request.tasks_per_node else None
        else:
            request.gpus_per_node = gpu.num
            request.gpus_total = gpu.num * request.nodes if request.nodes else None
        if request.extra.nodes_max and request.gpus_total:
            request.gpus_total = None

    def _legacy(self, request: JobRequest, name: str, with_option: bool) -> None:
        text = self.resources.rusage[name].split("/")[0]
        if with_option:
            self.say(
                "legacy_gpu_resource_with_gpu_option",
                "warning",
                self.where.get("rusage"),
                f"rusage[{name}={text}] and -gpu both ask for GPUs; which one counts depends on the site's LSF "
                "configuration.",
                "keep -gpu, delete the GPU item of rusage",
                sources.LSF_GPU,
            )
        elif re.fullmatch(r"\d+(\.0+)?", text):
            count = int(float(text))
            self._gpu_counts(request, GpuRequest(count))

    def _memory(self, request: JobRequest) -> None:
        text = self.resources.rusage.get("mem")
        if text is not None:
            value, _, method = text.partition("/")
            size = lsf_size(value)
            scope = {"task": "per_task", "host": "per_node", "job": "total"}.get(method)
            if size is None:
                self._bad_memory(f"rusage[mem={text}]", "rusage")
            else:
                request.mem = Memory(size[0], scope)
                request.extra.mem_request = {"value": size[0], "scope": scope, "written": text}
        limit = self.options.get("-M")
        if limit is not None:
            size = lsf_size(limit.rstrip("!"))
            if size is None:
                self._bad_memory(f"-M {limit}", "-M")
            else:
                request.extra.mem_limit = {"value": size[0], "written": limit}

    def _bad_memory(self, text: str, where: str) -> None:
        if "$" not in text:
            self.say(
                "bad_mem_unit",
                "error",
                self.where.get(where),
                f"LSF refuses the amount in {text}.",
                self._size_in_form(text, where),
                sources.LSF_RUSAGE,
            )

    def _time_in_form(self, text: str) -> str:
        """``-W`` in hours and minutes, where ``4h`` or ``24:00:00`` say what is meant."""
        clock = re.fullmatch(r"(\d+):(\d\d):00", text)
        minutes = int(clock[1]) * 60 + int(clock[2]) if clock else (meant_time(text) or 1) / MINUTE
        directive = self.script.last("-W")
        if directive is None or minutes != int(minutes):
            return "-W HH:MM or whole minutes (LSF has no seconds here)"
        return revalued(directive, f"{int(minutes) // 60}:{int(minutes) % 60:02}")

    def _size_in_form(self, text: str, where: str) -> str:
        """The amount as LSF reads it, where ``8GiB`` says what is meant."""
        written = re.split(r"=|\s", text.rstrip("]"))[-1]
        meant = meant_memory(written.partition("/")[0])
        if not meant:
            return "a whole number with MB or GB"
        option, name = ("-R", "mem=") if where == "rusage" else ("-M", "")
        new = name + meant + "B" + "".join(written.partition("/")[1:])
        return item(self.script.directives, self.where.get(where), option, name + written, new)

    def _rest(self, request: JobRequest) -> None:
        options = self.options
        text = options.get("-W")
        if text is not None:
            request.time_s = lsf_time(text)
            if request.time_s is None and "$" not in text:
                self.say(
                    "bad_time",
                    "error",
                    self.where["-W"],
                    f"{text}: Bad RUNLIMIT specification.",
                    self._time_in_form(text),
                )
        request.exclusive = "-x" in options
        request.requeue = True if "-r" in options else False if "-rn" in options else None
        action, before = options.get("-wa"), options.get("-wt")
        if action:
            minutes = lsf_time(before or "")
            request.signal = Signal(
                action.removeprefix("SIG").upper(), minutes if minutes is not None else MINUTE, "all"
            )
        for option, key in COPIED.items():
            if options.get(option) is not None:
                request.extra.take(**{key: options[option]})
        interactive = [option for option in options if option.startswith("-I")]
        if interactive:
            request.extra.interactive = True
        if "-H" in options:
            request.extra.hold = True


def _option(word: str) -> tuple[str | None, str]:
    """(option, glued value) of a word that begins with a dash: ``-oo``, ``-W10``, ``-n4``."""
    if word in VALUE or word in FLAG:
        return word, ""
    for name in LONGEST_FIRST:
        if word.startswith(name) and len(name) == 2 and not word[2:].isalpha():
            return name, word[2:]
    return None, ""
