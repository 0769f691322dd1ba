"""Job scripts made from the tables by which they are read: any options of sbatch, qsub and bsub, any of a launcher.

Each option that a scheduler knows is in the pool, with a value that it takes; those that no script can have (the
scheduler refuses them, ends at once or does not start a job) are left out by asking ``workshop check``.
"""

from functools import cache

from hypothesis import strategies as st
from jobfiles import KEYWORDS

from workshop.jobs.check import check
from workshop.jobs.dialects.lsf import read as lsf
from workshop.jobs.dialects.pbs import directives as pbs
from workshop.jobs.dialects.slurm import options as slurm
from workshop.jobs.launch import tables
from workshop.jobs.read import read_text

# Values of options that do not take any word.
SLURM = {
    "account": ["proj1"], "array": ["0-9", "1-10:3%2", "1,3,7"], "begin": ["now+1hour"], "constraint": ["skylake"],
    "cores-per-socket": ["4"], "core-spec": ["1"], "cpu-freq": ["high"], "cpus-per-gpu": ["2"],
    "cpus-per-task": ["1", "4"], "deadline": ["2030-01-01"], "delay-boot": ["5"],
    "dependency": ["afterok:41", "singleton"], "distribution": ["block:cyclic"], "error": ["%x-%j.err"],
    "exclude": ["node7"], "exclusive": ["user", ""], "export": ["ALL", "NONE", "ALL,A=1"], "gpu-bind": ["closest"],
    "gpu-freq": ["medium"], "gpus": ["2", "a100:2"], "gpus-per-node": ["2", "a100:2"], "gpus-per-task": ["1"],
    "gpus-per-socket": ["1"], "gres": ["gpu:2", "gpu:1,tmp:10G"], "hint": ["nomultithread"], "input": ["in.txt"],
    "job-name": ["train", "a-b"], "kill-on-invalid-dep": ["yes"], "licenses": ["matlab:1"],
    "mail-type": ["END", "END,FAIL", "ALL"], "mail-user": ["me@example.org"], "mem": ["8G", "0", "1500M"],
    "mem-per-cpu": ["2G"], "mem-per-gpu": ["8G"], "mem-bind": ["local"], "mincpus": ["2"], "nice": ["100", ""],
    "nodelist": ["node1"], "nodes": ["1", "2", "3"], "ntasks": ["2", "4", "6"], "ntasks-per-core": ["1"],
    "ntasks-per-gpu": ["1"], "ntasks-per-node": ["1", "2"], "ntasks-per-socket": ["1"], "open-mode": ["append"],
    "output": ["%x-%j.out"], "partition": ["gpu", "a,b"], "priority": ["7"], "qos": ["high"], "signal": ["B:USR1@90"],
    "sockets-per-node": ["2"], "switches": ["1"], "thread-spec": ["1"], "threads-per-core": ["1"],
    "time": ["30", "1:30:00", "2-0"], "time-min": ["10"], "tmp": ["10G"], "wait-all-nodes": ["1"],
    "tres-per-task": ["cpu=2"], "extra-node-info": ["2"], "profile": ["all"], "power": ["level"], "chdir": ["/work"],
    "segment": ["2"], "uid": [], "gid": [], "wrap": [], "nodefile": [], "get-user-env": [],
}  # fmt: skip
SLURM_NONE = {"help", "usage", "version", "test-only", "external", "wait"}
PBS = {
    "A": ["proj1"], "a": ["2359"], "c": ["n"], "e": ["err.txt"], "h": [""], "j": ["oe", "eo"], "J": ["0-9", "1-10:3%2"],
    "k": ["oe", "doe"], "M": ["me@example.org"], "m": ["abe", "n"], "N": ["train"], "o": ["out.txt"], "p": ["7"],
    "P": ["proj2"], "q": ["workq"], "r": ["y", "n"], "R": ["oe"], "S": ["/bin/bash"], "u": ["me"],
    "v": ["A=1,B=2"], "V": [""], "W": ["depend=afterok:41", "umask=022", "group_list=g"],
    "l": ["select=1:ncpus=4:mem=8gb", "select=2:ncpus=4:mpiprocs=2:ngpus=1:mem=8gb", "select=2:ncpus=8:mpiprocs=1",
          "select=1:ncpus=2:scratch_local=10gb", "select=1:ncpus=4:ngpus=2:gpu_model=a100:system=x", "walltime=1:00:00",
          "place=scatter", "place=scatter:excl", "cput=20:00", "filesystems=home:eagle", "software=matlab"],
}  # fmt: skip
LSF = {
    "-n": ["1", "4", "8"], "-W": ["30", "1:30"], "-q": ["gpu"], "-P": ["proj1"], "-J": ["train", "t[1-10]%2"],
    "-R": ['"span[hosts=1]"', '"span[ptile=2]"', '"rusage[mem=4GB]"', '"select[model==X] rusage[mem=2GB,scratch=20]"',
           '"affinity[core(2)]"'],
    "-gpu": ['"num=1"', '"num=2:mode=exclusive_process"', '"num=1:gmodel=TeslaV100:j_exclusive=yes"'],
    "-M": ["8GB"], "-w": ['"done(41)"'], "-wa": ["USR1"], "-wt": ["5"], "-m": ["host1"], "-b": ["20:00"],
    "-t": ["20:00"], "-env": ["all", "none"], "-u": ["me@example.org"], "-nnodes": [], "-sp": ["7"], "-s": ["USR1"],
    "-v": ["8GB"], "-C": ["0"], "-c": ["10"], "-F": ["100"], "-p": ["10"], "-S": ["100"], "-T": ["50"], "-D": ["100"],
    "-E": ["/bin/true"], "-Ep": ["/bin/true"], "-L": ["/bin/bash"], "-Q": ["75"], "-i": ["in.txt"], "-is": ["in.txt"],
    "-mig": ["5"], "-cwd": ["/work"], "-o": ["out.%J"], "-e": ["err.%J"], "-eo": ["err.%J"], "-oo": ["out.%J"],
    "-alloc_flags": ["gpumps"], "-stage": ["storage=5"],
}  # fmt: skip
LSF_NONE = {"-I", "-Ip", "-Is", "-IS", "-ISp", "-ISs", "-IX", "-K", "-h", "-V", "-tty", "-XF", "-ul", "-json", "-jsdl",
            "-jsdl_strict", "-yaml", "-pack", "-i", "-is"}  # fmt: skip
# Values of launchers' options; the others get a word or a number.
LAUNCH = {
    "nodes": ["1", "2"], "tasks": ["2", "4"], "tasks_per_node": ["1", "2"], "cpus_per_task": ["1", "2"],
    "hostfile": ["hosts.txt"], "hosts": ["node1"], "map_by": ["ppr:1:node", "node"], "cpu_bind": ["none"],
    "export": ["ALL"], "gpus_per_task": ["1"], "chdir": ["/tmp"], "mpi": ["pmix"], "label": [],
}  # fmt: skip
STARTERS = {
    "slurm": [tables.SRUN, tables.OPENMPI], "pbs": [tables.OPENMPI, tables.HYDRA, tables.PBSDSH],
    "lsf": [tables.OPENMPI, tables.BLAUNCH, tables.JSRUN],
}  # fmt: skip
PROGRAMS = ["python train.py -n 3", "torchrun --nproc-per-node=2 train.py", "./app", "hostname"]


def _candidates(scheduler: str) -> list[str]:
    if scheduler == "slurm":
        found = [_long(name, value) for name in slurm.LONG for value in _slurm_values(name)]
        letters = {short: name for short, name in slurm.SHORT.items() if name not in SLURM_NONE}
        return found + [
            f"-{short} {value}".rstrip() for short, name in letters.items() for value in _slurm_values(name)
        ]
    if scheduler == "pbs":
        return [f"-{letter} {value}".rstrip() for letter in pbs.VALUE["pbs"] for value in PBS.get(letter, [])]
    with_value = [f"{name} {value}" for name in sorted(lsf.VALUE) for value in LSF.get(name, ["x1"])]
    return [*with_value, *sorted(set(lsf.FLAG) - LSF_NONE)]


def _slurm_values(name: str) -> list[str]:
    if name in SLURM_NONE:
        return []
    return SLURM.get(name, ["x1"] if slurm.LONG[name] == slurm.NEEDED else [""])


def _long(name: str, value: str) -> str:
    return f"--{name}={value}" if value else f"--{name}"


@cache
def options(scheduler: str) -> list[str]:
    """Options that a script of the scheduler can have alone."""
    return [one for one in _candidates(scheduler) if not check(read_text(_script(scheduler, [[one]]))).of("error")]


def _script(scheduler: str, lines: list[list[str]], body: str = "true") -> str:
    head = [f"{KEYWORDS[scheduler]} {' '.join(line)}" for line in lines]
    return "\n".join(["#!/bin/bash", *head, "", body, ""])


@st.composite
def scripts(draw, scheduler: str) -> str:
    """A script with up to eight options, one or more on a line, and up to two launches."""
    chosen = draw(st.lists(st.sampled_from(options(scheduler)), max_size=8, unique_by=lambda one: one.split("=")[0]))
    lines = [[one] for one in chosen]
    if len(lines) > 2 and draw(st.booleans()):
        lines[:2] = [lines[0] + lines[1]]
    body = draw(st.lists(_launch(scheduler), max_size=2))
    text = _script(scheduler, lines, "\n".join(["cd /tmp", *body]))
    if draw(st.booleans()):
        text = text.replace("\n\n", "\n# EDIT: memory of each node\n\n", 1)
    return text


@st.composite
def _launch(draw, scheduler: str) -> str:
    table = draw(st.sampled_from(STARTERS[scheduler]))
    words = [draw(st.sampled_from(table.programs))]
    for option in draw(st.lists(st.sampled_from(table.options), max_size=4, unique=True)):
        spelling = draw(st.sampled_from(option.spellings))
        value = draw(st.sampled_from(LAUNCH.get(option.field) or ["2"]))
        words += [spelling, *[value] * option.takes]
    return " ".join([*words, draw(st.sampled_from(PROGRAMS))])
