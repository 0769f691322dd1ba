"""What `translate` did to the meaning of scripts that people wrote; audit_findings.yml names the case of each."""

import pytest
from click.testing import CliRunner

from workshop.cli.translate import command
from workshop.jobs.check import check
from workshop.jobs.read import read_text
from workshop.jobs.translate import translate
from workshop.paths import SCRIPTS

SLURM, PBS, LSF = (
    "#!/bin/bash\n#SBATCH --time=10\n",
    "#!/bin/bash\n#PBS -l walltime=10:00\n",
    "#!/bin/bash\n#BSUB -W 10\n",
)
TORQUE = "#!/bin/bash\n#PBS -l nodes=2:ppn=4\n"
CHUNK = "#PBS -l select=1:ncpus=4:ngpus=1:scratch_local=10gb:system=polaris:centos=skylake\n#PBS -l software=matlab\n"
TOLD = ["scratch_local=10gb", "system=polaris", "centos=skylake", "software=matlab"]
STRING = '#BSUB -R "span[hosts=1] same[model] cu[maxcus=1] rusage[mem=4GB,scratch=20]"\n'


def lines(text: str, to: str, scheduler: str) -> list[str]:
    return translate(text, to, scheduler).text.splitlines()


def marks(text: str, to: str, scheduler: str) -> str:
    return "\n".join(translate(text, to, scheduler).marks)


def test_one_torchrun_a_node_from_lsf_to_pbs():
    text = translate(SCRIPTS / "lsf" / "ddp_multi_node.lsf", "pbs").text
    assert "mpiprocs=1" in text and "--map-by ppr:1:node" in text


@pytest.mark.parametrize("site", [None, "dtu-hpc"])
def test_cores_of_a_rank_become_slots_of_lsf(site):
    arguments = [str(SCRIPTS / "slurm" / "ddp_single_node.sbatch"), "--to", "lsf", *(["--site", site] if site else [])]
    text = CliRunner().invoke(command, arguments).stdout
    assert "#BSUB -n 4\n" in text and 'span[hosts=1]"' in text and "affinity" not in text


@pytest.mark.parametrize(
    ("text", "to", "scheduler", "told"),
    [
        (PBS + CHUNK + "true\n", "slurm", "pbs", TOLD),
        (PBS + CHUNK + "true\n", "lsf", "pbs", TOLD),
        (LSF + STRING + "true\n", "slurm", "lsf", ["same[model] cu[maxcus=1] rusage[scratch=20]"]),
        (LSF + STRING + "true\n", "pbs", "lsf", ["same[model] cu[maxcus=1] rusage[scratch=20]"]),
        (LSF + "#BSUB -n 1,16\ntrue\n", "slurm", "lsf", ["-n 1,16"]),
        (SLURM + 'python t.py "$1"\necho "$@"\n', "pbs", "slurm", ["'$1'", "'$@'"]),
        (SLURM + 'python t.py "$1"\n', "lsf", "slurm", ["'$1'"]),
        (LSF + '#BSUB -gpu "num=4:gmodel=NVIDIAA100_SXM4"\ntrue\n', "slurm", "lsf", ["gmodel=NVIDIAA100_SXM4"]),
    ],
)  # fmt: skip
def test_what_is_lost_is_told(text, to, scheduler, told):
    found = marks(text, to, scheduler)
    assert [one for one in told if one not in found] == []


def test_arguments_of_a_function_are_no_words_of_the_script():
    assert "$1" not in marks(SLURM + "f() {\n    echo $1\n}\nf x\nawk '{print $1}' file\n", "pbs", "slurm")


def test_each_component_has_the_cores_of_its_own_chunk():
    text = PBS + "#PBS -l select=1:ncpus=1:mem=4gb+4:ncpus=32:mpiprocs=4:mem=64gb\n#PBS -l place=scatter\nhostname\n"
    parts = read_text(translate(text, "slurm", "pbs").text, "slurm").components
    assert [(part.nodes, part.tasks_per_node, part.cpus_per_task) for part in parts] == [(1, 1, 1), (4, 4, 8)]


@pytest.mark.parametrize(
    ("text", "scheduler", "wanted"),
    [
        (LSF + "lr=$(sed -n 1p r.txt)\ncd $LS_SUBCWD\n", "lsf", ['cd "$PBS_O_WORKDIR"', "lr=$(sed -n 1p r.txt)"]),
        (SLURM + "#SBATCH --chdir=/scratch/y\npython t.py\ncd sub\n", "slurm", ["cd /scratch/y", "python t.py"]),
        (LSF + "#BSUB -cwd /scratch/x\npython t.py\n", "lsf", ["cd /scratch/x", "python t.py"]),
    ],
)  # fmt: skip
def test_a_pbs_script_goes_where_the_other_one_started(text, scheduler, wanted):
    found = lines(text, "pbs", scheduler)
    assert [found.index(one) for one in wanted] == list(range(found.index(wanted[0]), found.index(wanted[0]) + 2))


@pytest.mark.parametrize("to", ["slurm", "pbs", "lsf"])
def test_variables_that_only_torque_sets(to):
    text = TORQUE + "cd $PBS_O_WORKDIR\necho $PBS_NUM_PPN\ncat $PBS_GPUFILE\n"
    found = translate(text, to, "torque")
    assert "echo 4" in found.text.splitlines()
    assert f"NOT TRANSLATED: $PBS_GPUFILE: {to} sets no such variable" in found.marks


def test_srun_hands_the_cores_of_the_header_on():
    text = translate(PBS + "#PBS -l select=1:ncpus=8:mpiprocs=2\nmpirun -n 2 python t.py\n", "slurm", "pbs").text
    assert 'srun --cpus-per-task="$SLURM_CPUS_PER_TASK" python t.py' in text
    assert not [one for one in check(read_text(text, "slurm")).findings if "cpus_per_task" in one.rule]


OTHER_WORDS = {
    "lsf": {
        "--begin=20:00": "-b ", "--exclude=n1": "hname!=", "--nodelist=n1": "-m ", "--tmp=1G": "tmp",
        "--comment=x": "-Jd",
    },
    "pbs": {"--begin=20:00": "-a ", "--reservation=r": "-q ", "--nodelist=n1": "host="},
}  # fmt: skip


@pytest.mark.parametrize(("to", "option"), [(to, option) for to, found in OTHER_WORDS.items() for option in found])
def test_what_the_other_scheduler_says_otherwise_is_named(to, option):
    result = translate(f"{SLURM}#SBATCH {option}\ntrue\n", to, "slurm")
    (fate,) = [one for one in result.lists.left_out if one.written == option]
    assert OTHER_WORDS[to][option] in fate.nearest
    assert f"# NOT TRANSLATED: '{option}': " in result.text and fate.nearest in result.text


def test_a_caveat_is_no_loss():
    result = translate(SLURM + "#SBATCH --signal=USR1@300\ntrue\n", "lsf", "slurm")
    assert any(one.startswith("CHECK: '--signal=USR1@300'") for one in result.marks)
    assert not any(one.startswith("NOT TRANSLATED") for one in result.marks)


@pytest.mark.parametrize("text", [PBS + "#PBS -k doe\n#PBS -W x=y\ntrue\n", LSF + "#BSUB -M 6GB\ntrue\n"])
def test_no_message_shows_how_python_writes_a_dictionary(text):
    result = translate(text, "slurm")
    assert result.marks and not any("{" in one for one in result.marks)


def test_an_array_from_0_moves_by_one_in_lsf():
    text = SLURM + "#SBATCH --array=0-9%3\nf=$SLURM_ARRAY_TASK_ID\ng=$((SLURM_ARRAY_TASK_ID * 2))\n"
    found = lines(text, "lsf", "slurm")
    assert '#BSUB -J "[1-10]%3"' in found
    assert "f=$((LSB_JOBINDEX - 1))" in found and "g=$((((LSB_JOBINDEX - 1)) * 2))" in found
    assert "# CHECK: '--array=0-9%3': LSF's indices begin at 1" in "\n".join(found)


@pytest.mark.parametrize(("to", "name"), [("slurm", "SLURM_ARRAY_JOB_ID"), ("pbs", "PBS_ARRAY_ID")])
def test_the_number_of_an_lsf_array_is_that_of_the_whole_array(to, name):
    assert f"echo ${name}" in lines(LSF + '#BSUB -J "a[1-5]"\necho $LSB_JOBID\n', to, "lsf")


def test_commands_and_variables_of_a_third_scheduler_are_told():
    told = marks(PBS + "trap 'scontrol requeue $PBS_JOBID' USR1\necho $SLURM_RESTART_COUNT\n", "lsf", "pbs")
    assert "scontrol" in told and "$SLURM_RESTART_COUNT" in told


def test_an_lsf_log_always_has_a_name():
    text = PBS + "#PBS -o out.$PBS_JOBID\ntrue\n"
    assert "#BSUB -o out.%J" in lines(text, "lsf", "pbs") and "#SBATCH --output=out.%j" in lines(text, "slurm", "pbs")
    assert [one for one in lines(PBS + "#PBS -o out.$USER\ntrue\n", "lsf", "pbs") if one.startswith("#BSUB -o ")]


def test_a_translation_for_a_site_says_what_fill_says():
    done = CliRunner().invoke(command, [str(SCRIPTS / "slurm" / "hello.sbatch"), "--to", "pbs", "--site", "polaris"])
    assert done.exit_code == 0
    assert "- Queue 'debug': it takes this job." in done.stderr and "- Added: -l filesystems=" in done.stderr


@pytest.mark.parametrize("to", ["pbs", "lsf"])
def test_ranks_on_other_nodes_are_given_the_master(to):
    text = f"{SLURM}#SBATCH --nodes=2 --ntasks-per-node=4\nexport MASTER_ADDR=a MASTER_PORT=29500\nsrun python t.py\n"
    (launch,) = [one for one in lines(text, to, "slurm") if "t.py" in one]
    assert "-x MASTER_ADDR -x MASTER_PORT python t.py" in launch


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("echo $SLURMD_NODENAME", "echo $(hostname -s)"),
        ("srun --ntasks=1 bash -c 'echo ${SLURMD_NODENAME}'", "mpiexec -n 1 bash -c 'echo $(hostname -s)'"),
    ],
)
def test_the_name_of_the_node(line, new):
    assert new in lines(f"{SLURM}{line}\n", "pbs", "slurm")


@pytest.mark.parametrize(("ncpus", "number"), [("ncpus=6", 6), ("ncpus=8:ompthreads=2", 2)])
def test_the_cores_that_pbs_tells_its_jobs(ncpus, number):
    text = f"{PBS}#PBS -l select=1:{ncpus}\nmake -j $NCPUS\n"
    assert f"make -j {number}" in lines(text, "slurm", "pbs")
    own = f"{PBS}#PBS -l select=1:{ncpus}\nNCPUS=3\nmake -j $NCPUS\n"
    assert "make -j $NCPUS" in lines(own, "slurm", "pbs")


def test_the_folder_that_pbs_makes_for_each_job():
    told = "CHECK: 'TMPDIR': PBS makes this folder for each job; elsewhere it is the site's, or not set"
    assert told in marks(PBS + 'cp data "$TMPDIR"\n', "slurm", "pbs")
    assert "TMPDIR" not in marks(PBS + 'cp data "${TMPDIR:-/tmp}"\n', "slurm", "pbs")


HERE_DOCUMENT = """#!/bin/bash
for lr in 0.1 0.01; do
    qsub <<EOF
#PBS -N sweep
#PBS -l select=1:ncpus=8
#PBS -l walltime=02:00:00
cd {folder}
python train.py --lr $lr
EOF
done
"""


@pytest.mark.parametrize("folder", ["$PBS_O_WORKDIR", "${PBS_O_WORKDIR}", r"\$PBS_O_WORKDIR"])
def test_a_variable_of_the_scheduler_in_a_here_document_is_the_job_s(folder):
    result = translate(read_text(HERE_DOCUMENT.format(folder=folder), "pbs"), "slurm")
    assert "# CHECK: '$lr': the script that writes this job puts it in" in result.text
    assert "SLURM_SUBMIT_DIR" in result.text and "PBS_" not in result.text
