"""``workshop rehearse SCRIPT``: run a job script without a scheduler."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workshop.jobs.dialect import spellings


class Walltime(click.ParamType):
    """Seconds, or MM:SS, or H:MM:SS."""

    name = "time"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        try:
            seconds = 0.0
            for part in value.split(":"):
                seconds = 60 * seconds + float(part)
        except ValueError:
            self.fail(f"{value!r} is no time: write seconds, MM:SS or H:MM:SS", param, ctx)
        if seconds <= 0:
            self.fail("the walltime must be longer than nothing", param, ctx)
        return seconds


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("script", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("--scheduler", type=click.Choice(spellings()), help="Default: as the directives say.")
@click.option(
    "--nodes-prefix", default="node", show_default=True, metavar="TEXT", help="Beginning of the invented nodes' names."
)
@click.option("--walltime", type=Walltime(), help="End it after this time instead (seconds, MM:SS or H:MM:SS).")
@click.option(
    "--workdir", type=click.Path(exists=True, file_okay=False), help="Folder to submit from (default: this one)."
)
@click.option(
    "--depth", default=1, show_default=True, help="How many jobs deep submissions from scripts are rehearsed."
)
@click.option(
    "--delays",
    default=1.0,
    show_default=True,
    metavar="FACTOR",
    help="Shorten the scheduler's own delays (0.1: a tenth).",
)
@click.option("--force", is_flag=True, help="Rehearse a script that its scheduler would refuse, too.")
def command(
    script: Path,
    args: tuple[str, ...],
    scheduler: str | None,
    nodes_prefix: str,
    walltime: float | None,
    workdir: str | None,
    depth: int,
    delays: float,
    force: bool,
) -> None:
    """Run the job script SCRIPT on this machine, without a scheduler.

    It starts where its scheduler would start it, with the variables and files that its scheduler sets; srun, mpirun,
    pbsdsh and blaunch work, and heed what the real ones heed; at the walltime it gets that scheduler's signals; the log
    has the name that it would have. A script that the scheduler would refuse does not start.

    Lines that begin with '#' are the rehearsal's own. The exit status is the job's; 1 = not rehearsed, with the reason.
    """
    from workshop.jobs.read import UnreadableInput
    from workshop.rehearse import CannotRehearse, rehearse

    try:
        result = rehearse(
            script,
            args,
            workdir=workdir,
            scheduler=scheduler,
            walltime_s=walltime,
            quiet=False,
            nodes_prefix=nodes_prefix,
            depth=depth,
            delay_scale=delays,
            force=force,
        )
    except (CannotRehearse, UnreadableInput) as problem:
        raise click.ClickException(str(problem)) from None
    sys.exit(result.exit_code % 256 or (0 if result.ok else 1))
