"""The package outside its repository: installed without a network, in folders that know nothing of the course."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from wheels import build_wheel, copy_package, wheelhouse

from workshop.cli import OF_THE_COURSE, SUBCOMMANDS, main
from workshop.jobs.read import ENDINGS
from workshop.paths import REPO

pytestmark = pytest.mark.slow
PAGE = (REPO / "book" / "workshop_command.md").read_text()
HOOKS = yaml.safe_load((REPO / ".pre-commit-hooks.yaml").read_text())
OF_THE_CLONE = Path(sys.executable).with_name("workshop")
BAD = "#!/bin/bash\n#SBATCH --nodes=two\n#SBATCH --time=10\nsrun date\n"
GOOD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=10\nsrun date\n"
LOG = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.\n"


@dataclass
class Outside:
    """A place with wheels instead of an index, and the package's sources as a repository that can be cloned."""

    root: Path
    wheels: Path
    address: str
    commit: str

    def env(self, *first: Path) -> dict[str, str]:
        """Variables of an ordinary shell, with ``first`` at the beginning of PATH."""
        names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
        identity = {f"GIT_{name}": "t@example.org" for name in names} | {"GIT_CONFIG_GLOBAL": os.devnull}
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        pip["PIP_NO_COMPILE"] = "1"  # only to save time
        rehearse = {"WORKSHOP_REHEARSE_DIR": str(self.root / "counter")}
        path = os.pathsep.join([*map(str, first), os.environ["PATH"]])
        return (
            {"HOME": str(self.root), "LANG": "C.UTF-8", "PATH": path, "TMPDIR": str(self.root)}
            | pip
            | identity
            | rehearse
        )

    def run(self, folder: Path, *words: str | Path, first: Path | None = None) -> subprocess.CompletedProcess:
        env = self.env(first) if first else self.env()
        return subprocess.run(list(map(str, words)), cwd=folder, env=env, capture_output=True, text=True)

    def must(self, folder: Path, *words: str | Path, first: Path | None = None) -> str:
        """Run a command that must succeed; what it printed."""
        done = self.run(folder, *words, first=first)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    root = tmp_path_factory.mktemp("outside")
    (root / "_toc.yml").write_text("format: jb-book\nroot: index\n")  # of somebody else's book
    copy = copy_package(root / "address")
    place = Outside(root, wheelhouse(root / "wheels", "setuptools", *needs()), copy.as_uri(), "")
    place.must(copy, "git", "add", "--all")
    place.must(copy, "git", "commit", "--quiet", "--message=The package")
    place.commit = place.must(copy, "git", "rev-parse", "HEAD").strip()
    return place


def needs() -> list[str]:
    """What pyproject.toml says that the package needs."""
    text = (REPO / "pyproject.toml").read_text()
    return json.loads(re.search(r"^dependencies = (\[.*\])$", text, re.MULTILINE)[1])


@pytest.fixture(scope="module")
def installed(outside: Outside) -> Path:
    """The command ``workshop`` of an empty environment into which the wheel was installed."""
    wheel = build_wheel(outside.root / "built")
    outside.must(outside.root, sys.executable, "-m", "venv", "--without-pip", "env")
    python = outside.root / "env" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-build-isolation")
    outside.must(outside.root, *pip, "--find-links", outside.wheels, wheel)
    return python.with_name("workshop")


@pytest.fixture(scope="module")
def folder(outside: Outside) -> Path:
    """Job scripts and a log in a folder of somebody else."""
    place = outside.root / "jobs"
    place.mkdir()
    for name in ("slurm/ddp_multi_node.sbatch", "pbs/ddp_single_node.pbs", "lsf/hello.lsf", "slurm/hello.sbatch"):
        shutil.copy(REPO / "scripts" / name, place)
    (place / "bad.sbatch").write_text(BAD)
    (place / "quick.pbs").write_text('#!/bin/bash\n#PBS -l select=2:ncpus=2\necho "of $(wc -l < "$PBS_NODEFILE")"\n')
    (place / "job.log").write_text(LOG)
    return place


COMMANDS = [
    (1, "check --format json ddp_multi_node.sbatch ddp_single_node.pbs hello.lsf bad.sbatch"),
    (0, "check --site narval ddp_multi_node.sbatch"),
    (0, "translate ddp_single_node.pbs --to slurm --format json"),
    (0, "translate ddp_multi_node.sbatch --to lsf --site dtu-hpc"),
    (0, "fill --site polaris --account mine ddp_single_node.pbs"),
    (0, "sites"),
    (0, "sites kebnekaise --format json"),
    (0, "rehearse quick.pbs"),
    (0, "why job.log"),
]


def without_times(printed: str) -> str:
    return re.sub(r"after [\d.]+ s$", "after … s", printed, flags=re.MULTILINE)


@pytest.mark.parametrize(("status", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_it_answers_as_in_the_clone(
    outside: Outside, installed: Path, folder: Path, monkeypatch, status: int, command: str
):
    done = outside.run(folder, installed, *command.split())
    assert done.returncode == status and done.stdout
    shutil.rmtree(outside.root / "counter", ignore_errors=True)  # so that both rehearsals get the same job id
    if command.startswith("rehearse"):
        clone = outside.run(folder, OF_THE_CLONE, *command.split())
        status, printed, errors = clone.returncode, clone.stdout, clone.stderr
    else:  # in this process, which is quicker
        monkeypatch.chdir(folder)
        result = CliRunner().invoke(main, command.split())
        status, printed, errors = result.exit_code, result.stdout, result.stderr
    assert (done.returncode, without_times(done.stdout), done.stderr) == (status, without_times(printed), errors)


def test_it_has_nothing_of_this_environment(outside: Outside, installed: Path):
    seen = outside.must(
        outside.root, installed.with_name("python"), "-c", "import sys, workshop; print(sys.path, workshop)"
    )
    assert str(REPO) not in seen and "site-packages/workshop" in seen


def test_the_other_commands_say_that_they_need_the_course(outside: Outside, installed: Path, folder: Path):
    listed = outside.must(folder, installed, "--help")
    assert "In a clone of the course only" in listed and all(name in listed for name in SUBCOMMANDS)
    for name in OF_THE_COURSE:
        done = outside.run(folder, installed, name, "--help")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"Error: 'workshop {name}' works in a clone of the course only, after 'make env' there.\n"
    for name in ("cluster", "ssh"):  # the others run above
        assert "Usage: " in outside.must(folder, installed, name, "--help")


def test_an_unknown_site_is_told_what_can_be_done_here(outside: Outside, installed: Path, folder: Path):
    done = outside.run(folder, installed, "fill", "--site", "kebnekajse", "hello.sbatch")
    assert done.returncode == 2
    assert "did you mean 'kebnekaise'?" in done.stderr and "give its path" in done.stderr


# --- pre-commit, and the page ---


def blocks(language: str) -> list[str]:
    """The page's blocks on the package outside."""
    section = re.search(r"^\(c-elsewhere\)=\n(.*?)^\(", PAGE, re.MULTILINE | re.DOTALL)[1]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


def theirs(outside: Outside, text: str) -> str:
    return text.replace("ADDRESS", outside.address).replace("COMMIT", outside.commit)


@pytest.fixture
def group(outside: Outside, tmp_path: Path) -> Path:
    """A repository of job scripts, without any yet."""
    outside.must(tmp_path, "git", "init", "--quiet", "group")
    (tmp_path / "group" / "jobs").mkdir()
    return tmp_path / "group"


def commit(outside: Outside, repository: Path, **files: str) -> tuple[bool, str]:
    """Write files and try to commit all: whether there is a new commit, and what was said."""
    for name, text in files.items():
        (repository / name).write_text(text)
    outside.must(repository, "git", "add", "--all")
    heads = [outside.run(repository, "git", "rev-parse", "--verify", "HEAD").stdout]
    done = outside.run(repository, "git", "commit", "--message=Jobs")
    heads.append(outside.run(repository, "git", "rev-parse", "--verify", "HEAD").stdout)
    assert (heads[0] != heads[1]) == (done.returncode == 0)
    return done.returncode == 0, done.stdout + done.stderr


def test_the_hook_of_the_page_refuses_a_bad_script_and_passes_a_good_one(outside: Outside, group: Path):
    (config,) = (text for text in blocks("text") if "repos:" in text)
    (group / ".pre-commit-config.yaml").write_text(theirs(outside, config))
    outside.must(group, sys.executable, "-m", "pre_commit", "install", first=OF_THE_CLONE.parent)
    nobodys = {"notes.sh": BAD}
    went_in, said = commit(outside, group, **{"a.sbatch": BAD, "jobs/b.sh": BAD}, **nobodys)
    assert not went_in, said
    assert re.findall(r"^(\S+):2: error \[bad_node_count\]$", said, re.MULTILINE) == ["a.sbatch", "jobs/b.sh"]
    went_in, said = commit(outside, group, **{"a.sbatch": GOOD, "jobs/b.sh": GOOD}, **nobodys)
    assert went_in and said.count("Passed") == 2, said


def test_the_hook_takes_every_ending_of_a_scheduler():
    (hook,) = HOOKS
    assert all(re.search(hook["files"], f"a{ending}") for ending in ENDINGS)
    assert not re.search(hook["files"], "a.sh")


def test_the_step_of_the_page_annotates_what_is_wrong(outside: Outside, installed: Path, group: Path):
    """Its first line installs, as the block of commands does that the next test runs."""
    (step,) = (yaml.safe_load(text)[0]["run"] for text in blocks("text") if "- run" in text)
    install, check = step.splitlines()
    assert install in blocks("bash")[0]
    for name, text in {"good.sbatch": GOOD, "a, b.sbatch": BAD, "jobs/bad.sh": BAD, "notes.sh": BAD}.items():
        (group / name).write_text(text)
    outside.must(group, "git", "add", "--all")
    done = outside.run(group, "bash", "-e", "-c", check, first=installed.parent)
    assert done.returncode != 0
    told = [re.match(r"::(\w+) file=(.*?),line=2,title=(\w+)::", line) for line in done.stdout.splitlines()]
    assert {match.groups() for match in told if match} >= {
        ("error", "a%2C b.sbatch", "bad_node_count"),
        ("error", "jobs/bad.sh", "bad_node_count"),
    }
    assert "good.sbatch" not in done.stdout and "notes.sh" not in done.stdout


@pytest.mark.extensive
def test_the_page_installs_it(outside: Outside, folder: Path, tmp_path: Path):
    """pip builds it from the repository at an address, with setuptools from the wheels alone."""
    outside.must(tmp_path, sys.executable, "-m", "virtualenv", "--no-download", "--quiet", "mine")
    (block,) = blocks("bash")
    programs = tmp_path / "mine" / "bin"
    outside.must(tmp_path, "bash", "-euc", theirs(outside, block), first=programs)
    assert "narval" in outside.must(folder, programs / "workshop", "sites")
