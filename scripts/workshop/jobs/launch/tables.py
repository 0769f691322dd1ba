"""What launchers understand: a table for each, of its own options.

An option has a ``field``, the same for all launchers where it means the same, and its spellings; the first is the one
that is written. So a launch can be read and written through the same table. ``takes`` is the number of words that
belong to the option. The words of the launcher end at the first that is no option and no value of one; what follows
is the program's.

Fields of those that start processes: ``nodes``, ``tasks``, ``tasks_per_node``, ``tasks_per_gpu``, ``cpus_per_task``,
``gpus``, ``gpus_per_node``, ``gpus_per_task``, ``hosts``, ``hostfile``, ``exclude``, ``export`` … Fields of agents
(torchrun and its like): ``nnodes``, ``nproc`` (processes a node), ``processes`` (in all), ``node_rank``,
``endpoint``, ``backend``, ``rendezvous_id``, ``rendezvous_conf``, ``master_addr``, ``master_port``, ``standalone`` …

``tests/jobs/test_launcher_tables.py`` compares the tables with the programs that are installed.

Sources: srun(1), src/common/slurm_opt.c (2026-08), mpirun(1) of Open MPI 4 and 5; above each of the other tables of
what starts processes on nodes stands its own. torch.distributed.run, ``accelerate launch -h``, ``deepspeed -h``,
horovodrun; apptainer-exec(1), shifter, podman-hpc, docker run; python(1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    """An option of a launcher: what it means, how it is spelled, how many words it takes (``--name=value``: 1)."""

    field: str
    spellings: tuple[str, ...]
    takes: int = 1


@dataclass(frozen=True)
class Launcher:
    """A program that starts another one.

    Attributes:
        name: of the table. programs: names under which it is called.
        kind: ``spread`` (starts processes on the job's nodes), ``agent`` (starts the processes of one node of a
            training), ``container``, ``shell``, ``python``, ``wrapper`` (starts one program, in its own place).
        options: its own. subcommands: words that follow the program (``exec``, ``launch``); one of them is needed.
        skips: number of words behind the options that belong to the launcher (the image of a container).
        keeps_environment: False where exported variables do not reach the program.
        dashes: ``_`` and ``-`` are the same in its long options. any_dash: ``-name`` and ``--name`` are the same.
        prefixes: long options may be cut short.
        bundles: one-letter options may stand glued to their value (``-n4``).
        equals: the value of a long option may stand behind ``=``; Open MPI 4 wants it as a word of its own.
    """

    name: str
    programs: tuple[str, ...]
    kind: str
    options: tuple[Option, ...]
    subcommands: tuple[str, ...] = ()
    skips: int = 0
    keeps_environment: bool = True
    dashes: bool = False
    any_dash: bool = False
    prefixes: bool = False
    bundles: bool = True
    equals: bool = True
    by_spelling: dict[str, Option] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for option in self.options:
            for spelling in option.spellings:
                self.by_spelling[self.key(spelling)] = option

    def key(self, spelling: str) -> str:
        """The spelling under which an option is looked up."""
        if self.any_dash and spelling.startswith("--"):
            return spelling[1:]
        if self.dashes and spelling.startswith("--"):
            return "--" + spelling[2:].replace("_", "-")
        return spelling

    def find(self, spelling: str) -> Option | None:
        """The option of a word without its value, also cut short where the launcher allows that."""
        key = self.key(spelling)
        option = self.by_spelling.get(key)
        if option is None and self.prefixes and key.startswith("--") and len(key) > 3:
            found = {id(one): one for name, one in self.by_spelling.items() if name.startswith(key)}
            option = next(iter(found.values())) if len(found) == 1 else None
        return option

    def option(self, name: str) -> Option | None:
        """The option that sets the field ``name``, None where this launcher has none."""
        return next((option for option in self.options if option.field == name), None)

    def spell(self, name: str, value: str = "") -> list[str]:
        """The words that set the field ``name``; KeyError where this launcher has no such option."""
        option = self.option(name)
        if option is None:
            raise KeyError(name)
        spelling = option.spellings[0]
        if option.takes == 0:
            return [spelling]
        joined = self.equals and spelling.startswith("--") and option.takes == 1
        return [f"{spelling}={value}"] if joined else [spelling, value]


def _options(text: str, takes: int = 1) -> tuple[Option, ...]:
    """One option a line: ``field: spellings``; without a field it is ``other``."""
    found = []
    for line in text.strip().splitlines():
        name, colon, spellings = line.strip().rpartition(": ")
        words = tuple(spellings.split())
        if colon:
            found.append(Option(name, words, takes))
        else:
            found += [Option("other", (word,), takes) for word in words]
    return tuple(found)


def _flags(text: str) -> tuple[Option, ...]:
    return _options(text, 0)


SRUN = Launcher(
    "srun",
    ("srun",),
    "spread",
    _options("""
        nodes: --nodes -N
        tasks: --ntasks -n
        tasks_per_node: --ntasks-per-node --tasks-per-node
        tasks_per_gpu: --ntasks-per-gpu
        cpus_per_task: --cpus-per-task -c
        gpus: --gpus -G
        gpus_per_node: --gpus-per-node
        gpus_per_task: --gpus-per-task
        gres: --gres
        tres_per_task: --tres-per-task
        hosts: --nodelist -w
        hostfile: --nodefile -F
        exclude: --exclude -x
        export: --export
        chdir: --chdir -D
        mpi: --mpi
        het_group: --het-group --pack-group
        kill_on_bad_exit: --kill-on-bad-exit -K
        distribution: --distribution -m
        multi_prog_file: --multi-prog-file
        time: --time -t
        jobid: --jobid
        output: --output -o
        error: --error -e
        input: --input -i
        mem: --mem
        mem_per_cpu: --mem-per-cpu
        mem_per_gpu: --mem-per-gpu
        partition: --partition -p
        account: --account -A
        job_name: --job-name -J
        qos: --qos -q
        constraint: --constraint -C
        cpus_per_gpu: --cpus-per-gpu
        signal: --signal
        container: --container-image
        relative: --relative -r
        overlap: --overlap
        pty: --pty
        cpu_bind: --cpu-bind --cpu_bind
        --accel-bind --acctg-freq --autocomplete --bb --bbf --bcast --bcast-exclude --begin -b --clusters
        --cluster -M --cluster-constraint --comment
        --compress --container --container-id --context  --gpus-per-socket --ignore-signals
        --mem-update --container-mounts --container-workdir --container-name
        --container-save --container-env --container-entrypoint-log --core-spec -S --cores-per-socket
        --cpu-freq --deadline --delay-boot --dependency -d --environment --epilog --exclusive-user --export-file
        --extra --extra-node-info -B --gpu-bind --gpu-freq --gres-flags --hint --immediate --licenses -L
        --mail-type --mail-user --max-threads -T --mcs-label --mem-bind --mincpus --msg-timeout --network --nice
        --ntasks-per-core --ntasks-per-socket --ntasks-per-tres --open-mode --power --prefer --priority --profile
        --prolog --propagate --reservation --resv-ports --send-libs --slurmd-debug --sockets-per-node --spread
        --switches --task-epilog --task-prolog --thread-spec --threads --threads-per-core --time-min --tmp
        --treewidth --tres-bind --uenv --view --uid --gid --wait -W --wckey --mpi-combine --resources --runtime
        --segment
        --external-launcher --oom-kill-step --x11 -I --no-kill -k
    """)
    + _flags("""
        label: --label -l
        overcommit: --overcommit -O
        --consolidate-segments --parsable --spread-job --spread-segments --usage --wait-for-children -h
        exclusive: --exclusive
        exact: --exact
        whole: --whole
        oversubscribe: --oversubscribe -s
        multi_prog: --multi-prog
        unbuffered: --unbuffered -u
        --contiguous --disable-status -X --external --interactive --no-allocate -Z --preserve-env -E
        --quit-on-interrupt --quiet -Q --reboot --runtime-only --stepmgr --test-only --use-min-nodes --verbose -v
        -vv -vvv --version -V --help -H --hold --async --container-remap-root --no-container-remap-root
        --container-mount-home --no-container-mount-home --container-writable --container-readonly
        --container-entrypoint --no-container-entrypoint --debugger-test --parallel-debug --nodefile-sort
    """),
    prefixes=True,
)

# Where an option of one of Slurm's options has a value only behind "=".
ONLY_BEHIND_EQUALS = {
    "srun": {
        "--kill-on-bad-exit",
        "-K",
        "--immediate",
        "--nice",
        "--propagate",
        "--resv-ports",
        "--exclusive",
        "--bcast",
        "--compress",
        "--external-launcher",
        "--no-kill",
        "-k",
        "--oom-kill-step",
        "--overlap",
        "--pty",
        "--send-libs",
        "--x11",
        "-I",
    },
}

OPENMPI = Launcher(
    "openmpi",
    ("mpirun", "mpiexec", "orterun", "prterun", "prun"),
    "spread",
    _options("""
        tasks: -n -np --np --n -c
        tasks_per_node: -npernode --npernode -N
        tasks_per_socket: -npersocket --npersocket
        hosts: --host -host -H
        hostfile: --hostfile -hostfile --machinefile -machinefile
        map_by: --map-by -map-by
        ranks_by: --rank-by -rank-by
        export: -x
        chdir: --wdir -wdir --wd -wd -path --path
        cpus_per_task: --cpus-per-proc -cpus-per-proc --cpus-per-rank -cpus-per-rank
        cpu_bind: --bind-to -bind-to
        --output-filename --output --prefix -prefix --preload-files --stdin --timeout
        --rankfile -rankfile -rf -cf --cartofile -cpu-list -cpu-set -debugger --debugger -default-hostfile -h --help
        -hnp --hnp -launch-agent --launch-agent -max-restarts -max-vm-size --max-vm-size -ompi-server -output-filename
        -personality --ppr -report-events --report-events -report-pid --report-pid -report-uri --report-uri -stdin
        -timeout -tune -xml-file --xml-file -xterm --xterm --slot-list --ompi-server --max-restarts --app
        --cpu-set --cpu-list --tune -am
        --am --personality --runtime-options --rtos --display --pmixmca-file --default-hostfile --pml
    """)
    + _options("--mca -mca --gmca -gmca --pmixmca --prtemca --omca", 2)
    + _flags("""
        one_per_node: --pernode -pernode
        label: --tag-output -tag-output
        oversubscribe: --oversubscribe -oversubscribe
        nooversubscribe: --nooversubscribe -nooversubscribe
        --report-bindings -report-bindings --display-map -display-map --display-allocation --allow-run-as-root
        --bynode -bynode --byslot -byslot --bycore --bind-to-core -bind-to-core --bind-to-none -bind-to-none
        --bind-to-socket -bind-to-socket --use-hwthread-cpus --nolocal -nolocal --verbose -v --quiet -q
        --timestamp-output -timestamp-output --merge-stderr-to-stdout --do-not-launch --novm --debug-daemons -d
        --enable-recovery --disable-recovery --continuous --report-state-on-timeout --get-stack-traces
        --dvm -dvm -allow-run-as-root -bycore -continuous -debug-devel --debug-devel -debug --debug -debug-daemons
        -debug-daemons-file --debug-daemons-file -disable-recovery -display-allocation -display-devel-allocation
        --display-devel-allocation -display-devel-map --display-devel-map -display-diffable-map
        --display-diffable-map -display-topo --display-topo -do-not-launch -do-not-resolve --do-not-resolve
        -enable-instant-on-support --enable-instant-on-support -enable-recovery -fwd-mpirun-port
        --fwd-mpirun-port -get-stack-traces -index-argv-by-rank --index-argv-by-rank -leave-session-attached
        -merge-stderr-to-stdout --noprefix -novm -output-proctable --output-proctable
        -report-child-jobs-separately --report-child-jobs-separately -report-state-on-timeout
        -set-cwd-to-session-dir --set-cwd-to-session-dir -show-progress --show-progress -tv --tv
        -use-hwthread-cpus -use-regexp --use-regexp -xml
        --forward-signals --preload-binary -s --leave-session-attached --xml --version -V --overload-allowed
    """),
    equals=False,
)

# MPICH: src/pm/hydra/mpiexec/options.c (2026-08; any number of dashes, a value also behind "=").
_MPICH = _options("""
        tasks: -n -np
        tasks_per_node: -ppn
        hosts: -hosts -host -hostlist -machine -machines -machinelist
        hostfile: -f -hostfile -machinefile
        chdir: -wdir -wd
        gpus_per_task: -gpus-per-proc -g
        cpu_bind: -bind-to -binding
        map_by: -map-by -map
        export: -envlist -genvlist
        -launcher -launcher-exec -bootstrap -bootstrap-exec -rankmap -topolib -nameserver -order-nodes -output-from -rmk
        -iface -usize -outfile-pattern -errfile-pattern -outfile -errfile -prepend-pattern -configfile -membind -demux
        -gpu-subdevs-per-proc -localhost -memory-alloc-kinds -pmi_args -arch -path -soft -file
    """) + _flags("""
        label: -l -prepend-rank
        -genvall -genvnone -envall -envnone -enable-x -disable-x -report-bindings -debug -v -verbose -version -info
        -profile -hybrid-hosts -pmi-port -skip-launch-node -print-all-exitcodes -disable-auto-cleanup
        -enable-auto-cleanup -disable-hostname-propagation -enable-hostname-propagation -h -help
    """)

# Intel MPI 2021.15, Developer Reference for Linux, Global Hydra Options and Local Hydra Options: what MPICH has not.
_INTEL_MPI = _options("""
        tasks_per_node: -perhost -grr
        -tune -hosts-group -genvexcl -envexcl -s -bootstrap-exec-args -tmpdir -gtool -gtoolfile -use-app-topology
        -branch-count -filelist -umask
    """) + _flags("""
        -rr -print-rank-map -nolocal -ordered-output -silent-abort -cleanup -aps -mps -trace -check_mpi -ilp64 -V
        -pmi-aggregate -pmi-noaggregate -noconf -envuser -genvuser
    """)

# HPE PALS: mpiexec of the Cray command line (cray/pals, 2021), and --gpu-bind of ALCF's guides (2025).
_PALS = _options("""
        cpus_per_task: --depth -d
        cpu_bind: --cpu-bind
        --mem-bind --gpu-bind --include-tasks --exclude-tasks --procinfo-file --pmi --rlimits --network
    """) + _flags("""
        label: --label
        --no-label --transfer --no-transfer --exclusive --shared --line-buffer --no-line-buffer --abort-on-failure
        --no-abort-on-failure --sstartup --no-sstartup
    """)

HYDRA = Launcher(
    "hydra",
    ("mpiexec.hydra", "mpirun", "mpiexec", "mpiexec.mpich", "mpirun.mpich"),
    "spread",
    _MPICH + _INTEL_MPI + _PALS + _options("environment: -genv -env", 2),
    any_dash=True,
    bundles=False,
    equals=False,
)

# OpenPBS: src/cmds/pbsdsh.c (-c, -n, -s, -v, -o). Torque: pbsdsh(1B) (-c, -n, -h, -o, -s, -u, -v, -e).
PBSDSH = Launcher(
    "pbsdsh",
    ("pbsdsh",),
    "spread",
    _options("""
        tasks: -c
        node_number: -n
        hosts: -h
    """)
    + _flags("""
        one_per_node: -u
        other: -v -o -s -e
    """)
    + _flags("end: --"),
    keeps_environment=False,
)

# IBM Spectrum LSF 10.1, blaunch: [-n] [-u host_file | -z host_name ... | host_name] [-use-login-shell | -no-shell].
BLAUNCH = Launcher(
    "blaunch",
    ("blaunch",),
    "spread",
    _options("""
        hosts: -z
        hostfile: -u
    """)
    + _flags("login: -use-login-shell\n-n -no-shell -h -V -v -no-wait"),
)

# IBM Job Step Manager 10.4, jsrun(1): the options and whether they take a value as in E4S-Project/e4s-cl
# (cf/launchers/jsrun.py, 2023); the long names as OLCF's guide and job scripts of Summit have them.
_JSRUN = _options("""
        resource_sets: --nrs -n
        tasks_per_set: --tasks_per_rs -a
        cpus_per_set: --cpu_per_rs -c
        gpus_per_set: --gpu_per_rs -g
        sets_per_node: --rs_per_host -r
        tasks: --np -p
        bind: --bind -b
        smpiargs: --smpiargs -M
        export: --env -E
        chdir: --chdir -h
        --rs_per_socket -K --memory_per_rs -m --latency_priority -l --launch_distribution -d --env_eval -F
        --env_no_propagate -D --exit_on_error -X --stdio_stdout -o --stdio_stderr -k --stdio_input -t --stdio_mode -e
        --erf_input -U --appfile -f --save_resources -S --use_resources -J --exclude_hosts -x --pre_post_exec -P
        --progress --print_placement -A -H -I -L -Z
    """) + _flags("--immediate -i --help -? --usage --version -V")

JSRUN = Launcher("jsrun", ("jsrun",), "spread", _JSRUN)

# LLNL's wrapper of jsrun (hpc.llnl.gov, "Slurm srun versus IBM CSM jsrun", 2021):
# lrun -Tntasks_per_node | -pntasks [-Nnnodes] [--nolbind] [jsrun_options] app
LRUN = Launcher(
    "lrun",
    ("lrun",),
    "spread",
    _options("tasks_per_node: -T\nnodes: -N\n--mpibind")
    + _flags("one_task: -1\n--nolbind --pack --threads --smt --vsmpi -v")
    + _JSRUN,
)

# aprun(1) of ALPS 6.6, and of PALS (cray/aprun of the Cray command line, 2021).
APRUN = Launcher(
    "aprun",
    ("aprun",),
    "spread",
    _options("""
        tasks: -n --pes
        tasks_per_node: -N --pes-per-node
        cpus_per_task: -d --cpus-per-pe
        hosts: -L --node-list
        hostfile: -l --node-list-file
        environment: -e --environment-override
        chdir: --wdir
        cpu_bind: -cc --cc --cpu-binding
        exclude: -E --exclude-node-list
        -cp --cp --cpu-binding-file --exclude-node-list-file -a --architecture -D --debug -F --access-mode -j
        --cpus-per-cu -m --memory-per-pe --mpmd-env -p --protection-domain --p-governor --p-state -r
        --specialized-cpus -R --relaunch -S --pes-per-numa-node -sl --sl --numa-node-list -sn --sn
        --numa-nodes-per-node -t --cpu-time-limit -Z --zone-sort-secs --procinfo-file --pmi --pipes
    """)
    + _flags("""
        -b --bypass-app-transfer -B --batch-args -C --reconnect -P -q --quiet --silent -ss --ss
        --strict-memory-containment -T --sync-output -z --zone-sort --abort-on-failure --no-abort-on-failure
        --sstartup --no-sstartup --help --version
    """),
)

# ibrun of TACC: ibrun [-n or -np TASKS] [-o OFFSET] program (docs.tacc.utexas.edu, Launching MPI Applications, 2025).
IBRUN = Launcher(
    "ibrun",
    ("ibrun",),
    "spread",
    _options("tasks: -n -np\noffset: -o") + _flags("-v"),
)

# ssh(1) of OpenSSH 9.
SSH = Launcher(
    "ssh",
    ("ssh", "rsh"),
    "spread",
    _options("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")
    + _flags("-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -tt -V -v -vv -X -x -Y -y"),
    skips=1,
    keeps_environment=False,
)

# pdsh 2.35: src/pdsh/opt.c (DSH_ARGS, GEN_ARGS) and the options of src/modules/.
PDSH = Launcher(
    "pdsh",
    ("pdsh",),
    "spread",
    _options("""
        hosts: -w
        group: -g -j -P -C
        exclude: -x -X
        other: -F -R -M -t -f -l -u -I -T
    """)
    + _flags("all: -a -A\n-S -k -s -h -L -N -K -c -q -b -d -V -Q -i -v"),
    keeps_environment=False,
)

# ClusterShell 1.10: lib/ClusterShell/CLI/OptionParser.py and Clush.py.
CLUSH = Launcher(
    "clush",
    ("clush",),
    "spread",
    _options("""
        hosts: -w
        hostfile: --hostfile --machinefile
        group: -g --group
        exclude: -x -X
        -s --groupsource --conf -O --option --groupsconf -E --engine --topology --pick --color --interpret-keys
        --outdir --errdir --dest -f --fanout --grooming -l --user -o --options -t --connect_timeout -u
        --command_timeout -m --mode -R --worker --remote
    """)
    + _flags("""
        all: -a --all
        -n --nostdin -q --quiet -v --verbose -d --debug -G --groupbase -L -N -P --progress -b --dshbak -B -r --regroup
        -S --maxrc -F --fast -T --tree --diff -p -c --copy --rcopy -h --help --version
    """),
    keeps_environment=False,
)

# dsh(1) of Dancer's shell 0.25.
DSH = Launcher(
    "dsh",
    ("dsh",),
    "spread",
    _options("""
        hosts: -m --machine
        hostfile: -f --file
        group: -g --group
        -r --remoteshell -o --remoteshellopt -F --forklimit -n --num-topology
    """)
    + _flags("""
        all: -a --all
        -v --verbose -q --quiet -c --concurrent-shell -w --wait-shell -i --duplicate-input -M --show-machine-names
        -H --hide-machine-names -h --help -V --version
    """),
    keeps_environment=False,
)

_TORCHRUN = _options("""
        nnodes: --nnodes
        nproc: --nproc-per-node
        node_rank: --node-rank
        backend: --rdzv-backend
        endpoint: --rdzv-endpoint
        rendezvous_id: --rdzv-id
        rendezvous_conf: --rdzv-conf
        master_addr: --master-addr
        master_port: --master-port
        local_addr: --local-addr
        max_restarts: --max-restarts
        --monitor-interval --start-method --event-log-handler --log-dir --redirects -r --tee -t
        --local-ranks-filter --logs-specs --numa-binding --signals-to-handle --log-line-prefix-template
        --duplicate-stdout-filters --duplicate-stderr-filters --role --shutdown-timeout --print-completion
    """) + _flags("""
        standalone: --standalone
        module: --module -m
        no_python: --no-python
        run_path: --run-path
        use_env: --use-env
        --virtual-local-rank --help -h
    """)

TORCHRUN = Launcher("torchrun", ("torchrun",), "agent", _TORCHRUN, dashes=True, prefixes=True, bundles=False)
TUNE = Launcher("tune", ("tune",), "agent", _TORCHRUN, ("run",), dashes=True, prefixes=True, bundles=False)

ACCELERATE = Launcher(
    "accelerate",
    ("accelerate", "accelerate-launch"),
    "agent",
    _options("""
        processes: --num-processes
        nnodes: --num-machines
        node_rank: --machine-rank
        master_addr: --main-process-ip
        master_port: --main-process-port
        backend: --rdzv-backend
        rendezvous_conf: --rdzv-conf
        config_file: --config-file
        max_restarts: --max-restarts
        gpu_ids: --gpu-ids
        deepspeed_hostfile: --deepspeed-hostfile
        --mixed-precision --num-cpu-threads-per-process --dynamo-backend --dynamo-mode --tee -t --role --log-dir
        --monitor-interval --main-training-function --vm --tpu-name --tpu-zone --command --env
        --deepspeed-config-file --zero-stage --offload-optimizer-device --offload-param-device
        --offload-optimizer-nvme-path --offload-param-nvme-path --gradient-accumulation-steps --gradient-clipping
        --zero3-init-flag --zero3-save-16bit-model --deepspeed-exclusion-filter --deepspeed-inclusion-filter
        --deepspeed-multinode-launcher --deepspeed-moe-layer-cls-names --fsdp-version --fsdp-offload-params
        --fsdp-min-num-params --fsdp-sharding-strategy --fsdp-reshard-after-forward --fsdp-auto-wrap-policy
        --fsdp-transformer-layer-cls-to-wrap --fsdp-backward-prefetch --fsdp-backward-prefetch-policy
        --fsdp-state-dict-type --fsdp-forward-prefetch --fsdp-use-orig-params --fsdp-cpu-ram-efficient-loading
        --fsdp-sync-module-states --fsdp-activation-checkpointing --megatron-lm-tp-degree --megatron-lm-pp-degree
        --megatron-lm-num-micro-batches --megatron-lm-sequence-parallelism --megatron-lm-recompute-activations
        --megatron-lm-use-distributed-optimizer --megatron-lm-gradient-clipping --fp8-backend --fp8-format
        --ipex --aws-access-key-id --aws-secret-access-key --tp-size --parallelism-config-tp-size
        --fsdp-activation-checkpointing-offload --megatron-lm-use-custom-fsdp --megatron-lm-no-load-optim
        --megatron-lm-eod-mask-loss --megatron-lm-overlap-cpu-optimizer-d2h-h2d --megatron-lm-no-save-optim
        --megatron-lm-optimizer-cpu-offload --megatron-lm-use-precision-aware-optimizer
        --megatron-lm-decoder-last-pipeline-num-layers --megatron-lm-recompute-granularity
        --megatron-lm-recompute-method --megatron-lm-recompute-num-layers --megatron-lm-attention-backend
        --megatron-lm-expert-model-parallel-size --megatron-lm-context-parallel-size
        --megatron-lm-attention-dropout --megatron-lm-hidden-dropout --megatron-lm-attention-softmax-in-fp32
        --megatron-lm-expert-tensor-parallel-size --megatron-lm-calculate-per-token-loss
        --megatron-lm-use-rotary-position-embeddings --fp8-margin --fp8-interval --fp8-amax-history-len
        --fp8-amax-compute-algo --fp8-override-linear-precision --fp8-opt-level
        --fp8-enable-fsdp-float8-all-gather --fp8-pad-inner-dim --mpirun-hostfile
        --parallelism-config-dp-replicate-size --parallelism-config-dp-shard-size --parallelism-config-cp-size
        --parallelism-config-cp-backend --parallelism-config-cp-comm-strategy --parallelism-config-sp-size
        --parallelism-config-sp-backend --parallelism-config-sp-seq-length
        --parallelism-config-sp-seq-length-is-variable --parallelism-config-sp-attn-implementation
    """)
    + _flags("""
        module: --module -m
        no_python: --no-python
        multi_gpu: --multi-gpu
        same_network: --same-network
        cpu: --cpu
        use_deepspeed: --use-deepspeed
        use_fsdp: --use-fsdp
        --tpu --use-mps-device --use-megatron-lm --use-xpu --use-tpu --quiet -q --debug --tpu-use-sudo --downcast-bf16
        --fp8-use-autocast-during-eval
        --tpu-use-cluster --no-tpu-cluster --tpu-cluster --dynamo-use-fullgraph --dynamo-use-dynamic
        --dynamo-use-regional-compilation --use-parallelism-config --enable-cpu-affinity --use-cpu --help -h
    """),
    ("launch",),
    dashes=True,
    bundles=False,
)
# accelerate-launch is one word.
ACCELERATE_LAUNCH = Launcher(
    "accelerate", ("accelerate-launch",), "agent", ACCELERATE.options, dashes=True, bundles=False
)

DEEPSPEED = Launcher(
    "deepspeed",
    ("deepspeed", "ds"),
    "agent",
    _options("""
        nnodes: --num_nodes
        nproc: --num_gpus --num_accelerators
        node_rank: --node_rank
        master_addr: --master_addr
        master_port: --master_port
        hostfile: --hostfile -H
        include: --include -i
        exclude: --exclude -e
        remote: --launcher
        --min_elastic_nodes --max_elastic_nodes --launcher_args --autotuning --bind_core_list --ssh_port
        --venv_script --enable_each_rank_log --log_level --comment --account
    """)
    + _flags("""
        module: --module
        no_python: --no_python
        no_ssh: --no_ssh
        force_multi: --force_multi
        --no_local_rank --no_ssh_check --save_pid --elastic_training --bind_cores_to_rank --help -h
    """),
    bundles=False,
)

HOROVODRUN = Launcher(
    "horovodrun",
    ("horovodrun",),
    "spread",
    _options("""
        tasks: -np --num-proc
        hosts: -H --hosts
        hostfile: -hostfile --hostfile
        discovery: --host-discovery-script
        --ssh-port -p --ssh-identity-file -i --start-timeout --network-interface --nics --output-filename
        --config-file --fusion-threshold-mb --cycle-time-ms --cache-capacity --timeline-filename --min-np
        --max-np --slots-per-host --log-level --mpi-args --binding-args --reset-limit
    """)
    + _flags("--gloo --mpi --jsrun --verbose --disable-cache --autotune --version -v --check-build -cb --tcp"),
)

COMPOSER = Launcher(
    "composer",
    ("composer",),
    "agent",
    _options("""
        nproc: --nproc -n
        processes: --world_size
        node_rank: --node_rank
        master_addr: --master_addr
        master_port: --master_port
        --base_rank --stdout --stderr
    """)
    + _flags("module: --module_mode -m\nno_python: --command_mode -c\n--verbose -v"),
)

COLOSSALAI = Launcher(
    "colossalai",
    ("colossalai",),
    "agent",
    _options("""
        nproc: --nproc_per_node
        nnodes: --num_nodes
        hosts: --host -H
        hostfile: --hostfile
        master_addr: --master_addr
        master_port: --master_port
        --include --exclude --ssh-port --extra_launch_args --launcher
    """)
    + _flags("module: -m"),
    ("run",),
)

FABRIC = Launcher(
    "fabric",
    ("fabric", "lightning"),
    "agent",
    _options("""
        nproc: --devices
        nnodes: --num-nodes
        node_rank: --node-rank
        master_addr: --main-address
        master_port: --main-port
        --accelerator --strategy --precision
    """),
    ("run",),
    dashes=True,
    bundles=False,
)

_CONTAINER = """
        bind: --bind -B --mount
        chdir: --pwd --cwd
        environment: --env
        home: --home -H
        --add-caps --apply-cgroups --app --blkio-weight --cpu-shares --cpus --cpuset-cpus --cpuset-mems --dns
        --drop-caps --env-file --fusemount --hostname --memory --memory-reservation --memory-swap --net-interface
        --network --network-args --nvccli-args --overlay -o --pem-path --pids-limit --scratch -S --security
        --workdir -W --vm-cpu --vm-ram --netns-path --oom-kill-disable-after --authfile
    """

APPTAINER = Launcher(
    "apptainer",
    ("apptainer", "singularity"),
    "container",
    _options(_CONTAINER)
    + _flags("""
        gpu: --nv --rocm --nvccli
        clean_environment: --cleanenv -e
        --contain -c --containall -C --fakeroot -f --writable -w --writable-tmpfs --ipc -i --pid -p --net -n
        --userns -u --uts --no-home --no-mount --no-privs --no-umask --keep-privs --compat --unsquash --vm
        --disable-cache --no-eval --no-init --no-nv --no-rocm --allow-setuid --passphrase --underlay --no-https
        --silent -s --quiet -q --debug -d --verbose -v
    """),
    ("exec", "run"),
    skips=1,
)

# Of CSC's modules, which bring the image along.
CSC_WRAPPER = Launcher("csc_wrapper", ("apptainer_wrapper", "singularity_wrapper"), "container", (), ("exec", "run"))

SHIFTER = Launcher(
    "shifter",
    ("shifter",),
    "container",
    _options("""
        image: --image -i
        bind: --volume -V
        environment: --env -e
        chdir: --workdir -w
        module: --module -m
        --env-file
    """)
    + _flags("--entrypoint --clearenv -E --help -h --verbose -v"),
)

DOCKER = Launcher(
    "docker",
    ("docker", "podman", "podman-hpc", "nerdctl"),
    "container",
    _options("""
        bind: --volume -v --mount
        environment: --env -e
        chdir: --workdir -w
        gpus: --gpus
        --name --network --net --shm-size --ulimit --user -u --device --entrypoint --hostname -h --ipc --pid
        --security-opt --env-file --cpus --cpuset-cpus --memory -m --runtime --userns --label -l --publish -p
        --tmpfs --group-add --platform --pull --add-host --cap-add --cap-drop --annotation --hooks-dir --log-driver
    """)
    + _flags("""
        gpu: --gpu --nv
        --rm --interactive -i --tty -t -it -ti --detach -d --privileged --init --read-only --mpi --cuda-mpi --nccl
    """),
    ("run", "exec", "shared-run"),
    skips=1,
)

CHARLIECLOUD = Launcher(
    "charliecloud",
    ("ch-run",),
    "container",
    _options(
        "bind: --bind -b\nchdir: --cd -c\nenvironment: --set-env\n--join-ct --join-pid --join-tag --gid -g --uid -u"
    )
    + _flags("--write -w --write-fake -W --private-tmp -t --home --no-home --join -j --no-passwd --unsafe -q -v"),
    skips=1,
)

ENROOT = Launcher(
    "enroot",
    ("enroot",),
    "container",
    _options("environment: --env -e\nbind: --mount -m\n--rc --conf -c") + _flags("--root -r --rw -w"),
    ("start",),
    skips=1,
)

SHELL = Launcher(
    "shell",
    ("bash", "sh", "dash", "ksh", "zsh"),
    "shell",
    _options("command: -c\nother: -o +o -O +O --rcfile --init-file"),
)

PYTHON = Launcher(
    "python",
    ("python",),
    "python",
    _options("module: -m\ncommand: -c\nother: -W -X --check-hash-based-pycs")
    + _flags("-u -O -OO -B -E -s -S -I -q -v -b -d -i -P -x -V --version -h --help"),
)

_WRAPPERS = (
    ("timeout", "-s --signal -k --kill-after", "--foreground --preserve-status -v --verbose -f -p", 1),
    ("nice", "-n --adjustment", "", 0),
    ("ionice", "-c -n --class --classdata", "-t", 0),
    ("nohup", "", "", 0),
    ("setsid", "", "-c -f -w --wait --fork", 0),
    ("exec", "-a", "-c -l", 0),
    ("time", "-f -o --format --output", "-p -v -a --verbose --portability", 0),
    ("sudo", "-u -g", "-E -H -n -i", 0),
    ("env", "-u --unset -C --chdir", "-i --ignore-environment -0 -S", 0),
    ("stdbuf", "-i -o -e --input --output --error", "", 0),
    ("unbuffer", "", "-p", 0),
    (
        "numactl",
        "-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave --preferred",
        "-l --localalloc -a",
        0,
    ),
    ("taskset", "", "-c --cpu-list -a", 1),
    ("chrt", "", "-f -r -o -b -i", 1),
    ("strace", "-e -o -p -s", "-f -ff -c -T -t -tt", 0),
    ("catchsegv", "", "", 0),
    ("ltrace", "-e -o", "-f -c", 0),
    ("gdb", "-ex", "--args -batch --batch", 0),
    ("valgrind", "", "", 0),
    ("py-spy", "-o --output -r --rate -f --format -d --duration", "--native --subprocesses -s", 0),
    ("cuda-memcheck", "", "", 0),
    ("compute-sanitizer", "--tool", "", 0),
    ("likwid-pin", "-c", "-q", 0),
    ("hpcrun", "-e -o", "-t", 0),
    ("ddtrace-run", "", "", 0),
    (
        "parallel",
        "-j --jobs -P -n -N -a --arg-file -I -C --colsep -S --sshlogin --sshloginfile --delay --joblog --results "
        "--timeout --retries --wd --workdir --tmpdir --env --memfree --load --halt --max-args",
        "-k --keep-order -u --ungroup -v -t --progress --bar --eta --linebuffer --lb --resume --resume-failed "
        "--will-cite --link --tag --line-buffer --dry-run --no-notice --citation --pipe -q",
        0,
    ),
    (
        "xargs",
        "-P -n -I -L -d -a -s -E --max-procs --max-args --max-lines --delimiter --arg-file",
        "-0 --null -r --no-run-if-empty -t --verbose -x",
        0,
    ),
    ("xvfb-run", "-s -n -e", "-a", 0),
    ("tacc_affinity", "", "", 0),
    ("task_affinity", "", "", 0),
)
_WITH_SUBCOMMAND = (
    (("conda", "mamba", "micromamba"), ("run",), "-n --name -p --prefix --cwd",
     "--no-capture-output --live-stream -v", 0),
    (("uv",), ("run",), "--python -p --with --extra --group --package --directory --project --env-file",
     "--frozen --locked --no-sync --active --isolated --no-project --offline -q -v --all-extras", 0),
    (("poetry", "pipenv", "hatch", "pdm", "rye"), ("run",), "", "", 0),
    (("pixi",), ("run",), "-e --environment --manifest-path", "--frozen --locked", 0),
    (("nsys",), ("profile", "launch"), "-o -t -s -w --output --trace --sample --stats --delay -d --duration -y -f "
     "--force-overwrite --capture-range --cuda-memory-usage --gpu-metrics-device -x --kill --wait", "", 0),
    (("perf",), ("stat", "record"), "-e -o -F", "-a -g", 0),
    (("ncu",), (), "-o --set --section --kernel-name -k -c --launch-count -s --launch-skip --metrics "
     "--target-processes", "-f --force-overwrite --nvtx", 0),
)  # fmt: skip


def _wrappers() -> Iterable[Launcher]:
    for name, values, flags, skips in _WRAPPERS:
        yield Launcher(name, (name,), "wrapper", _options(values) + _flags(flags), skips=skips)
    for programs, subcommands, values, flags, skips in _WITH_SUBCOMMAND:
        yield Launcher(programs[0], programs, "wrapper", _options(values) + _flags(flags), subcommands, skips)


LAUNCHERS: tuple[Launcher, ...] = (
    SRUN, OPENMPI, HYDRA, PBSDSH, BLAUNCH, JSRUN, LRUN, APRUN, IBRUN, SSH, PDSH, CLUSH, DSH, TORCHRUN, TUNE,
    ACCELERATE_LAUNCH, ACCELERATE, DEEPSPEED, HOROVODRUN, COMPOSER, COLOSSALAI, FABRIC, APPTAINER, CSC_WRAPPER,
    SHIFTER, DOCKER,
    CHARLIECLOUD, ENROOT, SHELL, PYTHON, *_wrappers(),
)  # fmt: skip

BY_PROGRAM: dict[str, list[Launcher]] = {}
for _launcher in LAUNCHERS:
    for _program in _launcher.programs:
        BY_PROGRAM.setdefault(_program, []).append(_launcher)

# python -m MODULE is the launcher itself; the words that follow the module are its subcommand and options.
MODULES: dict[str, tuple[Launcher, tuple[str, ...]]] = {
    "torch.distributed.run": (TORCHRUN, ()),
    "torch.distributed.launch": (TORCHRUN, ()),
    "torchrun": (TORCHRUN, ()),
    "accelerate.commands.launch": (ACCELERATE_LAUNCH, ()),
    "accelerate.commands.accelerate_cli": (ACCELERATE, ()),
    "accelerate": (ACCELERATE, ()),
    "deepspeed": (DEEPSPEED, ()),
    "deepspeed.launcher.runner": (DEEPSPEED, ()),
    "torchtune._cli.tune": (TUNE, ()),
    "horovod.runner": (HOROVODRUN, ()),
}

PYTHON_NAME = re.compile(r"(?:i?python|pypy)\d*(?:\.\d+)*t?\Z")
MPI_NAMES = {"mpirun", "mpiexec"}


def candidates(program: str) -> list[Launcher]:
    """The tables of a program (a name without its folder); ``mpirun`` has more than one."""
    if PYTHON_NAME.match(program):
        return [PYTHON]
    return BY_PROGRAM.get(program, [])
