"""What `fill` did to the meaning of scripts that people really wrote, each case by the finding that told of it."""

import copy
import subprocess

import pytest

from workshop import sites
from workshop.paths import SCRIPTS
from workshop.sites.fill import CannotFill, fill

DTU_TEMPLATE = """#!/bin/bash
#BSUB -J train
#BSUB -q hpc
#BSUB -n 4
#BSUB -R "span[hosts=1]"
#BSUB -R "rusage[mem=5GB]"
#BSUB -M 5GB
#BSUB -W 24:00
#BSUB -o out_%J.out
python train.py
"""
POLARIS = """#!/bin/bash -l
#PBS -N train
#PBS -A project
#PBS -q {queue}
#PBS -k doe
#PBS -l select={nodes}:ncpus=4:ngpus=4
#PBS -l walltime={time}
#PBS -l filesystems=home:eagle
cd "$PBS_O_WORKDIR"
echo "$MAYBE_UNSET"
source .venv/bin/activate
python train.py
"""


def filled(text, name, **options):
    return fill(text, sites.load_site(name), **options)


def polaris(queue="debug", nodes=1, time="00:30:00"):
    return filled(POLARIS.format(queue=queue, nodes=nodes, time=time), "polaris")


@pytest.mark.parametrize("mem", ["5GB", "5GB/host", "2.5GB", "5000"])
def test_memory_that_is_right_is_not_divided(mem):
    result = filled(DTU_TEMPLATE.replace("mem=5GB", f"mem={mem}"), "dtu-hpc")
    assert f'#BSUB -R "rusage[mem={mem}]"\n' in result.text
    assert "#BSUB -M 5GB\n" in result.text
    assert not any("Memory" in note for note in result.notes)


def test_memory_of_a_node_is_divided_once_and_told():
    text = DTU_TEMPLATE.replace('mem=5GB]"', 'mem=8GB]"  # EDIT: memory of each node')
    first = filled(text, "dtu-hpc")
    assert 'rusage[mem=2GB]"  # EDIT: memory of each core\n' in first.text
    assert "Memory: 8GB for a node became 2GB for each of its 4 slots." in first.notes
    assert filled(first.text, "dtu-hpc").text == first.text


def test_no_option_of_the_shell_is_switched_on():
    text = polaris().text
    assert "set -u" not in text and "set +u" not in text
    ordinary = "module() { :; }\nconda() { :; }\nsource() { :; }\npython() { :; }\n"
    done = subprocess.run(["bash", "-c", ordinary + text], env={"PATH": "/usr/bin:/bin", "PBS_O_WORKDIR": "/"})
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("set -u", True),
        ("set -euo pipefail", True),
        ("set -o nounset", True),
        ("set -e", False),
        ("set -u\nset +u", False),
    ],
)
def test_options_of_the_shell_are_put_back_only_where_they_are_in_force(line, kept):
    text = POLARIS.format(queue="debug", nodes=1, time="00:30:00").replace("cd ", line + "\ncd ")
    after = filled(text, "polaris").text
    assert ("set +u\nconda activate base\nset -u\n" in after) == kept


def test_first_lines_keep_their_options_and_their_shell():
    text = POLARIS.format(queue="debug", nodes=1, time="00:30:00")
    assert filled(text.replace("bash -l", "bash -e"), "polaris").text.startswith("#!/bin/bash -el\n")
    other = filled(text.replace("/bin/bash -l", "/bin/zsh"), "polaris")
    assert other.text.startswith("#!/bin/zsh\n")
    assert any("stays #!/bin/zsh" in note for note in other.notes)


MORE = "num=4/host:mode=shared:j_exclusive=yes:gmodel=TeslaV100_SXM2_32GB"


def test_gpu_options_of_lsf_are_not_dropped():
    text = DTU_TEMPLATE.replace("#BSUB -M", f'#BSUB -gpu "{MORE}"\n#BSUB -M')
    assert f'#BSUB -gpu "{MORE}"\n' in filled(text, "generic-lsf").text
    site = copy.deepcopy(sites.load_site("generic-lsf"))
    site.values["gpu"] = {"request": '-gpu "num={count}:mode=exclusive_process"'}
    changed = MORE.replace("mode=shared", "mode=exclusive_process")
    result = fill(text, site)
    assert f'#BSUB -gpu "{changed}"\n' in result.text
    assert any(MORE in note for note in result.notes)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["--gpus=4", "--gpus-per-task=1"], True),  # without --gpus the number of tasks is not known
        (["--gres=gpu:2,tmp:10G", "--nodes=1"], False),
        (["--gpus=3", "--nodes=2"], True),  # not the same number on each node
    ],
)
def test_gpu_options_of_slurm_are_not_dropped(lines, kept):
    header = "".join(f"#SBATCH {line}\n" for line in lines)
    text = filled(f"#!/bin/bash\n{header}#SBATCH --time=1:00:00\nsrun python train.py\n", "generic-slurm").text
    if kept:
        assert header in text
    else:
        text = filled(f"#!/bin/bash\n{header}#SBATCH --time=1:00:00\nsrun python train.py\n", "kebnekaise").text
        assert "#SBATCH --gpus-per-node=2\n" in text and "#SBATCH --gres=tmp:10G\n" in text


def test_a_type_that_the_site_wants_is_put_into_options_that_stay():
    head = "#!/bin/bash\n#SBATCH --gpus=4\n#SBATCH --gpus-per-task=1\n#SBATCH --time=1:00:00\nsrun python train.py\n"
    text = filled(head, "narval").text
    assert "#SBATCH --gpus=a100:4\n" in text and "#SBATCH --gpus-per-task=a100:1\n" in text


def test_each_chunk_keeps_its_own_number_of_gpus():
    text = POLARIS.format(queue="q", nodes="1:ncpus=4:ngpus=2+2", time="00:30:00")
    assert "select=1:ncpus=4:ngpus=2+2:ncpus=4:ngpus=4\n" in filled(text, "generic-pbs").text


@pytest.mark.parametrize(
    ("nodes", "time", "queue", "words"),
    [(6, "04:00:00", "preemptable", "can be killed at any time"), (2, "04:00:00", "capacity", "one of them running")],
)
def test_a_queue_that_fill_chooses_comes_with_its_note(nodes, time, queue, words):
    result = polaris("workq", nodes, time)
    assert f"#PBS -q {queue}\n" in result.text
    assert any(f"'{queue}'" in note and words in note for note in result.notes)


def test_a_queue_that_takes_the_job_is_kept():
    result = polaris("debug-scaling", 2)
    assert "#PBS -q debug-scaling\n" in result.text
    assert not any("debug" in note for note in result.notes)


def test_the_one_value_that_a_site_takes_stays():
    assert "#PBS -k doe\n" in polaris().text
    text = POLARIS.format(queue="debug", nodes=1, time="00:30:00").replace("-k doe", "-k oe")
    result = filled(text, "polaris")
    assert "#PBS -k" not in result.text
    assert any("-k oe" in note for note in result.notes)


def test_what_every_job_of_a_site_needs_is_not_doubled():
    text = POLARIS.format(queue="debug", nodes=1, time="00:30:00,filesystems=home:eagle").replace(
        "#PBS -l filesystems=home:eagle\n", ""
    )
    assert filled(text, "polaris").text.count("filesystems=home:eagle") == 1
    other = filled(text.replace("home:eagle", "home:grand"), "polaris")
    assert other.text.count("filesystems=") == 1
    assert any("filesystems=home:grand stays" in note for note in other.notes)


def test_torchrun_under_pals_is_not_bound_to_the_cores_of_one_rank():
    result = fill(sites.FOLDER.parent / "pbs" / "ddp_multi_node.pbs", sites.load_site("polaris"))
    assert " --ppn 1 --cpu-bind none " in result.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#!/bin/bash\nsbatch <<'EOF'\n#!/bin/bash\n#SBATCH --time=10\nhostname\nEOF\n", "writes or submits a job"),
        ("#!/bin/bash\n#SBATCH -n 1\n#SBATCH hetjob\n#SBATCH -n 2\nsrun hostname\n", "heterogeneous"),
    ],
)
def test_what_fill_cannot_keep_it_refuses(text, reason):
    with pytest.raises(CannotFill, match=reason):
        filled(text, "generic-slurm")


@pytest.mark.parametrize(
    ("name", "stem", "place"),
    [
        ("dtu-hpc", "lsf/ddp_single_node.lsf", "Once, in a shell of linuxsh, "),
        ("alvis", "slurm/ddp_single_node.sbatch", "Once, on a login node: "),
    ],
)
def test_where_the_environment_is_made_is_the_site_s_own_place(name, stem, place):
    """At DTU no program may run on the login nodes."""
    notes = fill(SCRIPTS / stem, sites.load_site(name)).notes
    assert [note for note in notes if note.startswith("Once, ")] == [note for note in notes if note.startswith(place)]
    assert any(note.startswith(place) for note in notes)


def test_of_two_lines_that_ask_for_gpus_each_keeps_its_option():
    """The first one would count again if the last one, which holds, became another option."""
    text = "#!/bin/bash\n#SBATCH -N 1\n#SBATCH -G 2\n#SBATCH -G A100:2\npython train.py\n"
    once = filled(text, "alvis").text
    assert once.count("--gpus=A100:2") + once.count("-G A100:2") == 2 and "--gpus-per-node" not in once
    assert filled(once, "alvis").text == once
