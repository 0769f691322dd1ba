"""Launches: which launcher with which options, what it starts where, and how the processes meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from workshop.jobs.launch.meanings import differs_per_task, host_kind, number, ranks_expanded_early
from workshop.jobs.launch.model import Launch, Shape
from workshop.jobs.launch.processes import (
    agent_nodes,
    agent_processes,
    fixed_port,
    meeting,
    meets_locally,
    processes,
    processes_per_node,
    several_nodes,
    spread,
)
from workshop.jobs.launch.read import launches_of_text, read_launches
from workshop.jobs.launch.tables import LAUNCHERS, SRUN, TORCHRUN
from workshop.jobs.parts.values import constant, shown

TWO = Shape(nodes=2, tasks=2, tasks_per_node=1, cpus_per_task=4, gpus_per_node=4)
EIGHT = Shape(nodes=2, tasks=8, tasks_per_node=4, cpus_per_task=4, gpus_per_node=4)


def launches(text: str) -> list[Launch]:
    return read_launches(text)[1]


def only(text: str) -> Launch:
    found = launches(text)
    assert len(found) == 1, [launch.program for launch in found]
    return found[0]


def told(launch: Launch) -> str:
    """``srun[nodes=2] torchrun[standalone] : train.py --x``."""
    layers = []
    for layer in launch.layers:
        settings = " ".join(
            one.field if one.value is None else f"{one.field}={one.shown}"
            for one in layer.settings
            if one.field != "other"
        )
        layers.append(f"{layer.name}[{settings}]" if settings else layer.name)
    return " ".join([*layers, ":", *(word.shown for word in launch.program)])


# Words of the launcher and words of the program


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("srun python train.py -n 64", "srun python : train.py -n 64"),
        ("srun python t.py -c cfg.yaml --export=onnx", "srun python : t.py -c cfg.yaml --export=onnx"),
        ("srun -n4 -N 2 -c8 ./app -n 5", "srun[tasks=4 nodes=2 cpus_per_task=8] : ./app -n 5"),
        ("srun --ntasks=4 --nodes 2 --label ./app", "srun[tasks=4 nodes=2 label] : ./app"),
        ("srun --ntasks-per-n=1 ./app", "srun[tasks_per_node=1] : ./app"),
        ("srun -K1 -l -u ./app", "srun[kill_on_bad_exit=1 label unbuffered] : ./app"),
        ("srun --kill-on-bad-exit ./app", "srun[kill_on_bad_exit] : ./app"),
        ("srun -lu -n2 ./app", "srun[label unbuffered tasks=2] : ./app"),
        ("srun --container-image=a.sqsh python x.py", "srun[container=a.sqsh] python : x.py"),
        ("srun --cpu-bind=none --exact -- ./app -N 3", "srun[cpu_bind=none exact] : ./app -N 3"),
        ("srun build/perf -b 8 -e 128M -f 2", "srun : build/perf -b 8 -e 128M -f 2"),
        ("mpirun -np 8 -x A --map-by ppr:4:node --bind-to none ./a -np 3",
         "openmpi[tasks=8 export=A map_by=ppr:4:node cpu_bind=none] : ./a -np 3"),
        ("mpirun --mca btl ^openib -n 4 python x.py", "openmpi[tasks=4] python : x.py"),
        ("mpiexec -n 8 -ppn 4 ./a", "hydra[tasks=8 tasks_per_node=4] : ./a"),
        ("mpiexec --np 8 -ppn 4 -d 16 --cpu-bind numa ./a -d 1",
         "hydra[tasks=8 tasks_per_node=4 cpus_per_task=16 cpu_bind=numa] : ./a -d 1"),
        ("mpiexec -genv OMP 1 -hosts a,b -n 2 ./a", "hydra[environment=OMP=1 hosts=a,b tasks=2] : ./a"),
        ("pbsdsh -n 1 hostname -n 2", "pbsdsh[node_number=1] : hostname -n 2"),
        ("pbsdsh -- ./x", "pbsdsh : ./x"),
        ("blaunch -z 'a b' ./x -z 3", "blaunch[hosts=a b] : ./x -z 3"),
        ("blaunch host1 ./x", "blaunch : ./x"),
        ("jsrun -n 4 -a 1 -g 1 -c 7 ./x -n 2",
         "jsrun[resource_sets=4 tasks_per_set=1 gpus_per_set=1 cpus_per_set=7] : ./x -n 2"),
        ("aprun -n 4 -N 2 ./x", "aprun[tasks=4 tasks_per_node=2] : ./x"),
        ("ibrun ./x -n 2", "ibrun : ./x -n 2"),
        ("timeout -s TERM 28m srun ./x", "timeout srun : ./x"),
        ("env A=1 numactl -N 0 python -u x.py", "env[assignment=A=1] numactl python : x.py"),
        ("$(which mpirun) -np 2 ./x", "openmpi[tasks=2] : ./x"),
        ("/usr/bin/srun -n2 \"$(command -v python)\" x.py", "srun[tasks=2] python : x.py"),
        ("srun $VENV/bin/python x.py", "srun python : x.py"),
        ("srun ${PYTHON:-python} x.py", "srun python : x.py"),
    ],
)  # fmt: skip
def test_the_launcher_ends_where_the_program_begins(line, reading):
    assert told(only(line)) == reading


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("torchrun --nproc_per_node=4 --standalone t.py --lr 1", "torchrun[nproc=4 standalone] : t.py --lr 1"),
        ("torchrun --nproc-per-node 4 t.py", "torchrun[nproc=4] : t.py"),
        ("torchrun --nnodes=1:4 -m pkg.train --nnodes 9", "torchrun[nnodes=1:4 module] : pkg.train --nnodes 9"),
        ("python -m torch.distributed.run --nproc_per_node 2 t.py", "torchrun[nproc=2] : t.py"),
        ("python -u -m torch.distributed.launch --use_env --nnodes=2 t.py", "torchrun[use_env nnodes=2] : t.py"),
        ("torchrun --no-python --nproc-per-node 2 ./a -x", "torchrun[no_python nproc=2] : ./a -x"),
        ("accelerate launch --num_processes 8 --num_machines=2 --multi_gpu t.py --num_machines 3",
         "accelerate[processes=8 nnodes=2 multi_gpu] : t.py --num_machines 3"),
        ("accelerate launch --config_file a.yaml -m x", "accelerate[config_file=a.yaml module] : x"),
        ("python -m accelerate.commands.launch --num_processes=2 t.py", "accelerate[processes=2] : t.py"),
        ("tune run --nnodes 2 --nproc_per_node 8 recipe --config c", "tune[nnodes=2 nproc=8] : recipe --config c"),
        ("deepspeed --num_nodes 2 --num_gpus=4 t.py --deepspeed d.json", 
         "deepspeed[nnodes=2 nproc=4] : t.py --deepspeed d.json"),
        ("horovodrun -np 4 -H a:2,b:2 python t.py", "horovodrun[tasks=4 hosts=a:2,b:2] python : t.py"),
        ("conda run -n env torchrun t.py", "conda torchrun : t.py"),
        ("apptainer exec --nv --bind /a i.sif python t.py --nv", "apptainer[gpu bind=/a] python : t.py --nv"),
        ("singularity --silent run --nv i.sif torchrun t.py", "singularity"),
        ("srun shifter --image=x python t.py", "srun shifter[image=x] python : t.py"),
        ("srun podman-hpc run --rm --gpu -v /a:/a img python t.py", "srun docker[gpu bind=/a:/a] python : t.py"),
        ("python $(which torchrun) --standalone t.py", "python torchrun[standalone] : t.py"),
        ("srun python -u t.py &> log.txt &", "srun python : t.py"),
        ("srun python t.py |& tee -a log", "srun python : t.py"),
        ("srun python t.py < in > out 2>> err", "srun python : t.py"),
        ("parallel -j 4 srun -N1 -n1 python t.py {} ::: 1 2", "parallel srun[nodes=1 tasks=1] python : t.py {}"),
        ("parallel -j4 'cd x; srun -n1 python t.py {}' ::: 1 2", "parallel srun[tasks=1] python : t.py {}"),
        ("ls | xargs -n 1 -P4 -I{} srun -n1 python t.py {}", "xargs srun[tasks=1] python : t.py {}"),
        ("python -m pkg.train --x", "python[module=pkg.train] : pkg.train --x"),
    ],
)  # fmt: skip
def test_agents_containers_and_modules(line, reading):
    found = told(only(line))
    assert found == reading.replace("singularity", "apptainer[gpu] torchrun : t.py")


@pytest.mark.parametrize(
    "line", ["accelerate config", "apptainer pull docker://x", "uv sync", "tune download x", "ls -l"]
)
def test_what_starts_nothing(line):
    assert launches(line) == []


# Nested launches


NESTED = [
    "srun --nodes=2 bash -c 'torchrun --nnodes 2 t.py'",
    "srun --nodes=2 bash -lc \"cd x && torchrun --nnodes 2 t.py\"",
    "srun --nodes=2 bash <<EOF\ntorchrun --nnodes 2 t.py\nEOF",
    "srun --nodes=2 bash -s <<'EOF' &\ntorchrun --nnodes 2 \\\n  t.py\nEOF\nwait",
    "cat > w.sh <<EOF\n#!/bin/bash\nexec torchrun --nnodes 2 t.py\nEOF\nchmod +x w.sh\nsrun --nodes=2 ./w.sh",
    "cat <<'EOF' > w.sh\ntorchrun --nnodes $1 t.py\nEOF\nsrun --nodes=2 bash w.sh 2",
    "N=2; L=\"torchrun --nnodes $N\"; srun --nodes=2 $L t.py",
    "A=(--nnodes 2); A=(torchrun \"${A[@]}\"); srun --nodes=2 \"${A[@]}\" t.py",
    "CMD='srun --nodes=2 torchrun --nnodes 2 t.py'; eval \"$CMD\"",
    "CMD='srun --nodes=2 torchrun --nnodes 2 t.py'; $CMD",
    "run() { srun --nodes=2 torchrun --nnodes \"$1\" \"$2\"; }; run 2 t.py",
    "CMD='torchrun --nnodes 2 t.py'; srun --nodes=2 bash -c \"$CMD\"",
    "export CMD='torchrun --nnodes 2 t.py'; srun --nodes=2 bash -c '$CMD'",
    "time srun --nodes=2 torchrun --nnodes 2 t.py 2>&1 | tee log",
    "f() { torchrun --nnodes 2 t.py; }; export -f f; srun --nodes=2 bash -c f",
    "f() { torchrun --nnodes 2 t.py; }; srun --nodes=2 bash -c \"$(declare -f f); f\"",
    "x=$(srun --nodes=2 torchrun --nnodes 2 t.py)",
    "if [ -e x ]; then srun --nodes=2 torchrun --nnodes 2 t.py; fi",
    "( source v/bin/activate; srun --nodes=2 torchrun --nnodes 2 t.py )",
]  # fmt: skip


@pytest.mark.parametrize("text", NESTED)
def test_launches_inside_strings_files_and_functions(text):
    launch = only(text)
    layers = [layer for layer in launch.layers if layer.kind in ("spread", "agent")]
    assert [layer.name for layer in layers] == ["srun", "torchrun"]
    assert layers[0].get("nodes").text == "2" and layers[1].get("nnodes").text == "2"
    assert [word.text for word in launch.program] == ["t.py"] and launch.is_training
    assert spread(launch, TWO).nodes == 2


def test_settings_know_their_place_through_strings():
    text = "srun bash -c 'cd x; torchrun --nnodes=2 --nproc_per_node 8 t.py'\n"
    agent = only(text).agent
    assert text[agent.get("nnodes").value_start : agent.get("nnodes").value_end] == "2"
    nproc = agent.get("nproc")
    assert text[nproc.start : nproc.end] == "--nproc_per_node 8"
    assert text[nproc.value_start : nproc.value_end] == "8"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('A="--nnodes=2"; srun torchrun $A t.py', "--nnodes=2"),
        ('A=(--nnodes=2 x); srun torchrun "${A[@]}" t.py', "--nnodes=2"),
        ('srun torchrun "--nnodes=2" t.py', '"--nnodes=2"'),
        ("srun bash <<E\ntorchrun --nnodes=2 t.py\nE", "--nnodes=2"),
        ('srun bash -c "torchrun --nnodes="2" t.py"', None),
        ("N=2; srun torchrun --nnodes=$N t.py", "--nnodes=$N"),
    ],
)
def test_a_place_is_where_the_text_stands_and_nothing_else(text, place):
    setting = only(text).agent.get("nnodes")
    assert setting.text == "2"
    assert (None if setting.start is None else text[setting.start : setting.end]) == place


def test_lines_inside_a_here_document():
    assert [launch.line for launch in launches("srun bash <<E\ncd x\npython a.py\npython b.py\nE\n")] == [3, 4]


def test_unknown_words_leave_a_launcher_open():
    assert only("srun torchrun $ARGS t.py").agent.open
    assert only('srun torchrun "$@" t.py').agent.open
    assert not only("ARGS='--nnodes 2'; srun torchrun $ARGS t.py").open
    assert only("srun $OPTS torchrun t.py").spread.open
    assert not only("srun torchrun --nnodes $N t.py").open


# Who expands


@pytest.mark.parametrize(
    ("text", "early"),
    [
        # T5: through any detour
        ('L="accelerate launch --machine_rank $SLURM_PROCID"\nsrun $L t.py', True),
        ('A="--machine_rank=$SLURM_NODEID"; srun bash -c "accelerate launch $A t.py"', True),
        ('A=(--node_rank $SLURM_NODEID); srun torchrun "${A[@]}" t.py', True),
        ("srun bash <<EOF\ntorchrun --node_rank $SLURM_PROCID t.py\nEOF", True),
        ("IDX=$SLURM_PROCID; srun python t.py --rank $IDX", True),
        ('CMD="srun python t.py --rank $SLURM_PROCID"; eval $CMD', True),
        ("export L=\"--rank $SLURM_PROCID\"; srun bash -c 'python t.py $L'", True),
        ("cat > w.sh <<EOF\npython t.py $SLURM_PROCID\nEOF\nsrun bash w.sh", True),
        # left to the task
        ('L="accelerate launch --machine_rank \\$SLURM_PROCID"; srun bash -c "$L t.py"', False),
        ("srun bash -c 'python t.py --rank $SLURM_PROCID'", False),
        ('srun bash -c "python t.py --rank \\$SLURM_PROCID"', False),
        ("srun bash <<'EOF'\npython t.py --rank $SLURM_PROCID\nEOF", False),
        ("srun bash <<EOF\npython t.py --rank \\$SLURM_PROCID\nEOF", False),
        ("cat > w.sh <<'EOF'\npython t.py $SLURM_PROCID\nEOF\nsrun bash w.sh", False),
        ("IDX=$SLURM_PROCID; echo $IDX; srun python t.py", False),
        ('L="x $SLURM_NNODES"; srun python t.py $L', False),
    ],
)
def test_variables_of_a_task_that_the_batch_shell_expands(text, early):
    launch = launches(text)[-1]
    found = [atom for word in launch.words for atom in ranks_expanded_early(word.atoms)]
    assert bool(found) is early
    assert all(atom.via for atom in found)


def test_words_of_the_line_itself_take_no_detour():
    found = ranks_expanded_early(only("srun python t.py --rank $SLURM_PROCID").program[-1].atoms)
    assert [atom.via for atom in found] == [()]


@pytest.mark.parametrize(
    ("port", "differs"),
    [
        ("srun bash -c 'torchrun --rdzv_endpoint $H:$RANDOM t.py'", True),
        ("srun bash -c 'P=$((10000 + RANDOM)); torchrun --rdzv_endpoint $H:$P t.py'", True),
        ('srun bash -c "torchrun --rdzv_endpoint $H:\\$RANDOM t.py"', True),
        ("srun bash -c 'torchrun --rdzv_id $(date +%s) --rdzv_endpoint $H:1 t.py'", True),
        ("srun torchrun --rdzv_endpoint $H:$RANDOM t.py", False),
        ("P=$((10000 + RANDOM % 1000)); srun bash -c \"torchrun --rdzv_endpoint $H:$P t.py\"", False),
        ("export P=$RANDOM; srun bash -c 'torchrun --rdzv_endpoint $H:$P t.py'", False),
    ],
)  # fmt: skip
def test_chance_that_differs_from_task_to_task(port, differs):
    found = meeting(only(port))
    assert (differs_per_task(found.port) or differs_per_task(found.identity)) is differs


# Numbers


@pytest.mark.parametrize(
    ("line", "nodes", "tasks", "per_node"),
    [
        ("srun ./a", 2, 8, 4),
        ("srun -N1 -n1 ./a", 1, 1, 1),
        ("srun -N 2 --ntasks-per-node=1 ./a", 2, 8, 4),
        ("srun --ntasks-per-node=1 ./a", 2, 8, 4),
        ("srun -n 64 ./a", 2, 64, 32),
        ("srun -n1 ./a", 1, 1, 1),
        ("srun -n $SLURM_NNODES ./a", 2, 2, 1),
        ("srun -n $((SLURM_NNODES * 4)) ./a", 2, 8, 4),
        ("srun -n $N ./a", 2, None, None),
        ("N=4; srun -n ${N} ./a", 2, 4, 2),
        ("srun -n ${N:-4} ./a", 2, 4, 2),
        ("srun -N1 -w $h ./a", 1, None, None),
        ("srun -N1 -n1 -w a ./a", 1, 1, 1),
        ("srun $OPTS python t.py", None, None, None),
        ("srun --het-group=0,1 ./a", None, None, None),
        ("srun --jobid $SLURM_JOB_ID --ntasks-per-node 1 ./a", 2, 8, 4),
        ("srun --jobid 17 ./a", None, None, None),
        ("mpirun -n 1 ./a : -n 2 ./b", None, None, None),
        ("mpirun ./a", 2, 8, 4),
        ("mpirun -np 8 ./a", 2, 8, 4),
        ("mpirun -np 4 ./a", 1, 4, 4),
        ("mpirun -np 2 -npernode 1 ./a", 2, 2, 1),
        ("mpirun -np 8 --map-by ppr:2:node ./a", 4, 8, 2),
        ("mpirun --map-by ppr:$SLURM_NTASKS_PER_NODE:node ./a", 2, 8, 4),
        ("mpiexec -n 2 -ppn 1 ./a", 2, 2, 1),
        ("mpiexec --np $((N * R)) -ppn $R ./a", None, None, None),
        ("gpus=(0 1 2 3); mpirun --map-by ppr:${#gpus[@]}:node ./a", 2, 8, 4),
        ("mpirun -np 2 --map-by node ./a", 2, 2, 1),
        ("mpirun -np 3 -bynode ./a", 2, 3, 2),
        ("mpirun -rr -n 2 ./a", 2, 2, 1),
        ("mpirun -np $N --map-by node ./a", None, None, None),
        ("lrun -T4 ./a", 2, 8, 4),
        ("lrun -N1 -T2 ./a", 1, 2, 2),
        ("lrun -1 ./a", 1, 1, 1),
        ("pdsh -w a,b ./a", 2, 2, 1),
        ("clush -a ./a", None, None, None),
        ("pbsdsh ./a", 2, 8, 4),
        ("pbsdsh -u ./a", 2, 2, 1),
        ("blaunch ./a", 2, 8, 4),
        ('mapfile -t n < <(uniq $LSB_DJOB_HOSTFILE)\nblaunch -z "${n[*]}" ./a', 2, 2, 1),
        ("ssh a ./a", 1, 1, 1),
        ("for h in a b c; do ssh $h ./a & done", 3, 3, 1),
        ("for h in $(sort -u $PBS_NODEFILE); do ssh $h ./a & done", 2, 2, 1),
        ("for h in $HOSTS; do ssh $h ./a & done", None, None, 1),
        ("python t.py", 1, 1, 1),
    ],
)
def test_how_many_processes_are_started(line, nodes, tasks, per_node):
    found = spread(only(line), EIGHT)
    assert (found.nodes, found.tasks, found.per_node) == (nodes, tasks, per_node)


@pytest.mark.parametrize(
    ("line", "agents", "inner", "each", "total"),
    [
        ("srun torchrun --nnodes 2 --nproc_per_node 4 t.py", (True, 2), (True, 4), 4, 8),
        ("srun torchrun --nproc_per_node=gpu t.py", (False, None), (True, 4), 4, 8),
        ("srun torchrun t.py", (False, None), (False, None), 1, 2),
        ("srun torchrun --standalone --nnodes 2 t.py", (True, 1), (False, None), 1, 2),
        ("srun torchrun --nnodes=1:3 t.py", (True, 1), (False, None), 1, 2),
        ("srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=$G t.py", (True, 2), (True, None), None, None),
        ("G=8; srun torchrun --nproc_per_node=$G t.py", (False, None), (True, 8), 8, 16),
        ("srun accelerate launch --num_processes 8 --num_machines 2 t.py", (True, 2), (True, 4), 4, 8),
        ("srun accelerate launch --num_processes $((SLURM_NNODES*3)) --num_machines $SLURM_NNODES t.py",
         (True, 2), (True, 3), 3, 6),
        ("srun accelerate launch --num_processes 3 t.py", (False, None), (True, 3), 3, 6),
        ("torchrun --nproc_per_node $SLURM_GPUS_ON_NODE t.py", (False, None), (True, 4), 4, 4),
        ("deepspeed --num_nodes 2 t.py", (True, 2), (False, None), None, None),
    ],
)  # fmt: skip
def test_processes_of_an_agent(line, agents, inner, each, total):
    launch = only(line)
    assert agent_nodes(launch, TWO) == agents
    assert agent_processes(launch, TWO) == inner
    assert (processes_per_node(launch, TWO), processes(launch, TWO)) == (each, total)


def test_without_the_request_nothing_is_claimed():
    launch = only("srun accelerate launch --num_processes $((SLURM_NNODES*4)) --num_machines $SLURM_NNODES t.py")
    assert spread(launch, Shape()).nodes is None
    assert agent_nodes(launch, Shape()) == (True, None)
    assert agent_processes(launch, Shape()) == (True, 4)
    assert not several_nodes(launch, Shape())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$SLURM_JOB_NUM_NODES", 2),
        ("$(scontrol show hostnames $SLURM_JOB_NODELIST | wc -l)", 2),
        ("$(sort -u $PBS_NODEFILE | wc -l)", 2),
        ("$(wc -l < $PBS_NODEFILE)", 8),
        ("$(nvidia-smi -L | wc -l)", 4),
        ("${SLURM_GPUS_ON_NODE:-1}", 4),
        ("${X:-3}", 3),
        ("$(( SLURM_NTASKS / SLURM_NNODES ))", 4),
        ("$X", None),
        ("$(cat n)", None),
        ("$1", None),
        ("${SLURM_TASKS_PER_NODE%%(*)}", None),
    ],
)
def test_numbers_of_the_request(text, value):
    assert number(only(f"srun -n {text} ./a").spread.get("tasks").value, EIGHT) == value


def test_the_nodes_of_an_array():
    text = "nodes=( $(scontrol show hostnames $SLURM_JOB_NODELIST) )\ntorchrun --nnodes ${#nodes[@]} t.py"
    assert agent_nodes(launches(text)[-1], TWO) == (True, 2)


# How they meet


@pytest.mark.parametrize(
    ("text", "host", "why"),
    [
        ("srun torchrun --rdzv_endpoint localhost:1 t.py", "local", "local"),
        ("srun torchrun --rdzv-endpoint=127.0.0.1:1 t.py", "local", "local"),
        ("srun torchrun --nnodes 2 t.py", "", "nowhere"),
        ("srun torchrun --master_addr $(hostname) t.py", "fixed", ""),
        ("srun bash -c 'torchrun --rdzv_endpoint $(hostname):1 t.py'", "this_host", "this_host"),
        ('srun bash -c "torchrun --rdzv_endpoint \\$HOSTNAME:1 t.py"', "this_host", "this_host"),
        ("srun bash -c \"torchrun --rdzv_endpoint $(hostname):1 t.py\"", "fixed", ""),
        ("H=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1); srun torchrun --rdzv_endpoint $H:1 t.py",
         "fixed", ""),
        ("H=$(head -1 $PBS_NODEFILE); pbsdsh bash -c \"torchrun --rdzv_endpoint $H:1 t.py\"", "fixed", ""),
        ("srun torchrun --rdzv_endpoint $X:1 t.py", "", ""),
        ("srun torchrun $ARGS t.py", "", ""),
        ("export MASTER_ADDR=localhost; srun python t.py", "local", "local"),
        ("MASTER_ADDR=localhost; srun python t.py", "", ""),
        ("srun --export=ALL,MASTER_ADDR=127.0.0.1 python t.py", "local", "local"),
        ("srun python t.py --dist-url tcp://localhost:23456", "local", "local"),
        ("srun python t.py", "", ""),
        ("export MASTER_ADDR=$(hostname); srun torchrun --nnodes 2 t.py", "", "unread"),
        ("export PET_MASTER_ADDR=$(hostname); srun torchrun --nnodes 2 t.py", "fixed", ""),
        ("srun bash -c 'export MASTER_ADDR=$(hostname); python t.py'", "this_host", "this_host"),
        ("srun accelerate launch --main_process_ip 127.0.0.1 t.py", "local", "local"),
        ("srun accelerate launch --config_file c.yaml t.py", "", ""),
    ],
)  # fmt: skip
def test_where_the_ranks_meet(text, host, why):
    launch = launches(text)[-1]
    assert host_kind(meeting(launch).host) == host
    assert meets_locally(launch) == why


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("torchrun --rdzv_endpoint $H:29400 t.py", "29400"),
        ("PORT=29400; torchrun --rdzv_endpoint $H:$PORT t.py", "29400"),
        ("torchrun --master_port=29500 t.py", "29500"),
        ("export MASTER_PORT=6000; srun python t.py", "6000"),
        ("MASTER_PORT=6000; echo $MASTER_PORT; srun python t.py", None),
        ("srun bash <<E\ntorchrun --rdzv_endpoint $H:29400 t.py\nE", "29400"),
        ("torchrun --rdzv_endpoint localhost:0 t.py", None),
        ("torchrun --standalone --master_port 1 t.py", None),
        ("torchrun --master_port $((10000 + SLURM_JOB_ID % 20000)) t.py", None),
        ("torchrun --master_port ${PORT:-29500} t.py", None),
    ],
)
def test_ports_that_are_constant(text, port):
    found = fixed_port(launches(text)[-1])
    assert (constant(found) if found else None) == port


def test_node_ranks():
    first, second = launches("srun torchrun --nnodes=2 --node_rank=0 t.py\nsrun torchrun --nnodes=2 --node_rank=1 t.py")
    assert [constant(meeting(one).node_rank) for one in (first, second)] == ["0", "1"]
    loop = only('i=0; for h in a b; do ssh $h "torchrun --node_rank=$i t.py" & i=$((i+1)); done')
    assert constant(meeting(loop).node_rank) is None and several_nodes(loop, TWO) and loop.background
    bound = only("srun -N1 -n1 -w $h torchrun --node_rank=0 t.py")
    assert spread(bound, TWO).bound and not several_nodes(bound, TWO)


# T1, T2, T4: what the rules ask


def test_torchrun_straight_in_a_script_of_two_chunks():
    launch = only("cd $PBS_O_WORKDIR\ntorchrun --nnodes=2 --rdzv-endpoint=$(head -1 $PBS_NODEFILE):29400 t.py")
    assert not launch.on_nodes and agent_nodes(launch, TWO) == (True, 2)
    assert constant(fixed_port(launch)) == "29400"


def test_another_step_does_not_answer_for_the_training():
    found = launches("srun hostname; torchrun --nnodes 2 t.py")
    assert [(launch.on_nodes, launch.is_training) for launch in found] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("line", "training"),
    [("python -m pip install x", False), ("python -c 'print(1)'", False), ("python t.py", True), 
     ("./t.py", True), ("./t.sh", False),
     ("python -m pkg", True), ("srun ./t.py", True), ("python --version", False), ("srun hostname", False)],
)  # fmt: skip
def test_what_is_a_training(line, training):
    assert any(launch.is_training for launch in launches(line)) is training


@pytest.mark.parametrize(
    ("line", "opaque"),
    [("srun bash run.sh", True), ("./run.sh a", True), ("srun ./run.sh", True), ("srun $CMD", True),
     ("srun python t.py", False), ("srun ./app", False), ("torchrun t.py", False)],
)  # fmt: skip
def test_what_is_not_known_is_said(line, opaque):
    assert only(line).opaque is opaque


def test_a_submitted_text_is_read_on_its_own():
    text = "P=1\nqsub -q x <<EOF\ncd \\$PBS_O_WORKDIR\ntorchrun --master_port=12345 t.py\nEOF\n"
    reading, own = read_launches(text)
    assert own == []
    qsub = reading.named("qsub")[0]
    submitted, inner = launches_of_text(reading, qsub.stdin, qsub)
    assert [command.name for command in submitted.commands] == ["cd", "torchrun"]
    assert inner[0].line == 4 and constant(fixed_port(inner[0])) == "12345"


# The tables


@pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda launcher: launcher.name)
def test_what_a_table_writes_it_reads(launcher):
    for option in launcher.options:
        if option.field in ("other", "end", "assignment") or option.takes == 2:
            continue
        if launcher.kind in ("shell", "python") and option.field in ("command", "module"):
            continue
        assert launcher.option(option.field) is not None
        words = " ".join(launcher.spell(option.field, "7"))
        sub = f" {launcher.subcommands[0]}" if launcher.subcommands else ""
        found = only(f"{launcher.programs[0]}{sub} {words} host python x.py" if launcher.skips else
                     f"{launcher.programs[0]}{sub} {words} python x.py")  # fmt: skip
        layer = next(one for one in found.layers if launcher.programs[0] in one.launcher.programs)
        setting = layer.get(option.field)
        assert setting is not None and setting.text in ("7", None)


def test_no_spelling_stands_for_two_options():
    for launcher in LAUNCHERS:
        spellings = [launcher.key(word) for option in launcher.options for word in option.spellings]
        assert len(spellings) == len(set(spellings)), (
            launcher.name,
            sorted(w for w in spellings if spellings.count(w) > 1),
        )


def test_spelling():
    assert SRUN.spell("tasks_per_node", "1") == ["--ntasks-per-node=1"]
    assert TORCHRUN.spell("standalone") == ["--standalone"]
    with pytest.raises(KeyError):
        SRUN.spell("standalone")


SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.parametrize("name", ["slurm/ddp_multi_node.sbatch", "pbs/ddp_multi_node.pbs", "lsf/ddp_multi_node.lsf"])
def test_the_course_s_own_scripts(name):
    training = [launch for launch in read_launches((SCRIPTS / name).read_text())[1] if launch.is_training]
    assert len(training) == 1
    shape = Shape(nodes=2, tasks=2, tasks_per_node=1, gpus_per_node=2)
    assert spread(training[0], shape).nodes == 2 and spread(training[0], shape).per_node == 1
    assert agent_nodes(training[0], shape) == (True, 2)
    assert host_kind(meeting(training[0]).host) == "fixed", shown(meeting(training[0]).host)
    assert fixed_port(training[0]) is None


@pytest.mark.parametrize("line", ["jsrun -n8 ./x", "pbsdsh -c 8 -- ./x"])
def test_a_job_of_one_node_has_no_other_one(line):
    """What says only how many tasks there are starts all of them there; on several nodes it stays open where."""
    alone, among = spread(only(line), Shape(nodes=1)), spread(only(line), Shape(nodes=2))
    assert (alone.nodes, alone.tasks, alone.per_node) == (1, 8, 8)
    assert (among.nodes, among.tasks, among.per_node) == (None, 8, None)
