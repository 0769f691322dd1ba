"""Is the form of the desktop filled in so that the session starts soon, and suffices?"""

from pathlib import Path

import yaml

from workshop.paths import REPO

FORM = REPO / "scripts" / "ondemand" / "workshop_desktop" / "form.yml"
# Field -> least and most that make sense here, and what is wrong with less and with more.
SENSIBLE = {
    "bc_num_hours": (
        2, 3, "the session ends before he has seen all, and what is unsaved ends with it.",
        "a short job fits into a gap between others; when he goes home, this one still holds its cores.",
    ),
    "cores": (
        2, 8, "ParaView, the VNC server and Mesa, which draws, share one core.",
        "many cores are free on one node later than a few, and from eight to sixteen Mesa gains a fifth.",
    ),
    "memory_gb": (
        5, 16, "4 GB are needed for the surface alone: the session is killed when he opens his result.",
        "the node keeps it free for him, and nobody else's job fits there.",
    ),
    "gpus": (0, 0, "", "without VirtualGL Mesa draws on the cores, so the GPU idles, and all GPUs are busy now."),
}  # fmt: skip


def check(path: Path) -> list[str]:
    """What is still wrong with the values in the YAML file ``path``: empty if nothing."""
    try:
        values = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        return [f"This is no YAML: {error}"]
    if not isinstance(values, dict):
        return ["Write one line for each field of the form, such as `cores: 4`."]
    form = yaml.safe_load(FORM.read_text(encoding="utf-8"))
    problems = [f"The form has no field {name}." for name in values if name not in form["form"]]
    for name, (least, most, why_more, why_less) in SENSIBLE.items():
        value = values.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            problems.append(f"{name} must be a whole number, and is {value!r}.")
        elif value < least:
            problems.append(f"{name}: {value} is too little: {why_more}" if why_more else f"{name} cannot be {value}.")
        elif value > most:
            problems.append(f"{name}: {value} is too much: {why_less}")
    if values.get("bc_queue") != "cpu":
        problems.append(f"bc_queue: {values.get('bc_queue')!r}: in the partition cpu there is room at once.")
    return problems
