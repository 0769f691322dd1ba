"""``workshop apptainer install|image``."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from workshop.apptainer import images, tree
from workshop.apptainer.errors import ApptainerError, FetchError
from workshop.paths import BUILD

# Written by `prepare` where the network failed; the tests then say so instead of failing.
NOT_FETCHED = BUILD / "reports" / "apptainer-not-fetched.txt"


def plain_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Print an ApptainerError without a traceback and end with status 1."""

    @wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except ApptainerError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)

    return wrapper


@click.group()
def command() -> None:
    """Apptainer on this machine: install it in a folder of its own, build the course's images for CPUs.

    Both lie in ~/.cache/workshop. The practice cluster's nodes find that Apptainer by themselves.
    """


@command.command()
@plain_errors
def install() -> None:
    """Find Apptainer, or install it in the cache folder (needs root); print the program's path."""
    click.echo(tree.install())


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@plain_errors
def image(names: tuple[str, ...]) -> None:
    """Build the images NAMES (all that can be built here, if none is given) and print their paths."""
    for name in names or images.LOCAL:
        click.echo(images.image(name, say=lambda line: click.echo(line, err=True)))


@command.command()
def prepare() -> None:
    """For the tests: install Apptainer and build all images where that is possible, and say where it is not.

    Fails only where a build fails. That Apptainer is missing is for the tests to judge.
    """
    NOT_FETCHED.parent.mkdir(parents=True, exist_ok=True)
    NOT_FETCHED.unlink(missing_ok=True)
    try:
        click.echo(f"Apptainer: {tree.install()}")
    except FetchError as error:
        NOT_FETCHED.write_text(" ".join(str(error).split()), encoding="utf-8")
        click.echo(error)
        return
    except ApptainerError as error:
        click.echo(f"Apptainer is not here: {error}")
        return
    try:
        for name in images.LOCAL:
            click.echo(f"{name}: {images.image(name, say=click.echo)}")
    except ApptainerError as error:
        click.echo(f"Error: {error}")
        sys.exit(1)
