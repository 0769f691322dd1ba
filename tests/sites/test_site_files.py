"""The clusters of the course: each file is valid, and each fact in it has a source that a reader can open."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from workshop import sites
from workshop.jobs import read_script
from workshop.jobs.check import check
from workshop.paths import REPO
from workshop.sites.show import checked

EXAMPLES = sites.FOLDER / sites.EXAMPLES
# Where a name of a site can stand in what a reader sees or runs.
NAMED = re.compile(
    r"""--site[ =]([a-z./][\w./-]*)|\bworkshop sites ([a-z][\w./-]*)|\b(?:Wish|load_site)\("([\w-]+)\""""
)


def shown_and_run():
    """Pages, console sessions, notebooks and exercises: what a fork keeps as it is."""
    kinds = ("book/*.md", "tests/sessions/*.t", "notebooks/*.ipynb", "scripts/exercises/*/*/*")
    return [path for kind in kinds for path in sorted(REPO.glob(kind)) if path.is_file()]


def test_pages_sessions_notebooks_and_exercises_take_their_clusters_from_the_examples():
    """A fork removes the other files, and nothing of the course may need them."""
    named = {}
    for path in shown_and_run():
        for found in NAMED.finditer(path.read_text().replace('\\"', '"')):
            named.setdefault(next(filter(None, found.groups())), path.name)
    assert len(named) > 5
    kept = {path.stem for path in EXAMPLES.glob("*.yml")}
    files = ("./my-cluster.yml", "my-cluster.yml")  # a session's own copy
    assert {name: where for name, where in named.items() if name not in kept and name not in files} == {}


def test_the_examples_are_those_that_pages_teach_with():
    kept = [sites.load_site(path) for path in sorted(EXAMPLES.glob("*.yml"))]
    assert {site.name: (site.scheduler, site.status) for site in kept} == {
        "alvis": ("slurm", "historical"),
        "dtu-hpc": ("lsf", "live"),
        "generic-lsf": ("lsf", "software"),
        "generic-pbs": ("pbs", "software"),
        "generic-slurm": ("slurm", "software"),
        "kebnekaise": ("slurm", "local"),
        "my-cluster": ("slurm", "local"),
        "narval": ("slurm", "live"),
        "polaris": ("pbs", "live"),
        "practice": ("slurm", "software"),
    }


def test_no_site_stands_in_both_folders():
    twice = {path.name for path in sites.FOLDER.glob("*.yml")} & {path.name for path in EXAMPLES.glob("*.yml")}
    assert not twice, "pages and tests use the file in examples/: change that one"


def test_a_course_s_own_site_and_an_example_are_both_found(tmp_path):
    text = (EXAMPLES / "my-cluster.yml").read_text()
    (tmp_path / sites.EXAMPLES).mkdir()
    for path in ("examples/one.yml", "two.yml", "examples/my-cluster.yml"):
        (tmp_path / path).write_text(text.replace("name: my-cluster", f"name: {Path(path).stem}"))
    assert sites.names(tmp_path) == ["one", "two"]
    assert [site.name for site in sites.all_sites(tmp_path)] == ["one", "two"]
    assert sites.load_site("my-cluster").title == "My Cluster"
    assert "my-cluster" not in sites.names()


@pytest.mark.parametrize("name", sites.names())
def test_every_fact_has_a_source_and_a_date(name):
    site = sites.load_site(name)
    assert len(site.facts) > 5
    for fact in site.facts:
        assert fact.sources, fact.key
        assert set(fact.sources) <= set(site.sources), fact.key
        # Clocks differ by a day between time zones.
        assert date.fromisoformat(checked(site, fact)) <= date.today() + timedelta(days=1), fact.key


@pytest.mark.parametrize("name", sites.names())
def test_every_source_can_be_opened(name):
    for source in sites.load_site(name).sources.values():
        if "url" in source:
            assert re.match(r"https://[a-z0-9.-]+\.[a-z]+/\S*$", source["url"]), source
        else:
            assert (REPO / source["file"]).exists()


@pytest.mark.parametrize("name", sites.names())
def test_no_fact_is_a_guess_in_disguise(name):
    """What could not be checked is absent: no null, no 'unknown', no question mark."""
    for fact in sites.load_site(name).facts:
        assert fact.value not in (None, "", "unknown", "n/a", "?"), fact.key
        assert "?" not in str(fact.value) or "http" in str(fact.value), fact.key


@pytest.mark.parametrize("name", sites.names())
def test_every_status_that_is_not_plainly_live_is_explained(name):
    site = sites.load_site(name)
    assert sites.STATUS_WORDS[site.status] in site.status_text
    if site.status != "live":
        assert len(site.get("status_note", "").split()) >= 5


def test_values_come_out_in_units_that_programs_use():
    narval = sites.load_site("narval")
    gpu = narval.nodes[0]
    assert (gpu.gpus, gpu.gpu_type, gpu.cores_per_gpu) == (4, "a100", 12)
    assert gpu.memory == 510000 * 1024**2
    assert narval.seconds("time.max") == 7 * 86400
    assert narval.seconds("time.min") == 300
    assert narval.seconds("time.default") is None
    debug = next(partition for partition in sites.load_site("polaris").partitions if partition.name == "debug")
    assert (debug.max_nodes, debug.min_time, debug.max_time) == (2, 300, 3600)


def test_the_spelling_of_gpu_types_is_each_site_s_own():
    assert "A100fat" in sites.load_site("alvis").gpu_types
    assert "a100" in sites.load_site("kebnekaise").gpu_types
    assert sites.load_site("narval").gpu_types == ["a100"]


@pytest.mark.parametrize("seconds", [1, 90, 300, 3600, 86400, 7 * 86400])
def test_times_are_shown_as_the_files_write_them(seconds):
    assert sites.parse_time(sites.show_time(seconds)) == seconds


def test_the_table_shows_each_site_with_its_status():
    text = sites.table()
    assert text.startswith("```{list-table}")
    rows = text.split("\n* - ")[2:]
    assert len(rows) == len(sites.offered())
    for site in sites.offered():
        row = next(row for row in rows if f"(`{site.name}`)" in row)
        assert site.status.replace("-", " ") in row
        assert len(row.strip("`\n").split("\n  - ")) == 4
    assert "[Narval](/clusters/narval.md)" in sites.table(sites.FOLDER / sites.EXAMPLES, pages="/clusters")


def test_the_practice_site_says_what_the_practice_cluster_is():
    from workshop.cluster import config

    site = sites.load_site("practice")
    kinds = {node.name: node for node in site.nodes}
    assert kinds["cpu"].count == len(config.CPU_NODES)
    assert kinds["gpu"].count == len(config.GPU_NODES)
    assert kinds["gpu"].gpus == config.GPUS_PER_NODE
    assert {node.cores for node in site.nodes} == {config.CORES}
    assert kinds["cpu"].memory == config.CPU_NODE_MIB * 1024**2
    assert kinds["gpu"].memory == config.GPU_NODE_MIB * 1024**2
    assert sites.parse_memory(site.get("memory.default_per_core")) == config.MIB_PER_CORE * 1024**2
    assert site.get("account.form") in config.ACCOUNTS
    lines = config._partitions()
    for partition, line in zip(site.partitions, lines, strict=True):
        assert line.startswith(f"PartitionName={partition.name} ")
        assert "DefaultTime=00:10:00 MaxTime=1-00:00:00" in line
        assert (partition.default_time, partition.max_time) == (600, 86400)
        assert ("Default=YES" in line) == partition.default


# Scheduler -> a script for a partition, hours and GPUs.
REQUESTS = {
    "slurm": "#SBATCH --partition={partition}\n#SBATCH --time={hours}:00:00\n",
    "pbs": "#PBS -q {partition}\n#PBS -l walltime={hours}:00:00\n",
    "lsf": "#BSUB -q {partition}\n#BSUB -W {hours}:00\n",
}
GPUS = {"slurm": "#SBATCH --gpus-per-node={gpu}1\n"}
LIMITS = [
    (site.name, partition.name, partition.max_time // 3600)
    for site in sites.all_sites()
    for partition in site.partitions
    if site.scheduler in REQUESTS and (partition.max_time or 0) % 3600 == 0 and partition.max_time
]


def rules(name, with_gpus=True, **asked):
    """Names of the findings that come from the site's facts."""
    site = sites.load_site(name)
    header = REQUESTS[site.scheduler] + (GPUS.get(site.scheduler, "") if with_gpus else "")
    text = "#!/bin/bash\n" + header.format(**{"gpu": "", **asked}) + "\nhostname\n"
    findings = check(read_script(text, site.scheduler), profile=site.profile()).findings
    ours = ("time_exceeds_partition_limit", "gpu_type_or_partition_not_in_profile")
    return [finding.rule for finding in findings if finding.rule in ours]


def knows_all_partitions(site):
    """Whether the file says so, or names the partition of each kind of node with GPUs, for which the request asks."""
    with_gpus = [node.partition for node in site.nodes if node.gpus]
    return site.get("partitions_complete") or (site.scheduler == "slurm" and with_gpus and all(with_gpus))


@pytest.mark.parametrize(("name", "partition", "hours"), LIMITS)
def test_the_checker_knows_each_limit_of_a_site(name, partition, hours):
    assert rules(name, partition=partition, hours=hours) == []
    assert rules(name, partition=partition, hours=hours + 1) == ["time_exceeds_partition_limit"]
    unknown = ["gpu_type_or_partition_not_in_profile"] if knows_all_partitions(sites.load_site(name)) else []
    assert rules(name, partition="no-such", hours=hours) == unknown
    # Of a job without GPUs only a file that says that it lists all partitions lets us say so.
    unknown = ["gpu_type_or_partition_not_in_profile"] if sites.load_site(name).get("partitions_complete") else []
    assert rules(name, partition="no-such", hours=hours, with_gpus=False) == unknown


def types_in_options(site):
    return any("{type}" in text for text in [site.get("gpu.request", ""), *site.get("gpu.also", [])])


SLURM = [site for site in sites.all_sites() if site.scheduler == "slurm" and site.gpu_types]


@pytest.mark.parametrize("name", [site.name for site in SLURM if types_in_options(site)])
def test_the_checker_knows_the_gpu_types_of_a_site(name):
    site = sites.load_site(name)
    for node in site.nodes:
        if node.gpu_type:
            asked = {"partition": node.partition or "any", "hours": 1}
            unknown = ["gpu_type_or_partition_not_in_profile"] if rules(name, **asked) else []
            assert rules(name, gpu=f"{node.gpu_type}:", **asked) == unknown
            assert len(rules(name, gpu="tpu:", **asked)) == len(unknown) + 1


def test_profiles_say_only_what_is_known():
    assert sites.load_site("dtu-hpc").profile().memory_per_task is True
    assert sites.load_site("generic-lsf").profile().memory_per_task is None
    assert sites.load_site("practice").profile().complete
    assert not sites.load_site("narval").profile().complete
    assert sites.load_site("narval").profile().gpu_types == ["a100"]
    assert sites.load_site("polaris").profile().gpu_types == []


def test_the_hardware_table_has_every_named_cluster():
    text = sites.hardware_table()
    for site in sites.offered():
        assert (f"**{site.title}**" in text) == (site.status != "software")
    assert "None" not in text
    examples = sites.hardware_table(sites.FOLDER / sites.EXAMPLES)
    assert "159 with 4 `a100` of 40 GB (48 cores, 498 GiB)" in examples  # narval.yml
