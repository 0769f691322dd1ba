"""The pages as a reader sees them, in Chromium: light, dark and on a phone."""

from urllib.parse import urlparse

import pytest

from workshop.book.toc import documents

pytestmark = pytest.mark.needs_browser
PAGES = [f"{document}.html" for document in documents()]
VIEWS = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
FIRST_VISIT_LIMIT = 1_100_000  # bytes, uncompressed


class Visit:
    """One page opened in a fresh browser profile, with all that went over the wire and to the console."""

    def __init__(self, browser, url: str, view: str):
        self.context = browser.new_context(**VIEWS[view])
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.sizes: dict[str, int] = {}
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("response", self._response)
        self.page.on("requestfailed", lambda r: self.problems.append(f"failed: {r.url}"))
        self.page.goto(url, wait_until="networkidle")
        # A page that is left at once takes its answers with it: no body to weigh. Errors of later pages are logged.
        self.page.remove_listener("response", self._response)

    def _console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _response(self, response) -> None:
        self.sizes[response.url] = 0 if response.status >= 300 else len(response.body())
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def external(self, address: str) -> list[str]:
        return [url for url in self.sizes if urlparse(url).netloc != urlparse(address).netloc and "data:" not in url]

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def visit(browser, address):
    opened = []

    def open_page(page: str, view: str) -> Visit:
        opened.append(Visit(browser, f"{address}/{page}", view))
        return opened[-1]

    yield open_page
    for one in opened:
        one.close()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("page", PAGES)
def test_page_opens_without_complaint(visit, address, page: str, view: str):
    seen = visit(page, view)
    assert not seen.problems
    assert not seen.external(address)
    width = seen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= VIEWS[view]["viewport"]["width"], f"scrolls sideways: {width} px"
    broken = seen.page.evaluate(
        "[...document.querySelectorAll('article table code .pre')]"
        ".filter(word => word.getClientRects().length > 1).map(word => word.textContent)"
    )
    assert not broken, "these break within a word"
    theme = seen.page.evaluate("document.documentElement.dataset.theme")
    assert theme == ("dark" if view == "dark" else "light")


def test_first_visit_of_the_first_chapter_is_light(visit, say):
    seen = visit("book/first_job.html", "light")
    total = sum(seen.sizes.values())
    say(f"first visit of book/first_job.html: {total} bytes in {len(seen.sizes)} requests")
    assert total <= FIRST_VISIT_LIMIT


def test_the_search_finds_a_message(visit):
    """From any page: the word index is loaded by the search page only."""
    page = visit("book/first_job.html", "light").page
    page.keyboard.press("Control+k")
    page.keyboard.type("Address already in use")
    page.keyboard.press("Enter")
    # Sphinx adds the results one by one: wait for this one, not for the first.
    page.locator("#search-results li a", has_text="When it goes wrong").first.wait_for()


def test_the_scheduler_is_chosen_once(visit, address):
    """The reader's tab follows to the next page."""
    seen = visit("book/first_job.html", "light")
    seen.page.locator(".sd-tab-label", has_text="LSF").first.click()
    seen.page.goto(f"{address}/book/ddp_one_node.html", wait_until="networkidle")
    chosen = seen.page.locator(".sd-tab-set input:checked + label").all_inner_texts()
    assert chosen
    assert set(chosen) == {"LSF"}
