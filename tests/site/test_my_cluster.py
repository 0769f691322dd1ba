"""The reader's own cluster: chosen once, each job script on the pages is the one that `workshop fill` writes for it."""

import subprocess
import sys

import pytest
from site_visits import Visitor

from workshop import sites
from workshop.book import filled
from workshop.jobs.dialect import dialect
from workshop.paths import REPO

pytestmark = pytest.mark.needs_browser
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# Ten pages and the generic scripts on them that a reader copies.
PAGES = (
    "first_job",
    "jobs_in_depth",
    "files_and_data",
    "modules",
    "apptainer",
    "ddp_one_node",
    "ddp_many_nodes",
    "restarts",
    "scaling",
    "project",
)
CHOSEN = "name => document.documentElement.dataset.cluster === name"
# What a listing of a job script shows, copies, and what stands below it. One a call: see site_visits.py on copying.
LISTING = """async (number) => {
    const block = document.querySelectorAll(".wk-script")[number];
    const link = block.querySelector(".wk-download");
    await navigator.clipboard.writeText("nothing was copied");
    block.querySelector("button.copybtn").click();
    return {
        script: block.dataset.script,
        part: Boolean(block.dataset.startAt || block.dataset.endAt),
        diff: Boolean(block.dataset.diff),
        shown: block.querySelector("pre").textContent,
        copied: await navigator.clipboard.readText(),
        said: block.querySelector(".wk-for")?.textContent ?? "",
        file: link && await (await fetch(link.href)).text(),
        name: link && link.download,
    };
}"""
RECORDED = "() => [...document.querySelectorAll('.wk-session, .highlight-console')].map(block => block.textContent)"


@pytest.fixture(scope="module")
def reader(browser):
    """Somebody at a desk who opens page after page."""
    visitor = Visitor(browser, viewport=DESK)
    yield visitor
    visitor.close()


@pytest.fixture
def newcomer(browser):
    """``newcomer(**profile)``: a visitor in a fresh browser profile."""
    opened = []

    def make(**profile) -> Visitor:
        opened.append(Visitor(browser, **{"viewport": DESK, **profile}))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def listings_of(visitor: Visitor) -> list[dict]:
    """All listings of job scripts on the page."""
    count = visitor.page.locator(".wk-script").count()
    return [visitor.page.evaluate(LISTING, number) for number in range(count)]


def choose(visitor: Visitor, name: str, account: str = "") -> None:
    """Use the picker as people do."""
    page = visitor.page
    page.locator("button.wk-pick").click()
    page.locator("dialog.wk-picker[open]").wait_for()
    page.locator("#wk-cluster").select_option(name)
    if account:
        page.locator("#wk-account").fill(account)
    page.get_by_role("button", name="Use it").click()
    page.wait_for_function(CHOSEN, arg=name)


def command(script: str, site: str, *more: str) -> tuple[int, str, str]:
    """What `workshop fill` does: exit status, standard output, standard error."""
    words = [sys.executable, "-m", "workshop", "fill", f"scripts/{script}", "--site", site, *more]
    done = subprocess.run(words, cwd=REPO, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def listing_problems(listing: dict, site: sites.Site, made: dict[str, dict]) -> list[str]:
    """What is wrong with a listing for a site; ``made`` is what became of the site's scripts."""
    script, said, problems = listing["script"], listing["said"], []
    want = made.get(script)
    if want is None or "refused" in want or listing["diff"]:
        generic = (REPO / "scripts" / script).read_text()
        reason = want["refused"] if want and "refused" in want else "generic script"
        if not listing["diff"] and listing["shown"].strip() not in generic:
            problems.append("not the generic script")
        if reason not in said or f"Not for {site.title}" not in said or listing["file"]:
            problems.append(f"does not say why it stays: {said!r}")
    elif "part of the generic script" not in said:
        whole = listing["file"]
        if whole != want["text"]:
            problems.append("the download is not what fill writes")
        if listing["shown"] != whole and not (listing["part"] and listing["shown"] in whole):
            problems.append("does not show what fill writes")
        if listing["name"] != script.rpartition("/")[2] or "not run there" not in said:
            problems.append(f"does not say what it is: {said!r}")
        submit = dialect(site.scheduler).submit.replace("FILE", listing["name"] or "")
        if f"Submit it there: {submit}. More on {site.title}" not in said:
            problems.append(f"does not say how it is submitted: {said!r}")
        missing = [note for note in want["notes"] + want["warnings"] if note not in said]
        problems += [f"does not say: {note}" for note in missing]
    if not listing["diff"] and listing["copied"].strip("\n") != listing["shown"].strip("\n"):
        problems.append(f"copies {listing['copied'][:60]!r}")
    return [f"{script}: {problem}" for problem in problems]


def page_problems(reader: Visitor, address: str, page: str, site: sites.Site) -> list[str]:
    """Open a page by a link that names the site: its scripts are the site's, what was recorded is as it was."""
    reader.open(f"{address}/book/{page}.html")
    recorded = reader.page.evaluate(RECORDED)
    reader.open(f"{address}/book/{page}.html?site={site.name}")
    reader.page.wait_for_function(CHOSEN, arg=site.name)
    problems = [] if reader.page.evaluate(RECORDED) == recorded else ["a recorded session was altered"]
    listings = listings_of(reader)
    problems += [] if listings else ["no job script"]
    made = filled.for_site(site)
    for listing in listings:
        problems += listing_problems(listing, site, made)
    problems += reader.problems
    return [f"{page}, {site.name}: {problem}" for problem in problems]


def some(scheduler: str) -> str:
    """A cluster of this scheduler that the site offers; a fork has others than we, and the schedulers as such."""
    return next(site.name for site in sites.in_order() if site.scheduler == scheduler)


def forget(reader: Visitor, address: str) -> None:
    reader.open(f"{address}/search.html")
    reader.forget()


# One site of each scheduler, on one page each.
@pytest.mark.parametrize(("page", "scheduler"), [("first_job", "slurm"), ("apptainer", "pbs"), ("project", "lsf")])
def test_a_page_shows_copies_and_downloads_the_site_s_scripts(reader, address, page, scheduler):
    forget(reader, address)
    problems = page_problems(reader, address, page, sites.load_site(some(scheduler)))
    assert not problems, "\n".join(problems)


@pytest.mark.extensive
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("site", [site.name for site in sites.offered()])
def test_ten_pages_show_copy_and_download_each_site_s_scripts(reader, address, site):
    problems = []
    for page in PAGES:
        forget(reader, address)
        problems += page_problems(reader, address, page, sites.load_site(site))
    assert not problems, "\n".join(problems)


def test_a_choice_is_kept_on_the_next_page_and_taken_back(newcomer, address):
    """With an account, as the command line writes it."""
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    generic = [listing["shown"] for listing in listings_of(visitor)]
    choose(visitor, "generic-slurm", "def-somebody")
    status, wanted, _ = command("slurm/hello.sbatch", "generic-slurm", "--account", "def-somebody")
    assert status == 0
    assert listings_of(visitor)[0]["shown"] == wanted
    visitor.page.reload()
    visitor.page.wait_for_function(CHOSEN, arg="generic-slurm")
    assert listings_of(visitor)[0]["file"] == wanted
    visitor.open(f"{address}/book/ddp_one_node.html")
    visitor.page.wait_for_function(CHOSEN, arg="generic-slurm")
    _, wanted, _ = command("slurm/ddp_single_node.sbatch", "generic-slurm", "--account", "def-somebody")
    assert wanted in [listing["shown"] for listing in listings_of(visitor)]
    choose(visitor, "")
    visitor.open(f"{address}/book/first_job.html")
    assert [listing["shown"] for listing in listings_of(visitor)] == generic
    assert visitor.problems == []


def test_the_scheduler_s_tab_opens_and_changed_lines_are_marked(newcomer, address):
    visitor, name = newcomer(), some("lsf")
    visitor.open(f"{address}/book/first_job.html?site={name}")
    visitor.page.wait_for_function(CHOSEN, arg=name)
    chosen = visitor.page.locator(".sd-tab-set input:checked + label").all_inner_texts()
    assert chosen and set(chosen) == {"LSF"}
    block = visitor.page.locator(".wk-script:visible").first
    generic = (REPO / "scripts" / block.get_attribute("data-script")).read_text().split("\n")
    marked = block.locator("mark").all_inner_texts()
    shown = block.locator("pre").text_content().split("\n")
    assert marked == [line for line in shown if line.strip() and line not in generic] and marked
    notes = filled.for_site(sites.load_site(name))["lsf/hello.lsf"]["notes"]
    if notes:
        block.locator("summary").click()
    assert block.locator("li:visible").all_inner_texts() == notes
    # On the next page, too, although nobody chose a tab there.
    visitor.open(f"{address}/book/ddp_one_node.html")
    assert set(visitor.page.locator(".sd-tab-set input:checked + label").all_inner_texts()) == {"LSF"}


def test_a_link_to_a_cluster_that_is_not_there_says_so(newcomer, address):
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html?site=atlantis")
    dialog = visitor.page.locator("dialog.wk-picker[open]")
    dialog.wait_for()
    assert "no cluster 'atlantis'" in dialog.inner_text()
    assert visitor.page.locator(".wk-for").count() == 0


def test_an_account_that_is_none_is_not_taken(newcomer, address):
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    visitor.page.locator("button.wk-pick").click()
    visitor.page.locator("#wk-cluster").select_option("generic-slurm")
    visitor.page.locator("#wk-account").fill("def-x; rm -rf ~")
    visitor.page.get_by_role("button", name="Use it").click()
    assert visitor.page.locator("dialog.wk-picker[open]").is_visible()
    assert visitor.page.locator("#wk-account:invalid").count() == 1


def test_without_javascript_the_scripts_are_generic(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/book/first_job.html?site=narval")
    shown = page.locator(".wk-script pre").all_text_contents()
    assert shown[0] == (REPO / "scripts/slurm/hello.sbatch").read_text()
    assert page.locator(".wk-for, .wk-pick").count() == 0
    context.close()


def test_a_page_asks_for_the_filled_scripts_only_when_a_cluster_is_chosen(newcomer, address):
    visitor = newcomer()
    visitor.open(f"{address}/book/first_job.html")
    visitor.settle()
    assert not [url for url in visitor.requested if filled.FILE in url]


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.extensive), "dark"])
def test_a_page_for_a_cluster_on_a_phone_and_on_paper(newcomer, address, axe, scheme):
    """No part is cut or unreachable, in the dialog neither; what is printed is what is shown."""
    visitor = newcomer(viewport=PHONE, color_scheme=scheme)
    site = sites.load_site(some("slurm"))
    visitor.open(f"{address}/book/first_job.html?site={site.name}")
    visitor.page.wait_for_function(CHOSEN, arg=site.name)
    assert visitor.faults() == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert visitor.unreachable(axe) == []
    visitor.page.locator("button.wk-pick").click()
    visitor.page.locator("dialog.wk-picker[open]").wait_for()
    assert visitor.unreachable(axe) == []
    visitor.page.get_by_role("button", name="Cancel").click()
    visitor.page.emulate_media(media="print")
    listing = visitor.page.locator(".wk-script pre").first
    assert listing.text_content() == filled.for_site(site)["slurm/hello.sbatch"]["text"]
    assert visitor.page.locator(".wk-for:visible").first.inner_text().startswith(f"For {site.title}")
    assert visitor.page.locator(".wk-download:visible, .wk-pick:visible").count() == 0


def test_the_picker_offers_what_the_site_offers(newcomer, address):
    visitor = newcomer()
    visitor.open(f"{address}/index.html")
    visitor.page.locator("button.wk-pick").click()
    visitor.page.locator("dialog.wk-picker[open]").wait_for()
    values = visitor.page.locator("#wk-cluster option").evaluate_all("options => options.map(one => one.value)")
    assert values[0] == "" and set(values[1:]) == {site.name for site in sites.offered()}
    for site in sites.offered():
        shown = visitor.page.locator(f"#wk-cluster option[value='{site.name}']").inner_text()
        assert site.title in shown and (site.status != "historical" or "historical" in shown)


def test_below_a_script_a_link_leads_to_the_cluster_s_page(newcomer, address):
    visitor, site = newcomer(), sites.load_site(some("slurm"))
    visitor.open(f"{address}/book/first_job.html?site={site.name}")
    visitor.page.wait_for_function(CHOSEN, arg=site.name)
    visitor.page.get_by_role("link", name=f"More on {site.title}").first.click()
    visitor.page.wait_for_url(f"{address}/clusters/{site.name}.html")
    assert visitor.page.locator("article h1").inner_text().startswith(site.title) and visitor.problems == []


def test_the_front_page_leads_to_the_picker(newcomer, address):
    visitor = newcomer()
    visitor.open(f"{address}/index.html")
    visitor.page.get_by_role("link", name="I have a cluster").click()
    visitor.page.locator("dialog.wk-picker[open]").wait_for()
    visitor.page.locator("#wk-cluster").select_option("generic-pbs")
    visitor.page.get_by_role("button", name="Use it").click()
    visitor.page.wait_for_function(CHOSEN, arg="generic-pbs")
    assert visitor.page.locator("a.wk-open-picker").inner_text() == "My cluster: Any PBS Pro or OpenPBS cluster"
    visitor.open(f"{address}/book/first_job.html")
    visitor.page.wait_for_function(CHOSEN, arg="generic-pbs")
    assert set(visitor.page.locator(".sd-tab-set input:checked + label").all_inner_texts()) == {"PBS"}


# All clusters, in three views, in the extensive tests.
def test_a_cluster_s_page_can_be_read_by_all(newcomer, address, axe):
    visitor = newcomer(color_scheme="light")
    visitor.open(f"{address}/clusters/{sites.in_order()[0].name}.html")
    assert visitor.faults() + visitor.unreachable(axe) == []


@pytest.mark.extensive
@pytest.mark.parametrize("name", [site.name for site in sites.offered()])
def test_each_cluster_s_page_can_be_read_by_all(newcomer, address, axe, name):
    problems = []
    for scheme, size in (("light", DESK), ("dark", DESK), ("light", PHONE)):
        visitor = newcomer(color_scheme=scheme, viewport=size)
        visitor.open(f"{address}/clusters/{name}.html")
        problems += visitor.faults() + visitor.unreachable(axe) + visitor.problems
        width = visitor.page.evaluate("document.documentElement.scrollWidth")
        problems += [f"scrolls sideways: {width} px"] if width > size["width"] else []
    assert problems == []
