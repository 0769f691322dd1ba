"""Pages opened in a browser: what went over the wire and to the console, and what its copy buttons copy."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

# Seconds after which what was waited for will not come any more, on the busiest machine.
PATIENCE_S = 90
# Presses some of the copy buttons and reads what they put into the clipboard. Some, because a browser lets a page copy
# for five seconds after somebody did something, and each such call counts as something done.
_COPY_SOME = """async ([from, to]) => {
    const blocks = [];
    for (const block of [...document.querySelectorAll('div.highlight pre')].slice(from, to)) {
        const button = block.parentElement.querySelector('button.copybtn');
        await navigator.clipboard.writeText('nothing was copied');
        button?.click();
        blocks.push({
            console: block.closest('.highlight-console') !== null,
            shown: block.textContent,
            copied: button ? await navigator.clipboard.readText() : null,
        });
    }
    return blocks;
}"""

# What is wrong with a page as it stands, whatever the page.
_FAULTS = Path(__file__).with_name("faults.js").read_text()
# The theme scrolls the sidebar to where it stood on the page before: here that is the top or the bottom, which hides
# the item of most pages.
_SCROLLED_BEFORE = """
    sessionStorage.setItem("sidebar-scroll-top", location.pathname.length % 2 ? "0" : "99999");
"""
_STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
_AXE = """async (part) => (await axe.run(part, { resultTypes: ["violations"], preload: false })).violations.flatMap(
    (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}`))"""


@dataclass
class Block:
    """A block of code or commands: whether it is a console block, what it shows, what its button copies (if any)."""

    console: bool
    shown: str
    copied: str | None


class Visitor:
    """Somebody who opens pages in a browser profile of their own; what is noted here is of the page opened last."""

    def __init__(self, browser, **profile):
        self.context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], **profile)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_S * 1000)
        self.problems: list[str] = []
        self.requested: list[str] = []
        self.responses: list = []
        self._under_way: set = set()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("request", self._request)
        self.page.on("response", self._response)
        self.page.on("requestfinished", self._finished)
        self.page.on("requestfailed", self._failed)

    def open(self, url: str) -> None:
        """Go to a page; what an earlier one left is forgotten, but for what the browser keeps of files and choices."""
        for notes in (self.problems, self.requested, self.responses, self._under_way):
            notes.clear()
        self.page.goto(url, wait_until="load")

    def forget(self) -> None:
        """Drop the choices that pages have stored, so that the next one is met as at the first visit."""
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")

    def look(self, scheme: str, size: dict[str, int]) -> None:
        """Ask for a light or dark page, in a window of this size."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size(size)

    def come_from_elsewhere(self) -> None:
        """Open pages from now on as somebody whose sidebar was scrolled far away on the page before."""
        self.context.add_init_script(_SCROLLED_BEFORE)

    def faults(self) -> list[str]:
        """Options torn in two, text cut off without a sign, the current page out of the sidebar's sight."""
        return self.page.evaluate(_FAULTS)

    def unreachable(self, axe: str, part: str = "html") -> list[str]:
        """What keeps people from the page who can't see it, or use no mouse; ``axe`` is the source of axe-core.

        ``part``: a selector, where only a part of the page is asked for.
        """
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(axe)
            self.page.add_style_tag(content=_STILL)  # half-changed colours would be judged
        return self.page.evaluate(_AXE, part)

    def _console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _request(self, request) -> None:
        self._under_way.add(request)
        self.requested.append(request.url)

    def _finished(self, request) -> None:
        self._under_way.discard(request)

    def _failed(self, request) -> None:
        """Note it; what a browser gives up because its reader goes on to another page is none of a page's failures."""
        self._under_way.discard(request)
        if request.failure != "net::ERR_ABORTED":
            self.problems.append(f"failed: {request.url}")

    def _response(self, response) -> None:
        self.responses.append(response)
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def settle(self) -> None:
        """Wait until the page has drawn, and has got all that it asked for."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        while self._under_way:
            self.page.wait_for_event("requestfinished")

    def weight(self) -> int:
        """Bytes of all that the page loaded, uncompressed."""
        self.settle()
        return sum(len(response.body()) for response in self.responses if response.status < 300)

    def external(self, address: str) -> list[str]:
        """What the page asked other hosts for."""
        return [
            url for url in self.requested if urlparse(url).netloc != urlparse(address).netloc and "data:" not in url
        ]

    def copied(self) -> list[Block]:
        """All blocks of the page, each copied by its button."""
        self.page.wait_for_function("() => document.querySelector('.copybtn') || !document.querySelector('.highlight')")
        count = self.page.locator("div.highlight pre").count()
        return [
            Block(**block)
            for start in range(0, count, 5)
            for block in self.page.evaluate(_COPY_SOME, [start, start + 5])
        ]

    def close(self) -> None:
        self.context.close()
