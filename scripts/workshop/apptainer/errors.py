"""What can go wrong with Apptainer on this machine."""


class ApptainerError(Exception):
    """Something is missing or failed; ``mend`` says what to do."""

    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(f"{problem}\nWhat to do: {mend}")


class FetchError(ApptainerError):
    """The packages could not be fetched: a fault of the network, not of the project."""
