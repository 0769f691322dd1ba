"""What is said where Apptainer's tree cannot be made: only a fault of the network excuses the tests."""

import pytest

from workshop.apptainer import tree
from workshop.apptainer.errors import ApptainerError, FetchError


@pytest.mark.parametrize(
    ("said", "fetch"),
    [
        (
            "E: Failed to fetch http://mirror.example/debian/dists/sid/InRelease  Could not resolve 'mirror.example'",
            True,
        ),
        ("E: Unable to locate package apptainer", True),
        ("dpkg: error processing package fakeroot (--configure)", False),
        ("E: unshare failed: Operation not permitted", False),
    ],
)
def test_only_a_failed_download_is_a_fault_of_the_network(tmp_path, monkeypatch, said, fetch):
    program = tmp_path / "mmdebstrap"
    program.write_text(f'#!/bin/sh\necho "{said}" >&2\necho "E: mmdebstrap failed to run" >&2\nexit 25\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(tree, "debian_mirror", lambda: "http://mirror.example/debian")
    with pytest.raises(ApptainerError) as caught:
        tree._fill_tree(tmp_path / "tree")
    assert isinstance(caught.value, FetchError) == fetch
    assert said in str(caught.value)
