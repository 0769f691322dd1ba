"""`fill`: every script of the course for every cluster of its scheduler, and what changes on the way.

Tests that name a cluster take it from ``scripts/sites/examples``. What only the file of another cluster says is tested
where that file is there (``here``): a fork has other files.
"""

import copy
import re
import subprocess
from pathlib import Path

import pytest
from amount import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jobfiles import ENDINGS, KEYWORDS, scripts_of
from site_truth import untrue, why_refused

from workshop import sites
from workshop.jobs import read_script
from workshop.jobs.check import check
from workshop.paths import SCRIPTS
from workshop.sites.fill import CannotFill, fill

MINE = sites.TEMPLATE
PAIRS = [(path, site.name) for site in sites.all_sites() for path in scripts_of(site.scheduler)]
IDS = [f"{path.stem}-{name}" for path, name in PAIRS]


def here(*cases):
    """Those cases, each a tuple that begins with a site's name, whose site has a file."""
    return [case for case in cases if case[0] in sites.names()]


def variant(name, **sections):
    """A site of the examples with other facts in some sections."""
    site = copy.deepcopy(sites.load_site(name))
    site.values.update(sections)
    return site


GPU_JOB = """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --output=%x-%j.out
#SBATCH --partition=gpu            # EDIT: a partition with GPUs
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task={cores}
#SBATCH --gpus-per-node={gpus}     # EDIT: GPUs
#SBATCH --mem={memory}
#SBATCH --time={time}

set -euo pipefail
source .venv/bin/activate  # EDIT: your own environment
torchrun --standalone --nproc-per-node={gpus} train.py
"""


def job(nodes=1, cores=4, gpus=2, memory="8G", time="00:15:00"):
    return GPU_JOB.format(nodes=nodes, cores=cores, gpus=gpus, memory=memory, time=time)


def directives(text, keyword=KEYWORDS["slurm"]):
    """The directive lines without their comments, as a reader of the script sees them."""
    lines = [line for line in text.splitlines() if line.startswith(keyword)]
    return [re.sub(r"\s+# .*$", "", line).removeprefix(keyword + " ") for line in lines]


def filled(text, name, **options):
    return fill(text, sites.load_site(name), **options)


@pytest.mark.parametrize(("path", "name"), PAIRS, ids=IDS)
def test_every_script_is_filled_for_every_site_or_refused_with_a_true_reason(path, name, tmp_path):
    site = sites.load_site(name)
    try:
        result = fill(path, site)
    except CannotFill as reason:
        assert why_refused(read_script(path).request, site), "this site can run it"
        assert untrue(str(reason), read_script(path).request, site) == []
        return
    assert not why_refused(read_script(path).request, site)
    before, after = read_script(path), read_script(result.text, site.scheduler)
    assert after.problems == []
    for what in ("job_name", "nodes", "tasks", "tasks_per_node", "gpus_per_node", "array", "output"):
        assert getattr(after.request, what) == getattr(before.request, what), what
    assert after.request.time_s >= before.request.time_s
    script = tmp_path / path.name
    script.write_text(result.text)
    subprocess.run(["bash", "-n", script], check=True)
    assert names_its_site_once(result.text, site)
    report = check(after, profile=site.profile())
    # Nobody named an account: the site's form of one is left to be filled in.
    found = [one for one in report.of("error", "warning") if one.rule != "placeholder_left_in_directive"]
    assert [f"{finding.line}: {finding.rule}" for finding in found] == []


def names_its_site_once(text, site):
    lines = text.splitlines()
    day = min(source["checked"] for source in site.sources.values())
    warned = [line for line in lines if line.startswith("# WARNING")]
    return (
        lines[0].startswith("#!/bin/bash")
        and [line for line in lines if line.startswith("# Filled for")] == [lines[1]]
        and f"Filled for {site.title} ({site.status}; facts checked {day})" in lines[1]
        and bool(warned) == (site.status == "historical")
    )


@pytest.mark.needs_slurm
@pytest.mark.slow
@pytest.mark.parametrize("path", scripts_of("slurm"), ids=lambda path: path.stem)
def test_a_real_slurm_takes_what_is_filled_for_the_practice_cluster(accounting, path, tmp_path):
    script = tmp_path / path.name
    script.write_text(fill(path, sites.load_site("practice")).text)
    result = accounting.run(["sbatch", "--test-only", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    partition = "gpu" if "gpus-per-node" in script.read_text() else "cpu"
    assert f"in partition {partition}" in result.stderr


def test_kebnekaise():
    result = filled(job(), "kebnekaise", account="hpc2n2026-001")
    assert directives(result.text) == [
        "--account=hpc2n2026-001",
        "--job-name=train",
        "--output=%x-%j.out",
        "--nodes=1",
        "--ntasks-per-node=1",
        "--cpus-per-task=4",
        "--gpus-per-node=2",
        "--constraint=v100",
        "--time=00:15:00",
    ]
    assert "module load GCC/13.3.0 OpenMPI/5.0.3 PyTorch/2.7.1-CUDA-12.6.0\nsource .venv" in result.text
    assert any("memory" in note.lower() for note in result.notes)


def test_kebnekaise_gives_four_gpus_on_another_kind_of_node():
    text = filled(job(gpus=4), "kebnekaise").text
    assert "--constraint=l40s" in directives(text)
    assert "--gpus-per-node=4" in directives(text)


def test_kebnekaise_memory_comes_with_the_cores():
    result = filled(job(memory="40G"), "kebnekaise")
    assert "--cpus-per-task=7" in directives(result.text)  # 7 cores of 6785 MiB are the first to hold 40 GiB
    assert not any(line.startswith("--mem") for line in directives(result.text))


@pytest.mark.parametrize(("name", "gpu"), here(("narval", "a100"), ("rorqual", "h100"), ("fir", "h100")))
def test_alliance(name, gpu):
    result = filled(job(time="00:02:00"), name)
    lines = directives(result.text)
    assert f"--gpus-per-node={gpu}:2" in lines
    assert "--account=def-PI" in lines
    assert not any(line.startswith("--partition") for line in lines)
    assert "--time=00:05:00" in lines
    assert "--mem=8G" in lines
    assert "module load python/3.11\nsource .venv" in result.text
    assert any("5 min" in note for note in result.notes)


def test_cores_and_memory_are_cut_to_the_share_of_the_gpus():
    result = filled(job(cores=48, gpus=2, memory="400G"), "narval")
    lines = directives(result.text)
    assert "--cpus-per-task=24" in lines
    assert f"--mem={2 * 124 * 1024}M" in lines


def test_alvis_brings_cores_and_memory_with_the_gpu_and_is_history():
    result = filled(job(), "alvis")
    lines = directives(result.text)
    assert "--gpus-per-node=A100:2" in lines
    assert not any(line.startswith(("--mem", "--cpus-per-task", "--partition")) for line in lines)
    assert any("2026-08-31" in warning for warning in result.warnings)
    assert "# WARNING: Alvis is historical" in result.text


def test_cores_stay_where_the_body_needs_their_variable():
    text = job().replace("torchrun", "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\ntorchrun")
    assert "--cpus-per-task=4" in directives(filled(text, "alvis").text)


HELLO = (SCRIPTS / "slurm" / "hello.sbatch").read_text()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    here(
        ("practice", job(), ["--gpus-per-node=2", "--partition=gpu"]),
        ("wilson", job(), ["--gres=gpu:v100:2", "--qos=regular", "--partition=gpu_gce"]),
        ("arrhenius", job(), ["--account=naissXXXX-XX-XXX-gpu"]),
        ("sockeye", job(), ["--account=st-PI-1-gpu"]),
        ("sockeye", HELLO, ["--account=st-PI-1"]),
    ),
)
def test_each_site_s_own_words(name, text, wanted):
    lines = directives(filled(text, name).text)
    assert set(wanted) <= set(lines)
    assert len([line for line in lines if line.startswith(("--gres", "--gpus"))]) == ("gpus" in text)


def test_options_that_a_site_always_wants_are_added():
    site = variant("generic-slurm", directives={"always": ["--qos=regular"]})
    assert "--qos=regular" in directives(fill(job(), site).text)


def test_gpu_jobs_may_be_charged_to_another_account():
    account = {"rule": "required", "form": "st-PI-1", "gpu_form": "st-PI-1-gpu"}
    site = variant("generic-slurm", account=account)
    assert "--account=st-PI-1-gpu" in directives(fill(job(), site).text)
    assert "--account=st-PI-1" in directives(fill(HELLO, site).text)


@pytest.mark.parametrize(
    ("script", "site", "line"),
    [
        ("slurm/hello.sbatch", "kebnekaise", "#SBATCH --account=mine"),
        ("pbs/hello.pbs", "polaris", "#PBS -A mine"),
        ("lsf/hello.lsf", "generic-lsf", "#BSUB -P mine"),
    ],
)
def test_an_account_takes_the_place_of_the_line_that_was_switched_off(script, site, line):
    text = fill(SCRIPTS / script, sites.load_site(site), account="mine").text
    assert text.count(line) == 1
    assert "##" not in text
    assert "with one #" not in text


def test_without_an_account_the_switched_off_line_stays_where_the_site_may_want_one():
    assert "##SBATCH --account=NAME" in fill(SCRIPTS / "slurm/hello.sbatch", sites.load_site("generic-slurm")).text


def test_practice_cluster_needs_no_account():
    assert not any(line.startswith("--account") for line in directives(filled(job(), "practice").text))


def test_a_generic_site_changes_nothing_but_the_head():
    assert directives(filled(job(), "generic-slurm").text) == directives(job())


def test_polaris():
    result = fill(SCRIPTS / "pbs" / "ddp_multi_node.pbs", sites.load_site("polaris"), account="Catalyst")
    lines = directives(result.text, "#PBS")
    assert result.text.startswith("#!/bin/bash -l\n")
    assert "-A Catalyst" in lines
    assert "-q debug" in lines
    assert "-l filesystems=home:eagle" in lines
    assert "-l place=scatter" in lines
    select = next(line for line in lines if "select=" in line)
    assert select.startswith("-l select=2:")
    assert select.endswith(":system=polaris")
    assert "pbsdsh" not in result.text
    assert 'mpiexec -n "$(wc --lines < "$PBS_NODEFILE")" --ppn 1' in result.text
    assert any("4 GPUs each" in note for note in result.notes)


def test_polaris_has_no_open_mpi():
    text = fill(SCRIPTS / "pbs" / "ddp_multi_node_mpirun.pbs", sites.load_site("polaris")).text
    assert "mpirun " not in text.replace("where mpirun is missing", "")
    launch = 'mpiexec -n "$(wc --lines < "$PBS_NODEFILE")" --ppn 2 --depth=2 --cpu-bind depth'
    assert f'{launch} \\\n    "$(command -v python)" scripts/train/' in text
    odd = (SCRIPTS / "pbs" / "ddp_multi_node_mpirun.pbs").read_text().replace("--bind-to none", "--tag-output")
    with pytest.raises(CannotFill, match=r"has no Open MPI.*--tag-output"):
        filled(odd, "polaris")


@pytest.mark.parametrize("number", ["$((NP * 2))", '$(wc -l < "$PBS_NODEFILE")', '"$((NP * 2))"', "${NP}", "$NP"])
def test_polaris_starts_as_many_as_the_script_calculates(number):
    text = (SCRIPTS / "pbs" / "ddp_multi_node_mpirun.pbs").read_text().replace("--bind-to none", f"-np {number}")
    assert f"mpiexec -n {number} --ppn 2 " in filled(text, "polaris").text


def test_polaris_takes_a_queue_that_is_long_enough():
    text = (SCRIPTS / "pbs" / "ddp_multi_node.pbs").read_text().replace("00:15:00", "20:00:00")
    assert "-q capacity" in directives(filled(text, "polaris").text, "#PBS")


def test_dtu():
    result = fill(SCRIPTS / "lsf" / "ddp_multi_node.lsf", sites.load_site("dtu-hpc"))
    lines = directives(result.text, "#BSUB")
    assert "-q gpuv100" in lines
    assert '-gpu "num=2:mode=exclusive_process"' in lines
    assert '-R "rusage[mem=2GB]"' in lines  # 8 GB a host by four slots
    assert "-n 8" in lines
    assert not any(line.startswith("-P") for line in lines)


def test_dtu_leaves_the_default_queue_out():
    lines = directives(fill(SCRIPTS / "lsf" / "hello.lsf", sites.load_site("dtu-hpc")).text, "#BSUB")
    assert not any(line.startswith("-q") for line in lines)
    assert '-R "rusage[mem=250MB]"' in lines


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (job(), "polaris", r"runs PBS Pro.*script for Slurm.*workshop translate FILE --to pbs"),
        (job(), "dtu-hpc", r"runs LSF.*workshop translate FILE --to lsf"),
        (job(gpus=8), "narval", r"No node of Narval has 8 GPUs: the most is 4.*4 GPUs on each of 2 nodes"),
        (job(gpus=16), "kebnekaise", r"has 16 GPUs: the most is 8"),
        (job(nodes=3), "practice", r"2 nodes of the kind 'gpu'; this job asks for 3"),
        (job(nodes=40), "kebnekaise", r"asks for 40"),
        (job(time="8-00:00:00"), "narval", r"ends jobs after 7 d.*asks for 8 d.*checkpoint"),
        (job(time="1-06:00:00"), "practice", r"'gpu' ends jobs after 24 h; this one asks for 30 h"),
        (job(cores=500), "kebnekaise", r"cores; this job asks for 500"),
    ],
)
def test_what_a_site_cannot_run_is_refused_with_the_reason(text, name, reason):
    with pytest.raises(CannotFill, match=reason):
        filled(text, name)


@given(
    st.sampled_from([name for name in [*sites.names(), MINE] if sites.load_site(name).scheduler == "slurm"]),
    st.fixed_dictionaries(
        {
            "nodes": st.integers(1, 5) | st.integers(1, 70),
            "cores": st.integers(1, 200),
            "gpus": st.integers(1, 5) | st.integers(1, 17),
            "memory": st.integers(1, 2200).map("{}G".format),
            "time": st.integers(1, 10 * 24).map("{}:00:00".format),
        }
    ),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_asked_for_is_filled_or_refused_with_a_true_reason(name, amounts):
    site, text = sites.load_site(name), job(**amounts)
    try:
        fill(text, site)
    except CannotFill as reason:
        assert why_refused(read_script(text).request, site), "this site can run it"
        assert untrue(str(reason), read_script(text).request, site) == []
    else:
        assert not why_refused(read_script(text).request, site)


def test_a_script_with_an_error_is_sent_to_the_checker():
    with pytest.raises(CannotFill, match=r"line 10.*workshop check FILE"):
        filled(job(time="soon"), "narval")


def test_another_gpu_type_is_replaced_and_told():
    result = filled(job().replace("per-node=2 ", "per-node=h100:2 "), "narval")
    assert "--gpus-per-node=a100:2" in directives(result.text)
    assert any("'a100'" in note and "'h100'" in note for note in result.notes)
    spelled = filled(job().replace("per-node=2 ", "per-node=v100:2 "), "alvis")
    assert "--gpus-per-node=V100:2" in directives(spelled.text)


def test_mail_and_account():
    text = filled(job(), "narval", account="def-me", mail="me@example.org").text
    lines = directives(text)
    assert "--account=def-me" in lines
    assert "--mail-user=me@example.org" in lines
    assert "--mail-type=END,FAIL" in lines
    wrong = filled(job(), "narval", account="me")
    assert any("does not look like an account" in note for note in wrong.notes)


def test_an_account_of_the_script_is_kept():
    text = job().replace("#SBATCH --nodes", "#SBATCH --account=def-mine\n#SBATCH --nodes")
    assert "--account=def-mine" in directives(filled(text, "narval").text)


def test_a_line_with_several_options_is_taken_apart():
    text = job().replace("#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1", "#SBATCH -N 1 --ntasks-per-node=1 -p gpu")
    lines = directives(filled(text, "narval").text)
    assert "--nodes=1" in lines
    assert "--ntasks-per-node=1" in lines
    assert not any("partition" in line or " -p" in line for line in lines)


@pytest.mark.parametrize("scheduler", ENDINGS)
def test_a_job_that_submits_itself_names_the_filled_script(scheduler):
    path = next(path for path in scripts_of(scheduler) if path.stem == "checkpoint_chain")
    site = sites.load_site(f"generic-{scheduler}")
    own = f"scripts/{path.parent.name}/{path.name}"
    saved = fill(path, site, saved_as=Path("jobs/mine.job"))
    assert own not in saved.text
    assert "jobs/mine.job" in saved.text
    printed = fill(path, site)
    assert own in printed.text
    assert any("submits its script again" in note for note in printed.notes)


def test_comments_of_changed_lines_stay():
    text = filled(job(), "narval").text
    assert re.search(r"^#SBATCH --gpus-per-node=a100:2 +# EDIT: GPUs$", text, re.M)


def test_module_lines_of_the_script_are_replaced():
    text = job().replace("source .venv", "module load foss\nmodule load CUDA\nsource .venv")
    result = filled(text, "narval").text
    assert "foss" not in result
    assert result.count("module load") == 1


MODULES_DDP = SCRIPTS / "slurm" / "modules_ddp.sbatch"


def test_a_pytorch_module_is_replaced_by_the_sites():
    text = fill(MODULES_DDP, sites.load_site("alvis")).text
    assert "module purge\nmodule load PyTorch/2.7.1-foss-2024a-CUDA-12.6.0\n" in text
    assert "activate" not in text and "gcc/12" not in text


def test_where_no_module_has_pytorch_an_environment_is_activated():
    result = fill(MODULES_DDP, sites.load_site("narval"))
    assert "module load python/3.11\nsource .venv/bin/activate  # EDIT: your own environment\n" in result.text
    assert any("has no PyTorch module" in note for note in result.notes)


def test_conda_of_a_site_counts_as_an_environment():
    result = fill(SCRIPTS / "pbs" / "modules_ddp.pbs", sites.load_site("polaris"))
    assert result.text.count("activate") == 1 and "conda activate base" in result.text


def test_modules_that_nobody_knows_are_left_and_named():
    result = fill(MODULES_DDP, sites.load_site("generic-slurm"))
    assert "module load gcc/12 openmpi/4.1 PyTorch/2.14.1" in result.text
    assert any("put its module lines in place of ours" in note for note in result.notes)
    assert not any("module" in note for note in fill(MODULES_DDP, sites.load_site("practice")).notes)


def test_containers_get_their_own_module_lines():
    text = job().replace("source .venv/bin/activate  # EDIT: your own environment\n", "")
    text = text.replace("torchrun", "apptainer exec --nv image.sif torchrun")
    assert "module load apptainer\napptainer exec" in filled(text, "narval").text
    assert "module" not in filled(text, "alvis").text
    assert not any(".venv" in note for note in filled(text, "narval").notes), "the image brings its Python"


def test_module_lines_do_not_cut_a_command_in_two():
    """In ddp_multi_node_apptainer the container stands in the second line of a command that begins with srun."""
    text = (SCRIPTS / "slurm" / "ddp_multi_node_apptainer.sbatch").read_text()
    body = filled(text, "narval").text
    assert "\nmodule load apptainer\nsrun " in body
    assert "\\\nmodule" not in body


def test_modules_of_a_task_of_pbsdsh_are_loaded_in_a_login_shell():
    """pbsdsh starts its tasks without functions, so "module" exists only in a login shell."""
    for stem in ("ddp_multi_node", "ddp_multi_node_apptainer"):
        text = (SCRIPTS / "pbs" / f"{stem}.pbs").read_text()
        assert "/bin/bash -ec" in filled(text, "generic-pbs").text
        software = {"container": ["module load thing"], "pytorch": ["module load thing"]}
        body = fill(text, variant("generic-pbs", software=software)).text
        step = body[body.index('step="') : body.index("pbsdsh -- ")]
        assert "module load thing\n" in step
        assert "pbsdsh -- /bin/bash -lec " in body


SITES = {site.name: site for site in sites.all_sites()}
PAIRS_OF_TEXTS = [(path.read_text(), SITES[name]) for path, name in PAIRS]


@st.composite
def damaged(draw):
    """A script of the course with some lines lost, doubled, cut short or swapped, and a site of its scheduler."""
    text, site = draw(st.sampled_from(PAIRS_OF_TEXTS))
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(["lose", "double", "cut", "swap", "noise"]))
        if change == "lose" and len(lines) > 1:
            del lines[place]
        elif change == "double":
            lines.insert(place, lines[place])
        elif change == "cut":
            lines[place] = lines[place][: draw(st.integers(0, len(lines[place])))]
        elif change == "swap":
            lines[place], lines[-1] = lines[-1], lines[place]
        else:
            lines[place] += draw(st.text(max_size=8).filter(lambda text: "\0" not in text))
    return "\n".join(lines) + "\n", site


@given(damaged())
@settings(max_examples=examples(600), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_damaged_scripts_are_filled_or_refused_but_never_crash(case):
    text, site = case
    try:
        result = fill(text, site)
    except CannotFill as reason:
        assert str(reason)
    else:
        assert result.text.endswith("\n")


def guard_of(text):
    """The lines that stop a job from the wrong folder."""
    return re.search(r"^if \[\[ \$SLURM_SUBMIT_DIR.*?^fi$", text, re.M | re.S)[0]


@pytest.mark.parametrize(
    ("rule", "folder", "ends"),
    [
        ({"rule": "only", "path": "/scratch"}, "/scratch/st-me-1/me", 0),
        ({"rule": "only", "path": "/scratch"}, "/home/me", 1),
        ({"rule": "not-home"}, "/work1/me", 0),
        ({"rule": "not-home"}, "/home/me", 1),
        ({"rule": "not-home"}, "/home/me/code", 1),
        ({"rule": "not-home"}, "/home/members", 0),
    ],
)
def test_a_job_from_the_wrong_folder_ends_at_once(rule, folder, ends):
    lines = guard_of(fill(job(), variant("generic-slurm", run_from={**rule, "why": "So."})).text)
    environment = {"SLURM_SUBMIT_DIR": folder, "HOME": "/home/me", "PATH": "/usr/bin:/bin"}
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", lines], env=environment, capture_output=True, text=True)
    assert result.returncode == ends
    assert bool(result.stderr) == bool(ends)


def test_one_new_file_is_enough_for_a_new_cluster():
    """The proof for teachers: an invented site in one file, from its check to the finished script."""
    site = sites.load_site(MINE)
    result = fill(SCRIPTS / "slurm" / "ddp_single_node.sbatch", site, account="course-2026")
    lines = directives(result.text)
    assert "--account=course-2026" in lines
    assert "--partition=accel" in lines
    assert "--gres=gpu:rtx:2" in lines
    assert "--constraint=ampere" in lines
    assert "--time=00:15:00" in lines
    assert "module load PyTorch/2.7\nsource .venv" in result.text
    assert guard_of(result.text).startswith("if [[ $SLURM_SUBMIT_DIR != /scratch/* ]]; then")
    assert any("no internet" in note for note in result.notes)
    assert "--time=00:10:00" in directives(fill(SCRIPTS / "slurm" / "hello.sbatch", site).text)
    with pytest.raises(CannotFill, match="No node of My Cluster has 4 GPUs: the most is 2"):
        fill(job(gpus=4), site)
    with pytest.raises(CannotFill, match="ends jobs after 12 h; this one asks for 13 h"):
        fill(job(time="13:00:00"), site)


def test_the_pages_table_of_spellings_is_true():
    """book/adapting.md shows four spellings of the GPU option: they are those of the site files."""
    page = Path(SCRIPTS.parent / "book" / "adapting.md").read_text()
    for name in ("narval", "kebnekaise", "dtu-hpc", "polaris"):
        site = sites.load_site(name)
        assert re.search(rf"^\| {site.title}[^|]*\| `{re.escape(site.get('gpu.request'))}` \|", page, re.M), name


def test_a_launch_line_cut_off_at_its_backslash_is_filled_or_refused():
    """Found by the test with damaged scripts: the line that should follow is not there."""
    text = (SCRIPTS / "pbs" / "ddp_multi_node_mpirun.pbs").read_text()
    cut = text[: text.index("mpirun --")] + 'mpirun --hostfile "$PBS_NODEFILE" \\\n'
    try:
        assert fill(cut, sites.load_site("polaris")).text.startswith("#!")
    except CannotFill as error:
        assert str(error)


@pytest.mark.parametrize(("name", "place"), [("narval", "$SLURM_TMPDIR"), ("kebnekaise", "$SNIC_TMP")])
def test_a_staging_job_gets_the_sites_own_disk(name, place):
    filled = fill(SCRIPTS / "slurm" / "stage_data.sbatch", sites.load_site(name)).text
    assert f"\nplace={place}\n" in filled


EXAMPLES_OF_PLACES = ("narval", "kebnekaise", "dtu-hpc", "polaris", "alvis")
MORE_PLACES = [name for (name,) in here(("fir",), ("rorqual",), ("sockeye",), ("arrhenius",), ("magic-castle",))]


@pytest.mark.parametrize("name", [*EXAMPLES_OF_PLACES, *MORE_PLACES])
def test_the_pages_table_of_places_is_true(name):
    """book/files_and_data.md names each place with its limits, backup and the command that shows them."""
    page = Path(SCRIPTS.parent / "book" / "files_and_data.md").read_text()
    site = sites.load_site(name)
    short = {"DTU HPC": "DTU"}.get(site.title, site.title)
    row = next(line for line in page.splitlines() if re.match(rf"\| {short}\b.*\| `", line))
    cells = dict(zip(("home", "project", "scratch"), row.strip("|").split("|")[1:], strict=True))
    for place in cells:
        path = site.get(f"storage.{place}.path")
        assert (f"`{path}`" in cells[place]) if path else not cells[place].strip(), (place, cells[place])
        for limit in (site.get(f"storage.{place}.quota") or "").split(", "):
            assert limit in cells[place]
        backup = site.get(f"storage.{place}.backup")
        if place != "scratch" and backup is not None:
            assert ("no backup" in cells[place]) is not backup and "backup" in cells[place]
    others = [line for line in page.splitlines() if re.match(rf"\| [^|]*\b{short}\b[^|]*\| `", line) and line != row]
    wanted = [site.get("storage.node_local.path"), *(site.get("commands.quota") or {})]
    for word in wanted:
        assert word in (None, "print_members") or any(f"`{word}`" in line for line in others), word


def test_a_script_of_a_batch_system_that_is_not_read_is_refused():
    script = Path(__file__).parents[1] / "jobs" / "cases_public" / "13-grid-engine.sge"
    with pytest.raises(CannotFill, match="Narval runs Slurm, and this is a script for Grid Engine"):
        fill(script, sites.load_site("narval"))
