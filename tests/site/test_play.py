"""The things to play with, in Chromium: by keyboard, read aloud, in all views; no other page loads any of it."""

import re

import pytest
from lxml.html import document_fromstring
from playwright.sync_api import Page
from site_visits import Visitor

from workshop.book import play

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
PAGES = {"queue": "scheduling", "ranks": "ddp_many_nodes", "ring": "ddp_one_node", "gpus": "scaling"}
LOADS = f"_static/{play.FOLDER}/"


@pytest.fixture(scope="module")
def visitor(browser):
    """Somebody at a desk, who opens page after page."""
    one = Visitor(browser, viewport=DESK)
    yield one
    one.close()


@pytest.fixture
def opened(visitor, address):
    """``opened("queue")``: its page, and the place on it that is alive."""

    def go(kind: str):
        visitor.look("light", DESK)
        visitor.open(f"{address}/book/{PAGES[kind]}.html")
        place = visitor.page.locator(f".wk-play.wk-alive[data-play={kind}]")
        place.wait_for()
        return visitor.page, place

    return go


def write(page: Page, field, text: str) -> None:
    """Type into a field as people do."""
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type(text)


def said(place) -> str:
    return place.get_by_role("status").inner_text()


def column(place, number: int) -> list[str]:
    """A column of the table's body, by its place from 1."""
    return place.locator(f"tbody tr > :nth-child({number})").all_inner_texts()


@pytest.mark.needs_browser
def test_the_queue_puts_a_changed_job_elsewhere(opened):
    page, place = opened("queue")
    assert column(place, 6) == ["0", "60", "2*", "120"]
    assert "When jobs run: A from 0 to 60, C from 2 to 32, B from 60 to 120" in place.get_by_role("img").get_attribute(
        "aria-label"
    )
    asked = place.get_by_label("D, minutes that it asks for")
    for minutes, starts in (("28", "32*"), ("29", "120")):  # as the notebook says
        write(page, asked, minutes)
        assert column(place, 6)[3] == starts
    place.get_by_label("Order").select_option("fifo")
    assert column(place, 6) == ["0", "60", "120", "120"]
    assert said(place).startswith("In strict order: mean wait")
    place.get_by_label("Order").select_option("easy")
    write(page, asked, "10")
    assert "Cut off before it was done: D." in said(place)
    write(page, asked, "")
    assert said(place) == "D, minutes that it asks for: from 1 to 240, please"
    assert asked.get_attribute("aria-invalid") == "true" and column(place, 6)[3] == "32*"

    # From event to event, by the keyboard.
    write(page, asked, "90")
    place.get_by_label("Event").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert (
        said(place) == "Minute 1. B comes. B is first in line and needs 4 nodes; 1 is free. It is promised minute 60."
    )
    assert place.locator("text.wk-promise").text_content() == "promised to B: 60"
    page.keyboard.press("ArrowRight")
    assert "it ends by minute 32, in time for the 60 that B is promised. It starts." in said(place)

    place.get_by_role("button", name="Add a job").press("Enter")
    assert len(column(place, 1)) == 5 and page.evaluate("document.activeElement.ariaLabel") == "E, nodes"
    place.get_by_role("button", name="As on this page").press("Enter")
    assert column(place, 6) == ["0", "60", "2*", "120"]


@pytest.mark.needs_browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_queue_moves_by_itself_only_for_those_who_want_it(browser, address, motion):
    visitor = Visitor(browser, viewport=DESK, reduced_motion=motion)
    page = visitor.page
    page.clock.install()
    visitor.open(f"{address}/book/scheduling.html")
    run = page.get_by_role("button", name="Let it run")
    if motion == "reduce":
        assert page.locator(".wk-alive").count() == 1 and run.count() == 0
    else:
        run.press("Enter")
        seen = []
        for _ in range(4):
            seen.append(said(page.locator(".wk-play")).split(".")[0])
            page.clock.run_for(1600)
        assert seen == ["Minute 0", "Minute 1", "Minute 2", "Minute 3"]
        page.get_by_role("button", name="Stop").press("Enter")
        page.clock.run_for(5000)
        assert said(page.locator(".wk-play")).startswith("Minute 32.")
    visitor.close()


@pytest.mark.needs_browser
def test_ranks_follow_nodes_gpus_and_launcher(opened):
    page, place = opened("ranks")
    assert place.locator(".wk-node").count() == 2 and place.locator(".wk-node li").count() == 4
    assert place.locator(".wk-node li").last.inner_text() == "GPU 1 rank 3, local rank 1, cuda:1"
    assert "--ntasks-per-node=1 torchrun --nnodes=2 --nproc-per-node=2" in place.locator("p > code").inner_text()
    place.get_by_label("It starts, on each node").select_option("gpu")
    assert "4 a node, for 2 GPUs. launch.py refuses: “2 torchruns on this node”" in said(place)
    place.get_by_label("Launcher").select_option("srun python")
    assert "The world size is 4. Each rank reads SLURM_PROCID" in said(place)
    place.get_by_label("Each of these sees").select_option("one")
    assert place.locator(".wk-node li code").all_inner_texts() == ["cuda:0"] * 4
    place.get_by_label("It starts, on each node").select_option("one")
    assert "2 GPUs of 4 have nothing to do." in said(place) and place.locator("li.wk-idle").count() == 2
    write(page, place.get_by_label("Nodes"), "9")
    assert said(place) == "nodes: from 1 to 4, please"


@pytest.mark.needs_browser
def test_the_ring_is_gone_through_by_its_buttons(opened):
    page, place = opened("ring")
    place.get_by_label("Ranks").select_option("3")
    following = place.get_by_role("button", name="Next round")
    following.focus()
    first = [int(text) for text in place.locator("tbody td").all_inner_texts()]
    sums = [sum(first[piece::3]) for piece in range(3)]
    page.keyboard.press("Enter")
    words = f"piece 0 ({first[0]}) to rank 1, which makes {first[3]} + {first[0]} = {first[0] + first[3]} of it."
    assert place.locator("li").first.inner_text() == f"Rank 0 sends {words}"
    while following.is_enabled():
        following.press("Enter")
    assert place.locator("tbody td").all_inner_texts() == [f"{value} Σ" for value in sums] * 3
    assert "Round 4 of 4" in said(place) and "1.33 times its bucket" in said(place)
    place.get_by_role("button", name="One back").press("Enter")
    assert "Round 3 of 4" in said(place)


@pytest.mark.needs_browser
def test_the_number_of_gpus_follows_the_numbers(opened):
    page, place = opened("gpus")
    assert said(place).startswith("Ask for 2 GPUs: efficiency 86 % (at least 70 %), 4.8 hours, 9.5 GPU hours.")
    place.get_by_label("Measured").select_option("small CNN, strong scaling")
    assert column(place, 2) == ["14,171", "26,063", "46,270"]
    assert "a speed-up of 5.1 on 8 GPUs (64 %), never more than 13." in place.locator("p").last.inner_text()
    write(page, place.get_by_label("Images/s on 4 GPUs"), "30000")
    assert place.get_by_label("Measured").input_value() == ""
    assert said(place).startswith("Ask for 2 GPUs: efficiency 92 %")
    write(page, place.get_by_label("Efficiency, at least (%)"), "50")
    assert said(place).startswith("Ask for 4 GPUs: efficiency 53 %")


@pytest.mark.needs_browser
@pytest.mark.parametrize("kind", PAGES)
def test_all_can_read_it_in_all_views(opened, visitor, axe, kind):
    page, _ = opened(kind)
    for scheme, size in (("light", DESK), ("dark", PHONE)):
        visitor.look(scheme, size)
        page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert [visitor.faults(), visitor.unreachable(axe, ".wk-play")] == [[], []], (scheme, size)
    assert visitor.problems == []


@pytest.mark.needs_browser
def test_it_works_from_a_disk(visitor, html):
    visitor.open((html / "book" / "scaling.html").as_uri())
    visitor.page.locator(".wk-alive").wait_for()
    assert visitor.problems == []


def test_only_pages_that_play_load_it_and_all_say_something_without_javascript(html):
    loading = set()
    for path in html.rglob("*.html"):
        text = path.read_text()
        if LOADS not in text:
            continue
        page = document_fromstring(text)
        kinds = page.xpath("//div[contains(@class, 'wk-play')]/@data-play")
        loaded = re.findall(rf"{re.escape(LOADS)}([^\"?]+)", text)
        names = [name.removeprefix(f"{play.FOLDER}/") for kind in kinds for name in play.files(kind)]
        assert loaded == ["play.css", *dict.fromkeys(names)], path
        for place in page.xpath("//div[contains(@class, 'wk-play')]"):
            assert len(place.text_content().split()) > 15, path
        loading |= {(kind, path.stem) for kind in kinds}
    assert loading == set(PAGES.items())
