"""The exercises of Getting in judge what ssh and bash make of an answer: other right ones pass, near misses do not."""

import pytest

from workshop import exercise

HEAD = "Host cluster\n HostName login.cluster.example\n"
COMMON = " User ada\n IdentityFile ~/.ssh/cluster_key\n IdentitiesOnly yes\n ServerAliveInterval 60\n"
ALIVE = "Host *\n ServerAliveInterval 60\n"
BASHRC = "echo Welcome back, $USER\nalias q='squeue --me'\ncd ~/project\n"

RIGHT = {
    "ssh_config": [
        HEAD + COMMON + "Host c[1-9] c?\n ProxyJump ada@login.cluster.example\n" + COMMON + ALIVE,
        "Match host c?\n ProxyJump cluster\n" + COMMON + HEAD + COMMON + "Match all\n ServerAliveInterval=60\n",
    ],
    "bashrc": [
        'PATH="$PATH:$HOME/bin"; export PATH\nif [ -n "$PS1" ]; then\n' + BASHRC + "fi\n",
        'export PATH="$HOME/bin:$PATH"\ncase $- in *i*) ;; *) return ;; esac\n' + BASHRC,
    ],
    "tunnel": [
        "ssh -N -L 8888:c3:9417 ada@login.cluster.example\n",
        "ssh -N -J cluster -L localhost:8888:localhost:9417 c3\n",
        "ssh -f -N -o 'LocalForward 8888 c3:9417' cluster\n",
    ],
}
WRONG = {
    "ssh_config": [
        (HEAD + COMMON + "Host c?\n ProxyJump cluster\n" + COMMON, "github.com"),
        (HEAD + "Host *\n ProxyJump none\n" + COMMON, "c1"),
        ("Host cluster\n HostNam login.cluster.example\n", "cannot read"),
    ],
    "bashrc": [
        ("[[ $- == *i* ]] || exit\n" + BASHRC, "return, not exit"),
        ('[[ $- == *i* ]] || return\nexport PATH="$HOME/bin:$PATH"\n' + BASHRC, "~/bin"),
        ('export PATH="$HOME/bin:$PATH"\n', "greeted"),
    ],
    "tunnel": [
        ("ssh -N -L 8888:localhost:9417 cluster\n", "login node"),
        ("ssh -N -L 8888:c3:9417 c3\n", "does not reach"),
        ("ssh -N -R 8888:c3:9417 cluster\n", "No port of the laptop"),
        ("ssh -N -L cluster\n", "does not run"),
    ],
}


def check(name: str, text: str, tmp_path) -> list[str]:
    path = tmp_path / "mine"
    path.write_text(text)
    return exercise.check(f"connecting/{name}", path)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in RIGHT.items() for text in texts])
def test_other_right_answers_pass(name: str, text: str, tmp_path):
    assert check(name, text, tmp_path) == []


@pytest.mark.parametrize(("name", "text", "said"), [(name, *case) for name, cases in WRONG.items() for case in cases])
def test_near_misses_are_refused_with_their_reason(name: str, text: str, said: str, tmp_path):
    problems = check(name, text, tmp_path)
    assert problems
    assert said in " ".join(problems)
