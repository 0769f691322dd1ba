"""Highlighting of job scripts and of Apptainer's definition files.

A job script is bash with the scheduler's directives set off from its comments.

Pygments brings the same for Slurm (``pygments.lexers.shell.SlurmBashLexer``), but takes the comment ``##SBATCH`` for a
directive.
"""

from collections.abc import Iterator

from pygments.lexer import bygroups
from pygments.lexers.configs import SingularityLexer
from pygments.lexers.shell import BashLexer
from pygments.token import Comment, Generic, Keyword, Whitespace, _TokenType


class _DirectiveLexer(BashLexer):
    """Bash in which a comment that begins with ``directive`` is a keyword."""

    directive = ""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        for index, token, value in super().get_tokens_unprocessed(text):
            if token is Comment.Single and value.startswith(self.directive):
                token = Keyword.Pseudo
            yield index, token, value


class SlurmLexer(_DirectiveLexer):
    """A job script for Slurm."""

    name, aliases, filenames, directive = "Slurm job script", ["slurm"], ["*.sbatch"], "#SBATCH"


class PbsLexer(_DirectiveLexer):
    """A job script for PBS."""

    name, aliases, filenames, directive = "PBS job script", ["pbs"], ["*.pbs"], "#PBS"


class LsfLexer(_DirectiveLexer):
    """A job script for LSF."""

    name, aliases, filenames, directive = "LSF job script", ["lsf"], ["*.lsf"], "#BSUB"


class ApptainerLexer(SingularityLexer):
    """A definition file; Pygments knows those of Singularity, which had no ``%arguments``."""

    name, aliases, filenames = "Apptainer definition file", ["apptainer"], ["*.def"]
    tokens = {  # noqa: RUF012 - Pygments' interface
        **SingularityLexer.tokens,
        "root": [
            (r"^(%arguments)(\s*)", bygroups(Generic.Heading, Whitespace), "script"),
            *SingularityLexer.tokens["root"],
        ],
    }
