"""``workshop sites``: the list, one site, JSON, and a file that a teacher is writing."""

import json

import pytest
from click.testing import CliRunner

from workshop import sites
from workshop.cli.sites import command

MINE = sites.FOLDER / sites.EXAMPLES / "my-cluster.yml"


def run(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_the_list_names_every_site_with_its_status():
    result = run()
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    for site in sites.all_sites():
        assert site.name in words
        assert site.status_text in words


def test_the_list_as_json():
    result = run("--format", "json")
    listed = {entry["name"]: entry for entry in json.loads(result.stdout)}
    assert sorted(listed) == sites.names()
    assert listed["alvis"]["status"] == "historical"
    assert "Arrhenius" in listed["alvis"]["status_text"]


@pytest.mark.parametrize("name", sites.names())
def test_one_site_shows_status_facts_and_sources(name):
    site = sites.load_site(name)
    result = run(name)
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert f"Status: {site.status_text}." in words
    for short, source in site.sources.items():
        assert f"{short}: {source['title']}" in words
        assert (source.get("url") or source["file"]) in words
        assert f"checked {source['checked']}" in words
    for fact in site.facts:
        if fact.key.split(".")[0] not in ("status", "status_note"):
            values = fact.value if isinstance(fact.value, list) else [fact.value]
            for value in values:
                shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
                assert " ".join(shown.split()) in words, fact.key


def test_one_site_as_json_has_each_fact_with_its_origin():
    data = json.loads(run("kebnekaise", "--format", "json").stdout)
    day = sites.load_site("kebnekaise").sources["batch"]["checked"]
    fact = next(fact for fact in data["facts"] if fact["key"] == "account.form")
    assert fact == {
        "key": "account.form",
        "value": "hpc2nXXXX-YYY",
        "sources": ["batch"],
        "checked": day,
    }
    assert data["values"]["time"]["max"] == "7 d"
    assert data["sources"]["batch"]["url"].startswith("https://github.com/hpc2n/")


def test_a_teacher_s_own_file_is_checked_and_shown():
    result = run(MINE)
    assert result.exit_code == 0
    assert "My Cluster (my-cluster), Slurm" in result.stdout
    assert "rtx: count 3, cores 32" in result.stdout


def test_a_broken_file_ends_with_2_and_the_remedy_on_stderr(tmp_path):
    path = tmp_path / "my-cluster.yml"
    path.write_text(MINE.read_text().replace("status: local\n", "status: alive\n"))
    result = run(path)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "key status" in result.stderr
    assert "\n  Remedy: One of: live" in result.stderr


def test_an_unknown_name_ends_with_2():
    result = run("narvall")
    assert result.exit_code == 2
    assert "did you mean 'narval'?" in result.stderr
