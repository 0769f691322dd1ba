"""What a site can run, told from its facts in the plainest words: what `fill` refuses is compared with it."""

import re
from collections.abc import Iterator

from workshop import sites
from workshop.jobs.model import JobRequest
from workshop.sites import NodeKind, Partition, Site
from workshop.sites.fill.plan import Needs, needs_of


def kept_by_forks(site: Site) -> bool:
    """Whether a fork has this site too: those that pages teach with; the others it may remove."""
    return site.path.parent.name == sites.EXAMPLES


def why_refused(request: JobRequest, site: Site) -> str | None:
    """Why no kind of node of the site can run the job, or None where one can."""
    if site.scheduler == "torque":
        return "the course has no scripts for Torque"
    needs = needs_of(request)
    longest = site.seconds("time.max")
    if longest and needs.time_s > longest:
        return "too long"
    kinds = list(kinds_for(needs, site))
    if site.nodes and not any(node_holds(node, needs, site) and taken(needs, site, node) for node in kinds):
        return "no kind of node holds it"
    return None if site.nodes or taken(needs, site) else "no partition takes it"


def kinds_for(needs: Needs, site: Site) -> Iterator[NodeKind]:
    """Nodes with GPUs for a job with GPUs; for another one those without, unless there are none."""
    of_gpu_jobs = [partition.name for partition in site.partitions if partition.use == "gpu"]
    with_gpus = [node for node in site.nodes if node.gpus or node.partition in of_gpu_jobs]
    yield from with_gpus if needs.gpus or len(with_gpus) == len(site.nodes) else []
    yield from [] if needs.gpus else [node for node in site.nodes if node not in with_gpus]


def memory_of(node: NodeKind, site: Site) -> int | None:
    """Bytes of a node that a job can have; where they come with the cores, those of all cores."""
    if site.get("memory.rule") == "with-cores" and node.memory_per_core and node.cores:
        return min(node.memory_per_core * node.cores, node.memory or node.memory_per_core * node.cores)
    return node.memory


def node_holds(node: NodeKind, needs: Needs, site: Site) -> bool:
    """Whether each node is large enough and there are enough of them; what is not known is no obstacle."""
    have = (node.gpus or None, node.count, node.cores, memory_of(node, site))
    want = (needs.gpus, needs.nodes, needs.cpus, needs.memory or 0)
    return all(known is None or asked <= known for known, asked in zip(have, want, strict=True))


def taken(needs: Needs, site: Site, node: NodeKind | None = None) -> bool:
    """Whether some partition, of those with this kind of node, takes the job."""
    partitions = [p for p in site.partitions if node is None or node.partition in (None, p.name)]
    return not site.partitions or any(partition_takes(partition, needs) for partition in partitions)


def partition_takes(partition: Partition, needs: Needs) -> bool:
    return (
        partition.use in ("any", "gpu" if needs.gpus else "cpu")
        and (partition.min_nodes or 0) <= needs.nodes <= (partition.max_nodes or needs.nodes)
        and (needs.time_s or 0) <= (partition.max_time or needs.time_s or 0)
    )


def untrue(message: str, request: JobRequest, site: Site) -> list[str]:
    """The sentences of a refusal that the site's facts do not bear out; a sentence of unknown form is one, too."""
    sentences = [sentence.strip() for sentence in re.split(r"(?<=[.])\s+(?=[A-Z])", message)]
    assert sentences
    return [sentence for sentence in sentences if not is_true(sentence, needs_of(request), site)]


def is_true(sentence: str, needs: Needs, site: Site) -> bool:
    """Whether one sentence of a refusal is true of the site and the job."""
    title = re.escape(site.title)
    for form, holds in FORMS.items():
        found = re.fullmatch(form.replace("TITLE", title).replace("#", r"(\d+)"), sentence)
        if found:
            return holds(needs, site, *[int(word) if word.isdigit() else word for word in found.groups()])
    return False


def most_gpus(site: Site) -> int:
    return max((node.gpus for node in site.nodes), default=0)


def node_of(site: Site, name: str) -> NodeKind:
    return next(node for node in site.nodes if node.name == name)


def partition_of(site: Site, name: str) -> Partition:
    return next(partition for partition in site.partitions if partition.name == name)


def room_for(site: Site, gpus: int, nodes: int) -> bool:
    """Whether the site has ``nodes`` nodes of one kind with ``gpus`` GPUs each."""
    return any(node.gpus >= gpus and nodes <= (node.count or nodes) for node in site.nodes)


def ends(limit: int | None, asked_s: int, shown: str, asked: str) -> bool:
    return (
        limit is not None and sites.show_time(limit) == shown and sites.show_time(asked_s) == asked and asked_s > limit
    )


# A sentence, with # for a number -> whether it is true.
FORMS = {
    r"No node of TITLE has # GPUs: the most is #\.": lambda needs, site, asked, most: (
        asked == needs.gpus > most == most_gpus(site)
    ),
    r"Ask for # GPUs on each of # nodes, or choose another site\.": lambda needs, site, gpus, nodes: (
        gpus == most_gpus(site) and room_for(site, gpus, nodes) and gpus * (nodes - 1) < needs.gpus * needs.nodes
    ),
    r"Ask for # GPUs?, or choose another site\.": lambda needs, site, gpus: room_for(site, gpus, 1),
    r"Nodes '(.+)' of TITLE have # GPUs; this job asks for #\.": lambda needs, site, name, gpus, asked: (
        node_of(site, name).gpus == gpus < asked == needs.gpus
    ),
    r"TITLE has no nodes with GPUs; this job asks for # a node\.": lambda needs, site, gpus: (
        gpus == needs.gpus and most_gpus(site) == 0
    ),
    r"TITLE has # nodes of the kind '(.+)'; this job asks for #\.": lambda needs, site, count, name, asked: (
        node_of(site, name).count == count < asked == needs.nodes
    ),
    r"Nodes '(.+)' of TITLE have # cores; this job asks for #\.": lambda needs, site, name, cores, asked: (
        node_of(site, name).cores == cores < asked == needs.cpus
    ),
    r"Nodes '(.+)' of TITLE give a job at most # MiB of memory\.": lambda needs, site, name, mib: (
        memory_of(node_of(site, name), site) // 2**20 == mib and memory_of(node_of(site, name), site) < needs.memory
    ),
    r"TITLE ends jobs after ([^;]+); this one asks for (.+)\.": lambda needs, site, shown, asked: ends(
        site.seconds("time.max"), needs.time_s, shown, asked
    ),
    r"TITLE runs Torque, and this is a script for PBS Pro\.": lambda needs, site: site.scheduler == "torque",
    r"The course writes none for Torque: see the section on it in book/pbs\.md\.": lambda needs, site: True,
    r"Ask for less and go on from a checkpoint in the next job\.": lambda needs, site: True,
    r"TITLE's (?:partition|queue) '(.+)' ends jobs after ([^;]+); this one asks for (.+)\.": (
        lambda needs, site, name, shown, asked: ends(partition_of(site, name).max_time, needs.time_s, shown, asked)
    ),
    r"TITLE's (?:partition|queue) '(.+)' is for (CPU|GPU) jobs\.": lambda needs, site, name, use: (
        partition_of(site, name).use == use.lower() != ("gpu" if needs.gpus else "cpu")
    ),
    r"TITLE's (?:partition|queue) '(.+)' takes at most # nodes; this job asks for #\.": (
        lambda needs, site, name, most, asked: partition_of(site, name).max_nodes == most < asked == needs.nodes
    ),
    r"TITLE's (?:partition|queue) '(.+)' takes at least # nodes; this job asks for #\.": (
        lambda needs, site, name, least, asked: partition_of(site, name).min_nodes == least > asked == needs.nodes
    ),
}
