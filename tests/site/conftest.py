"""The built site, served on a local port, and a browser to open it with."""

import functools
import http.server
import socketserver
import threading
from pathlib import Path

import pytest

from workshop.book.npm import Package
from workshop.book.site import HTML

AXE = Package(
    "axe-core",
    "4.14.1",
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that does not write every request to the terminal, and keeps connections open."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        pass


class _Server(socketserver.ThreadingTCPServer):
    """It does not wait for connections that a browser keeps open."""

    daemon_threads = True


@pytest.fixture(scope="session")
def html(after) -> Path:
    """The folder of the built site: this run's, where it builds one."""
    assert not after("site/"), "the site could not be built"
    assert (HTML / "index.html").is_file(), "the site is not built: make book"
    return HTML


@pytest.fixture(scope="session")
def address(html: Path):
    """Address of the site, served from this machine for the time of the tests."""
    handler = functools.partial(_Quiet, directory=str(html))
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def axe(require) -> str:
    """The source of axe-core, which looks for what keeps people from a page."""
    require("node")
    return AXE.file("axe.min.js").decode()
