"""What a job script starts: launchers with their own options, processes on nodes, and how the ranks meet.

``reading, launches = read_launches(text)`` reads a script: its simple commands (``parts.script_words``) and its
launches. A launch is one program with all launchers in front of it, also through strings, arrays, functions, ``eval``,
``bash -c``, here-documents and files that the script writes itself. Numbers come from a launch together with the
request's, a ``Shape``. Nothing is guessed: a value that is not known is None, ``number`` of it too, and a launcher
with an unknown word among its options is ``open``. Rules are quiet where they get None.

How the rules ask (``l`` a launch, ``s`` the request's Shape, ``m = meeting(l)``). Launches with ``l.marks.uncalled``
are in a function that nothing calls, and are left out. One in a branch has ``l.marks.condition``, the conditions as
written; where such a condition asks for nodes or GPUs (``if [ $SLURM_NNODES -gt 1 ]``) the branch may be the one that
is not taken, and a rule that compares with the request stays quiet. A branch that constants of the script rule out
is not read at all.

each_node_trains_alone
    ``l.agent`` is torchrun, accelerate or tune, ``not l.open``, ``several_nodes(l, s)``, ``spread(l, s).per_node == 1``
    and ``agent_nodes(l, s)`` is ``(False, None)`` or ``(True, 1)``; not with ``config_file`` and neither ``nnodes``
    nor ``processes`` among the agent's options.
rendezvous_stays_on_one_node
    ``several_nodes(l, s)``, ``l.is_training``, the agent is not told one node, and ``meets_locally(l)`` says why:
    ``local``, ``this_host`` (each task's own), ``nowhere``.
same_node_rank_on_every_node
    ``several_nodes(l, s)``, ``constant(m.node_rank)`` is a number, ``m.backend != "c10d"``. A loop that counts has no
    constant there; a step that is bound to one node is not on several.
nnodes_differs_from_nodes
    ``agent_nodes(l, Shape())`` (literal or constant) is known, not 1, and not ``s.nodes``, while
    ``spread(l, s).nodes == s.nodes``.
more_processes_than_gpus, launcher_leaves_gpus_idle
    ``agent_processes(l, Shape())`` against ``s.gpus_per_node`` (0 = none, None = unknown). Idle only where
    ``len(in_reach(launches, l)) == 1``.
tasks_share_a_gpu
    no agent, ``l.is_python``, ``l.on_nodes``, ``spread(l, s).per_node > s.gpus_per_node >= 1``.
rank_expanded_in_launcher_string
    ``spread(l, s).tasks != 1`` and an atom of ``ranks_expanded_early(word.atoms)`` of ``l.words`` has a ``via``: the
    way it took. Without one it stands in the words of the line itself (rank_set_outside_srun), as does one whose way
    begins with a variable of a rank's name, and an exported one in ``reading.assignments``.
rendezvous_value_differs_per_task
    ``differs_per_task(m.port)`` or ``differs_per_task(m.identity)``.
fixed_port_on_shared_node
    ``fixed_port(l)``: the constant, with its place in the file.
no_launcher_in_multi_task_job
    ``l.is_training and not l.on_nodes`` and the agent is told more than one node, or the job has several tasks; other
    launches do not answer for this one.
torchrun_needs_one_task_per_node
    ``l.agent`` and ``spread(l, s).per_node > 1``.
srun_asks_more_tasks_than_allocated, srun_needs_cpus_per_task, export_none_reaches_srun
    ``l.spread.name == "srun"`` and ``l.spread.get("tasks")``, ``get("cpus_per_task")``, ``get("export")``.
signal_reaches_nobody, signal_kills_the_launcher
    no launch is ``on_nodes``, and none is ``opaque``; ``l.on_nodes and l.agent``.
cuda_visible_devices_set_by_hand, conda_activate_without_hook, script_path_is_a_copy, script_arguments_do_not_arrive
    ``reading.set("CUDA_VISIBLE_DEVICES")``, ``reading.named("conda", "mamba")``, atoms of kind ``argument`` and
    variables ``0``, ``BASH_SOURCE`` in ``reading.commands``.
submitted jobs
    ``reading.named("sbatch", "qsub", "bsub")``: ``command.stdin`` is the text that is handed over, also of
    ``echo "$X" | sbatch``; ``launches_of_text(reading, command.stdin, command)`` gives its reading and its launches.

What is written: ``table.spell("tasks_per_node", "1")`` (:mod:`.tables`). What is changed: ``setting.start`` to
``setting.end`` is the option with its value in the file, ``value_start`` to ``value_end`` the value; None where it is
nowhere in one piece, and then it cannot be changed safely.
"""

from workshop.jobs.launch.model import Launch, Layer, Meeting, Setting, Shape, Spread
from workshop.jobs.launch.read import launches, launches_of_text, read_launches

__all__ = [
    "Launch",
    "Layer",
    "Meeting",
    "Setting",
    "Shape",
    "Spread",
    "launches",
    "launches_of_text",
    "read_launches",
]
