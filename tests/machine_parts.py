"""Which parts of the system that tests need are installed on this machine."""

import os
import shutil

from workshop.apptainer import tree

# Name of a part -> programs that show that it is here (slurm's daemons live in /usr/sbin, which PATH may lack).
PARTS = {
    "slurm": ("sbatch", "slurmctld", "slurmd", "munged"),
    "accounting": ("slurmdbd", "mariadbd"),
    "mpi": ("mpirun",),
    "browser": ("chromium",),
    "node": ("node", "npm"),
    "ssh": ("ssh", "sshd", "ssh-keygen", "scp", "rsync", "tmux", "curl", "git"),
    "lmod": ("/usr/share/lmod/lmod/libexec/lmod",),
    "ruby": ("ruby",),
    "dpkg": ("dpkg-query",),
    "desktop": ("Xvnc", "vncpasswd", "websockify", "openbox", "xterm", "xauth", "glxinfo", "ruby"),
}


def missing_programs(part: str) -> list[str]:
    """The programs of ``part`` that this machine lacks."""
    if part == "apptainer":
        return [] if tree.find() else ["apptainer"]
    if part == "root":
        return [] if os.geteuid() == 0 else ["root"]
    path = os.environ.get("PATH", os.defpath)
    if not os.environ.get("WORKSHOP_HIDE_SBIN"):
        path += os.pathsep + "/usr/sbin" + os.pathsep + "/usr/local/sbin"
    return [program for program in PARTS[part] if shutil.which(program, path=path) is None]
