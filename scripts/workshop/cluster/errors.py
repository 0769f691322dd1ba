"""The one exception that the practice cluster raises for situations that a user can mend."""


class ClusterError(Exception):
    """Something on this machine keeps the practice cluster from working.

    Args:
        problem: what is wrong and where, one or two plain sentences.
        mend: what to do about it, ideally a command to copy.
    """

    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(f"{problem}\n{mend}")
        self.problem = problem
        self.mend = mend
