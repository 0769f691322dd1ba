"""Notebooks in a real JupyterLab, started by a job as OnDemand starts it, behind the path /node/HOST/PORT/."""

import http.client
import json
import time
import urllib.error
import urllib.request

import pytest
from ondemand_app import NOTEBOOKS

pytestmark = [pytest.mark.slow, pytest.mark.needs_slurm, pytest.mark.needs_browser]
# Seconds after which what was waited for will not come any more, on the busiest machine.
PATIENCE_S = 150


def get(session, path: str, token: bool = True):
    """What the server answers to GET ``path`` below its prefix, as JSON."""
    headers = {"Authorization": f"token {session.there['password']}"} if token else {}
    request = urllib.request.Request(session.proxy.address + session.base + path, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def code_cells(session, name: str) -> list[dict]:
    """The code cells of the notebook as JupyterLab saved it."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            notebook = json.loads((session.folder / f"{name}.ipynb").read_text())
            break
        except json.JSONDecodeError:  # JupyterLab is just writing it
            assert time.monotonic() < end, f"{name}.ipynb is no notebook"
            time.sleep(0.1)
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]


def test_server_answers_behind_its_prefix_only(session):
    assert get(session, "/api/status")["kernels"] == 0
    with pytest.raises(urllib.error.HTTPError, match="403"):
        get(session, "/api/status", token=False)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(session.proxy.address + "/api/status", timeout=PATIENCE_S)


def test_the_wrong_password_is_refused(session):
    body = b"password=wrong&token=wrong"
    with pytest.raises(urllib.error.HTTPError, match=r"403|401"):
        urllib.request.urlopen(session.proxy.address + session.base + "/login", data=body, timeout=PATIENCE_S)


def talk(session, method: str, path: str, headers: dict, body: str | None = None) -> http.client.HTTPResponse:
    """One request below the session's prefix, redirects not followed; the answer has been read."""
    connection = http.client.HTTPConnection(session.proxy.address.removeprefix("http://"), timeout=PATIENCE_S)
    connection.request(method, session.base + path, body, headers)
    answer = connection.getresponse()
    answer.text = answer.read() if answer.status != 101 else b""
    connection.close()
    return answer


def test_other_web_sites_may_not_speak_to_a_kernel(session):
    """A page of another origin cannot open the web socket, even in a browser that has logged in here."""
    password = session.there["password"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    login = talk(session, "POST", "/login", form, f"token={password}&password={password}")
    assert login.status == 302
    cookie = "; ".join(line.split(";")[0] for line in login.headers.get_all("Set-Cookie"))
    kernel = json.loads(talk(session, "POST", "/api/kernels", {"Authorization": f"token {password}"}, "{}").text)["id"]
    upgrade = {
        "Cookie": cookie, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    path = f"/api/kernels/{kernel}/channels"
    try:
        assert talk(session, "GET", path, {**upgrade, "Origin": "https://elsewhere.example.org"}).status == 403
        assert talk(session, "GET", path, {**upgrade, "Origin": session.proxy.address}).status == 101
    finally:
        talk(session, "DELETE", f"/api/kernels/{kernel}", {"Authorization": f"token {password}"})


@pytest.fixture(scope="module")
def page(session, browser):
    """JupyterLab as it opens after a press on the card's button; ``page.requested`` holds all addresses asked for."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    page.goto(session.proxy.page)
    with context.expect_page() as opened:
        page.get_by_role("button", name="Connect to JupyterLab").click()
    lab = opened.value
    lab.set_default_timeout(PATIENCE_S * 1000)
    lab.wait_for_selector(".jp-Launcher, .jp-NotebookPanel")
    lab.requested = requested
    yield lab
    context.close()


# JupyterLab marks the tab of what it has not saved.
SAVED = "() => document.querySelector('.lm-TabBar-tab') && !document.querySelector('.lm-TabBar-tab.jp-mod-dirty')"


@pytest.mark.timeout(700)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_runs(session, page, name, say):
    started = time.monotonic()
    page.goto(f"{session.proxy.address}{session.base}/lab/tree/{name}.ipynb?reset")
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
    wait_for_kernel(session, name, "idle")
    page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
    page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
    end = time.monotonic() + 400
    while time.monotonic() < end:
        time.sleep(1)
        page.keyboard.press("Control+s")
        if all(cell["execution_count"] for cell in code_cells(session, name)):
            break
    wait_for_kernel(session, name, "idle")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached")
    page.keyboard.press("Control+s")
    page.wait_for_function(SAVED)
    cells = code_cells(session, name)
    assert cells
    assert [cell["source"] for cell in cells if not cell["execution_count"]] == []
    errors = [out for cell in cells for out in cell["outputs"] if out["output_type"] == "error"]
    assert not errors, errors[0]["traceback"]
    say(f"JupyterLab behind {session.base}/: {name} ran {len(cells)} cells in {time.monotonic() - started:.0f} s")


def test_nothing_was_requested_elsewhere(session, page):
    here = f"{session.proxy.address}{session.base}/"
    assert len(page.requested) > 20
    allowed = (here, session.proxy.page, "data:", "blob:")
    assert [url for url in page.requested if not url.startswith(allowed)] == []


def wait_for_kernel(session, name: str, state: str) -> None:
    """Wait until the notebook's kernel is in ``state``."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = [s["kernel"]["execution_state"] for s in get(session, "/api/sessions") if s["path"] == f"{name}.ipynb"]
        if found == [state]:
            return
        time.sleep(0.5)
    raise AssertionError(f"kernel of {name}: {found}, not {state}, after {PATIENCE_S} s")
