"""``workshop fill`` at the command line: where the script, the notes and the refusals go."""

import pytest
from click.testing import CliRunner

from workshop import sites
from workshop.cli.fill import command
from workshop.paths import SCRIPTS

HELLO = SCRIPTS / "slurm" / "hello.sbatch"


def run(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_the_script_goes_to_stdout_and_the_notes_to_stderr():
    result = run(HELLO, "--site", "kebnekaise", "-A", "hpc2n2026-001")
    assert result.exit_code == 0
    assert result.stdout.startswith("#!/bin/bash\n# Filled for Kebnekaise (local;")
    assert "#SBATCH --account=hpc2n2026-001\n" in result.stdout
    assert "status: live, open to its own universities only" in result.stderr
    assert "- No memory asked for" in result.stderr


def test_a_file_can_be_written(tmp_path):
    result = run(HELLO, "--site", "narval", "--output", tmp_path / "mine.sbatch")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "# Filled for Narval" in (tmp_path / "mine.sbatch").read_text()


@pytest.mark.parametrize("kind", ["another file", "the script itself", "a link", "a link to nothing"])
def test_no_file_is_overwritten_unless_asked(tmp_path, kind):
    script, output = tmp_path / "hello.sbatch", tmp_path / "thesis.tex"
    script.write_text(HELLO.read_text())
    kept = tmp_path / "kept"
    if kind == "another file":
        output.write_text("Chapter 1")
    elif kind == "the script itself":
        output = script
    else:
        output.symlink_to(kept)
        if kind == "a link":
            kept.write_text("Chapter 1")
    before = {path: path.read_text() for path in (script, output) if path.exists()}
    result = run(script, "--site", "narval", "--output", output)
    assert result.exit_code == 2
    assert result.stderr == (
        f"{output} exists already and is left as it is. Choose another name, or overwrite: --force\n"
    )
    assert {path: path.read_text() for path in (script, output) if path.exists()} == before
    result = run(script, "--site", "narval", "--output", output, "--force")
    assert result.exit_code == 0
    assert "# Filled for Narval" in output.read_text()


def test_a_folder_that_is_missing_is_named(tmp_path):
    output = tmp_path / "missing" / "mine.sbatch"
    result = run(HELLO, "--site", "narval", "--output", output)
    assert result.exit_code == 2
    assert result.stderr == f"{output} cannot be written: No such file or directory.\n"


DOUBTFUL = [site for site in sites.all_sites() if site.status in ("historical", "unofficial-sources")]


@pytest.mark.parametrize("name", [site.name for site in DOUBTFUL if site.scheduler == "slurm"])
def test_doubtful_sites_warn_loudly(name):
    result = run(HELLO, "--site", name)
    assert result.exit_code == 0
    assert f"WARNING: {sites.load_site(name).title}" in result.stderr


def test_a_refusal_ends_with_1_and_the_reason():
    result = run(HELLO, "--site", "polaris")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "cannot be filled for Polaris.\n  Polaris runs PBS Pro" in result.stderr


def test_a_script_of_our_own_for_a_site_of_our_own(tmp_path):
    site = tmp_path / "my-cluster.yml"
    site.write_text((sites.FOLDER / "examples" / "my-cluster.yml").read_text())
    result = run(SCRIPTS / "slurm" / "gpu_query.sbatch", "--site", site)
    assert result.exit_code == 0
    assert "#SBATCH --gres=gpu:rtx:1" in result.stdout


def test_what_cannot_be_read_ends_with_2(tmp_path):
    assert run(HELLO, "--site", "nowhere").exit_code == 2
    assert run(tmp_path / "absent.sbatch", "--site", "narval").exit_code == 2
    binary = tmp_path / "binary.sbatch"
    binary.write_bytes(b"\x7fELF\x00\x00\x01\xff" * 100)
    result = run(binary, "--site", "narval")
    assert result.exit_code == 2
    assert "binary" in result.stderr


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"#!/bin/bash", b"#!/bin/bash\r\n#SBATCH -N 1\r\n\r\nhostname\r\n", b"#SBATCH"]
)
def test_odd_files_never_crash(tmp_path, data):
    path = tmp_path / "odd.sbatch"
    path.write_bytes(data)
    result = run(path, "--site", "narval")
    assert result.exit_code in (0, 1, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
