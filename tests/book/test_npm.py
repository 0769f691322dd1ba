"""Files of npm packages are the pinned ones, or none."""

import base64
import hashlib
import io
import re
import tarfile

import pytest

from workshop.book import browser, npm
from workshop.paths import REPO


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """The archive of a small package, fetched before."""
    monkeypatch.setattr(npm, "STORE", tmp_path)
    path = tmp_path / "small-1.0.0.tgz"
    with tarfile.open(path, "w:gz") as files:
        entry = tarfile.TarInfo("package/dist/small.js")
        entry.size = 6
        files.addfile(entry, io.BytesIO(b"alert;"))
    return path


def package(archive) -> npm.Package:
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    return npm.Package("small", "1.0.0", f"sha512-{digest}")


def test_a_file_of_the_pinned_archive(archive):
    assert package(archive).file("dist/small.js") == b"alert;"


def test_another_archive_under_the_same_name_is_refused(archive):
    pinned = package(archive)
    archive.write_bytes(archive.read_bytes() + b"\0")
    with pytest.raises(npm.WrongFile, match=r"small-1\.0\.0\.tgz has the hash sha512-"):
        pinned.file("dist/small.js")


def test_without_npm(tmp_path, monkeypatch):
    monkeypatch.setattr(npm, "STORE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(npm.Unavailable, match="npm is not installed"):
        npm.Package("small", "1.0.0", "sha512-0").file("dist/small.js")


def test_npm_that_fails_says_why(tmp_path, monkeypatch):
    program = tmp_path / "npm"
    program.write_text("#!/bin/sh\necho 'getaddrinfo ENOTFOUND' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(npm, "STORE", tmp_path / "store")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(npm.Unavailable, match=r"could not fetch small@1\.0\.0: getaddrinfo ENOTFOUND"):
        npm.Package("small", "1.0.0", "sha512-0").file("dist/small.js")


def test_the_shell_is_parsed_in_the_browser_as_it_is_here():
    """The same grammar, and a parser of the same version but for its last number."""
    pins = dict(re.findall(r"^(tree-sitter[\w-]*)==(\S+)", (REPO / "requirements.txt").read_text(), re.MULTILINE))
    assert browser.GRAMMAR.version == pins["tree-sitter-bash"]
    assert browser.TREE_SITTER.version.split(".")[:2] == pins["tree-sitter"].split(".")[:2]
