"""What the site gives to the browser for each cluster is what `workshop fill` prints."""

import json
from html import unescape
from re import sub

import pytest
from click.testing import CliRunner

from workshop import sites
from workshop.book import filled
from workshop.cli.fill import command


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> dict:
    """The file of the built site, as the browser reads it."""
    folder = tmp_path_factory.mktemp("site")
    filled.write(folder)
    text = (folder / "_static" / filled.FILE).read_text(encoding="utf-8")
    return json.loads(text.removeprefix("window.workshopFilled=").removesuffix(";\n"))


def text(data: dict, numbers: list[int]) -> str:
    """The script that a browser shows for these lines."""
    return "".join(unescape(sub(r"<[^>]*>", "", data["lines"][number])) + "\n" for number in numbers)


def printed(name: str, site: str, *more: str):
    return CliRunner().invoke(command, [str(filled.scripts()[name]), "--site", site, *more])


@pytest.mark.parametrize("site", [site.name for site in sites.offered()])
def test_each_script_is_what_the_command_line_prints(data, site):
    wanted = filled.fillable(sites.load_site(site))
    assert data["filled"][site].keys() == wanted.keys() and wanted
    for name, made in data["filled"][site].items():
        told = printed(name, site)
        if "refused" in made:
            assert told.exit_code == 1 and made["refused"] in told.stderr, name
            continue
        assert text(data, made["text"]) == told.stdout, name
        warnings = [f"WARNING: {warning}" for warning in made["warnings"]]
        rest = told.stderr.splitlines()[0 if warnings else 1 :]  # the first line names the target
        assert rest == warnings + [f"- {note}" for note in made["notes"]], name


@pytest.mark.parametrize("site", [site.name for site in sites.offered()])
def test_an_account_is_written_as_the_command_line_writes_it(data, site):
    account = "def-somebody_gpu"
    name = next(name for name, made in data["filled"][site].items() if "hello" in name)
    shown = text(data, data["filled"][site][name]["named"]).replace(data["account"], account)
    assert shown == printed(name, site, "--account", account).stdout


def test_generic_scripts_are_the_files(data):
    assert data["generic"].keys() == filled.scripts().keys()
    for name, path in filled.scripts().items():
        assert text(data, data["generic"][name]) == path.read_text(), name


def test_of_the_examples_the_pages_offer_what_is_named_and_what_is_no_cluster(tmp_path):
    (tmp_path / sites.EXAMPLES).mkdir()
    for name in ("narval", "generic-lsf", "polaris"):
        (tmp_path / sites.EXAMPLES / f"{name}.yml").write_text(sites.load_site(name).path.read_text())
    own = sites.load_site("narval").path.read_text().replace("name: narval", "name: mine", 1)
    (tmp_path / "mine.yml").write_text(own)
    assert [site.name for site in sites.offered(tmp_path)] == ["generic-lsf", "mine"]
    (tmp_path / sites.OFFERED).write_text("# ours\npolaris  # PBS\n")
    assert [site.name for site in sites.offered(tmp_path)] == ["generic-lsf", "mine", "polaris"]
