"""The clusters of the course: each file is valid, and each fact in it has a source that a reader can open."""

import re
from datetime import date

import pytest

from workshop import sites
from workshop.cli_sites import checked
from workshop.paths import REPO

EXPECTED = {
    "alvis": ("slurm", "historical"),
    "arrhenius": ("slurm", "unofficial-sources"),
    "dtu-hpc": ("lsf", "live"),
    "fir": ("slurm", "live"),
    "generic-lsf": ("lsf", "software"),
    "generic-pbs": ("pbs", "software"),
    "generic-slurm": ("slurm", "software"),
    "kebnekaise": ("slurm", "local"),
    "magic-castle": ("slurm", "software"),
    "narval": ("slurm", "live"),
    "polaris": ("pbs", "live"),
    "practice": ("slurm", "software"),
    "rorqual": ("slurm", "live"),
    "sockeye": ("slurm", "unofficial-sources"),
    "wilson": ("slurm", "historical"),
}


def test_the_course_offers_exactly_the_expected_sites():
    assert {site.name: (site.scheduler, site.status) for site in sites.all_sites()} == EXPECTED


@pytest.mark.parametrize("name", sites.names())
def test_every_fact_has_a_source_and_a_date(name):
    site = sites.load_site(name)
    assert len(site.facts) > 5
    for fact in site.facts:
        assert fact.sources, fact.key
        assert set(fact.sources) <= set(site.sources), fact.key
        assert date(2026, 1, 1) <= date.fromisoformat(checked(site, fact)) <= date(2027, 12, 31), fact.key


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
        assert len(site.get("status_note", "")) > 40


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
    assert sites.load_site("rorqual").gpu_types == ["h100"]


@pytest.mark.parametrize("seconds", [1, 90, 300, 3600, 86400, 7 * 86400])
def test_times_are_shown_as_the_files_write_them(seconds):
    assert sites.parse_time(sites.show_time(seconds)) == seconds


def test_the_table_shows_each_site_with_its_status():
    text = sites.table()
    assert text.startswith("```{list-table}")
    rows = text.split("\n* - ")[2:]
    assert len(rows) == len(EXPECTED)
    for site in sites.all_sites():
        row = next(row for row in rows if f"(`{site.name}`)" in row)
        assert site.status.replace("-", " ") in row
        assert len(row.strip("`\n").split("\n  - ")) == 6


def test_the_list_of_sources_links_every_source():
    text = sites.sources_list()
    for site in sites.all_sites():
        assert f"**{site.title}** (`{site.name}`): {site.status_text}." in text
        for source in site.sources.values():
            where = f"({source['url']})" if "url" in source else f"`{source['file']}`"
            assert where in text
            assert f"checked {source['checked']}" in text


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


@pytest.mark.parametrize("name", sites.names())
def test_the_checker_s_profile_holds_the_site_s_own_limits(name):
    site = sites.load_site(name)
    made = site.profile()
    assert made.name == name
    assert made.partitions == {partition.name: partition.max_time for partition in site.partitions}
    assert set(made.gpu_types) <= set(site.gpu_types)
    for types in made.partition_gpu_types.values():
        assert set(types) <= set(site.gpu_types)


def test_profiles_say_only_what_is_known():
    assert sites.load_site("dtu-hpc").profile().memory_per_task is True
    assert sites.load_site("generic-lsf").profile().memory_per_task is None
    assert sites.load_site("practice").profile().complete
    assert not sites.load_site("narval").profile().complete
    assert sites.load_site("narval").profile().gpu_types == ["a100"]
    assert sites.load_site("sockeye").profile().gpu_types == []


def test_the_book_s_table_has_both_parts():
    text = sites.markdown_table()
    assert text == sites.table() + "\n" + sites.sources_list()


def test_the_hardware_table_has_every_named_cluster():
    text = sites.hardware_table()
    for site in sites.all_sites():
        assert (f"**{site.title}**" in text) == (site.status != "software")
    assert "159 with 4 `a100` of 40 GB (48 cores, 498 GiB)" in text  # narval.yml
    assert "None" not in text
