"""Entering another Debian's tree: here a tree that is made of this machine's own programs."""

import shlex
import subprocess
import sys

from workshop.apptainer import enter


def test_without_a_path_variable(tmp_path):
    """As in `env -i` and in some cron tables."""
    tree = tmp_path / "tree"
    for name in ("usr", "mnt", "etc"):
        (tree / name).mkdir(parents=True)
    for name in ("bin", "lib", "lib64"):
        (tree / name).symlink_to(f"usr/{name}")
    run = shlex.join([sys.executable, enter.__file__, str(tree), "env"])
    # Mounts that only this process sees, as in tests of the practice cluster.
    command = ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "sh", "-ec"]
    done = subprocess.run(
        [*command, f"mount --rbind /usr {tree}/usr; exec env -i {run}"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "PATH=/bin:/usr/bin:/usr/sbin:/sbin" in done.stdout.splitlines()
