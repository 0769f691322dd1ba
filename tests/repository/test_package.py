"""The package as it would be installed: a wheel, with all its modules, its dependencies and one version."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from click.testing import CliRunner
from wheels import build_wheel

from workshop.cli import main
from workshop.paths import REPO
from workshop.sites import load_site
from workshop.sites.fill import fill
from workshop.yaml_files import read_yaml

PACKAGE = REPO / "scripts" / "workshop"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(build_wheel(tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


def modules() -> list[Path]:
    return [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]


def test_every_module_is_in_the_wheel(wheel):
    inside = {name for name in wheel.namelist() if name.endswith(".py")}
    assert inside == {f"workshop/{path.as_posix()}" for path in modules()}


def test_what_the_package_reads_is_in_the_wheel(wheel):
    inside = {name for name in wheel.namelist() if name.startswith("workshop/") and not name.endswith(".py")}
    folders = {folder: REPO / "scripts" / folder for folder in ("modulefiles", "sites")}
    files = {(folder, path.relative_to(root)) for folder, root in folders.items() for path in root.rglob("*.*")}
    data = {f"workshop/data/{folder}/{path}" for folder, path in files if path.suffix in (".json", ".lua", ".yml")}
    assert inside == data | {"workshop/logs/messages.json"}


def imported(path: Path) -> set[str]:
    """Top-level names of the modules that a file imports from outside the standard library, the package and itself."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / path).read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    siblings = {other.stem for other in (PACKAGE / path).parent.glob("*.py")}
    return {name for name in found if name not in sys.stdlib_module_names | {"workshop"} | siblings}


def test_every_import_is_a_declared_dependency(metadata):
    known = packages_distributions()
    for part in ("book", "the rest"):
        files = [path for path in modules() if (path.parts[0] == "book") == (part == "book")]
        names = {name for path in files for name in imported(path)}
        wanted = {known.get(name, [name])[0].lower() for name in names}
        lines = metadata.get_all("Requires-Dist", [])
        declared = {re.match(r"[\w.-]+", line)[0].lower() for line in lines if part == "book" or "extra" not in line}
        assert wanted <= declared, part


def test_the_extra_of_the_book_names_what_only_the_book_imports(metadata):
    known = packages_distributions()
    extra = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" in line]
    declared = {re.match(r"[\w.-]+", line)[0].lower() for line in extra}
    names = {name for path in modules() if path.parts[0] == "book" for name in imported(path)}
    assert declared <= {known.get(name, [name])[0].lower() for name in names}


def test_the_version_stands_in_one_place_of_the_package(metadata):
    citation = read_yaml(REPO / "CITATION.cff")
    assert metadata["Version"] == str(citation["version"])
    assert not [path for path in modules() if "__version__" in (PACKAGE / path).read_text()]


# As in a browser: no PyYAML, no jsonschema, no psutil, and the site as values.
WITHOUT = """
import json, sys
from pathlib import Path
for name in ("yaml", "jsonschema", "psutil"):
    sys.modules[name] = None
from click.testing import CliRunner
from workshop.cli import main
from workshop.sites import Site
from workshop.sites.fill import fill
script, values = json.load(sys.stdin)
words = (["check", "--format", "json"], ["translate", "--to", "slurm", "--format", "json"])
told = [CliRunner().invoke(main, [*one, script]).stdout for one in words]
print(json.dumps([*told, fill(Path(script), Site(Path("polaris.yml"), values, []), "mine").text]))
"""


def test_check_translate_and_fill_need_neither_yaml_nor_jsonschema():
    script = str(REPO / "scripts" / "pbs" / "ddp_multi_node.pbs")
    site = load_site("polaris")
    asked = json.dumps([script, site.values])
    done = subprocess.run([sys.executable, "-c", WITHOUT], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    words = (["check", "--format", "json"], ["translate", "--to", "slurm", "--format", "json"])
    told = [CliRunner().invoke(main, [*one, script]).stdout for one in words]
    assert json.loads(done.stdout) == [*told, fill(Path(script), site, "mine").text]
    assert all(told)
