"""A reader who types a page from top to bottom: what the page shows, in its order, in one shell for each place.

Nothing of what a session keeps above ``#show`` is typed. What comes out is compared with what the session expects, by
the same patterns as when prysk runs it. A command that only looks (``squeue``, ``cat``) is typed again until it fits,
as a person does who waits; every other one is typed once.

``.venv/bin/python tests/sessions/reader.py first_job …`` types pages (all if none is named), and says what differs;
with ``--record`` it also keeps what came out, for the pages to show (``make sessions``).
"""

import contextlib
import datetime
import os
import pwd
import re
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workshop.apptainer import tree
from workshop.book import sessions
from workshop.book.toc import pages
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

# Folders for PYTHONPATH, see the files in them.
QUICK_START = REPO / "scripts" / "workshop" / "book" / "trace"
PYTHON_START = REPO / "tests" / "python_start"
NOT_TYPED = sessions.FOLDER / "not_typed.yml"
# Where everything must be installed, a missing part is a failure (as in continuous integration).
# Characters in a line of the terminal, where a page says how many; else programs decide.
WIDTHS = {"workshop_command": "100"}
LACKS_FAIL = os.environ.get("WORKSHOP_STRICT") == "1"
# The course's person, as on the practice machines, and her number.
PERSON, NUMBER = "ada", 1000
# A machine on which she has an account: its lists of users and groups lie over those of the real one, for her alone.
ACCOUNT = """
mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/group" /etc/group &&
exec unshare --user --map-user="$1" --map-group="$1" -- bash -c 'echo ready; exec cat'
"""
# Seconds after which a command that looks will not show any more what it should, or one that works does not end.
# Where a fault was planted, the first is what finding it takes.
LOOK_S, END_S = float(os.environ.get("READER_LOOK_S", "400")), 600
# Programs that change nothing: they may be typed again. (`scontrol` and `sacctmgr` where they show.)
LOOKS = re.compile(
    r"(cat|curl|cut|date|df|diff|du|echo|env|expr|false|find|free|grep|head|ls|lscpu|nproc|paste|pgrep|ps|sacct|seff|sinfo"
    r"|sort|sprio|squeue|sshare|sstat|stat|tail|test|tr|true|uname|wc|(scontrol|sacctmgr)( --\S+)* (show|list|ping)"
    r"|ssh \S+ tmux (list|capture)\S*|git (log|status|diff|show)|sed (?!.*-i).*)( |$)"
)
_WORDS_OF_LOOPS = re.compile(r"^(?:for \w+ in [^;\n]*|do|done|then|fi|if|else)\b\s*")
# What a person answers at the terminal of the practice laptop. Behind a prompt of another machine: what the page shows.
PASSWORD, PASSPHRASE = "correct-horse", "four plain words here"
_ASKS = [
    (re.compile(r"\(yes/no/\[fingerprint\]\)\? $"), "yes"),
    (re.compile(r"password: $"), PASSWORD),
    (re.compile(r"passphrase[^\n]*: $"), PASSPHRASE),
    (re.compile(r"Enter file in which to save the key [^\n]*: $"), ""),
]
_PROMPT = re.compile(r"^\[\S+ \S+\]\$ $")
# What srun says of a step that had to wait. One that follows another may meet it still being cleared away, or not: both
# are right, and a page shows the line only where the step must wait.
_STEP_WAITED = re.compile(
    r"srun: (Step created for StepId=\d+\.\d+$|Job \d+ step creation (temporarily|still) disabled)"
)
# The commands come through a file of their own, so that what they start may read from a terminal.
DRIVER = """
exec 4< "$0" 2>&1
status=0
shopt -s expand_aliases
while IFS= read -r -d '' -u 4 typed; do
    (exit $status)
    eval "$typed" 4<&-
    status=$?
    printf '%s %d\\n' MARK "$status"
done
"""
# torchrun ends the other ranks when it sees that one has failed. Where a page shows what each of them says, it has
# torchrun look seldom, and it is still chance which comes first: here these ranks speak to the end.
OUTLIVE = """\
kept_path=${PYTHONPATH-} && export PYTHONPATH=FOLDER:${PYTHONPATH-} RANKS_IGNORE_TERM=1
COMMAND
kept_code=$? && export PYTHONPATH=$kept_path && unset RANKS_IGNORE_TERM && (exit $kept_code)"""
# Cancels what is left and waits until there is no job, no busy node and no reservation. One command for all that, since
# each one starts Python; Slurm's controller may just be starting anew, when accounting has become ready.
FREE = r"""
shopt -s extglob
for ((try = 0; try < 300; try++)); do
    left="no answer from slurmctld"
    if scancel --me && jobs=$(squeue --noheader) && nodes=$(sinfo --noheader --Node --format="%N %t"); then
        left=$jobs$(grep -v "idle$" <<< "$nodes")$(scontrol --oneliner show reservation | grep Reservation)
    fi
    [[ $left ]] || exit 0
    [[ $nodes != *@(drain|drng|down)* ]] || scontrol update nodename=cpu[1-2],gpu[1-2] state=resume 2> /dev/null
    sleep 0.2
done
echo "not free after a minute: $left"
exit 1
"""


@dataclass
class Typed:
    """One command as a page shows it, and the lines that it shall print (those of the session: patterns)."""

    command: str
    expected: list[str] = field(default_factory=list)

    @property
    def only_looks(self) -> bool:
        """Whether it changes nothing, however often it is typed."""
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", self.command.replace("\\\n", " "))
        if re.search(r"\$\(|`|>(?!&|\s*/dev/null)|&(?!&|\d)|<<", re.sub(r"\d?>&\d|2> ?/dev/null", "", bare)):
            return False
        parts = [part.strip() for part in re.split(r"\|\|?|&&|;|\n", bare)]
        while any(_WORDS_OF_LOOPS.match(part) for part in parts):
            parts = [_WORDS_OF_LOOPS.sub("", part) for part in parts]
        return all(not part or LOOKS.match(part) for part in parts)


def commands(session: Path) -> list[Typed]:
    """The commands that a page shows of a session, each with what it shall print."""
    _, mark, shown = session.read_text().partition("#show\n")
    typed: list[Typed] = []
    for line in (shown if mark else session.read_text()).splitlines():
        if line.startswith("  $ "):
            typed.append(Typed(line[4:]))
        elif line.startswith("  > "):
            typed[-1].command += "\n" + line[4:]
        elif line.startswith("  "):
            typed[-1].expected.append(line)
    return typed


def blocks(page: Path) -> list[str]:
    """The names of the sessions that a page shows, in its order."""
    return re.findall(r"\{session\} (\S+)", page.read_text())


def path_of(name: str) -> Path:
    """The file of a session."""
    return sessions.FOLDER / f"{name}.t"


def reasons() -> dict[str, str]:
    """Why some sessions are not typed: short name of the reason -> what it says."""
    return read_yaml(NOT_TYPED)["reasons"]


def listed() -> dict[str, str]:
    """Sessions that are not typed -> short name of the reason."""
    return {one["session"]: one["reason"] for one in read_yaml(NOT_TYPED)["not_typed"]}


def typed_on(page: Path) -> list[Path]:
    """The sessions of a page that are typed, in the order in which they stand there."""
    return [path_of(name) for name in blocks(page) if name not in listed()]


def place(session: Path) -> str:
    """Where a block is typed: ``laptop`` (practice machines), a version of Slurm, or ``cluster`` (or anywhere)."""
    return "laptop" if sessions.on_laptop(session) else sessions.slurm_of(session) or "cluster"


def fits(expected: list[str], printed: list[str], home: Path) -> bool:
    """Whether all lines fit; the reader's home may be written out or as ``~``, and a step may have had to wait."""

    def one_fits(want: str, got: str) -> bool:
        return any(sessions.fits(want, line) for line in {got, got.replace(str(home), "~")})

    printed = [
        got for got in printed if not _STEP_WAITED.match(got.strip()) or any(one_fits(want, got) for want in expected)
    ]
    return len(expected) == len(printed) and all(map(one_fits, expected, printed))


class ShellGone(Exception):
    """The shell has ended, or a command in it did not."""


class Shell:
    """A shell that is typed into; what comes out is read up to the end of each command.

    Args:
        argv: the command in front of ``bash``: how to get to the place.
        folder: where it starts.
        environment: its variables.
        terminal: whether what it starts has a terminal, which asks questions; else there is nothing to read.
    """

    def __init__(self, argv: list[str], folder: Path, environment: dict[str, str], terminal: bool = False) -> None:
        self._mark = f"end-{secrets.token_hex(8)}"
        self._pipe = tempfile.TemporaryDirectory(prefix="typed-", dir="/tmp")
        path = Path(self._pipe.name) / "commands"
        os.mkfifo(path)
        driver = [*argv, "bash", "-c", DRIVER.replace("MARK", self._mark), str(path)]
        options = {"cwd": folder, "env": environment, "start_new_session": True}
        if terminal:
            self._out, inside = os.openpty()
            argv = ["setsid", "--ctty", "--wait", *driver]
            self._process = subprocess.Popen(argv, stdin=inside, stdout=inside, stderr=inside, **options)
        else:
            self._out, inside = os.pipe()
            null = subprocess.DEVNULL
            self._process = subprocess.Popen(driver, stdin=null, stdout=inside, stderr=inside, **options)
        os.close(inside)
        self._terminal = terminal
        self._commands = os.open(path, os.O_RDWR)

    def type(self, typed: Typed, seconds: float = END_S) -> list[str]:
        """Type a command, and return what it prints as a session has it, with the exit code where it is not 0.

        Raises:
            ShellGone: it takes longer, or ended the shell; the message is what came out until then.
        """
        command = typed.command
        if "--monitor-interval=" in command:
            command = OUTLIVE.replace("FOLDER", str(PYTHON_START)).replace("COMMAND", command)
        os.write(self._commands, command.encode() + b"\0")
        said, answered = "", 0
        at_prompts = [found[1] for line in typed.expected if (found := re.match(r"  \[\S+ \S+\]\$ (.*)$", line))]
        end = re.compile(rf"{self._mark} (\d+)\n")
        deadline = time.monotonic() + seconds
        while not (found := end.search(said)):
            data = self._read(deadline)
            if not data:
                why = "the shell has ended" if data is not None else f"no end after {seconds:.0f} s"
                raise ShellGone(f"{why}: {said[-2000:]}")
            said += data.decode(errors="replace").replace("\r", "")
            line = said[answered:].rsplit("\n", 1)[-1]
            if self._terminal and (answer := self._answer(line, at_prompts)) is not None:
                answered = len(said)
                os.write(self._out, answer.encode() + b"\n")
        text, code = said[: found.start()], int(found[1])
        lines = [f"  {line}" for line in text.removesuffix("\n").split("\n")] if text else []
        return [*lines, f"  [{code}]"] if code else lines

    def _read(self, deadline: float) -> bytes | None:
        """What has come out; empty if the shell has ended, None if nothing came in time."""
        if not select.select([self._out], [], [], max(0, deadline - time.monotonic()))[0]:
            return None
        try:
            return os.read(self._out, 65536)
        except OSError:  # a terminal at which no program is left
            return b""

    @staticmethod
    def _answer(line: str, at_prompts: list[str]) -> str | None:
        """What a person types where this is the last line; None if nothing is asked."""
        if _PROMPT.match(line) and at_prompts:
            return at_prompts.pop(0)
        return next((answer for asks, answer in _ASKS if asks.search(line)), None)

    def close(self) -> None:
        """End it with all that it started and left in the background."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM if self._terminal else signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._commands)
        os.close(self._out)
        self._pipe.cleanup()


class Reader:
    """An ordinary user with a home folder, a clone of the project in it, and a practice cluster.

    Where root runs the tests, the user is ``ada``, in a user namespace: without any right of root's, but for its files,
    so that the tests' own Python can be started. Programs ask the machine for her name, as they do for any user.
    """

    def __init__(self, accounting: bool = True) -> None:
        self._accounting = accounting
        self._folder = tempfile.TemporaryDirectory(prefix="reader-", dir="/tmp", ignore_cleanup_errors=True)
        self.home = Path(self._folder.name) / "home"
        (self.home / ".cache").mkdir(parents=True)
        (self.home / ".gitconfig").write_text("[user]\n    name = Ada\n    email = ada@example.org\n")
        # Apptainer, as an administrator has installed it, and the images.
        (self.home / ".cache" / "workshop").symlink_to(tree.cache())
        self._name = pwd.getpwuid(os.geteuid()).pw_name
        self._namespace = self._new_user() if os.geteuid() == 0 else None
        self._shells: dict[str, Shell] = {}
        self._width: dict[str, str] = {}
        self._newer: set[str] = set()
        self.clone = self.home / "hpc-cluster-workshop"

    def _new_user(self) -> subprocess.Popen:
        self._name = PERSON
        lists = Path(self._folder.name) / "etc"
        lists.mkdir()
        hers = {"passwd": f"{PERSON}:x:{NUMBER}:{NUMBER}:Ada:{self.home}:/bin/bash", "group": f"{PERSON}:x:{NUMBER}:"}
        for name, line in hers.items():
            entries = [one.split(":") for one in Path("/etc", name).read_text().splitlines()]
            others = [":".join(one) for one in entries if one[0] != PERSON and one[2:3] != [str(NUMBER)]]
            (lists / name).write_text("\n".join([*others, line]) + "\n")
        argv = ["unshare", "--mount", "bash", "-c", ACCOUNT, str(lists), str(NUMBER)]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if process.stdout.readline() != b"ready\n":
            raise RuntimeError("unshare cannot make the namespaces of an ordinary user on this machine.")
        return process

    @property
    def environment(self) -> dict[str, str]:
        """What the reader's login has, with the project's environment active."""
        hidden = (
            "SLURM",
            "SBATCH",
            "WORKSHOP",
            "XDG_",
            "PYTEST",
            "COV_",
            "LMOD",
            "MODULE",
            "PYTHON",
            "TMPDIR",
            "PIP_",
            "COLUMNS",
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        first = {name: os.environ[name] for name in ("WORKSHOP_FIRST_JOB_ID", "WORKSHOP_TRACE") if name in os.environ}
        if repo := os.environ.get("WORKSHOP_TRACE_REPO"):  # the clone's files are those of the project
            first["WORKSHOP_TRACE_REPO"] = f"{repo}{os.pathsep}{self.clone}"
        path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"])
        return kept | first | {
            "HOME": str(self.home),
            "TERM": "dumb",
            "PATH": path,
            "USER": self._name,
            "LOGNAME": self._name,
            "PYTHONDONTWRITEBYTECODE": "1",
            # Several readers share a few cores.
            "OMP_NUM_THREADS": "1",
            # Programs that import PyTorch start in two thirds of the time, and compute and print the same. Where a
            # fault was planted, the package is another one than that which is installed.
            "PYTHONPATH": os.pathsep.join(filter(None, [str(QUICK_START), os.environ.get("PYTHONPATH")])),
            # No settings of this machine, and no question to the internet.
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }  # fmt: skip

    def as_user(self, argv: list[str]) -> list[str]:
        """The command line that runs ``argv`` as this reader."""
        if self._namespace is None:
            return argv
        # Who enters a mount namespace stands in its top folder; the shell knows where the command is to start.
        enter = 'exec nsenter --target="$0" --user --mount --preserve-credentials --wdns="$PWD" -- "$@"'
        return ["bash", "-c", enter, str(self._namespace.pid), *argv]

    def workshop(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        """``workshop WORDS`` in the home folder."""
        argv = self.as_user([sys.executable, "-m", "workshop", *words])
        return subprocess.run(argv, cwd=self.home, env=self.environment, capture_output=True, text=True, check=check)

    def open_page(self, page: Path) -> None:
        """Begin with a page: a new clone, and a terminal of the width that the page names."""
        self._width = {"COLUMNS": WIDTHS[page.stem]} if page.stem in WIDTHS else {}
        self._new_clone()

    def _new_clone(self) -> None:
        """A new clone in the home folder: the files of the project, as they are.

        Other programs than Python copy them, so that a test's receipt does not name all files of the project.
        """
        shutil.rmtree(self.clone, ignore_errors=True)
        self.clone.mkdir()
        copy = "git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --file=-"
        command = f"{copy} --ignore-failed-read 2> /dev/null | tar --extract --file=- --directory={self.clone}"
        subprocess.run(["bash", "-c", command], cwd=REPO, check=True)
        (self.clone / ".venv").symlink_to(REPO / ".venv")
        git = "git init --quiet && git add --all && git commit --quiet -m Course"
        subprocess.run(["bash", "-c", git], cwd=self.clone, env=self.environment, check=True)

    def untracked(self) -> list[str]:
        """Names in the clone's folder that git shows as new: what a page tries out there is to be ignored (``my_…``).

        Files below it are part of the project, as the page has it: one chapter forgets to commit one.
        """
        argv = ["git", "status", "--porcelain"]
        done = subprocess.run(argv, cwd=self.clone, env=self.environment, capture_output=True, text=True, check=True)
        new = [line[3:] for line in done.stdout.splitlines() if line.startswith("?? ")]
        return [name for name in new if "/" not in name.rstrip("/")]

    def _environment_of(self, where: str) -> dict[str, str]:
        """The reader's variables in a place: a newer Slurm has a practice cluster of its own."""
        newer = where not in ("cluster", "laptop")
        return self.environment | ({"WORKSHOP_CLUSTER_DIR": str(self.home / f"slurm-{where}")} if newer else {})

    def shell(self, where: str) -> Shell:
        """The one shell of this page in this place."""
        if where not in self._shells:
            environment = self._environment_of(where) | self._width
            if where not in ("cluster", "laptop"):
                up = [sys.executable, "-m", "workshop", "cluster", "up", "--no-accounting", "--slurm", where]
                subprocess.run(self.as_user(up), env=environment, cwd=self.home, capture_output=True, check=True)
                self._newer.add(environment["WORKSHOP_CLUSTER_DIR"])
            words = ["ssh"] if where == "laptop" else ["cluster", "shell", "--"]
            argv = self.as_user([sys.executable, "-m", "workshop", *words])
            self._shells[where] = Shell(argv, self.clone, environment, terminal=where == "laptop")
        return self._shells[where]

    def leave(self) -> None:
        """Close all shells."""
        while self._shells:
            self._shells.popitem()[1].close()
        down = self.as_user([sys.executable, "-m", "workshop", "cluster", "down"])
        while self._newer:
            environment = self.environment | {"WORKSHOP_CLUSTER_DIR": self._newer.pop()}
            subprocess.run(down, env=environment, cwd=self.home, capture_output=True)

    def free_cluster(self) -> None:
        """What a page left on the cluster ends: jobs, reservations, nodes out of service.

        Raises:
            RuntimeError: it is not free after a minute.
        """
        done = self.workshop("cluster", "shell", "bash", "-c", FREE, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"The reader's cluster does not become free: {done.stdout}{done.stderr}")

    def type_block(self, session: Path, patience: float = LOOK_S, came: list[str] | None = None) -> list[str]:
        """Type one block; empty if all that came out fits, else what differs.

        Args:
            session: its file.
            patience: seconds for which a command that looks is typed again.
            came: takes the lines of the block as it went, if given.
        """
        problems: list[str] = []
        for typed in commands(session):
            try:
                printed = self._type(typed, place(session), 0 if problems else patience)
            except ShellGone as gone:
                self._shells.pop(place(session)).close()
                return [*problems, f"$ {typed.command}\n{gone}"]
            if came is not None:
                came += ["  $ " + typed.command.replace("\n", "\n  > "), *map(self._neutral, printed)]
            if not fits(typed.expected, printed, self.home):
                problems.append("\n".join([f"$ {typed.command}", "expected:", *typed.expected, "came:", *printed]))
        return problems

    def _type(self, typed: Typed, where: str, patience: float) -> list[str]:
        """Type one command; one that only looks as often as it takes until it fits."""
        deadline = time.monotonic() + patience
        printed = self.shell(where).type(typed)
        while typed.only_looks and not fits(typed.expected, printed, self.home) and time.monotonic() < deadline:
            time.sleep(0.3)
            printed = self.shell(where).type(typed)
        return printed

    def _neutral(self, line: str) -> str:
        """A line without the folders of this machine: the home is ``~``, and the clone lies in it."""
        return line.replace(str(self.home), "~").replace(str(REPO), "~/hpc-cluster-workshop")

    def record(self, session: Path, came: list[str]) -> None:
        """Keep what came out of a block, for the page to show."""

        def run(argv: list[str], **options: object) -> subprocess.CompletedProcess:
            inside = self.as_user([sys.executable, "-m", "workshop", "cluster", "shell", "--", *argv])
            return subprocess.run(inside, **(options | {"env": self._environment_of(place(session))}))

        head = [line for line in session.read_text().splitlines() if not line.startswith("  ")]
        text = "\n".join([*head[: head.index("")], "", *came]) + "\n"
        about = sessions.made_with(session, text, run, self.environment)
        sessions.recorded_path(session).write_text(f"{sessions.HEAD}{datetime.date.today()} {about}\n{text}")

    def find_apptainer(self) -> None:
        """A practice cluster that was up before Apptainer was there finds it after a restart only."""
        found = self.workshop("cluster", "shell", "bash", "-c", "type -P apptainer", check=False)
        if found.returncode != 0:
            self.workshop("cluster", "down")
            self.start_cluster()

    def start_cluster(self) -> None:
        """Start the practice cluster, with accounting if the reader wants it."""
        self.workshop("cluster", "up", "--wait-accounting" if self._accounting else "--no-accounting")

    def gone(self) -> None:
        """The end: the cluster is stopped, the home removed."""
        self.leave()
        with contextlib.suppress(subprocess.CalledProcessError):
            self.workshop("cluster", "down")
        if self._namespace is not None:
            self._namespace.communicate()
            self._namespace = None
        self._folder.cleanup()


@contextlib.contextmanager
def a_reader(accounting: bool = True) -> Iterator[Reader]:
    """A reader whose practice cluster is up."""
    reader = Reader(accounting)
    try:
        reader.start_cluster()
        yield reader
    finally:
        reader.gone()


def main(words: list[str]) -> int:
    """Type pages, say what differs and what is left; with ``--record``, keep what came out of the blocks that fit."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster goes, too
    recording, names = "--record" in words, [word for word in words if word != "--record"]
    wrong = 0
    with a_reader() as reader:
        for page in [REPO / "book" / f"{name}.md" for name in names] or [page for page in pages() if typed_on(page)]:
            reader.open_page(page)
            for session in typed_on(page):
                begun, came = time.monotonic(), []
                problems = reader.type_block(session, came=came)
                wrong += bool(problems)
                print(
                    f"{'DIFFERS' if problems else 'fits'} {session.stem} ({time.monotonic() - begun:.1f} s)", flush=True
                )
                print("".join(f"    {line}\n" for text in problems for line in text.splitlines()), end="", flush=True)
                if recording and not problems:
                    reader.record(session, came)
            for name in reader.untracked():
                print(f"LEAVES {name}, which git does not ignore: call it my_…", flush=True)
                wrong += 1
            reader.leave()
            reader.free_cluster()
    print(f"{wrong} blocks differ, or names are left")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
