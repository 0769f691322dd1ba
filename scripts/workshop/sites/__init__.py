"""Facts of named clusters ("sites"): one YAML file each, every fact with its source.

``scripts/sites`` holds the clusters that a course is given for: a fork puts its own in their place. The folder
``examples`` below it holds those that pages, notebooks, exercises and tests use, and every fork keeps them.

Everything that offers a site shows `Site.status_text` beside its name.
"""

import pickle
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workshop.jobs.dialect import dialect
from workshop.paths import COURSE, data
from workshop.sites.values import SECONDS, Fact, SiteError, parse_memory, parse_time, show_path

if TYPE_CHECKING:
    from workshop.jobs.profile import Profile

__all__ = ["Fact", "NodeKind", "Partition", "Site", "SiteError", "all_sites", "load_site", "names", "table"]

FOLDER = data("sites")
EXAMPLES = "examples"  # folder below FOLDER
OFFERED = "offered_examples.txt"  # in FOLDER: the clusters of EXAMPLES that the pages' lists have as well
TEMPLATE = "my-cluster"  # the invented example, to be copied: found by its name, but never listed

STATUS_WORDS = {
    "live": "live",
    "local": "live, open to its own universities only",
    "historical": "historical: no longer there, or nobody could say that it still is",
    "unofficial-sources": "facts from users and third parties only: check with the center",
    "software": "no single cluster: each installation decides",
}

ACCOUNT_WORDS = {
    "required": "required",
    "required-if-several": "required if you have several",
    "optional": "optional",
    "none": "not used",
}


@dataclass(frozen=True)
class NodeKind:
    """One kind of node. Memory in bytes for one node; None = the sources do not say."""

    name: str
    count: int | None = None
    cores: int | None = None
    memory: int | None = None
    memory_per_core: int | None = None
    gpus: int = 0
    gpu_type: str | None = None
    gpu_memory: int | None = None
    cores_per_gpu: int | None = None
    memory_per_gpu: int | None = None
    partition: str | None = None
    constraint: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Partition:
    """One partition or queue. Times in seconds; None = the sources do not say."""

    name: str
    use: str = "any"
    default: bool = False
    max_time: int | None = None
    min_time: int | None = None
    default_time: int | None = None
    min_nodes: int | None = None
    max_nodes: int | None = None
    exclusive: bool = False
    note: str | None = None


@dataclass
class Site:
    """One cluster: ``values`` is its file without provenance, ``facts`` has one entry for each statement."""

    path: Path
    values: dict[str, Any]
    facts: list[Fact] = field(repr=False)

    @property
    def name(self) -> str:
        return self.values["name"]

    @property
    def title(self) -> str:
        return self.values["title"]

    @property
    def status(self) -> str:
        """``live``, ``local``, ``historical``, ``unofficial-sources`` or ``software``."""
        return self.values["status"]

    @property
    def status_text(self) -> str:
        """The status in words, with the file's note: to be shown wherever the site is offered."""
        note = self.values.get("status_note")
        return STATUS_WORDS[self.status] + (f". {note}" if note else "")

    @property
    def set_up_place(self) -> str:
        """Where the environment is made once: most sites have login nodes for it."""
        return self.get("software.set_up_place") or "on a login node"

    @property
    def scheduler(self) -> str:
        """``slurm``, ``pbs``, ``torque`` or ``lsf``."""
        return self.values["scheduler"]["name"]

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        return self.values["sources"]

    def get(self, key: str, default: Any = None) -> Any:
        """The value at a dotted key (``time.max``), or ``default`` where the file says nothing."""
        value: Any = self.values
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                return default
            value = value[part]
        return value

    def seconds(self, key: str) -> int | None:
        """A duration of the file in seconds, None where it is absent."""
        text = self.get(key)
        return None if text is None else parse_time(text)

    @property
    def nodes(self) -> list[NodeKind]:
        return [_node_kind(item) for item in self.values.get("nodes", [])]

    @property
    def partitions(self) -> list[Partition]:
        return [_partition(item) for item in self.values.get("partitions", [])]

    @property
    def gpu_types(self) -> list[str]:
        """GPU types as the scheduler's option spells them, in the file's order."""
        return list(dict.fromkeys(node.gpu_type for node in self.nodes if node.gpu_type))

    def profile(self) -> "Profile":
        """What the checker of job scripts must know; unknown facts stay None and raise no finding."""
        from workshop.jobs.profile import NodeFacts, Profile

        typed = any("{type}" in text for text in [self.get("gpu.request", ""), *self.get("gpu.also", [])])
        usual = next((node for node in self.nodes if node.gpus), None)
        per_slot = {"per-slot": True, "node": False}.get(self.get("memory.rule", ""))
        return Profile(
            name=self.name,
            scheduler=self.scheduler,
            partitions={partition.name: partition.max_time for partition in self.partitions},
            partition_gpu_types=_types_by_partition(self) if typed else {},
            gpu_types=self.gpu_types if typed else [],
            complete=bool(self.get("partitions_complete")),
            gpus_per_node=usual.gpus if usual else None,
            cpus_per_node=usual.cores if usual else None,
            totals=False if self.scheduler == "pbs" else None,
            memory_per_task=per_slot if self.scheduler == "lsf" else None,
            slurm_version=self.get("scheduler.version") if self.scheduler == "slurm" else None,
            nodes=[
                NodeFacts(node.name, node.cores, node.gpus, node.gpu_type, node.memory, node.partition)
                for node in self.nodes
            ],
            whole_nodes=self.get("sharing.rule") == "whole-node",
            longest=self.seconds("time.max"),
        )


def show_time(seconds: int) -> str:
    """A duration in words, the inverse of `parse_time` for whole units."""
    for unit in ("d", "h", "min"):
        if seconds % SECONDS[unit] == 0 and (unit != "d" or seconds > SECONDS["d"]):
            return f"{seconds // SECONDS[unit]} {unit}"
    return f"{seconds} s"


def _node_kind(item: dict[str, Any]) -> NodeKind:
    amounts = ("memory", "memory_per_core", "gpu_memory", "memory_per_gpu")
    return NodeKind(**{key: parse_memory(value) if key in amounts else value for key, value in item.items()})


def _partition(item: dict[str, Any]) -> Partition:
    values = {key: parse_time(value) if key.endswith("_time") else value for key, value in item.items()}
    return Partition(use=values.pop("for", "any"), **values)


def site_files(folder: Path = FOLDER) -> dict[str, Path]:
    """Name -> file of all sites of ``folder`` and its examples, sorted by name; a file of ``folder`` itself wins."""
    examples = {path.stem: path for path in (folder / EXAMPLES).glob("*.yml") if path.stem != TEMPLATE}
    return dict(sorted({**examples, **{path.stem: path for path in folder.glob("*.yml")}}.items()))


def names(folder: Path = FOLDER) -> list[str]:
    """Names of all sites of ``folder`` and its examples, sorted."""
    return list(site_files(folder))


def all_sites(folder: Path = FOLDER) -> list[Site]:
    """All sites of ``folder`` and its examples, sorted by name."""
    return [load_site(path) for path in site_files(folder).values()]


_supplied: dict[str, dict[str, Any]] = {}


def supply(values: dict[str, dict[str, Any]]) -> None:
    """Take the sites of these names as values, for a browser, which has no YAML: their files were read elsewhere."""
    _supplied.clear()
    _supplied.update(values)


def offered(folder: Path = FOLDER) -> list[Site]:
    """The sites that pages list and offer to their readers: the folder's own, and no cluster of somebody else.

    Of the examples those that are no single cluster (a scheduler as such, the practice cluster), and those that the
    folder's file ``offered_examples.txt`` names: a fork removes it together with our clusters.
    """
    own = {path.stem for path in folder.glob("*.yml")}
    also = folder / OFFERED
    named = {line.partition("#")[0].strip() for line in also.read_text().split("\n")} if also.is_file() else set()
    return [site for site in all_sites(folder) if site.name in own | named or site.status == "software"]


def in_order(folder: Path = FOLDER) -> list[Site]:
    """The offered sites as lists show them: live clusters first, history last."""
    return sorted(offered(folder), key=_order)


def load_site(name: str | Path) -> Site:
    """Read and check one site.

    Args:
        name: a site's name (``kebnekaise``) or a path to a site file (with a slash, or ending in ``.yml``).

    Raises:
        SiteError: no such site, or its file has problems; the message names file, line, key and remedy.
    """
    if isinstance(name, str) and name in _supplied:
        return Site(Path(f"{name}.yml"), _supplied[name], [])
    path = _find(name)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SiteError(
            f"{show_path(path)}: not UTF-8 text ({error.reason}). Remedy: save the file as UTF-8."
        ) from None
    values, facts = pickle.loads(_checked(text, path))
    return Site(path=path, values=values, facts=facts)


@cache
def _checked(text: str, path: Path) -> bytes:
    """A site file's values and facts, read and checked once for each text: pickled, as each caller may change its own.

    A build asks for each site a dozen times, and checking takes ten times as long as a copy.
    """
    from workshop.sites.file import read  # YAML is not there in a browser, where a site comes as values

    return pickle.dumps(read(text, path))


def _find(name: str | Path) -> Path:
    if isinstance(name, Path) or name.endswith((".yml", ".yaml")) or "/" in name:
        path = Path(name)
        if path.is_file():
            return path
        raise SiteError(f"{name}: no such file. Remedy: 'workshop sites' lists the sites of this repository.")
    for path in (FOLDER / f"{name}.yml", FOLDER / EXAMPLES / f"{name}.yml"):
        if path.is_file():
            return path
    close = get_close_matches(name, names(), n=1)
    hint = f"did you mean '{close[0]}'?" if close else "'workshop sites' lists them."
    if not COURSE:
        raise SiteError(f"No site '{name}': {hint} A new cluster is one file; give its path in place of a name.")
    raise SiteError(
        f"No site '{name}' in {show_path(FOLDER)}: {hint} A new cluster is one file there (book/adapting.md)."
    )


def _types_by_partition(site: Site) -> dict[str, list[str]]:
    """GPU types of each partition that some kind of node names."""
    types: dict[str, list[str]] = {}
    for node in site.nodes:
        if node.partition and node.gpu_type and node.gpu_type not in types.setdefault(node.partition, []):
            types[node.partition].append(node.gpu_type)
    return types


def table(folder: Path = FOLDER, pages: str = "") -> str:
    """A MyST list table, one row a site: status, scheduler, longest walltime. ``pages``: the folder of their pages."""
    head = ["Cluster", "Status", "Scheduler", "Longest job"]
    rows = [head, *(_row(site, pages) for site in in_order(folder))]
    lines = ["```{list-table} Clusters of this course", ":header-rows: 1", ":class: sites", ""]
    for row in rows:
        lines += [("* - " if number == 0 else "  - ") + cell for number, cell in enumerate(row)]
    return "\n".join([*lines, "```", ""])


def hardware_table(folder: Path = FOLDER) -> str:
    """A MyST list table, one row a cluster: where it stands, its state, its nodes with GPUs. No generic sites."""
    lines = ["```{list-table} Nodes with GPUs", ":header-rows: 1", ":class: sites", ""]
    lines += ["* - Cluster", "  - Scheduler", "  - Nodes with GPUs"]
    for site in in_order(folder):
        if site.status == "software":
            continue
        state = {"live": "", "unofficial-sources": "; from users' texts"}.get(site.status, f"; {site.status}")
        kinds = [_gpu_node(node) for node in site.nodes if node.gpus] or ["GPUs, their number was not found"]
        where = f", {site.get('where')}" if site.get("where") else ""
        lines += [f"* - **{site.title}**{where}{state}"]
        lines += [f"  - {scheduler_name(site.scheduler)}", "  - " + "; ".join(dict.fromkeys(kinds))]
    return "\n".join([*lines, "```", ""])


def containers_table(folder: Path = FOLDER) -> str:
    """A MyST list table, one row a cluster that says something about containers. No generic sites."""
    lines = ["```{list-table} Apptainer at the clusters", ":header-rows: 1", ":class: sites", ""]
    lines += ["* - Cluster", "  - Before `apptainer`", "  - Where to build"]
    head = len(lines)
    for site in in_order(folder):
        if site.status == "software" or not site.get("containers.runtime"):
            continue
        state = {"live": "", "unofficial-sources": " (from users' texts)"}.get(site.status, f" ({site.status})")
        loads = ", ".join(f"`{line}`" for line in site.get("software.container", [])) or "nothing"
        lines += [f"* - **{site.title}**{state}", f"  - {loads}", f"  - {site.get('containers.build', 'not known')}"]
    if len(lines) == head:
        return "No site file here says where Apptainer comes from: ask your cluster's documentation.\n"
    return "\n".join([*lines, "```", ""])


def _gpu_node(node: NodeKind) -> str:
    """One kind of node in words; what the sources do not say is left out. Memory as schedulers count it: binary."""
    count = f"{node.count} with " if node.count else ""
    size = f" of {node.gpu_memory // 1024**3} GB" if node.gpu_memory else ""
    more = [f"{node.cores} cores"] if node.cores else []
    memory = node.memory or (node.memory_per_core or 0) * (node.cores or 0)
    more += [f"{memory / 1024**3:.0f} GiB"] if memory else []
    kind = f"`{node.gpu_type}`" if node.gpu_type else "GPUs"
    return f"{count}{node.gpus} {kind}{size}" + (f" ({', '.join(more)})" if more else "")


def _order(site: Site) -> tuple[int, str]:
    """Live clusters first, history last."""
    ranks = {"live": 0, "local": 1, "unofficial-sources": 2, "software": 3, "historical": 4}
    return ranks[site.status], site.name


def _row(site: Site, pages: str) -> list[str]:
    return [
        f"[{site.title}]({pages}/{site.name}.md)" if pages else f"**{site.title}** (`{site.name}`)",
        site.status.replace("-", " "),
        " ".join(filter(None, [scheduler_name(site.scheduler), site.get("scheduler.version")])),
        site.get("time.max") or _longest_partition(site) or "not known",
    ]


def _longest_partition(site: Site) -> str | None:
    limits = [partition.max_time for partition in site.partitions if partition.max_time]
    return show_time(max(limits)) if limits else None


def scheduler_name(scheduler: str) -> str:
    """The scheduler's name as prose writes it."""
    return dialect(scheduler).title
