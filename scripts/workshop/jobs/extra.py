"""What only some schedulers can ask for: the fields of `JobRequest.extra`, all of them with a type.

``None`` (or False) = not asked for. A value that is kept as its directive has it is a text, or True for a flag.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

Kept = str | bool | None


@dataclass(slots=True)
class Extra:
    """See the module's text.

    Attributes:
        chunks: PBS: one entry for each kind of chunk, its ``count`` and its resources (amounts in bytes).
        nodes_max, slots_min, slots_max: of a range.
        ppn, slots_per_host: tasks a node as Torque and LSF write them.
        gpus_per_task, gpus_per_socket, tasks_per_gpu, cpus_per_gpu, threads_per_task: numbers.
        mem_total, mem_per_node, mem_per_cpu, mem_per_gpu, mem_per_task: bytes, as the script counts them.
        mem_request, mem_limit: LSF: ``value`` in bytes (None = the site's unit) and ``written``.
        time_min_s: seconds with which the job would do, too.
        gres: generic resources that are no GPUs -> how many. gpu_mode: LSF's ``mode=``.
        attributes, resources: PBS: what stands in ``-W`` and ``-l`` and is nothing else here.
        variables: those that are given to the job beside the whole environment.
        requirements: LSF: sections of ``-R``, and resources of ``rusage``, that no other field holds.
        compound: LSF: a resource string with several parts. interactive: not a batch job.
        start_in_submit_dir, overwrite_logs, hold, overcommit: as they say.
        all others: options as written, under their long names.
    """

    # Numbers of nodes, tasks and GPUs.
    nodes_max: int | None = None
    slots_min: int | None = None
    slots_max: int | None = None
    slots_per_host: int | None = None
    ppn: int | None = None
    gpus_per_task: int | None = None
    gpus_per_socket: int | None = None
    gres: dict[str, Any] | None = None
    gpu_mode: str | None = None
    tasks_per_gpu: int | None = None
    cpus_per_gpu: int | None = None
    threads_per_task: int | None = None
    chunks: list[dict[str, Any]] | None = None
    # Memory.
    mem_total: int | None = None
    mem_per_node: int | None = None
    mem_per_cpu: int | None = None
    mem_per_gpu: int | None = None
    mem_per_task: int | None = None
    mem_request: dict[str, Any] | None = None
    mem_limit: dict[str, Any] | None = None
    # The job as a whole.
    time_min_s: int | None = None
    exclusive_mode: str | None = None
    overcommit: bool = False
    overwrite_logs: bool = False
    start_in_submit_dir: bool = False
    hold: Kept = None
    interactive: bool = False
    compound: bool = False
    variables: str | None = None
    attributes: dict[str, Any] | None = None
    resources: dict[str, Any] | None = None
    # Several schedulers.
    begin: str | None = None
    chdir: str | None = None
    shell: str | None = None
    priority: str | None = None
    reservation: str | None = None
    input: str | None = None
    # Slurm.
    acctg_freq: Kept = None
    batch: Kept = None
    bb: Kept = None
    bbf: Kept = None
    cluster_constraint: Kept = None
    clusters: Kept = None
    comment: Kept = None
    container: Kept = None
    contiguous: Kept = None
    core_spec: Kept = None
    cores_per_socket: Kept = None
    cpu_freq: Kept = None
    deadline: Kept = None
    delay_boot: Kept = None
    distribution: Kept = None
    exclude: Kept = None
    export_file: Kept = None
    extra: Kept = None
    extra_node_info: Kept = None
    get_user_env: Kept = None
    gpu_bind: Kept = None
    gpu_freq: Kept = None
    gres_flags: Kept = None
    hint: Kept = None
    kill_on_invalid_dep: Kept = None
    licenses: Kept = None
    mcs_label: Kept = None
    mem_bind: Kept = None
    mincpus: Kept = None
    network: Kept = None
    nice: Kept = None
    no_kill: Kept = None
    nodefile: Kept = None
    nodelist: Kept = None
    ntasks_per_core: Kept = None
    ntasks_per_socket: Kept = None
    oversubscribe: Kept = None
    power: Kept = None
    prefer: Kept = None
    profile: Kept = None
    propagate: Kept = None
    reboot: Kept = None
    segment: Kept = None
    sockets_per_node: Kept = None
    spread_job: Kept = None
    switches: Kept = None
    thread_spec: Kept = None
    threads_per_core: Kept = None
    tmp: Kept = None
    tres_bind: Kept = None
    tres_per_task: Kept = None
    use_min_nodes: Kept = None
    wait: Kept = None
    wait_all_nodes: Kept = None
    wckey: Kept = None
    # PBS.
    account_string: str | None = None
    keep: str | None = None
    # LSF.
    affinity: str | None = None
    alloc_flags: str | None = None
    application: str | None = None
    checkpoint: str | None = None
    copy_files: str | None = None
    core_limit: str | None = None
    cpu_limit: str | None = None
    csm: str | None = None
    data_limit: str | None = None
    description: str | None = None
    end_by: str | None = None
    esub: str | None = None
    ext: str | None = None
    file_limit: str | None = None
    hosts: str | None = None
    job_group: str | None = None
    jsm: str | None = None
    license_project: str | None = None
    order: str | None = None
    output_dir: str | None = None
    post_exec: str | None = None
    pre_exec: str | None = None
    process_limit: str | None = None
    requeue_exit_codes: str | None = None
    requirements: str | None = None
    service_class: str | None = None
    stack_limit: str | None = None
    swap_limit: str | None = None
    thread_limit: str | None = None
    time_estimate: str | None = None
    user_group: str | None = None

    def given(self) -> dict[str, Any]:
        """What was asked for, by name."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in found.items() if value is not None and value is not False}

    def take(self, **values: Any) -> None:
        """Sets several fields at once.

        Raises:
            AttributeError: no such field.
        """
        for name, value in values.items():
            setattr(self, name, value)
