"""The command ``workshop``: every subcommand is imported only when it is used, so that start-up stays fast."""

from importlib import import_module

import click

from workshop.paths import COURSE

# Name on the command line -> module that holds a click command called `command`, and its one-line help
# (repeated here so that `workshop --help` imports no subcommand).
SUBCOMMANDS = {
    "apptainer": ("workshop.apptainer.cli", "Install Apptainer for the practice cluster, build the course's images."),
    "book": ("workshop.book.cli", "Build the book: run the notebooks, make the site, check it."),
    "check": ("workshop.cli.check", "Say what a job script really asks for, and what is wrong with it."),
    "cluster": ("workshop.cluster.cli", "Start, look at and stop a practice cluster (real Slurm on this machine)."),
    "exercise": ("workshop.exercise", "List the exercises, copy a starter, check your solution."),
    "fill": ("workshop.cli.fill", "Fill a generic job script in for a named cluster."),
    "rehearse": ("workshop.rehearse.cli", "Run a job script without a scheduler, with the variables it would see."),
    "sites": ("workshop.cli.sites", "List the clusters that the workshop knows, with their facts and sources."),
    "ssh": ("workshop.cli.ssh", "Practise SSH: a laptop, a login node and a compute node on this machine."),
    "translate": ("workshop.cli.translate", "Write a job script anew for another scheduler."),
    "why": ("workshop.cli.why", "Say why a job failed: the first cause in its log, and what mends it."),
}


# What works on the course's own files, and so in a clone of it only.
OF_THE_COURSE = ("apptainer", "book", "exercise")


class NeedsTheCourse(click.ClickException):
    """The command is there, its files are not."""

    exit_code = 2


class LazyGroup(click.Group):
    """A click group that imports a subcommand's module when that subcommand is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(name for name in SUBCOMMANDS if COURSE or name not in OF_THE_COURSE)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in OF_THE_COURSE and not COURSE:
            raise NeedsTheCourse(f"'workshop {args[0]}' works in a clone of the course only, after 'make env' there.")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in SUBCOMMANDS:
            return None
        return import_module(SUBCOMMANDS[name][0]).command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name][1]) for name in self.list_commands(ctx)])
        if not COURSE:
            with formatter.section("In a clone of the course only"):
                formatter.write_dl([(name, SUBCOMMANDS[name][1]) for name in OF_THE_COURSE])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workshop")
def main() -> None:
    """Tools of the HPC Cluster Workshop. Run 'workshop COMMAND --help' for one command's options."""
