"""*Check my job script* in Chromium: its answers are the command line's, it needs no network, no other page has it."""

import pytest
from lxml.html import document_fromstring
from pyodide_answers import HERE, differences, questions, scripts
from site_visits import Visitor

from workshop.book import browser, sphinx_ext

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
PAGE = f"{browser.PAGE}.html"
FILES = f"/_static/{browser.FOLDER}/"
SCRIPT = """#!/bin/bash
#SBATCH --nodes = 2
#SBATCH --ntasks-per-node=1
#SBATCH --time=10
#SBATCH --mem=64000
srun python train.py
"""
EVERY = 250  # of so many scripts one is asked for in each test run
PARTS = 8  # in which the complete comparison is made
_ASK = "(question) => document.querySelector('.wk-checker').checker.ask(question)"
_DROP = """([name, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    const event = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector(".wk-checker textarea").dispatchEvent(event);
}"""


@pytest.fixture
def visitor(browser):
    """Somebody at a desk, in a fresh browser profile."""
    one = Visitor(browser, viewport=DESK)
    yield one
    one.close()


@pytest.fixture
def served(html, checker_parts):
    """The built site has the page's files, since npm is here."""
    return html


def loaded(visitor: Visitor) -> list[str]:
    """What the page has asked for of the checker's files."""
    return sorted({url.split(FILES)[1] for url in visitor.requested if FILES in url})


def drop(visitor: Visitor, name: str, text: str) -> None:
    """Drop a file on the page; its answer takes as long as Python takes to start."""
    visitor.page.evaluate(_DROP, [name, text])
    visitor.page.locator(".wk-verdict").filter(has_text=f"{name}: ").wait_for(timeout=120_000)


@pytest.mark.needs_browser
def test_a_script_is_checked_mended_translated_and_filled(visitor, served, address, axe, monkeypatch, say):
    """One visit; what is loaded is loaded once, and then the network is switched off."""
    page = visitor.page
    visitor.open(f"{address}/{PAGE}")
    visitor.settle()
    assert loaded(visitor) == ["page.js"]
    drop(visitor, "hello.lsf", "#!/bin/bash\necho hello\n")  # its name alone says whose script it is
    assert "a script for LSF" in page.locator(".wk-verdict").inner_text()
    assert "pyodide.asm.wasm" in loaded(visitor) and "workshop.zip" in loaded(visitor)
    visitor.settle()
    assert [visitor.problems, visitor.external(address)] == [[], []]
    before = len(visitor.requested)
    visitor.context.set_offline(True)

    form = page.locator(".wk-checker")
    field = form.get_by_label("Your job script")
    field.fill(SCRIPT)
    form.get_by_role("button", name="Check it", exact=True).click()
    second = page.locator(".wk-lines > li").nth(1)
    second.filter(has_text="There must be no blank around").wait_for()
    assert "#SBATCH --nodes = 2" in second.inner_text()
    for scheme, size in (("light", DESK), ("dark", DESK), ("light", PHONE)):
        visitor.look(scheme, size)
        page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert [visitor.faults(), visitor.unreachable(axe)] == [[], []], (scheme, size)

    # One change by the keyboard, then all others.
    second.get_by_role("button", name="Make this change").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.wk-checker textarea').value.includes('--nodes=2')")
    assert "--mem=64000\n" in field.input_value()
    form.get_by_role("status").filter(has_text="0 errors").wait_for()
    form.get_by_role("button", name="Make all safe changes").click()
    page.wait_for_function("() => document.querySelector('.wk-checker textarea').value.includes('--mem=64000M')")

    form.get_by_label("Translate it for").select_option("lsf")
    form.get_by_role("button", name="Translate").click()
    page.locator(".wk-made pre").filter(has_text="#BSUB -n 2").wait_for()
    form.get_by_label("Cluster").select_option("narval")
    form.get_by_label("Your account there").fill("def-mine")
    form.get_by_role("button", name="Fill it in").click()
    page.locator(".wk-made pre").filter(has_text="#SBATCH --account=def-mine").wait_for()
    assert [visitor.faults(), visitor.unreachable(axe)] == [[], []]

    compare(visitor, scripts()[::EVERY], monkeypatch, say)
    assert len(visitor.requested) == before


def compare(visitor: Visitor, names: list[str], monkeypatch, say) -> None:
    """Ask the page what the command line is asked, and compare."""
    monkeypatch.chdir(HERE)
    asked = questions(names)
    wrong = differences(asked, [visitor.page.evaluate(_ASK, one.asked) for one in asked])
    say(f"In Chromium, without a network: {len(asked)} answers on {len(names)} scripts, {len(wrong)} differ")
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.needs_browser
@pytest.mark.extensive
@pytest.mark.parametrize("part", range(PARTS))
def test_all_scripts(visitor, served, address, monkeypatch, say, part: int):
    visitor.open(f"{address}/{PAGE}")
    drop(visitor, "job.sbatch", SCRIPT)
    visitor.context.set_offline(True)
    compare(visitor, scripts()[part::PARTS], monkeypatch, say)


@pytest.mark.needs_browser
def test_no_other_page_fetches_any_of_it(visitor, served, address):
    for page in ("index.html", "search.html"):
        visitor.open(f"{address}/{page}")
        visitor.settle()
        assert loaded(visitor) == []
    for path in served.rglob("*.html"):
        if path != served / PAGE:
            assert FILES not in path.read_text(), path


@pytest.mark.needs_browser
def test_from_a_disk_it_says_how_to_serve_the_site(visitor, served):
    visitor.open((served / PAGE).as_uri())
    said = visitor.page.locator(".wk-checker").inner_text()
    assert f"python3 -m http.server --bind 127.0.0.1 --directory '{served}/'" in said
    assert f"http://localhost:8000/{PAGE}" in said
    assert visitor.problems == []


WRITTEN = '<html><body><div class="wk-checker docutils container"><p>Needs JavaScript.</p></div></body></html>'


@pytest.mark.parametrize(("reason", "says"), [(None, "Needs JavaScript"), ("npm is not installed", "without npm")])
def test_a_site_built_without_npm_says_so_on_the_page(monkeypatch, reason, says):
    monkeypatch.setattr(browser, "missing", lambda: reason)
    monkeypatch.setattr(browser, "loaded", lambda: 13_000_000)
    page = document_fromstring(WRITTEN)
    for step in sphinx_ext.STEPS:
        step(page)
    assert says in page.text_content()
    assert len(page.xpath("//script")) == (0 if reason else 1)
