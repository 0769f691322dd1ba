"""The page of references lists every outside page that the chapters link to, each once, and nothing that none uses."""

from collections import Counter

import pytest

from workshop.book.references import (
    assigned,
    owner,
    page_name,
    paper_url,
    papers,
    papers_markdown,
    plain,
    works,
    works_markdown,
    worth_reading_for,
)
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

WORKS, TO_PAPERS, LOOSE = assigned()
PAPERS = papers()
PAGE = (REPO / "book" / "references.md").read_text()
GROUPS = sorted({work.group for work in WORKS})


def test_every_link_of_the_chapters_is_listed():
    papers_missing = [url for url in LOOSE if plain(url).startswith(("doi.org", "arxiv.org"))]
    assert not papers_missing, "add these papers to book/references.bib"
    assert not LOOSE, "add an entry to book/references.yml, or a beginning to the `covers` of one"


@pytest.mark.parametrize("work", [w for w in WORKS if w.group != "origins"], ids=lambda w: w.title)
def test_every_work_is_used(work):
    assert work.links, f"no page links to {work.title}: take the entry out of book/references.yml"
    unused = [
        start for start in work.covers if not any(owner(url, [work]) and start in plain(url) for url in work.links)
    ]
    assert not unused, "no page links to what begins like this"


def test_nothing_is_listed_twice():
    for what in ([w.title for w in WORKS], [s for w in WORKS for s in w.covers], [w.url for w in WORKS if w.url]):
        assert [name for name, times in Counter(what).items() if times > 1] == []
    addresses = Counter(paper_url(paper).lower() for paper in PAPERS.values())
    assert max(addresses.values()) == 1


@pytest.mark.parametrize("work", [w for w in WORKS if w.url], ids=lambda w: w.title)
def test_the_address_of_a_work_is_no_other_works_page(work):
    covering = owner(work.url, works())
    assert covering is None or covering.title == work.title


@pytest.mark.parametrize("key", sorted(PAPERS))
def test_a_paper_is_complete_and_belongs_to_a_chapter(key):
    paper = PAPERS[key]
    assert paper.persons["author"]
    assert {"title", "year"} <= set(paper.fields)
    assert ("doi" in paper.fields) != ("eprint" in paper.fields)
    using = TO_PAPERS.get(plain(paper_url(paper)), set())
    further = worth_reading_for(paper)
    assert using or further, "no chapter links to it: name the chapters that it leads on from in `keywords`"
    assert all((REPO / "book" / f"{name}.md").is_file() for name in further)


def test_the_page_shows_every_group():
    shown = [line.split("} ")[1] for line in PAGE.splitlines() if line.startswith("```{references}")]
    assert sorted(shown) == sorted([*GROUPS, "papers"])


@pytest.mark.parametrize("group", GROUPS)
def test_links_name_chapters_and_pages(group):
    text = works_markdown(group, WORKS)
    for work in (w for w in WORKS if w.group == group):
        assert work.title in text
        assert all(f"]({stem}.md)" in text for stem in work.chapters())
    assert "[]" not in text


def test_papers_name_their_chapters():
    text = papers_markdown(TO_PAPERS)
    assert text.count("\n- ") + 1 == len(PAPERS)
    assert text.count(".md)") >= len(PAPERS)


def test_the_five_documents_are_those_of_the_coverage_table():
    table = read_yaml(REPO / "tests" / "repository" / "seed_coverage.yml")
    assert [w.key for w in WORKS if w.group == "origins"] == list(table["documents"])


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://slurm.schedmd.com/sbatch.html#SECTION_OPTIONS", "sbatch"),
        ("https://github.com/openpbs/openpbs/blob/master/doc/man1/qsub.1B", "qsub(1B)"),
        ("https://www.ibm.com/docs/en/SSWRJV_10.1.0/lsf_command_ref/bsub.__w.1.html", "bsub -W"),
        ("https://www.ibm.com/docs/en/SSWRJV_10.1.0/lsf_command_ref/bsub.__we.1.html", "bsub -We"),
        ("https://www.ibm.com/docs/SSWRJV_10.1.0/lsf_command_ref/bsub.man_top.1.html", "bsub"),
        ("https://www.ibm.com/docs/en/SSWRJV_10.1.0/lsf_config_ref/lsf.conf.lsb_set_tmpdir.5.html", "LSB_SET_TMPDIR"),
        ("https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=lsbparams-hist-hours", "lsbparams hist hours"),
        ("https://docs.alliancecan.ca/wiki/Running_jobs/en", "Running jobs"),
        ("https://www.hpc.dtu.dk/?page_id=1416", "page 1416"),
        ("https://github.com/NVIDIA/nccl/issues/704", "nccl issue 704"),
        ("https://eurohpc-ju.europa.eu", "eurohpc-ju.europa.eu"),
    ],
)
def test_names_of_pages(url, name):
    assert page_name(url) == name


def test_the_longest_beginning_wins():
    assert owner("https://www.hpc.dtu.dk/lsf931/x.html", WORKS).title == "IBM's guide to LSF 9.1.3"
    assert owner("https://www.hpc.dtu.dk/?page_id=1", WORKS).title == "DTU HPC"
    assert owner("https://example.org/", WORKS) is None
