"""A page for each cluster, made from its file: what the file says, from where, and since when."""

import pytest
import yaml
from lxml.html import fromstring

from workshop import sites
from workshop.book import clusters, filled
from workshop.paths import REPO
from workshop.sites.show import checked

NAMES = [site.name for site in sites.offered()]


def words(text: str) -> str:
    """What a reader sees of the page's Markdown and HTML, on one line."""
    return " ".join(fromstring(f"<div>{text}</div>").text_content().split())


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_state_sources_hosts_and_scripts(name):
    site = sites.load_site(name)
    text = clusters.page(site)
    seen = words(text)
    assert text.startswith(f"# {site.title}\n")
    for said in (site.status_text, *site.get("login.hosts", [])):
        assert " ".join(str(said).split()) in seen
    for source in site.sources.values():
        assert " ".join(source["title"].split()) in seen and source.get("url", source.get("file", "")) in text
        assert f"checked {source['checked']}" in seen
    for partition in site.partitions:
        assert partition.name in seen
    for script, made in filled.for_site(site).items():
        assert script.rpartition("/")[2] in seen
        assert made.get("text", "") in text  # as it is, in a block of code
        assert " ".join(made.get("refused", "").split()) in seen


@pytest.mark.parametrize("name", NAMES)
def test_each_section_names_its_sources_with_the_oldest_day(name):
    site = sites.load_site(name)
    sections = clusters.page(site).split("\n## ")[1:]
    titles = {title: keys for title, keys, _ in clusters.SECTIONS}
    for section in sections:
        title = section.partition("\n")[0]
        if title in titles:
            facts = [fact for fact in site.facts if fact.key.partition(".")[0] in titles[title]]
            assert f"; checked {min(checked(site, fact) for fact in facts)}." in section, title


def test_what_a_site_file_says_is_text_and_no_markup():
    site = sites.load_site("narval")
    site.values["login"]["mfa"] = "<b>Duo</b> *or* `otp` & --more"
    assert "&lt;b&gt;Duo&lt;/b&gt; *or* <code>otp</code> &amp; --more" in clusters.page(site)


def test_the_pages_stand_below_the_table_in_the_contents():
    made = yaml.safe_load(clusters.contents((REPO / "_toc.yml").read_text()))
    chapters = [chapter for part in made["parts"] for chapter in part["chapters"]]
    below = next(chapter["sections"] for chapter in chapters if chapter["file"] == clusters.ABOVE)
    assert [entry["file"] for entry in below] == clusters.documents()
    assert set(clusters.documents()) == {f"clusters/{name}" for name in NAMES}
    assert {name.removesuffix(".md") for name in clusters.staged()} == set(clusters.documents())
