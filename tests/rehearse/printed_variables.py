"""Reading what a job printed."""


def variables(text: str) -> dict[str, str]:
    """What ``env`` printed, up to a line that is no assignment."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line.split(" ")[0])
