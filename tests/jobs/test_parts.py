"""Leaves that rules stand on: csh in the words of sh, the variables that a script uses, here-documents, strings."""

from importlib import import_module

import pytest

from workshop.jobs.parts.csh import as_sh, is_csh
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.lexer import Grammar, Uncut, tokens
from workshop.jobs.parts.text import heredocs
from workshop.jobs.parts.used import used_variables


@pytest.mark.parametrize(
    ("csh", "sh"),
    [
        ("setenv NAME value", "export NAME=value"),
        ('setenv NAME "two words"', 'export NAME="two words"'),
        ("unsetenv NAME", "unset NAME"),
        ("set name = value", "name=value"),
        ("@ count = $count + 1", "let count"),
        ("foreach host (a b)", "for host in a b; do"),
        ("end", "done"),
        ("if ($?NAME) then", "if true; then"),
        ("else if ($x == 1) then", "elif true; then"),
        ("endif", "fi"),
        ("if ($x == 1) srun python train.py", "if true; then srun python train.py; fi"),
        ("srun python train.py", "srun python train.py"),
    ],
)
def test_a_line_of_csh_in_the_words_of_sh(csh, sh):
    assert as_sh(f"#!/bin/tcsh\n{csh}\n") == f"#!/bin/sh\n{sh}\n"


def test_switch_is_left_out_and_lines_keep_their_numbers():
    text = "#!/bin/csh\nswitch ($x)\ncase a:\nsrun python a.py\nbreaksw\nendsw\nsrun python b.py\n"
    assert as_sh(text) == "#!/bin/sh\n\n\n\n\n\nsrun python b.py\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [("#!/bin/tcsh", True), ("#!/usr/bin/env csh", True), ("#!/bin/bash", False), ("# tcsh", False)],
)
def test_csh_is_known_by_its_first_line(line, found):
    assert is_csh(line + "\n") is found


USED = """echo $A "${B}" '$NO' "\\$NO" ${C%%,*} ${D:-$E} ${list[$F]} $((G + 1))
[[ $H == 1 ]] && case $I in a) ;; esac
for one in $J; do :; done > $K.log
# $NO
cat <<END
$L \\$NO
END
cat <<'END'
$NO
END
NO=1
"""


def test_a_variable_is_used_where_the_shell_puts_it_in():
    assert sorted(used_variables(USED)) == list("ABCDEFGHIJKL")


def test_the_place_of_a_variable_is_its_first():
    text = "echo $A\necho $A $B\n"
    assert {name: text.count("\n", 0, place) + 1 for name, place in used_variables(text).items()} == {"A": 1, "B": 2}


@pytest.mark.parametrize(
    "line", ["shards=$((1<<bits))", "(( x = 1 << 3 ))", "cat <<< EOF", "# cat <<EOF", "echo '<<EOF'"]
)
def test_a_shift_is_no_here_document(line):
    assert heredocs([line, "srun python train.py", "EOF"]) == []


def test_here_documents_with_their_lines():
    lines = ["cat <<A > a; cat <<'B' > b", "one", "A", "two", "B", "cat <<C", "three"]
    found = [(one.start, one.lines, one.expands) for one in heredocs(lines)]
    assert found == [(2, ["one"], True), (4, ["two"], False), (7, ["three"], True)]


def test_lines_inside_a_string():
    lines = ["#!/bin/bash", "job='#!/bin/bash", "#SBATCH -N 2", "srun x'", 'echo "C:\\\\"', "srun y"]
    assert string_lines(lines, 2, "/bin/bash") == {3, 4}


def test_a_quote_that_nobody_closes_hides_nothing():
    assert string_lines(["echo it's on", "#SBATCH -N 2", "srun x"], 1, "/bin/bash") == set()


# Scheduler -> the words of a directive line: a comment, a backslash, quotes.
CUT = {
    "slurm": ["-J", "a", "bc d"],
    "pbs": ["-J", "a bc d#e", "#f"],
    "lsf": ["-J", "a\\", "bc d#e"],
}


@pytest.mark.parametrize("scheduler", CUT)
def test_each_scheduler_cuts_a_line_by_its_own_grammar(scheduler):
    split = import_module(f"workshop.jobs.dialects.{scheduler}.words").split
    line = "-J a\\ b'c d'#e #f"
    words = split(line, 1) if scheduler == "slurm" else split(line)
    found = [word.text if scheduler == "slurm" else word[0] for word in words]
    assert found == CUT[scheduler]


@pytest.mark.parametrize(
    ("text", "kind", "in_front"), [("-n 1 :x 'y", "start", ["-n", "1"]), ("-n 'a b", "quote", ["-n"])]
)
def test_words_in_front_of_a_wrong_one_are_read(text, kind, in_front):
    found = []
    with pytest.raises(Uncut) as caught:
        for token in tokens(text, Grammar(bad=":")):
            found.append(token.text)
    assert (found, caught.value.kind) == (in_front, kind)
