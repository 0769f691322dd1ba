"""Rehearsed PBS and LSF jobs see the variables, files and ids that real jobs saw (tests/records)."""

import os
import re
import stat
from pathlib import Path

import pytest
from printed_variables import variables

RECORDS = Path(__file__).parents[1] / "records"
# What only the recorded installation has: login files of that account, OpenLava's own, and bash's last command.
PBS_ONLY = {"_", "OLDPWD"}
LSF_ONLY = {
    "_",
    "OLDPWD",
    "MYEXPORT",
    "OPENLAVA_VERSION",
    "LSF_EAUTH_CLIENT",
    "LSF_EAUTH_SERVER",
    "LSF_ENVDIR",
    "LSF_SERVERDIR",
    "LANG",
    "HOME",
    "PWD",
    "SHELL",
    "SHLVL",
    "PATH",
}
# Values whose format must be the recorded one: the words of the installation replaced by patterns.
PBS_FORMATS = {
    "ENVIRONMENT": r"BATCH",
    "PBS_ENVIRONMENT": r"PBS_BATCH",
    "PBS_JOBID": r"\d+\.head",
    "PBS_JOBCOOKIE": r"[0-9A-F]{32}",
    "PBS_NODENUM": r"0",
    "PBS_TASKNUM": r"1",
    "PBS_MOMPORT": r"\d+",
    "PBS_O_SYSTEM": r"Linux",
    "NCPUS": r"\d+",
    "OMP_NUM_THREADS": r"\d+",
    "TMPDIR": r"/.*/pbs\.\d+\.head",
    "PBS_NODEFILE": r"/.*/aux/\d+\.head",
    "PBS_QUEUE": r"workq",
    "PBS_O_INTERACTIVE_AUTH_METHOD": r"resvport",
    "PBS_O_INTERACTIVE_ENCRYPT_METHOD": r"",
}
LSF_FORMATS = {
    "LSB_JOBID": r"\d+",
    "LSB_JOBINDEX": r"\d+",
    "LSB_HOSTS": r"node\d+( node\d+)*",
    "LSB_MCPU_HOSTS": r"(node\d+ \d+ )+",
    "LSB_JOBFILENAME": r"/.*/\.lsbatch/\d+\.\d+(\.\d+)?",
    "LSB_CHKFILENAME": r"/.*/\.lsbatch/\d+\.\d+(\.\d+)?",
    "LSB_ACCT_FILE": r"/tmp/\.\d+\.\d+(\.\d+)?\.acct",
    "LSB_TRAPSIGS": r"trap # 15 10 12 2 1",
    "LSB_EXIT_PRE_ABORT": r"99",
    "LSB_JOBEXIT_STAT": r"0",
    "LS_EXEC_T": r"START",
    "LS_JOBPID": r"\d+",
    "LSB_SUB_HOST": r"head",
    "HOSTTYPE": r"linux",
    "LSB_QUEUE": r"normal",
}


def recorded(name: str, part: str) -> tuple[dict[str, str], str]:
    """Variables of the first job in one part of a record, and the text of that part."""
    text = (RECORDS / name).read_text()
    section = text.split(f"==================== {part}", 1)[1].split("====================", 1)[0]
    start = max(section.find("\n\n", section.find("follows:")), section.find("----- file"))
    first = section[start:].split("\n--- hostname", 1)[0]
    lines = [line for line in first.splitlines() if re.match(r"[A-Z_a-z]+=", line)]
    return dict(line.split("=", 1) for line in lines), section


def node_file(section: str) -> list[str]:
    return section.split("--- NODEFILE", 1)[1].splitlines()[1:]


SHOW_PBS = (
    'env; echo "--- $(hostname) $PWD $0 $(umask)"; echo "--- NODEFILE"; cat "$PBS_NODEFILE"; stat -c %a "$TMPDIR"'
)
PBS_CASES = {
    "env_1chunk": ["-N one"],
    "env_2chunk_scatter": ["-N two", "-l select=2:ncpus=2:mpiprocs=2:ngpus=1", "-l place=scatter"],
    "env_2chunk_pack": ["-N pack", "-l select=2:ncpus=2:mpiprocs=2:ngpus=1:mem=1gb"],
    "env_ompthreads": ["-N ompt", "-l select=2:ncpus=4:mpiprocs=2:ompthreads=2", "-l place=scatter:excl"],
    "env_nompiprocs": ["-N nompi", "-l select=2:ncpus=4", "-l place=scatter"],
    "env_nodesppn": ["-N nodesppn", "-l nodes=2:ppn=2"],
    "env_ncpus_old": ["-N oldncpus", "-l ncpus=4,mem=1gb"],
}


@pytest.mark.parametrize("part", PBS_CASES)
def test_pbs_variables(job, work, home, part, monkeypatch):
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("A", "exported")
    real, section = recorded("pbs/01_env.txt", part)
    result = job("pbs", PBS_CASES[part], SHOW_PBS)
    mine = variables(result.stdout.split("--- ", 1)[0])
    standin_extras = {name for name in mine if name.startswith(("OMPI_", "HYDRA_"))}  # keep a real MPI here
    assert set(mine) - standin_extras - PBS_ONLY == set(real) - PBS_ONLY
    for name in ("NCPUS", "OMP_NUM_THREADS", "PBS_JOBNAME", "PBS_QUEUE", "PBS_O_QUEUE"):
        assert mine[name] == real[name], name
    for name, pattern in PBS_FORMATS.items():
        assert re.fullmatch(pattern, mine[name]), (name, mine[name])
        assert re.fullmatch(pattern, real[name]), f"the pattern for {name} does not fit the record"
    assert mine["PBS_O_WORKDIR"] == str(work)
    shown = result.stdout.split("--- NODEFILE\n")[1].splitlines()
    assert shown[:-1] == [line for line in node_file(section) if line.strip()][: len(shown) - 1]
    assert shown[-1] == "700"


def test_pbs_start(job, home):
    """Home folder, spool copy, umask 077, no exports: the line that starts with --- in the record."""
    result = job("pbs", ["-N one"], 'echo "$(hostname)|$PWD|$0|$(umask)"')
    host, folder, script, mask = result.stdout.strip().split("|")
    assert (host, folder, mask) == ("node01", str(home), "0077")
    assert script.endswith(f"/mom_priv/jobs/{result.job_id}.SC")
    assert stat.S_IMODE(os.stat(result.log_paths[0]).st_mode) == 0o600


def test_pbs_exports(job, monkeypatch):
    monkeypatch.setenv("A", "exported")
    assert job("pbs", ["-N noV"], 'echo "A=${A-unset}"').stdout == "A=unset\n"
    assert job("pbs", ["-N capV", "-V"], 'echo "A=${A-unset}"').stdout == "A=exported\n"
    assert job("pbs", ["-N vA", "-v A"], 'echo "A=${A-unset}"').stdout == "A=exported\n"
    assert job("pbs", ["-N vA", "-v A=1,B=2"], 'echo "$A$B"').stdout == "12\n"


def test_pbs_array_variables(job):
    _, section = recorded("pbs/02_arrays_output_names.txt", "array\n")
    ids = re.findall(r"^PBS_JOBID=(.*)$", section, re.MULTILINE)
    assert ids == ["11[1].head", "11[2].head", "11[3].head"]
    result = job("pbs", ["-J 1-3", "-N arr"], 'env | grep -E "^PBS_(ARRAY|JOBID|JOBNAME|NODEFILE)"; hostname')
    number = result.job_id.split("[")[0]
    assert result.job_id == f"{number}[].head"
    for index, task in enumerate(result.tasks, 1):
        mine = variables(task.stdout)
        assert mine["PBS_ARRAY_ID"] == f"{number}[].head" and mine["PBS_ARRAY_INDEX"] == str(index)
        assert mine["PBS_JOBID"] == f"{number}[{index}].head" and mine["PBS_NODEFILE"].endswith(
            f"/aux/{number}[{index}].head"
        )
    assert [path.name for path in result.log_paths if ".o" in path.name] == [
        f"arr.o{number}.{index}" for index in (1, 2, 3)
    ]


LSF_CASES = {
    "one_o/": ["-o o.%J", "-e e.%J"],
    "redirect/": ["-J redir", "-o o.%J", "-e e.%J", "-n 4", '-R "span[ptile=2]"', "-W 0:10"],
    "n6_hosts1/": ["-n 6", '-R "span[hosts=1]"', "-o o.%J"],
}


@pytest.mark.parametrize("part", LSF_CASES)
def test_lsf_variables(job, work, part, monkeypatch):
    monkeypatch.setenv("MYEXPORT", "yes")
    real, _ = recorded("lsf/01_env.txt", part)
    assert real["LSB_JOBID"]
    result = job("lsf", LSF_CASES[part], "env")
    mine = variables(result.stdout)
    assert set(real) - LSF_ONLY <= set(mine)
    for name, pattern in LSF_FORMATS.items():
        assert re.fullmatch(pattern, mine[name]), (name, mine[name])
        assert re.fullmatch(pattern, real[name]), f"the pattern for {name} does not fit the record"
    assert mine["MYEXPORT"] == "yes"
    assert mine["PWD"] == mine["LS_SUBCWD"] == str(work)
    assert [word for word in mine["LSB_MCPU_HOSTS"].split() if word.isdigit()] == [
        word for word in real["LSB_MCPU_HOSTS"].split() if word.isdigit()
    ]
    assert len(Path(mine["LSB_DJOB_HOSTFILE"]).name) > 0


def test_lsf_array_variables(job):
    real, _ = recorded("lsf/01_env.txt", "arr_step/")
    result = job("lsf", ['-J "arrs[1-7:3]%1"', "-o o.%J.%I"], 'env | grep "^LSB_JOB"')
    assert [path.name for path in result.log_paths] == [f"o.{result.job_id}.{index}" for index in (1, 4, 7)]
    first = variables(result.tasks[0].stdout)
    for name in ("LSB_JOBINDEX", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", "LSB_JOBNAME"):
        assert first[name] == real[name], name


def test_lsf_host_file_has_a_line_for_each_slot(job):
    result = job("lsf", ["-n 4", '-R "span[ptile=2]"', "-o o.%J"], 'cat "$LSB_DJOB_HOSTFILE"')
    assert result.stdout.split() == ["node01", "node01", "node02", "node02"]


def test_lsf_report_has_the_recorded_lines(job):
    """The header of a -o file, line by line: words that differ between jobs are taken out on both sides."""
    record = (RECORDS / "lsf" / "01_env.txt").read_text()
    section = record.split("==================== redirect/", 1)[1].split("The output (if any)")[0]
    real = section[section.index("Sender:") :]
    result = job("lsf", LSF_CASES["redirect/"], "echo out; echo err >&2")
    mine = (result.log_paths[0]).read_text().split("The output (if any)")[0]

    def shape(text: str) -> list[str]:
        head = text.split("Your job looked like:")[0]
        head = re.sub(r"<[^>]*>", "<>", head)
        head = re.sub(r"Job \d+", "Job N", head)
        return [re.sub(r" at .*", " at T", line).rstrip() for line in head.splitlines()]

    assert shape(mine) == shape(real)
    assert (
        result.log_paths[0]
        .read_text()
        .rstrip()
        .endswith(f"Read file <e.{result.job_id}> for stderr output of this job.")
    )
    assert result.log_paths[1].read_text() == "err\n"


def test_lsf_without_shebang_runs_sh(job):
    result = job("lsf", ["-o o.%J"], 'echo "${BASH_VERSION:-no bash}"', shebang="")
    assert result.stdout == "no bash\n" or Path("/bin/sh").resolve().name == "bash"
