"""``workshop ssh``: a shell on the practice laptop, from which a practice login node can be reached."""

import subprocess
import sys

import click

from workshop.practice_ssh import FORGE_NAME, HOME, LAPTOP, LOGIN_NAME, NODE, PASSWORD, USER, Machines, NoPractice

WELCOME = f"""\
You are {USER} on the practice laptop. Nothing here reaches the real network, and your own ~/.ssh is not used.
  login node:    ssh {USER}@{LOGIN_NAME}   (password: {PASSWORD})
  compute node:  {NODE}, known on the login node only
  git server:    git@{FORGE_NAME}, keys only; its repositories lie in $PRACTICE_SSH/git
{HOME} and all machines vanish when you leave this shell with: exit"""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND]...")
def command(words: tuple[str, ...]) -> None:
    """Open a shell (or run COMMAND) on a practice laptop, to practise SSH with real OpenSSH and no account."""
    machines = Machines()
    try:
        machines.up()
    except NoPractice as error:
        raise click.ClickException(str(error)) from None
    try:
        if not words:
            click.echo(WELCOME)
        code = subprocess.run(machines.command(LAPTOP, *(words or ("bash",)))).returncode
    finally:
        machines.down()
    sys.exit(code)
