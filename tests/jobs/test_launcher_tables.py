"""The tables of launchers against the programs themselves, where they are here: no option lacks, and each takes as many
words as the program says."""

import os
import re
import subprocess

import pytest
from accelerate.commands.launch import launch_command_parser
from torch.distributed.run import get_args_parser

from workshop.jobs.launch.read import read_launches
from workshop.jobs.launch.tables import ACCELERATE, ONLY_BEHIND_EQUALS, OPENMPI, SRUN, TORCHRUN, Launcher

# The words that an option takes; OPTIONAL: a value only behind "=".
OPTIONAL = "optional"
# Root may not ask mpirun for help.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN_OPTION = re.compile(r"^ *(-[\w-]+(?:\|-{1,2}[\w-]+)*)((?: <arg\d>)*)", re.MULTILINE)
SRUN_OPTION = re.compile(r"^ {2,6}(?:(-\w),? +)?(--[\w-]+)(\[=|=)?", re.MULTILINE)
# 22.05.8 leaves out that these take a value: src/common/slurm_opt.c has them as required or optional.
SRUN_SAYS_LESS = {
    "--container": 1,
    "--resv-ports": OPTIONAL,
    "--bcast": OPTIONAL,
    "--overlap": OPTIONAL,
    "--pty": OPTIONAL,
}
SRUN_SAYS_LESS |= {"-k": OPTIONAL, "--no-kill": OPTIONAL, "-K": OPTIONAL, "--kill-on-bad-exit": OPTIONAL}


def known(launcher: Launcher, spelling: str) -> int | str | None:
    """How many words the table gives an option; None where it has none of this name."""
    option = launcher.by_spelling.get(launcher.key(spelling))
    if option is not None and spelling in ONLY_BEHIND_EQUALS.get(launcher.name, ()):
        return OPTIONAL
    return None if option is None else option.takes


def differences(launcher: Launcher, told: dict[str, int | str]) -> dict[str, tuple]:
    """Option -> (by the table, by the program), where they are not the same."""
    pairs = {spelling: (known(launcher, spelling), takes) for spelling, takes in told.items()}
    return {spelling: pair for spelling, pair in pairs.items() if pair[0] != pair[1]}


def help_of(*command: str, **environment: str) -> str:
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
    return result.stdout + result.stderr


@pytest.mark.parametrize(
    ("launcher", "parser"),
    [(TORCHRUN, get_args_parser), (ACCELERATE, launch_command_parser)],
    ids=["torchrun", "accelerate"],
)
def test_options_are_those_of_the_parser(launcher, parser):
    actions = parser()._actions
    told = {name: 0 if action.nargs == 0 else 1 for action in actions for name in action.option_strings}
    assert len(told) > 20 and not differences(launcher, told)


def test_options_are_those_of_mpirun():
    text = help_of("mpirun", "--help", "unsupported", **AS_ROOT)
    told = {name: match[2].count("<arg") for match in MPIRUN_OPTION.finditer(text) for name in match[1].split("|")}
    assert len(told) > 100 and told["--mca"] == 2 and not differences(OPENMPI, told)


def test_options_are_those_of_srun(controller):
    text = help_of("srun", "--help", SLURM_CONF=controller.environment["SLURM_CONF"])
    told: dict[str, int | str] = {}
    for match in SRUN_OPTION.finditer(text):
        takes = {"[=": OPTIONAL, "=": 1}.get(match[3], 0)
        told |= {name: takes for name in match.groups()[:2] if name}
    told |= {name: takes for name, takes in SRUN_SAYS_LESS.items() if name in told}
    assert len(told) > 100 and not differences(SRUN, told)


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("srun --pty -n 2 python train.py", "train.py"),
        ("srun -k --overlap -b now+1hour -n 2 ./solve", "./solve"),
        ("srun --compress --send-libs --bcast-exclude /usr,/lib -n 2 ./solve", "./solve"),
        ("torchrun --virtual-local-rank --nproc-per-node 2 train.py", "train.py"),
        ("accelerate launch --downcast_bf16 --fp8_use_autocast_during_eval train.py", "train.py"),
        ("deepspeed --comment try train.py", "train.py"),
        ("mpiexec.hydra -genv OMP_NUM_THREADS=4 -genv A b -rankmap 1,1 -n 2 ./solve", "./solve"),
        ("mpiexec --pmi pmix --line-buffer --np 8 --cpu-bind=depth -d 8 -env A=b ./solve", "./solve"),
        ("mpirun -rr -trace -print-rank-map -n 8 ./solve", "./solve"),
        ("mpiexec.hydra --envexcl A,B -s all --gtool x -n=4 ./solve", "./solve"),
        ("aprun -B -b -C -ss ./solve", "./solve"),
        ("aprun -n 512 -N4 -d 8 -cc depth -l nodes.txt --mpmd-env A=b ./solve", "./solve"),
        ("blaunch -no-shell -use-login-shell -z 'a b' ./solve", "./solve"),
        ("jsrun -n4 -a1 -c7 -g1 -bpacked:7 -dpacked -EA=b --stdio_mode prepended -i ./solve", "./solve"),
        ("lrun -T4 -N2 --nolbind -M -gpu ./solve", "./solve"),
        ("ibrun -n 4 -o 8 task_affinity ./solve", "./solve"),
        ("pdsh -k -S -R ssh -X rack1 -w a,b ./solve", "./solve"),
        ("clush -w a,b -S -f 2 --worker ssh -L ./solve", "./solve"),
        ("dsh -M -c -m a -m b -- ./solve", "./solve"),
        ("mpirun -output-filename logs -report-pid - -np 2 ./solve", "./solve"),
    ],
)
def test_the_program_begins_behind_the_launchers_own_words(line, program):
    (launch,) = read_launches(f"{line} --epochs 3\n")[1]
    words = [word.text for word in launch.program]
    assert " ".join(words) == f"{program} --epochs 3"
