"""Does the program tell the four places apart? It runs in a real environment with packages in each of them."""

import os
import subprocess
import tempfile
import venv
from pathlib import Path

MEANING = {
    "module": "in a folder of PYTHONPATH, as modules set it",
    "home": "in ~/.local, where 'pip install --user' puts things",
    "environment": "in the virtual environment",
    "python": "with the interpreter that the environment was made from (a part of Python itself)",
    "nowhere": "in none of the places",
}


def check(path: Path) -> list[str]:
    """What is still wrong with the program ``path``: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        expected, env = _places(folder)
        command = [str(folder / "env" / "bin" / "python"), str(path.resolve()), *expected]
        done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return [f"The program ends with an error: {(done.stderr.strip().splitlines() or ['(no message)'])[-1]}"]
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return [
        f"'{package}' lies {MEANING[kind]}, so the answer is '{kind}'; the program says '{said.get(package)}'."
        for package, kind in expected.items()
        if said.get(package) != kind
    ]


def _places(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """An environment and packages around it: the right answer for each, and the variables to run with."""
    venv.create(folder / "env", system_site_packages=True, symlinks=True, with_pip=False)
    (library,) = (folder / "env" / "lib").glob("python*")
    home = folder / "home"
    places = {
        "module": folder / "modules" / "stats" / "1.0",
        "home": home / ".local" / "lib" / library.name / "site-packages",
        "environment": library / "site-packages",
    }
    for kind, place in places.items():
        place.mkdir(parents=True, exist_ok=True)
        (place / f"only_{kind}.py").touch()
    # In two places at once: the one that Python takes counts.
    for kind in ("module", "environment"):
        (places[kind] / "twice.py").touch()
    # A package that must not be imported to be found, and one without __init__.py.
    (places["home"] / "explosive.py").write_text("raise SystemExit('imported')\n")
    (places["environment"] / "namespace_only").mkdir()
    expected = {f"only_{kind}": kind for kind in places}
    expected |= {"twice": "module", "explosive": "home", "namespace_only": "environment"}
    expected |= {"json": "python", "sys": "python", "not_installed_anywhere": "nowhere"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Two folders, as when two modules are loaded.
    (folder / "modules" / "empty").mkdir()
    path = os.pathsep.join([str(folder / "modules" / "empty"), str(places["module"])])
    return expected, kept | {"HOME": str(home), "PYTHONPATH": path}
