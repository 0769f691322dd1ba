"""How many workers should a program start? As many as it may use cores, not as many as the machine has."""


def usable_cores(affinity: set[int], cpu_max: str, environment: dict[str, str]) -> int:
    """Cores that this process may use, at least 1.

    Args:
        affinity: the cores on which it may run, as os.sched_getaffinity(0) gives them.
        cpu_max: the cgroup's limit, as /sys/fs/cgroup/…/cpu.max has it: "250000 100000" grants 250 ms of core time in
            every 100 ms, that is two and a half cores; "max 100000" is no limit.
        environment: the variables of the process. Slurm sets SLURM_CPUS_PER_TASK if the job asked for --cpus-per-task.
    """
    limits = [len(affinity)]
    quota, period = cpu_max.split()
    if quota != "max":
        limits.append(int(quota) // int(period))
    if "SLURM_CPUS_PER_TASK" in environment:
        limits.append(int(environment["SLURM_CPUS_PER_TASK"]))
    return max(1, min(limits))
