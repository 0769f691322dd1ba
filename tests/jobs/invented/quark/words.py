"""How qk cuts a directive line into words: at blanks."""


def split(text: str) -> list[str]:
    return text.split()
