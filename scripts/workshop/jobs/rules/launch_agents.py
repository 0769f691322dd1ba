"""Rules on what an agent is given, and on programs that nothing waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from workshop.jobs.launch import Launch
from workshop.jobs.launch.processes import agent_nodes, several_nodes, spread
from workshop.jobs.launch.questions import TORCH, called, decided_inside, differs_by_node, is_helper
from workshop.jobs.launch.tables import PYTHON_NAME
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.reading import Command
from workshop.jobs.parts.values import TASK, Value, Word, constant, shown
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.launch_alone import MONITORS
from workshop.jobs.rules.rule import rule


@rule("python_given_to_agent", verdict=WRONG, severity="warning", source=sources.TORCHRUN)
def python_given_to_agent(context: Context) -> Iterator[Finding]:
    """torchrun and the like start Python themselves, and take the word python for the script's name."""
    for launch in context.launches:
        agent = launch.agent
        if agent is None or agent.name not in (*TORCH, "deepspeed") or agent.has("no_python", "module", "run_path"):
            continue
        if agent.open or not launch.program or not PYTHON_NAME.match(launch.name):
            continue
        name = launch.program[0].text
        yield Finding(
            "python_given_to_agent",
            "warning",
            launch.line,
            f"{called(agent)} starts Python itself and takes '{name}' for the script: each process ends with "
            f"\"can't open file '…/{launch.name}'\".",
            f"{called(agent)} … {_script(launch)}, without {name}",
        )


def _script(launch: Launch) -> str:
    """The script behind python and its options."""
    words = [word.shown for word in launch.program[1:]]
    return next((word for word in words if not word.startswith("-")), "SCRIPT.py")


# What names no hosts: deepspeed goes on with the GPUs of its own node, as without the option.
NO_HOSTS = ("", "/dev/null")


@rule("each_node_trains_alone", verdict=WRONG, severity="warning", source=sources.DEEPSPEED)
def deepspeed_without_hosts(context: Context) -> Iterator[Finding]:
    """deepspeed without a host file knows no node but its own, and is started on each of several."""
    for launch in context.certain:
        agent = launch.agent
        if agent is None or agent.name != "deepspeed" or agent.open or agent.has("no_ssh", "node_rank", "include"):
            continue
        file = agent.get("hostfile")
        if (file is not None and file.text not in NO_HOSTS) or decided_inside(launch):
            continue
        if not several_nodes(launch, context.shape) or differs_by_node(launch, context.shape):
            continue
        nodes = spread(launch, context.shape).nodes or context.request.nodes
        told = agent_nodes(launch, context.shape)[1]
        where = f"each of {nodes} nodes" if nodes else "each node"
        yield Finding(
            "each_node_trains_alone",
            "warning",
            launch.line,
            f"deepspeed is started on {where} without a host file, so each knows no node but its own: "
            + (
                f"with {agent.get('nnodes').spelling} above 1 it ends with 'Num nodes is >1 but no extra nodes "
                "available via hostfile'."
                if told and told > 1
                else "these are separate trainings that share nothing."
            ),
            f"{called(launch.spread)} torchrun --nnodes={nodes or 'NODES'} with --rdzv-backend=c10d, --rdzv-id and "
            "--rdzv-endpoint=FIRST_NODE:PORT, or deepspeed once, on the first node, with a --hostfile",
        )


@rule("deepspeed_on_every_node_of_its_hostfile", verdict=WRONG, severity="warning", source=sources.DEEPSPEED)
def deepspeed_on_every_node(context: Context) -> Iterator[Finding]:
    """deepspeed with a host file reaches all nodes by itself, and is started on each of them."""
    for launch in context.certain:
        agent = launch.agent
        if agent is None or agent.name != "deepspeed" or agent.has("no_ssh", "node_rank") or agent.open:
            continue
        file = agent.get("hostfile")
        if file is None or file.text in NO_HOSTS or decided_inside(launch) or spread(launch, context.shape).loop:
            continue
        if not several_nodes(launch, context.shape):
            continue
        nodes = spread(launch, context.shape).nodes
        yield Finding(
            "deepspeed_on_every_node_of_its_hostfile",
            "warning",
            launch.line,
            f"{called(launch.spread)} starts deepspeed on {nodes or 'several'} nodes, and with {file.spelling} each of "
            "them logs in to all hosts of the file: the ranks exist several times and collide at the port.",
            f"deepspeed {file.spelling} … without {called(launch.spread)}, or with --no_ssh and a --node_rank that "
            "each task evaluates",
        )


@rule("rendezvous_host_same_on_every_node", verdict=WRONG, source=sources.TORCHRUN)
def rendezvous_host_same(context: Context) -> Iterator[Finding]:
    """is_host says whether a node holds the rendezvous; put in by the batch shell it says the same on all nodes."""
    for launch in context.certain:
        agent = launch.agent
        conf = agent.get("rendezvous_conf") if agent is not None else None
        if conf is None or agent.name not in TORCH or not several_nodes(launch, context.shape):
            continue
        answer = _is_host(conf.value or ())
        if answer is None or decided_inside(launch) or spread(launch, context.shape).loop:
            continue
        text = constant(answer)
        if text is None and any(atom.by == TASK for atom in answer if not atom.is_text):
            continue
        if text is not None and text.lower() not in NO:
            continue
        nobody = text is not None or any(atom.text in RANKS_AT_FIRST for atom in answer)
        yield Finding(
            "rendezvous_host_same_on_every_node",
            "warning" if nobody else "note",
            launch.line,
            f"is_host={shown(answer)} reaches all nodes as one value"
            + (
                ": no node holds the rendezvous, and all wait until it times out."
                if nobody
                else ", the first node's: each of them opens the port."
            ),
            f"{conf.spelling} without is_host: the node of the endpoint holds it",
        )


# What reads as no, as torch.distributed.elastic.rendezvous.api takes it.
NO = ("0", "false", "f", "no", "n")
# Numbers of a task that are 0, which is no, where the batch shell puts them in.
RANKS_AT_FIRST = ("SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID")


def _is_host(value: Value) -> Value | None:
    """What stands behind ``is_host=``, up to the next comma; None where it is not said."""
    for index, atom in enumerate(value):
        match = re.search(r"(?:^|,)is_host=", atom.text) if atom.is_text else None
        if match:
            return _until_comma(Word(value[index:]).cut(match.end()))
    return None


def _until_comma(value: Value) -> Value:
    for index, atom in enumerate(value):
        if atom.is_text and "," in atom.text:
            return (*value[:index], replace(atom, text=atom.text.partition(",")[0]))
    return value


# Commands behind a program in the background that take no time: the script ends with the last of them.
AT_ONCE = {
    ":", "[", "[[", "break", "cd", "continue", "date", "declare", "echo", "exit", "export", "hostname", "let", "local",
    "module", "printf", "pwd", "return", "set", "shift", "test", "true", "unset",
}  # fmt: skip
SHORT_S = 300


@rule("nothing_waits_for_the_background", verdict=WRONG, severity="warning")
def nothing_waits(context: Context) -> Iterator[Finding]:
    """The script ends while its programs run in the background, and the job ends with it."""
    commands = context.reading.commands
    if context.script.seen.submission or context.reading.broken or context.reading.named("wait"):
        return
    for launch in context.certain:
        marks = launch.command.marks
        if not marks.background or marks.handler or marks.function or marks.substituted:
            continue
        # A branch may be the one not taken; in a loop that starts one program a turn it is taken by some turns.
        if marks.conditional and not (marks.repeated and launch.on_nodes):
            continue
        if is_helper(launch) or launch.name in MONITORS or (launch.opaque and not launch.on_nodes):
            continue
        behind = [one for one in commands if one.words and (one.start or 0) > (launch.command.start or 0)]
        if any(_takes_time(one) for one in behind) or launch.command.start is None:
            continue
        yield Finding(
            "nothing_waits_for_the_background",
            "warning",
            launch.line,
            f"{launch.name or 'The program'} runs in the background (&), and nothing below waits for it: the script "
            "ends, and with it the job, which takes the program along.",
            "wait   as the last line",
            context.dialect.manual,
        )
        return


def _takes_time(command: Command) -> bool:
    """True for a command that the shell waits for, and that may last."""
    if command.marks.background or command.marks.substituted:
        return False
    if command.name == "sleep":
        text = command.arguments[0].text if command.arguments else None
        return text is None or not re.fullmatch(r"\d+(\.\d+)?s?", text) or float(text.rstrip("s")) > SHORT_S
    return command.name not in AT_ONCE
