"""A small stand-in for Open OnDemand: stage an app, submit it, and serve its session under the portal's address.

It does what the dashboard does with an app of the kind "batch connect" (see the chapter on OnDemand), so that an app
can be tried on the practice cluster before it is installed. The form's default values are taken, apart from those
given.

    python scripts/ondemand/portal.py scripts/ondemand/workshop_jupyter bc_queue=cpu gpus=0 cores=1 memory_gb=1
    python scripts/ondemand/portal.py scripts/ondemand/workshop_desktop bc_queue=cpu memory_gb=1

With ``--form`` the form is shown in the browser, and *Launch* there submits. With ``--show`` it only prints the options
of sbatch that the form becomes.

Needs Ruby for the ERB files and ``sbatch`` in the PATH; for a desktop noVNC and what the app itself starts.
"""

import argparse
import asyncio
import contextlib
import html
import json
import mimetypes
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

import yaml

# One Ruby process renders a file as the dashboard does: `context` and its values by name, `-` trims lines.
RENDER = """
require "erb"; require "json"; require "ostruct"
values = JSON.parse($stdin.read)
context = OpenStruct.new(values)
scope = binding
values.each { |name, value| scope.local_variable_set(name.to_sym, value) }
scope.local_variable_set(:context, context)
puts ERB.new(File.read(ARGV[0]), trim_mode: "-").result(scope)
"""

# What the dashboard puts around an app's scripts (template "basic"), shortened to what is used here. The portal of a
# real site looks at a port with nc, here bash does. It tries ports below those that the kernel hands out: the server
# listens seconds later. Jupyter refuses to run as root unless told to, and the practice cluster's user may be root.
WRAPPER = """#!/bin/bash
cd {folder}
find_port() {{
    local port
    while port=$((10000 + RANDOM % 10000)); (: < "/dev/tcp/localhost/$port") 2> /dev/null; do :; done
    echo "$port"
}}
create_passwd() {{ tr -cd '[:alnum:]' < /dev/urandom 2> /dev/null | head -c "${{1:-32}}"; }}
{set_host}
source before.sh
export host port
[[ $EUID != 0 ]] || echo "c.ServerApp.allow_root = True" >> "$CONFIG_FILE"
echo "Script starting..."
./script.sh &
echo "Generating connection YAML file..."
(umask 077; printf 'host: %s\\nport: %s\\npassword: %s\\n' "$host" "$port" "$password" > connection.yml)
wait $! || echo "Session failed with exit code $?"
"""

# The same for template "vnc": these lines, and then vnc_wrapper.sh. Nodes of the practice cluster are this machine, so
# that nothing needs to listen beyond it.
VNC_WRAPPER = Path(__file__).with_name("vnc_wrapper.sh")
VNC_SETTINGS = """folder={folder}
websockify_cmd={websockify_cmd}
vnc_args={vnc_args}
vnc_clean={vnc_clean}
export VNC_LISTEN=127.0.0.1:
{set_host}
"""

# Where Debian's package has noVNC, under which path the dashboard has it, and its form for a desktop's card: the
# password stands behind #, where the browser keeps it from every server.
NOVNC = Path("/usr/share/novnc")
NOVNC_PATH = "/pun/sys/dashboard/noVNC-1.3.0/"
NOVNC_CARD = """<form id="card">
  <button class="btn btn-primary" type="submit">Launch {title}</button>
</form>
<script>
  document.getElementById("card").addEventListener("submit", (event) => {{
    event.preventDefault();
    window.open("{page}vnc.html?autoconnect=true&path=rnode/{host}/{websocket}/websockify&resize=remote#password={password}");
  }});
</script>
"""

# The form as a page: what the dashboard makes of form.yml, shortened to fields for text and numbers.
FORM = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
  body {{ font: 16px/1.4 sans-serif; margin: 24px auto; width: 560px }}
  label {{ display: block; font-weight: bold; margin-top: 12px }}
  input {{ box-sizing: border-box; font: inherit; padding: 5px 8px; width: 100% }}
  small {{ color: #555; display: block }}
  button {{ background: #1a5fb4; border: 0; color: #fff; font: inherit; margin: 18px 0; padding: 9px; width: 100% }}
</style>
<h1>{title}</h1>
<form action="{action}">
{fields}
<button type="submit">Launch</button>
</form>
"""
LABELS = {"bc_account": "Account", "bc_queue": "Queue", "bc_num_hours": "Number of hours"}
STARTING = '<!DOCTYPE html><meta http-equiv="refresh" content="1"><p>Your session is starting. Please be patient.</p>'

# Attributes with a meaning of their own, and the option of sbatch that each becomes.
SMART = {
    "bc_account": lambda value: ["-A", value] if value else [],
    "bc_queue": lambda value: ["-p", value] if value else [],
    "bc_num_hours": lambda value: ["-t", f"{int(value):02d}:00:00"],
}


@dataclass
class Session:
    """One session: its folder and its job. ``connection()`` is None until the job has chosen its port."""

    folder: Path
    job_id: str

    def connection(self) -> dict | None:
        """Host, port and password, once the job has written them."""
        path = self.folder / "connection.yml"
        text = path.read_text() if path.is_file() else ""
        return yaml.safe_load(text) if "password" in text else None

    def log(self) -> str:
        """What the job has printed so far."""
        path = self.folder / "output.log"
        return path.read_text(errors="replace") if path.is_file() else ""

    def wait(self, seconds: float = 120) -> dict:
        """Wait until the session can be connected to; returns host, port and password."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            there = self.connection()
            if there and answers(int(there.get("websocket") or there["port"])):
                return there
            if "Session failed" in self.log():
                raise RuntimeError(f"session in {self.folder}:\n{self.log()}")
            time.sleep(0.2)
        raise TimeoutError(f"session in {self.folder} did not start within {seconds:.0f} s:\n{self.log()}")


def answers(port: int) -> bool:
    """Whether something listens on this machine's ``port``."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return True
    return False


def render(path: Path, values: dict) -> str:
    """The text of an ERB file with ``values``; Ruby does it."""
    done = subprocess.run(
        ["ruby", "-e", RENDER, str(path)], input=json.dumps(values), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(f"{path} cannot be rendered:\n{done.stderr}")
    return done.stdout


def form_values(app: Path, given: dict | None = None) -> dict:
    """The values that the form hands on when someone presses Launch, with ``given`` filled in."""
    form = yaml.safe_load((app / "form.yml").read_text())
    values = {}
    for name in form["form"]:
        attribute = form["attributes"].get(name, "")
        values[name] = attribute.get("value", "") if isinstance(attribute, dict) else attribute
    unknown = set(given or {}) - set(values)
    if unknown:
        raise ValueError(f"the form of {app.name} has no {', '.join(sorted(unknown))}")
    return values | (given or {})


def submission(app: Path, values: dict) -> dict:
    """What the app's submit.yml.erb says with ``values``."""
    return yaml.safe_load(render(app / "submit.yml.erb", values))


def sbatch_options(app: Path, values: dict) -> list[str]:
    """The options that the form's values become: those of the dashboard first, then the app's own."""
    options = [word for name, rule in SMART.items() if name in values for word in rule(values[name])]
    return options + [str(word) for word in submission(app, values).get("script", {}).get("native", [])]


def job_script(app: Path, values: dict, folder: Path, set_host: str) -> str:
    """The script of the job, for the template that the app names: "basic" or "vnc"."""
    settings = submission(app, values)["batch_connect"]
    if settings["template"] == "basic":
        return WRAPPER.format(folder=folder, set_host=set_host)
    geometry = settings.get("geometry")
    words = {
        "folder": str(folder),
        "websockify_cmd": settings.get("websockify_cmd", "/opt/websockify/run"),
        "vnc_args": f"-geometry {geometry}" if geometry else "",
        "vnc_clean": settings.get("vnc_clean", ":"),
    }
    quoted = {name: shlex.quote(word) for name, word in words.items()}
    body = VNC_SETTINGS.format(**quoted, set_host=set_host) + VNC_WRAPPER.read_text()
    return "#!/bin/bash\n" + settings.get("script_wrapper", "%s") % body


def form_page(app: Path, action: str, given: dict | None = None) -> str:
    """The form of the app as a page, whose *Launch* asks for the address ``action``; fixed attributes are not shown."""
    form = yaml.safe_load((app / "form.yml").read_text())
    values = form_values(app, given)
    fields = []
    for name in form["form"]:
        attribute = form["attributes"].get(name, {})
        if not isinstance(attribute, dict):
            continue
        limits = {key: attribute[key] for key in ("min", "max") if key in attribute}
        limits["type"] = "number" if limits or name == "bc_num_hours" else "text"
        settings = "".join(f' {key}="{html.escape(str(value))}"' for key, value in limits.items())
        label = html.escape(attribute.get("label", LABELS.get(name, name.replace("_", " ").capitalize())))
        field = f'<label for="{name}">{label}</label>'
        field += f'<input id="{name}" name="{name}" value="{html.escape(str(values[name]))}"{settings}>'
        fields.append(f"{field}<small>{html.escape(attribute.get('help', ''))}</small>")
    return FORM.format(title=html.escape(form["title"]), action=html.escape(action), fields="\n".join(fields))


def out_of_bounds(app: Path, values: dict) -> list[str]:
    """What the form does not allow, a sentence each: a browser refuses it, too, but anybody may write an address."""
    said = []
    for name, attribute in yaml.safe_load((app / "form.yml").read_text())["attributes"].items():
        if not isinstance(attribute, dict) or not {"min", "max"} & set(attribute):
            continue
        least, most = attribute.get("min", 0), attribute.get("max", float("inf"))
        number = str(values.get(name, ""))
        if not (number.isdigit() and least <= int(number) <= most):
            said.append(f"{name} is {number!r}: the form allows whole numbers from {least} to {most}.")
    return said


def serve_form(proxy: "Proxy", app: Path, given: dict, submit: Callable[[dict], Session]) -> None:
    """Let ``proxy`` show the app's form, and after *Launch* the card of the session that ``submit`` returns.

    Args:
        proxy: one that is running; its ``page`` is the card, ``page`` + "/form" the form.
        app: the app's folder.
        given: values that stand in the form from the beginning.
        submit: takes the form's values and submits the session.
    """

    def launched(values: dict) -> None:
        if said := out_of_bounds(app, form_values(app, given | values)):
            raise ValueError(" ".join(said))
        session = submit(given | values)
        proxy.card = STARTING

        def show_card() -> None:
            try:
                proxy.card = card(app, session.wait())
            except (RuntimeError, TimeoutError) as error:
                proxy.card = f"<pre>{html.escape(str(error))}</pre>"

        threading.Thread(target=show_card, daemon=True).start()

    proxy.form = form_page(app, proxy.launch_path, given)
    proxy.submit = launched


def card(app: Path, there: dict) -> str:
    """The card of a session that runs: the app's own view, or the dashboard's for a desktop."""
    view = app / "view.html.erb"
    if view.is_file():
        return render(view, there)
    title = yaml.safe_load((app / "form.yml").read_text())["title"]
    return NOVNC_CARD.format(title=title, page=NOVNC_PATH, **there)


def pairs(options: list[str]) -> list[list[str]]:
    """Options with their values: ``-p gpu --mem=1G`` becomes ``[[-p, gpu], [--mem=1G]]``."""
    joined: list[list[str]] = []
    for word in options:
        if word.startswith("-") or not joined:
            joined.append([word])
        else:
            joined[-1].append(word)
    return joined


def stage(app: Path, values: dict, folder: Path) -> None:
    """Copy the app's template to ``folder``, which only its user may enter, and render it there; file modes stay."""
    shutil.copytree(app / "template", folder)
    folder.chmod(0o700)
    for path in folder.rglob("*.erb"):
        path.with_suffix("").write_text(render(path, values))
        path.with_suffix("").chmod(path.stat().st_mode)
        path.unlink()
    (folder / "user_defined_context.json").write_text(json.dumps(values, indent=2))


def launch(app: Path, given: dict, home: Path, set_host: str = 'host="$(hostname)"', run=subprocess.run) -> Session:
    """Stage and submit the app as the button Launch does.

    Args:
        app: folder with form.yml, submit.yml.erb and template/.
        given: values for the form.
        home: folder in which ``ondemand/data/...`` is made.
        set_host: the line that a site sets for its cluster (``set_host`` in clusters.d): the name of the node.
        run: runs a command where ``sbatch`` is (``Cluster.run`` for the practice cluster).
    """
    values = form_values(app, given)
    folder = home / "ondemand/data/sys/dashboard/batch_connect/sys" / app.name / "output" / str(uuid.uuid4())
    stage(app, values, folder)
    script = folder / "job_script_content.sh"
    script.write_text(job_script(app, values, folder, set_host))
    options = ["-J", f"sys/dashboard/{app.name}", "-D", str(folder), "-o", str(folder / "output.log")]
    options += sbatch_options(app, values)
    (folder / "job_script_options.json").write_text(json.dumps(options, indent=2))
    done = run(["sbatch", "--parsable", *options, str(script)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"sbatch refused the session: {done.stderr.strip()}")
    return Session(folder, done.stdout.strip())


class Proxy:
    """The portal's proxy: /node/HOST/PORT/... goes to PORT of HOST with the path unchanged, as Apache does it.

    /rnode/HOST/PORT/... goes there without that beginning. Below NOVNC_PATH lies noVNC, the page that shows a desktop.
    On the practice cluster every node is this machine, so HOST is not looked up. ``page`` is the address of the card of
    one session, which holds its password: nobody else on this machine can guess it.
    """

    def __init__(self, card: str = "") -> None:
        self.card = card
        self.form = ""  # a page; serve_form() sets both
        self.submit: Callable[[dict], None] | None = None
        self._card_path = f"/session-{secrets.token_urlsafe(12)}"
        self.launch_path = self._card_path + "/launch"
        self.paths: list[str] = []
        self._loop = asyncio.new_event_loop()

    def __enter__(self) -> "Proxy":
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        server = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(server, self._loop).result(60)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self.page = self.address + self._card_path
        return self

    def __exit__(self, *_) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            self.paths.append(path)
            target = re.match(r"/(r?)node/([^/]+)/(\d+)(?=/)", path)
            if target:
                head = head.replace(target[0], "", 1) if target[1] else head
                await self._pass_on(head, target[2], int(target[3]), reader, writer)
            else:
                status, kind, content = await self._own(*path.partition("?")[::2])
                lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(content)}"]
                writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + content)
                await writer.drain()
        writer.close()

    async def _own(self, path: str, query: str) -> tuple[str, str, bytes]:
        """Status, type and content of what the portal itself has under ``path``."""
        if path == self._card_path:
            return "200 OK", "text/html", self.card.encode()
        if path == self._card_path + "/form" and self.form:
            return "200 OK", "text/html", self.form.encode()
        if path == self.launch_path and self.submit:
            values = dict(parse_qsl(query, keep_blank_values=True))
            try:
                await self._loop.run_in_executor(None, self.submit, values)
            except (ValueError, RuntimeError) as error:
                return "400 Bad Request", "text/plain", str(error).encode()
            return "200 OK", "text/html", f'<meta http-equiv="refresh" content="0; url={self._card_path}">'.encode()
        file = (NOVNC / path.removeprefix(NOVNC_PATH)).resolve()
        if path.startswith(NOVNC_PATH) and file.is_relative_to(NOVNC) and file.is_file():
            return "200 OK", mimetypes.guess_type(file)[0] or "application/octet-stream", file.read_bytes()
        return "404 Not Found", "text/html", b"not found"

    async def _pass_on(self, head, host, port, reader, writer) -> None:
        lines = [line for line in head.split("\r\n")[:-2] if not line.lower().startswith("host:")]
        if "upgrade: websocket" not in head.lower():  # then one request for each connection keeps this short
            lines = [line for line in lines if not line.lower().startswith("connection:")] + ["Connection: close"]
        lines.insert(1, f"Host: {host}:{port}")
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        there_writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        ways = [_pipe(reader, there_writer), _pipe(there_reader, writer)]
        await asyncio.wait([asyncio.ensure_future(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
        there_writer.close()


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while block := await source.read(2**16):
            target.write(block)
            await target.drain()


def main() -> None:
    """Launch one session, say where it is, and end it with Ctrl+C."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("app", type=Path)
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="values of the form")
    parser.add_argument("--form", action="store_true", help="show the form in the browser, and submit from there")
    parser.add_argument("--show", action="store_true", help="print sbatch's options and end")
    arguments = parser.parse_args()
    app = arguments.app.resolve()
    given = dict(pair.split("=", 1) for pair in arguments.values)
    if arguments.show:
        print("\n".join(shlex.join(pair) for pair in pairs(sbatch_options(app, form_values(app, given)))))
        return
    sessions = []

    def submit(values: dict) -> Session:
        sessions.append(launch(app, values, Path.home(), 'host="$SLURMD_NODENAME"'))
        print(f"job {sessions[-1].job_id}, files in {sessions[-1].folder}", flush=True)
        return sessions[-1]

    with Proxy() as proxy:
        if "portal" in form_values(app):
            given.setdefault("portal", proxy.address)
        try:
            if arguments.form:
                serve_form(proxy, app, given, submit)
                print(f"open {proxy.page}/form and press Launch; Ctrl+C ends the session", flush=True)
            else:
                proxy.card = card(app, submit(given).wait())
                print(f"open {proxy.page} and press the button; Ctrl+C ends the session", flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print()
        finally:
            for session in sessions:
                subprocess.run(["scancel", session.job_id], check=False)


if __name__ == "__main__":
    main()
