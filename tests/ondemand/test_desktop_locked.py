"""What another user of the node finds of somebody's desktop: nothing that opens. And Delete leaves nothing."""

import json
import subprocess
from pathlib import Path

import pytest
from desktop_session import as_stranger, start, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.needs_slurm]


@pytest.fixture(scope="module")
def desktop(cluster, require):
    """One session, into whose home folder everybody may go, and a stranger."""
    require("desktop")
    require("root")
    with start(cluster) as running:
        yield running


def refused(done: subprocess.CompletedProcess) -> str:
    """The last line of what a stranger's attempt printed, which must have failed."""
    assert done.returncode != 0, done.stdout
    return done.stderr.strip().splitlines()[-1]


def test_a_stranger_may_enter_the_home_folder(desktop):
    """Otherwise the refusals below would prove nothing about the session."""
    done = as_stranger("import os, sys; print(os.getuid(), os.listdir(sys.argv[1]))", str(desktop.home))
    assert done.stdout.startswith("65534 ["), done.stderr
    assert "ondemand" in done.stdout


@pytest.mark.parametrize("name", ["vnc.passwd", "connection.yml"])
def test_files_with_a_password_are_closed(desktop, name):
    file = desktop.job.folder / name
    assert file.stat().st_mode & 0o777 == 0o600
    assert desktop.job.folder.stat().st_mode & 0o777 == 0o700
    assert refused(as_stranger("import sys; open(sys.argv[1])", str(file))).startswith("PermissionError")


def test_no_command_line_and_no_environment_shows_a_secret(desktop):
    processes = desktop.processes()
    lines = [Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace") for number in processes]
    assert any("Xvnc" in line for line in lines), "the VNC server is among them"
    for secret in (desktop.there["password"], desktop.there["spassword"]):
        assert not [line for line in lines if secret in line]
    number = next(number for number, line in zip(processes, lines, strict=True) if line.startswith("Xvnc"))
    done = as_stranger("import sys; open(sys.argv[1]).read()", f"/proc/{number}/environ")
    assert refused(done).startswith("PermissionError")


def test_only_the_portal_of_this_machine_is_listened_to(desktop):
    """The session's sockets: one TCP port on the loopback address, and the two of display and VNC server."""
    numbers = desktop.processes()
    shown = subprocess.run(["ss", "-lntup"], capture_output=True, text=True, check=True).stdout
    ours = [line.split() for line in shown.splitlines() if any(f"pid={number}," in line for number in numbers)]
    assert [line[4] for line in ours] == [f"127.0.0.1:{desktop.there['websocket']}"]


SOCKET = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"


def test_the_socket_of_the_vnc_server_is_closed(desktop):
    folder = desktop.lock_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "rfb").stat().st_mode & 0o777 == 0o600
    assert subprocess.run(["/usr/bin/python3", "-c", SOCKET, str(folder / "rfb")]).returncode == 0, "its user may"
    assert refused(as_stranger(SOCKET, str(folder / "rfb"))).startswith("PermissionError")


# Open the display as any program with a window does; with the name of a file, with the cookie that lies there.
DISPLAY = """
import ctypes, os, sys
os.environ.update(DISPLAY=sys.argv[1], XAUTHORITY=sys.argv[2])
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
sys.exit(0 if x11.XOpenDisplay(None) else "no display")
"""


def test_the_display_is_closed(desktop):
    display, cookie = f":{desktop.there['display']}", str(desktop.lock_folder() / "Xauthority")
    in_the_job = ["srun", "--overlap", f"--jobid={desktop.job.job_id}", "/usr/bin/python3", "-c"]  # cookies name a node
    assert desktop.cluster.run([*in_the_job, DISPLAY, display, cookie], timeout=120).returncode == 0, "its user may"
    done = as_stranger(DISPLAY, display, cookie)
    assert refused(done) == "no display"
    assert "Authorization required" in done.stderr


# Connect to the websocket as noVNC does, and answer the challenge with bytes by chance.
GUESS = """
import base64, json, os, socket, struct, sys

def exactly(n):
    block = b""
    while len(block) < n:
        more = wire.recv(n - len(block))
        if not more:
            raise EOFError(f"closed after {said!r}")
        block += more
    return block

def receive(n):
    global waiting
    while len(waiting) < n:
        kind, length = exactly(2)
        length = struct.unpack(">H", exactly(2))[0] if length == 126 else length
        waiting += exactly(length)
    block, waiting = waiting[:n], waiting[n:]
    said.append(block)
    return block

def send(block):
    mask = os.urandom(4)
    wire.sendall(bytes([0x82, 0x80 | len(block)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(block)))

said, waiting = [], b""
wire = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60)
key = base64.b64encode(os.urandom(16)).decode()
lines = ["GET /websockify HTTP/1.1", "Host: node", "Upgrade: websocket", "Connection: Upgrade",
         f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: binary"]
wire.sendall("\\r\\n".join([*lines, "", ""]).encode())
head = b""
while not head.endswith(b"\\r\\n\\r\\n"):
    head += exactly(1)
receive(12)
send(b"RFB 003.008\\n")
kinds = list(receive(receive(1)[0]))
send(sys.argv[2].encode("latin-1"))
answers = {"kinds": kinds}
if sys.argv[2] == "\\x02":
    receive(16)
    send(os.urandom(16))
answers["result"] = int.from_bytes(receive(4), "big")
answers["reason"] = receive(int.from_bytes(receive(4), "big")).decode() if answers["result"] else ""
print(json.dumps(answers))
"""


def guess(desktop, kind: int) -> dict:
    """What the VNC server says to a stranger who asks for the security ``kind``: 1 is none, 2 a password."""
    done = as_stranger(GUESS, str(desktop.there["websocket"]), chr(kind))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_port_asks_for_the_password(desktop):
    """Who reaches the port gets as far as the question; wrong answers lock out nobody but who gave them."""
    for _ in range(8):
        answer = guess(desktop, 2)
        assert answer["kinds"] == [2], "a password is the only way in"
        assert answer["result"] == 1
        assert "Authentication failure" in answer["reason"]
    assert guess(desktop, 2)["reason"] == answer["reason"], "asked again, and not shut out: so its user can still enter"


def test_delete_leaves_nothing(desktop):
    """The button Delete of the card cancels the job, as here. The last test of this file."""
    folder = desktop.lock_folder()
    desktop.cluster.run(["scancel", desktop.job.job_id], check=True)
    desktop.assert_nothing_is_left(folder)
    wait_for(lambda: not folder.exists(), "the end of the folder")
