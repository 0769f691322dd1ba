"""No rule is set off or silenced by words that are only printed, or that stand in a remark."""

from pathlib import Path

import check_command
import pytest
from case_reading import CORPORA, cases
from public_reading import options

HERE = Path(__file__).parent
# Words for which rules look, in single quotes: the shell puts nothing in and starts nothing.
WORDS = [
    "srun hostname; torchrun --standalone --nnodes=4 --nproc_per_node=8 --node_rank=0 --rdzv_endpoint=localhost:29500",
    "export MASTER_ADDR=localhost MASTER_PORT=29500 RANK=$SLURM_PROCID CUDA_VISIBLE_DEVICES=0,1 SRUN_CPUS_PER_TASK=4",
    "module cuda; conda activate x; conda.sh; $0 $1 $@ $RANDOM; trap USR1; mpirun; $((1<<bits))",
    "sbatch next; qsub next; bsub next; cd $PBS_O_WORKDIR; mkdir -p logs",
]
LINES = {"printed": "echo '{}'\n", "remark": "# {}\n"}
# A file that ends inside quotes or a here-document, or that is no shell script, has no line to add.
SHELL = [
    case
    for folder in CORPORA
    for case in cases(HERE / folder)
    if case["scheduler"] != "other"
    and case["path"].suffix != ".py"
    and not {"unmatched_quote", "crlf_line_endings"} & set(case.get("warnings_right") or [])
]


def found(data: bytes, path: Path, case: dict) -> list[tuple[str, int | None]]:
    path.write_bytes(data)
    report = check_command.report(path, *options(case))
    return sorted((finding["rule"], finding["line"] or 0) for finding in report["findings"])


@pytest.mark.parametrize("form", LINES)
@pytest.mark.parametrize("case", SHELL, ids=lambda case: case["path"].name)
def test_words_that_start_nothing_change_no_finding(case, form, tmp_path):
    data = case["path"].read_bytes().rstrip(b"\n") + b"\n"
    path = tmp_path / case["path"].name
    added = data + "".join(LINES[form].format(line) for line in WORDS).encode()
    assert found(added, path, case) == found(data, path, case)
