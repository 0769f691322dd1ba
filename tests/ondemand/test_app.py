"""The apps of the workshop for Open OnDemand: well-formed, rendered by Ruby, and the options that a form becomes."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path

import pytest
from ondemand_app import APP, DESKTOP, portal

from workshop.apptainer import tree
from workshop.yaml_files import read_yaml

both_apps = pytest.mark.parametrize("app", [APP, DESKTOP], ids=lambda app: app.name)


@both_apps
def test_manifest_and_form(app):
    manifest = read_yaml(app / "manifest.yml")
    assert manifest["role"] == "batch_connect"
    form = read_yaml(app / "form.yml")
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


DESKTOP_OPTIONS = {
    "slurm": ["--nodes=1", "--ntasks=1", "--cpus-per-task=3", "--mem=5G", "--gpus-per-node=1"],
    "pbs": ["-l", "select=1:ncpus=3:mem=5gb:ngpus=1"],
    "lsf": ["-n", "3", "-R", "span[hosts=1] rusage[mem=5GB]", "-gpu", "num=1"],
}


@pytest.mark.parametrize("scheduler", DESKTOP_OPTIONS)
def test_the_desktops_form_speaks_to_three_schedulers(require, scheduler):
    require("ruby")
    values = portal.form_values(DESKTOP, {"scheduler": scheduler, "cores": 3, "memory_gb": 5, "gpus": 1})
    assert portal.submission(DESKTOP, values)["script"]["native"] == DESKTOP_OPTIONS[scheduler]
    without = portal.submission(DESKTOP, values | {"gpus": 0})["script"]["native"]
    assert not [word for word in without if "gpu" in word]


def test_the_desktop_takes_the_template_of_ondemand_for_vnc(require, tmp_path):
    """Between the lines that lock it and the app's own script stands what the portal puts there."""
    require("ruby")
    script = portal.job_script(DESKTOP, portal.form_values(DESKTOP), tmp_path / "a folder", "host=node1").splitlines()
    assert script[:2] == ["#!/bin/bash", "source ./lock.sh"]
    assert f"folder='{tmp_path}/a folder'" in script
    assert "vnc_args='-geometry 1280x800'" in script
    assert script.index("host=node1") < script.index("create_yml")


@both_apps
def test_rendered_scripts_pass_shellcheck(require, tmp_path, app):
    require("ruby")
    portal.stage(app, portal.form_values(app), tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0
    files = [path for path in (tmp_path / "out").rglob("*") if path.suffix == ".sh" or path.parent.name == "bin"]
    assert len(files) >= 2
    for path in [*files, portal.VNC_WRAPPER]:
        assert "<%" not in path.read_text()
        # What is sourced has no shebang, and its caller uses what it sets.
        command = [
            str(Path(sys.executable).with_name("shellcheck")),
            "--shell=bash",
            "--exclude=SC1091,SC2034,SC2154",
            str(path),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    assert (tmp_path / "out" / "script.sh").stat().st_mode & 0o100


FIND_PORT = re.compile(r"^find_port\(\) \{.*?^\}\n", re.MULTILINE | re.DOTALL)
FINDS_PORT = {"basic": portal.WRAPPER.replace("{{", "{").replace("}}", "}"), "vnc": portal.VNC_WRAPPER.read_text()}


@pytest.mark.parametrize("template", FINDS_PORT)
def test_a_session_s_port_is_none_that_the_kernel_hands_out(template):
    """A server listens on it seconds later: a connection of another program may have been given it by then."""
    (function,) = FIND_PORT.findall(FINDS_PORT[template])

    def found() -> int:
        ask = ["bash", "-euo", "pipefail", "-c", f"{function}RANDOM=7\nfind_port"]
        return int(subprocess.run(ask, capture_output=True, text=True, check=True).stdout)

    first_of_the_kernel = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    port = found()
    assert 1024 < port < first_of_the_kernel
    with contextlib.suppress(OSError), socket.create_server(("", port)):
        assert found() != port, "it is taken"


@pytest.mark.parametrize("path", ["", "../novnc/vnc.html.old", "..%2f..%2fetc/passwd", "../../../etc/passwd"])
def test_the_portal_hands_out_novnc_only(path):
    with portal.Proxy("a card") as proxy:
        host, _, port = proxy.address.removeprefix("http://").partition(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request("GET", portal.NOVNC_PATH + path)
        assert connection.getresponse().status == 404
        connection.close()


def get(proxy: portal.Proxy, address: str) -> tuple[int, str]:
    """Status and text of what the portal says."""
    host, _, port = proxy.address.removeprefix("http://").partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    connection.request("GET", address.removeprefix(proxy.address))
    answer = connection.getresponse()
    said = answer.status, answer.read().decode()
    connection.close()
    return said


def test_the_form_is_a_page_with_the_apps_limits():
    with portal.Proxy() as proxy:
        assert get(proxy, proxy.page + "/form")[0] == 404, "no app's form yet"
        portal.serve_form(proxy, DESKTOP, {"bc_account": 'a"b'}, lambda values: None)
        status, page = get(proxy, proxy.page + "/form")
    assert status == 200
    assert '<input id="cores" name="cores" value="2" min="1" max="16" type="number">' in page
    assert '<label for="bc_num_hours">Number of hours</label>' in page
    assert 'value="a&quot;b"' in page
    assert "scheduler" not in page, "what is fixed is not shown"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("cores=17", "cores is '17': the form allows whole numbers from 1 to 16."),
        ("cores=", "cores is ''"),
        ("bc_num_hours=9", "bc_num_hours is '9'"),
        ("memory_gb=-1", "memory_gb is '-1'"),
        ("color=red", "the form of workshop_desktop has no color"),
    ],
)
def test_launch_refuses_what_the_form_does_not_allow(query, said):
    """A browser would not send it; an address in a terminal may."""
    submitted = []
    with portal.Proxy() as proxy:
        portal.serve_form(proxy, DESKTOP, {}, submitted.append)
        status, text = get(proxy, f"{proxy.launch_path}?{query}")
    assert status == 400 and said in text
    assert submitted == []


def test_a_session_that_does_not_start_says_why_on_its_card(tmp_path):
    class Ended(portal.Session):
        def wait(self, seconds: float = 120) -> dict:
            raise RuntimeError("session in <folder>: no Xvnc")

    with portal.Proxy() as proxy:
        portal.serve_form(proxy, DESKTOP, {}, lambda values: Ended(tmp_path, "7"))
        assert get(proxy, f"{proxy.launch_path}?cores=2")[0] == 200
        while "starting" in (card := get(proxy, proxy.page)[1]):
            pass
    assert "session in &lt;folder&gt;: no Xvnc" in card


def test_the_command_shows_the_form_until_it_is_interrupted():
    # A test run in the background may have been started with SIGINT ignored.
    command = ["env", "--default-signal=INT", sys.executable, str(APP.with_name("portal.py"))]
    command += [str(DESKTOP), "cores=3", "--form"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        with urllib.request.urlopen(line.split()[1], timeout=60) as page:
            assert 'name="cores" value="3"' in page.read().decode()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert line.endswith("/form and press Launch; Ctrl+C ends the session\n")
    assert process.returncode == 0 and said == ""


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
