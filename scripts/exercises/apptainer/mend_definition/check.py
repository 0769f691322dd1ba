"""Does the definition build the same image next year, and does the image say and test what it is?"""

import re
import shlex
from pathlib import Path

from workshop.apptainer import definition

# Options of pip install that take the next word.
WITH_VALUE = {"-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-c", "--constraint"}


def check(path: Path) -> list[str]:
    """What is still wrong with the definition file ``path``: one sentence each, empty if nothing."""
    found = definition.read(path.read_text())
    problems = definition.problems(found)
    post = found.sections.get("post", "")
    wanted, loose, user = _packages(post)
    if user:
        problems.append("pip install --user writes to a home folder, which is not part of the image: leave --user out.")
    problems += [f"pip takes the newest {name} of the day: pin it, as in {name}==1.0." for name in loose]
    for name in ("torch", "scikit-learn"):
        if name not in wanted and not re.search(r"pip install.*(-r|--requirement) ", post):
            problems.append(f"The image must hold {name}, as before.")
    if "graphviz" not in post:
        problems.append("The image must hold graphviz, as before.")
    if not re.search(r'"?\$@"?', found.sections.get("runscript", "")):
        problems.append('The runscript ignores its arguments: hand them on with "$@".')
    return problems


def _packages(post: str) -> tuple[set[str], list[str], bool]:
    """Names that pip installs, those of them without a version, and whether ``--user`` is given."""
    wanted, loose, user = set(), [], False
    for command in re.findall(r"pip3? install ([^\n&;|]+)", post.replace("\\\n", " ")):
        words = iter(shlex.split(command, comments=True))
        for word in words:
            if word in ("-r", "--requirement") or word in WITH_VALUE:
                next(words, None)
            elif word == "--user":
                user = True
            elif not word.startswith("-") and "{{" not in word:
                name = re.split(r"[=<>!~\[@ ]", word)[0].lower()
                wanted.add(name)
                if "==" not in word and "@" not in word and name not in ("pip", "setuptools", "wheel"):
                    loose.append(name)
    return wanted, loose, user
