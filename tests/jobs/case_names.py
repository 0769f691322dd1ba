"""Partitions, GPU types and features that the cases name, so that a controller can be set up with them."""

import re
from pathlib import Path

from case_reading import CORPORA, cases

from workshop.jobs.read import read_script

HERE = Path(__file__).parent


def names_of_all_cases(names):
    """``names`` with everything added that the requests of all cases ask for by name."""
    for folder in CORPORA:
        for case in cases(HERE / folder):
            if case["scheduler"] == "other":
                continue
            script = read_script(case["path"], case["scheduler"])
            for request in script.components or [script.request]:
                names.partitions.update(
                    name for name in re.split(r"[,\s]+", request.partition or "") if re.fullmatch(r"\w+", name)
                )
                names.gpu_types.update(
                    name for name in (request.gpu_type or "").split(",") if re.fullmatch(r"\w+", name)
                )
                names.features.update(re.findall(r"\b[a-z]\w*\b", request.constraint or ""))
    return names
