"""A site file with a mistake is refused with the file, the line, the key and a remedy that works."""

import re

import pytest

from workshop import sites

GOOD = (sites.FOLDER / "examples" / "my-cluster.yml").read_text()


def problem(tmp_path, text):
    path = tmp_path / "my-cluster.yml"
    path.write_text(text)
    with pytest.raises(sites.SiteError) as caught:
        sites.load_site(path)
    return str(caught.value)


def changed(old, new):
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


# What is changed, the key named, a word of the problem, a word of the remedy.
MISTAKES = {
    "status": ("status: local\n", "status: alive\n", "status", "'alive'", "unofficial-sources"),
    "no title": ("title: My Cluster\n", "", "title", "missing", "such as 'Kebnekaise'"),
    "no scheduler": (
        'scheduler: {name: slurm, version: "23.11"}',
        "",
        "scheduler",
        "missing",
        "scheduler: {name: slurm",
    ),
    "scheduler": (
        "{name: slurm, version",
        "{name: SLURM, version",
        "scheduler.name",
        "'SLURM'",
        "One of: slurm",
    ),
    "version is a number": (
        'version: "23.11"',
        "version: 23.11",
        "scheduler.version",
        "not text",
        "in quotes",
    ),
    "unknown section": (
        "memory: {rule: node}",
        "memroy: {rule: node}",
        "memroy",
        "no such key",
        "did you mean 'memory'",
    ),
    "unknown key": ("  form: course-YYYY", "  forms: course-YYYY", "account.forms", "no such key", "'form'"),
    "account rule": (
        "  rule: required",
        "  rule: mandatory",
        "account.rule",
        "'mandatory'",
        "required-if-several",
    ),
    "account form": ("  form: course-YYYY\n", "", "account.form", "missing", "looks like"),
    "time as a clock": (
        "max_time: 4 h",
        "max_time: 4:00",
        "partitions.0.max_time",
        "YAML reads 4:00 as 240, not text",
        "'15 min'",
    ),
    "time unit": ("max_time: 4 h", "max_time: 4 hours", "partitions.0.max_time", "'4 hours'", "'24 h'"),
    "times out of order": (
        "max: 12 h, min: 10 min",
        "max: 12 h, min: 1 d",
        "time.min",
        "longer than max",
        "swap",
    ),
    "memory unit": ("memory: 128G", "memory: 128 GB", "nodes.0.memory", "'128 GB'", "'256M'"),
    "count as text": ("count: 3,", "count: '3',", "nodes.0.count", "whole number", "without quotes"),
    "count of nothing": ("gpus: 2,", "gpus: 0,", "nodes.0.gpus", "0", "1 or more"),
    "no such partition": (
        "partition: accel,",
        "partition: gpu,",
        "nodes.0.partition",
        "'gpu'",
        "short, accel",
    ),
    "two defaults": (
        "name: accel, for",
        "name: accel, default: true, for",
        "partitions",
        "2 partitions",
        "at one",
    ),
    "partition twice": ("name: accel,", "name: short,", "partitions.1.name", "twice", "own name"),
    "GPU option": ("--gres=gpu:{type}:{count}", "--gres=gpu:1", "gpu.request", "does not fit", "{count}"),
    "no GPU option": (
        "gpu:\n  request: '--gres=gpu:{type}:{count}'\n",
        "",
        "gpu.request",
        "missing",
        "--gpus-per-node",
    ),
    "no GPU type": ("gpu_type: rtx, ", "", "nodes.0.gpu_type", "missing", "type's name"),
    "unknown source": (
        "source: [docs, admin]",
        "source: [doc]",
        "software.pytorch",
        "'doc'",
        "did you mean 'docs'",
    ),
    "source not used": (
        "source: [docs, admin]",
        "source: docs",
        "sources.admin",
        "no fact uses",
        "remove it",
    ),
    "no source at all": ("source: docs\n\nsources", "\nsources", "status", "no source", "source: NAME"),
    "source without date": (
        "    checked: 2026-11-20\n",
        "",
        "sources.admin.checked",
        "missing",
        "2026-11-27",
    ),
    "source without address": (
        "    url: https://hpc.example.org/contact\n",
        "",
        "sources.admin",
        "does not fit",
        "either url or file",
    ),
    "address": (
        "url: https://hpc.example.org/docs",
        "url: hpc.example.org",
        "sources.docs.url",
        "does not fit",
        "https://",
    ),
    "lines as one text": (
        "value: [module load PyTorch/2.7]",
        "value: module load PyTorch/2.7",
        "software.pytorch",
        "not a list",
        "list of shell lines",
    ),
    "run_from without a path": ("path: /scratch, ", "", "run_from.path", "missing", "/scratch"),
    "run_from relative": ("path: /scratch,", "path: scratch,", "run_from.path", "absolute", "slash"),
    "name": ("name: my-cluster", "name: My_Cluster", "name", "'My_Cluster'", "hyphens"),
    "name is not the stem": ("name: my-cluster", "name: other", "name", "stem", "both the same"),
    "key twice": ("time: {max", "time: {max: 1 h}\ntime: {max", "time", "twice", "remove one"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place_and_a_remedy(tmp_path, mistake):
    old, new, key, what, remedy = MISTAKES[mistake]
    lines = re.split(r"\n(?! )", problem(tmp_path, changed(old, new)))
    line = next((line for line in lines if f"key {key}:" in line), None)
    assert line is not None, lines
    assert "my-cluster.yml" in line
    assert what in line.split("Remedy:")[0]
    assert remedy in line.split("Remedy:")[1]


def test_the_line_number_is_that_of_the_mistake(tmp_path):
    text = changed("max_time: 12 h}", "max_time: noon}")
    number = next(n for n, line in enumerate(text.splitlines(), 1) if "noon" in line)
    assert f"line {number}, key partitions.1.max_time" in problem(tmp_path, text)


def test_all_problems_of_a_file_are_told_together(tmp_path):
    text = changed("status: local\n", "status: alive\n").replace("rule: required", "rule: must")
    lines = re.split(r"\n(?! )", problem(tmp_path, text))
    assert len(lines) == 2
    assert [int(re.search(r"line (\d+)", line)[1]) for line in lines] == sorted(
        number for number, line in enumerate(text.splitlines(), 1) if "alive" in line or "rule: must" in line
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no 'key: value' pairs"),
        ("- a\n- b\n", "holds no 'key: value' pairs"),
        ("name: [\n", "not YAML"),
        ("name:\n\tx: 1\n", "not YAML"),
        ("name: x\nname: y\n", "twice"),
        ("name: x\na: 2026-99-99\n", "line 2, key a: cannot read the value"),
        ("a: &a {b: *a}\n", "alias holds itself"),
    ],
)
def test_what_is_not_a_site_file_at_all_is_refused_in_words(tmp_path, text, what):
    message = problem(tmp_path, text)
    assert what in message
    assert "Remedy:" in message


def test_bytes_that_are_not_text(tmp_path):
    path = tmp_path / "my-cluster.yml"
    path.write_bytes(b"name: \xff\xfe\n")
    with pytest.raises(sites.SiteError, match=r"not UTF-8.*Remedy"):
        sites.load_site(path)


def test_a_wrong_name_is_answered_with_the_nearest_one():
    with pytest.raises(sites.SiteError, match="did you mean 'kebnekaise'"):
        sites.load_site("kebnekaisse")
    with pytest.raises(sites.SiteError, match=r"one file there \(book/adapting\.md\)"):
        sites.load_site("zzz")
    with pytest.raises(sites.SiteError, match="no such file"):
        sites.load_site("nowhere/zzz.yml")


def test_the_good_file_is_good():
    site = sites.load_site(sites.FOLDER / "examples" / "my-cluster.yml")
    fact = next(fact for fact in site.facts if fact.key == "software.pytorch")
    assert (fact.value, fact.sources, fact.checked) == (
        ["module load PyTorch/2.7"],
        ("docs", "admin"),
        "2026-11-21",
    )
    assert re.search("local", site.status)
