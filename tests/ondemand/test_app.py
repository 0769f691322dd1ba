"""The app of the workshop for Open OnDemand: well-formed, rendered by Ruby, and the options that its form becomes."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from ondemand_app import APP, portal

from workshop.apptainer import tree
from workshop.yaml_files import read_yaml


def test_manifest_and_form():
    manifest = read_yaml(APP / "manifest.yml")
    assert manifest["role"] == "batch_connect"
    form = read_yaml(APP / "form.yml")
    assert {"title", "cluster", "form", "attributes"} <= set(form)
    assert set(form["attributes"]) <= set(form["form"]), "an attribute that is not listed in `form` is ignored"
    for name, attribute in form["attributes"].items():
        if isinstance(attribute, dict) and "max" in attribute:
            assert attribute.get("min", 1) <= attribute["value"] <= attribute["max"], name


def test_the_form_becomes_directives(require):
    require("ruby")
    values = portal.form_values(APP, {"bc_account": "def-prof"})
    options = portal.sbatch_options(APP, values)
    assert options == [
        "-A", "def-prof", "-p", "gpu", "-t", "02:00:00",
        "--nodes=1", "--ntasks=1", "--cpus-per-task=4", "--mem=16G", "--gpus-per-node=1",
    ]  # fmt: skip


def test_no_gpu_means_no_directive(require):
    require("ruby")
    assert not [
        x for x in portal.sbatch_options(APP, portal.form_values(APP, {"gpus": 0})) if "gpu=" in x or "gpus" in x
    ]


def test_rendered_scripts_pass_shellcheck(require, tmp_path):
    require("ruby")
    portal.stage(APP, portal.form_values(APP), tmp_path / "out")
    for name in ("before.sh", "script.sh"):
        text = (tmp_path / "out" / name).read_text()
        assert "<%" not in text
        # before.sh is sourced: it has no shebang, and its caller uses what it sets.
        command = [
            str(Path(sys.executable).with_name("shellcheck")),
            "--shell=bash",
            "--exclude=SC1091,SC2034,SC2154",
            str(tmp_path / "out" / name),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    assert (tmp_path / "out" / "script.sh").stat().st_mode & 0o100


def test_kernel_of_a_container():
    spec = json.loads((APP.parent / "kernels" / "container.json").read_text())
    assert set(spec) == {"display_name", "language", "argv"}
    assert spec["argv"][:2] == ["apptainer", "exec"]
    assert spec["argv"][-2:] == ["-f", "{connection_file}"], "Jupyter puts the path of the connection file there"


@pytest.mark.needs_apptainer
@pytest.mark.slow
def test_kernel_starts_in_a_container(image, tmp_path):
    """The kernel.json of the page, with this machine's apptainer and an image; ipykernel is lent to it from here."""
    spec = json.loads((APP.parent / "kernels" / "container.json").read_text())
    packages = sysconfig.get_path("purelib")
    words = {"apptainer": [str(tree.find())], "/path/to/image.sif": [str(image("pytorch-cpu"))], "--nv": []}
    spec["argv"] = [new for word in spec["argv"] for new in words.get(word, [word])]
    spec["argv"][2:2] = ["--bind", packages, "--env", f"PYTHONPATH={packages}"]
    kernel = tmp_path / ".local/share/jupyter/kernels/course/kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps(spec))
    program = tmp_path / "where.py"
    program.write_text("import os, sys; print(os.environ.get('APPTAINER_CONTAINER'), sys.executable)\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER"))}
    done = subprocess.run(
        [f"{sys.prefix}/bin/jupyter", "run", "--kernel=course", str(program)],
        env=env | {"HOME": str(tmp_path)}, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.stdout.split() == [str(image("pytorch-cpu")), "/opt/venv/bin/python3"], done.stderr


def test_a_template_that_cannot_be_rendered_is_named(require, tmp_path):
    require("ruby")
    (tmp_path / "bad.erb").write_text("<%= no_such_value %>")
    with pytest.raises(ValueError, match=r"bad.erb cannot be rendered(.|\n)*no_such_value"):
        portal.render(tmp_path / "bad.erb", {})


def test_unknown_value_of_the_form():
    with pytest.raises(ValueError, match="has no color"):
        portal.form_values(APP, {"color": 1})


@pytest.mark.needs_slurm
@pytest.mark.slow
def test_session_files_lie_where_the_page_says(session):
    folder = session.job.folder
    assert "ondemand/data/sys/dashboard/batch_connect/sys/workshop_jupyter/output/" in str(folder)
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "before.sh", "config.py", "connection.yml", "job_script_content.sh", "job_script_options.json", "output.log",
        "script.sh", "user_defined_context.json",
    }  # fmt: skip
    for secret in ("config.py", "connection.yml"):
        assert (folder / secret).stat().st_mode & 0o077 == 0, f"{secret} holds the password"


# `job` is submitted by a notebook whose process sees the memory limit of the session around it.
NOTEBOOK = """
import sys
from workshop.notebook import submit
from workshop.yaml_files import read_yaml
job = submit(sys.argv[1], show=False)
print(job.engine, job.exit_code, job.log)
"""


@pytest.mark.needs_slurm
@pytest.mark.slow
def test_notebooks_submit_without_the_variables_of_their_session(cluster, tmp_path):
    script = tmp_path / "inner.sbatch"
    header = [f"--output={tmp_path}/%j.out", "--mem-per-cpu=100M", "--time=5"]
    script.write_text("\n".join(["#!/bin/bash", *(f"#SBATCH {option}" for option in header), "srun hostname", ""]))
    env = {**cluster.environment(), "SLURM_MEM_PER_NODE": "500", "WORKSHOP_ENGINE": "real"}
    env["PYTHONPATH"] = str(APP.parents[1])
    command = [sys.executable, "-c", NOTEBOOK, str(script)]
    done = cluster.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("real 0 "), done.stdout + done.stderr
