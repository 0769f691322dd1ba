"""The grammar of the shell and the reading of words: what a shell would make of a script, without running it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.jobs.launch.read import launches, read_launches
from workshop.jobs.parts import grammar
from workshop.jobs.parts.script_words import read_script
from workshop.jobs.parts.values import constant, shown

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "scripts"
ENDINGS = {".sh", ".sbatch", ".pbs", ".lsf", ".sge"}
FILES = sorted(
    path
    for folder in (HERE / "cases", HERE / "cases_own", SCRIPTS / "slurm", SCRIPTS / "pbs", SCRIPTS / "lsf")
    for path in folder.iterdir()
    if path.suffix in ENDINGS
)


def kinds(text: str) -> list[str]:
    found, stack = [], [grammar.parse(text)]
    while stack:
        node = stack.pop(0)
        found.append(node.kind)
        stack = [*node.children, *stack]
    return found


def lines(text: str) -> list[str]:
    """The simple commands of a script, each as its words."""
    return [" ".join(word.shown for word in command.words) for command in read_script(text).commands]


def value(text: str, name: str) -> str:
    """The last value that a script gives to ``name``."""
    return shown(read_script(text).set(name)[-1].value)


# The tree


def test_positions_are_those_of_the_text():
    text = "echo 'größe' — x\nsrun python y.py\n"
    words = [command.raw for command in read_script(text).commands]
    assert words == ["echo 'größe' — x", "srun python y.py"]


def test_a_no_break_blank_belongs_to_its_word():
    assert [word.text for word in read_script("srun\u00a0python x.py").commands[0].words] == [
        "srun\u00a0python",
        "x.py",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_do_not_matter(end):
    text = end.join(["srun \\", "  bash <<EOF", "echo $X", "EOF", "python b.py", ""])
    reading = read_script(text)
    assert [command.name for command in reading.commands] == ["srun", "python"]
    assert reading.commands[0].line == 1 and reading.commands[1].line == 5
    assert text[reading.commands[1].start : reading.commands[1].end] == "python b.py"


@pytest.mark.parametrize(
    "line",
    [
        "echo $((1<<bits))",
        'x="C:\\\\"',
        "((n <<= 2))",
        "cat <<< here",
        "f() { echo ${x#*<<}; }",
        "y=$(( (1 + 2) << 3 ))",
        "echo \\\" \\'",
        "case $x in a) b;; *) c;; esac",
        "z=$(case $x in a) echo b;; esac)",
        "echo a#b # it's",
    ],
)
def test_a_line_does_not_hide_the_rest(line):
    assert "srun python train.py" in lines(f"{line}\nsrun python train.py")


def test_a_quote_that_is_never_closed_hides_nothing():
    assert lines("echo it's starting\nsrun ./bench")[-1] == "srun ./bench"


@pytest.mark.parametrize(
    ("rest", "names"),
    [("", []), ("2>&1 &", []), ("> out.txt && after", ["after"]), ("| tee log", ["tee"]), ("|| exit 1", ["exit"])],
)
def test_a_line_may_go_on_behind_a_here_document(rest, names):
    reading = read_script(f"srun bash <<EOF {rest}\necho $X 'it is'\nEOF\nlast\n")
    assert [command.name for command in reading.commands] == ["srun", *names, "last"]
    assert shown(reading.commands[0].stdin) == "echo $X 'it is'\n"
    assert reading.commands[0].marks.background is rest.endswith("&")


def test_two_here_documents_on_a_line_and_a_quoted_one():
    commands = read_script("a <<X; b <<'Y'\n$A\nX\n$A\nY\nc").commands
    assert [command.name for command in commands] == ["a", "b", "c"]
    assert [atom.kind for atom in commands[0].stdin] == ["variable", "text"]
    assert constant(commands[1].stdin) == "$A\n"


def test_here_documents_inside_substitutions_and_with_tabs():
    text = "X=$(cat <<EOT\none $(two)\nEOT\n)\n\tcat <<-E\n\tq\n\tE\nlast"
    assert value(text, "X") == "one $(two)\n"
    assert lines(text)[-1] == "last"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("A=1 B=2\nwhile true; do x; done\nsrun y", "srun y"),
        ("z=`hostname` y=1\nsrun y", "srun y"),
        ("PATH=$PATH:$HOME/bin:$X/y\nsrun y", "srun y"),
        ("srun $A:$B/c $D/$E/f", "srun $A:$B/c $D/$E/f"),
    ],
)
def test_slips_of_the_grammar_are_mended(text, last):
    assert lines(text)[-1] == last


def test_brackets_that_are_no_arithmetic():
    text = "x=is_host=$(((SLURM_NODEID)) && echo 0 || echo 1) y=2\nsrun z"
    assert lines(text)[-1] == "srun z"
    assert value(text, "y") == "2"


@pytest.mark.parametrize(
    ("first", "shell"),
    [
        ("#!/bin/bash -l", True),
        ("#!/usr/bin/env bash", True),
        ("#!/usr/bin/env -S bash -e", True),
        ("# no shebang", True),
        ("#!/bin/tcsh", False),
        ("#!/bin/csh -f", False),
        ("#!/usr/bin/env python3", False),
        ("#!/usr/bin/Rscript", False),
    ],
)
def test_only_shells_of_one_family_are_read(first, shell):
    reading = read_script(f"{first}\nsrun python x.py\n")
    assert reading.shell is shell
    assert bool(reading.commands) is shell


def test_a_text_that_is_too_long_is_not_parsed():
    assert grammar.parse("echo a\n" * (grammar.LONGEST // 7 + 1)).children == ()
    assert read_script("#!/bin/bash\n" + "x" * grammar.LONGEST).commands == []


def test_a_browser_hands_its_tree_over():
    """What JavaScript gives: nested lists that went through JSON."""
    text = 'srun --nodes=2 python "$X" <<EOF &\nhallo\nEOF\necho ä'
    expected = read_script(text).commands
    seen = []

    def supplier(plain: str):
        seen.append(plain)
        return json.loads(json.dumps(grammar._native(plain)))

    grammar.supply(supplier)
    try:
        found = read_script(text).commands
    finally:
        grammar.supply(None)
    assert seen and all(plain.isascii() for plain in seen)
    assert [command.words for command in found] == [command.words for command in expected]


@pytest.mark.parametrize("answer", [None, [], ["program"], "x", ["program", "a", 1, None, []], [1, 2, 3, 4, [5]]])
def test_a_tree_that_is_none_is_an_empty_one(answer):
    grammar.supply(lambda plain: answer)
    try:
        assert read_script("srun x").commands == []
    finally:
        grammar.supply(None)


# Words and values


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("N=4; srun -n $N a", "srun -n 4 a"),
        ("N=4; M=$((N*2+1)); a $M", "a 9"),
        ("a ${X:-7}", "a $X"),
        ("X=; a ${X:-7}", "a 7"),
        ("X=3; a ${X:-7}", "a 3"),
        ("X=3; a ${X:+y}", "a y"),
        ("O='-n 4  -l'; srun $O a", "srun -n 4 -l a"),
        ("O='-n 4'; srun \"$O\" a", "srun -n 4 a"),
        ("A=(-n 4 'b c'); srun \"${A[@]}\" x", "srun -n 4 b c x"),
        ("A=(1); A+=(2 3); a ${#A[@]} ${A[2]}", "a 3 3"),
        ("A=1; A+=2; a $A", "a 12"),
        ("a 'b $C' \"d $E\" f\\ g $'h\\ti'", "a b $C d $E f g h\ti"),
        ("a $(which python) `command -v x`", "a python x"),
        ("a $(echo b c)", "a b c"),
        ("X=$(hostname); a $X", "a $(hostname)"),
        ("if t; then X=1; else X=2; fi; a $X", "a $X"),
        ("if t; then X=1; else X=1; fi; a $X", "a 1"),
        ("X=1; t && X=2; a $X", "a $X"),
        ('M=x; if [ "$M" == "y" ]; then X=1; else X=2; fi; a $X', "a 2"),
        ("M=y; if [[ $M == y ]]; then X=1; else X=2; fi; a $X", "a 1"),
        ("M=y; if [[ $M == [xy] ]]; then X=1; else X=2; fi; a $X", "a $X"),
        ('M=3; if [ $M -gt 2 ] && [ -n "$M" ]; then X=1; elif b; then X=3; else X=2; fi; a $X', "a 1"),
        ('M=3; if ! [ $M -gt 2 ] || [ -z "$M" ]; then X=1; elif b; then X=3; else X=3; fi; a $X', "a 3"),
        ('M=; [ -z "$M" ] && M=5; a $M', "a 5"),
        ('M=4; [ -z "$M" ] && M=5; a $M', "a 4"),
        ('[ -z "$M" ] && M=5; a $M', "a $M"),
        ("M=y; source c.sh; if [ $M = y ]; then X=1; else X=2; fi; a $X", "a $X"),
        ("M=y; source v/bin/activate; if [ $M = y ]; then X=1; else X=2; fi; a $X", "a 1"),
        ("if [ $1 = y ]; then X=1; else X=2; fi; a $X", "a $X"),
        ("X=1; cd d && X=2; a $X", "a 2"),
        ("X=1; for i in 1 2; do X=$((X+1)); done; a $X", "a $X"),
        ("for i in 5; do a $i; done", "a 5"),
        ("X=1; (X=2); a $X", "a 1"),
        ("X=1; read X; a $X", "a $X"),
        ("X=1; ((X++)); a $X", "a $X"),
        ("X=1; unset X; a $X", "a $X"),
        ("f() { local X=2; a $1 $X; }; X=1; f b", "a b 2"),
        ("f() { X=2; }; X=1; f; a $X", "a 2"),
        ("f() { a \"$@\"; }; f b 'c d'", "a b c d"),
        ("set -- p q; a $2 $#", "a q 2"),
        ("eval 'X=3'; a $X", "a 3"),
        ("a \\\n  b \\\n  c", "a b c"),
    ],
)
def test_words_after_expansion(script, words):
    assert lines(script)[-1] == words


def test_words_that_may_be_many():
    words = read_script('srun $OPTS "$PROGRAM" "$@" ${A[@]} -n$N').commands[0].words
    assert [word.many for word in words] == [False, True, False, True, True, True]


def test_who_expands():
    reading = read_script("srun bash -c 'echo $A' \"\\$B $C\" $D")
    words = reading.commands[0].words
    assert [word.text for word in words[:4]] == ["srun", "bash", "-c", "echo $A"]
    assert [(atom.kind, atom.text, atom.by) for atom in words[4].atoms] == [
        ("text", "$", "batch"),
        ("text", "B ", "batch"),
        ("variable", "C", "batch"),
    ]


def test_the_way_of_a_value_is_kept():
    word = read_script('R=$SLURM_PROCID\nL="--rank $R"\nsrun x $L').commands[-1].words[-1]
    assert word.atoms[0].text == "SLURM_PROCID" and word.atoms[0].via == ("R", "L")


def test_a_word_knows_its_place():
    text = 'N=4\nLAUNCH="torchrun --nproc_per_node $N  --nnodes=2"\nsrun -n "$N" $LAUNCH x.py\n'
    words = {word.shown: word for word in read_script(text).commands[-1].words}
    place = words["--nnodes=2"]
    assert text[place.start : place.end] == "--nnodes=2" and place.line == 2
    assert text[words["x.py"].start : words["x.py"].end] == "x.py" and words["x.py"].line == 3


def test_marks():
    commands = {
        command.name: command.marks
        for command in read_script(
            "a &\nif b; then c; fi\nfor i in 1 2; do d; done\ne | f\nx=$(g)\nh || i\nk() { l; }\n! m\ntrap 'n' USR1"
        ).commands
    }
    assert commands["a"].background and commands["b"].test and commands["c"].conditional and commands["d"].repeated
    assert commands["e"].piped_to and commands["f"].piped_from and commands["g"].substituted == 1
    assert commands["i"].conditional and not commands["h"].conditional
    assert commands["l"].uncalled and commands["m"].test and commands["n"].handler


def test_exported_variables():
    environment = read_script("export A=1; B=2; export B; C=3; D=4 srun x").commands[-1].environment
    assert {name: held.exported for name, held in environment.variables.items()} == {
        "A": True, "B": True, "C": False, "D": True,
    }  # fmt: skip
    assert set(environment.child().variables) == {"A", "B", "D"}


def test_files_that_the_script_writes():
    text = 'cat > run.sh <<"EOF"\npython x.py "$1"\nEOF\necho "python $P" > b.sh\nsrun bash run.sh a\n'
    files = read_script(text).commands[-1].environment.files
    assert shown(files["run.sh"]).strip() == 'python x.py "$1"'
    assert shown(files["b.sh"]) == "python $P\n"


def test_what_is_piped_into_a_command():
    assert shown(read_script('T="#!/bin/sh"\necho "$T" | sbatch').commands[-1].stdin) == "#!/bin/sh"
    assert shown(read_script("cat <<E | srun bash\nx\nE").commands[-1].stdin) == "x\n"


def test_a_branch_knows_its_condition():
    commands = read_script('if [ "$SLURM_NNODES" -gt 1 ]; then a; else b; fi; [ x ] && c').commands
    marks = {command.name: command.marks for command in commands}
    assert marks["a"].condition == marks["b"].condition == ('[ "$SLURM_NNODES" -gt 1 ]',)
    assert marks["c"].condition == ("[ x ]",) and marks["c"].conditional


def test_a_branch_that_constants_rule_out_is_not_read():
    assert lines("D=0; if [ $D = 1 ]; then a; fi; b") == ["b"]


# Robustness


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "((" * 3000,
        "$(" * 3000,
        "{ " * 3000,
        '"$(' * 2000,
        "if a; then " * 1000,
        "cat <<A\n" * 500,
        "x=$x$x\n" * 200,
        "f() { f; f; }; f",
        "f() { g; g; }; g() { h; h; }; h() { f; }; f",
        'eval \'eval "$X"\'; X=\'eval "$X"\'; eval "$X"',
        "A=('a' 'b')\n" * 2000,
        "a|" * 2000,
        "\ud800 \U0001f600 ''",
        "cat > w.sh <<'E'\nbash w.sh\nE\nbash w.sh",
        "srun " * 2000,
        "srun bash -c 'srun bash -c \"srun bash -c x\"'",
    ],
)
def test_nothing_raises_and_nothing_takes_long(text):
    begin = time.process_time()
    launches(read_script(text))
    assert time.process_time() - begin < 5


PIECES = st.sampled_from(
    [*"\"'`$(){}[]<>|&;#\\ \n=*@!", "<<EOF", "EOF", "${X", "$((", "))", "case", "esac", "in", "if", "fi", "do", "done",
     "for", "srun", "torchrun", "--nnodes=", "bash -c ", "X=", "eval ", "python", "f()", "\r\n", "é", "\ue000", "-n",
     "$X", "\"$@\"", "${A[@]}", "mpirun", "ssh h ", "accelerate launch ", "$RANDOM", "trap "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_text_raises(text):
    launches(read_script(text))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 3000), st.integers(0, 60), PIECES)
def test_no_damaged_script_raises(path, position, length, piece):
    text = path.read_bytes().decode("utf-8", "replace")
    launches(read_script(text[:position] + piece + text[position + length :]))


def test_all_scripts_are_read_in_seconds():
    texts = [path.read_bytes().decode("utf-8", "replace") for path in FILES]
    assert len(texts) > 200
    begin = time.process_time()
    for text in texts:
        read_launches(text)
    assert time.process_time() - begin < 5  # 0.6 on an idle machine
