"""Where the course lives is one setting: what follows it, and what a site without it says."""

import pytest
from lxml.html import document_fromstring

from workshop.book import home
from workshop.paths import REPO

REPOSITORY, SITE = "https://github.com/someone/course", "https://someone.example.org/course"


@pytest.mark.slow
def test_one_setting_gives_clone_lines_edit_links_and_canonical_addresses(tiny):
    tiny.page("get_it", "# Get it\n\n```bash\ngit clone ADDRESS here\npython -m pip install git+ADDRESS\n```\n")
    first = tiny.run("book", "build")
    assert first.returncode == 0, first.stdout
    said = [line for line in first.stdout.splitlines() if home.SETTING in line]
    assert len(said) == 1 and "no repository and no site" in said[0]
    page = tiny.root / "_build" / "html" / "book" / "get_it.html"
    assert "git clone ADDRESS here" in document_fromstring(page.read_text()).text_content()
    config = tiny.root / "_config.yml"
    set_to = f'repository: "{REPOSITORY}", branch: main, site: "{SITE}"'
    config.write_text(config.read_text().replace('repository: "", branch: main, site: ""', set_to))
    second = tiny.run("book", "build")
    assert second.returncode == 0, second.stdout
    assert home.SETTING not in second.stdout
    opened = document_fromstring(page.read_text())
    assert f"git clone {REPOSITORY} here" in opened.text_content()
    assert f"install git+{REPOSITORY}" in opened.text_content()
    assert opened.xpath("//link[@rel='canonical']/@href") == [f"{SITE}/book/get_it.html"]
    assert f"{REPOSITORY}/edit/main/book/get_it.md" in opened.xpath("//a/@href")


def test_only_the_repository_s_address_is_replaced():
    """Each place of the pages that means the repository, and none that means somebody's mail."""
    places = 0
    for page in sorted((REPO / "book").glob("*.md")):
        text = page.read_text()
        left = home.with_address(text, REPOSITORY)
        places += left.count(REPOSITORY)
        rest = [line for line in left.split("\n") if "ADDRESS" in line]
        assert all("mail" in line or "_ADDRESS" in line for line in rest), rest
    assert places >= 8


def test_the_page_of_a_cluster_is_edited_in_its_site_file():
    page = document_fromstring(f'<a class="btn" href="{REPOSITORY}/edit/main/clusters/narval.md">edit</a>')
    home.edit_site_files(page)
    assert page.xpath("//a/@href") == [f"{REPOSITORY}/edit/main/scripts/sites/examples/narval.yml"]
