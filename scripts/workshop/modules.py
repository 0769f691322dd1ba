"""Environment modules: the course's own module tree, made known to shells and jobs where Lmod is installed.

``scripts/modulefiles`` holds the tree. Lmod's command ``module`` is a shell function; bash defines it at the start of
every script if ``BASH_ENV`` names Lmod's init file, which is how sites give it to jobs.
"""

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from workshop.paths import data

# What every shell with this tree sees first; the modules in it open the other folders. The practice cluster also runs
# from a copy of the package alone: then there are no modules.
CORE = data("modulefiles") / "Core"
# Lmod keeps its state in variables: that of modules of another tree must not reach the practice cluster.
STATE_PREFIXES = ("__LMOD_", "LMOD_FAMILY_", "_ModuleTable", "LOADEDMODULES", "_LMFILES_", "MODULEPATH")
_USES = re.compile(r"^\s*(?:module|ml)\b", re.MULTILINE)


def lmod() -> Path | None:
    """Lmod's folder, the one with ``init`` and ``libexec``; None where it is not installed."""
    for place in (os.environ.get("LMOD_PKG"), "/usr/share/lmod/lmod"):
        if place and (Path(place) / "init" / "bash").is_file() and (Path(place) / "libexec" / "lmod").is_file():
            return Path(place)
    return None


def environment() -> dict[str, str]:
    """Variables that give bash scripts ``module`` and the course's tree; empty without Lmod or the tree."""
    home = lmod()
    if not (home and CORE.is_dir()):
        return {}
    # Without the last one Debian's Lmod shows each list in a pager, which takes what is typed next as its own commands.
    return {"BASH_ENV": str(home / "init" / "bash"), "MODULEPATH": str(CORE), "LMOD_PAGER": "none"}


def unset_lines(names: Iterable[str]) -> list[str]:
    """Lines that make a shell forget these variables; a name that no shell can have may hold commands: left out."""
    return [f"unset {name}" for name in sorted(names) if name.isascii() and name.isidentifier()]


def shell_lines() -> list[str]:
    """Lines for a running bash or zsh, which then has ``module`` with the course's tree; none without Lmod."""
    ours = environment()
    if not ours:
        return []
    forget = set(os.environ) - set(without_state(os.environ))
    bash = shlex.quote(ours["BASH_ENV"])
    zsh = shlex.quote(str(Path(ours["BASH_ENV"]).with_name("zsh")))
    return [
        *unset_lines(forget),
        *(f"export {name}={shlex.quote(value)}" for name, value in ours.items()),
        f'if [ -n "${{BASH_VERSION:-}}" ]; then . {bash}; elif [ -n "${{ZSH_VERSION:-}}" ]; then . {zsh}; fi',
    ]


def without_state(env: Mapping[str, str]) -> dict[str, str]:
    """``env`` without what Lmod remembers of loaded modules; unchanged where :func:`environment` is empty."""
    if not environment():
        return dict(env)
    return {name: value for name, value in env.items() if not name.startswith(STATE_PREFIXES)}


def for_rehearsal(body: str, submitter: Mapping[str, str]) -> dict[str, str]:
    """What a script that uses modules is given in a rehearsal: this machine's own tree first, then the course's."""
    ours = environment()
    if not ours or not _USES.search(body):
        return {}
    places = [place for place in submitter.get("MODULEPATH", "").split(os.pathsep) if place]
    if ours["MODULEPATH"] not in places:
        places.append(ours["MODULEPATH"])
    return ours | {"MODULEPATH": os.pathsep.join(places)}
