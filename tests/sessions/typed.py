"""Run a command at a terminal and type answers to its questions: ``typed.py QUESTION ANSWER ... -- COMMAND ...``.

Each QUESTION is a piece of the text that the command prints when it waits; answers are typed in the order given, each
once. What a person would see is printed. Programs such as ``ssh`` ask at the terminal, not on standard input.
"""

import os
import pty
import sys


def main(arguments: list[str]) -> int:
    split = arguments.index("--")
    pairs, command = arguments[:split], arguments[split + 1 :]
    answers = list(zip(pairs[::2], pairs[1::2], strict=True))
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    seen = ""
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the last program at the terminal has gone
            break
        if not data:
            break
        text = data.decode(errors="replace").replace("\r", "")
        sys.stdout.write(text)
        sys.stdout.flush()
        seen += text
        if answers and answers[0][0] in seen:
            _, answer = answers.pop(0)
            os.write(terminal, answer.encode() + b"\n")
            seen = ""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
