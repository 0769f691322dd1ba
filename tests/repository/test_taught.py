"""Nothing is used before it is taught: every listed word, in the order of the contents.

``taught.yml`` names the chapter that teaches a word. An earlier page may use it only if the line in which it first
does (a paragraph, an item, a row of a table) links to that chapter or to a section of it, or if the list says with
which words the page explains it there itself. What a page shows from files and sessions counts, too.
"""

import re
from functools import cache

from workshop.book import sessions
from workshop.book.toc import pages
from workshop.jobs.dialect import dialects
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

FILE = REPO / "tests" / "repository" / "taught.yml"
LISTED = read_yaml(FILE)
WORDS = LISTED["words"]
# Looked up, not read from front to back.
REFERENCE = {
    "index",
    "troubleshooting",
    "workshop_command",
    "schedulers_reference",
    "clusters_reference",
    "glossary",
    "references",
    "teaching",
    "adapting",
}
ORDER = [page.stem for page in pages() if page.stem not in REFERENCE]
SCRIPTS = (".sbatch", ".pbs", ".lsf")


def prose(text: str) -> str:
    """A page without what looks ahead or back: questions, objectives, needs, notes for instructors, sources."""
    text = text.split("\n## Sources")[0]
    text = re.sub(
        r"^:{3,}\{admonition\} (?:Questions|Objectives|For instructors)\n.*?^:{3,}$", "", text, flags=re.M | re.S
    )
    return re.sub(r"^\*\*Teaching\*\*.*$", "", text, flags=re.M)


@cache
def lines(page: str) -> tuple[str, ...]:
    """Lines of a page's prose; captions of exercises and the like are among them."""
    text = prose((REPO / "book" / f"{page}.md").read_text())
    return tuple(line for line in text.splitlines() if not re.match(r"`{3,}|:{3,}\{|:\w[\w-]*:", line))


@cache
def code(page: str) -> tuple[str, ...]:
    """Lines of the job scripts and of the commands in sessions that a page shows."""
    text = prose((REPO / "book" / f"{page}.md").read_text())
    found = []
    for name in re.findall(r"\{literalinclude\} \.\./(\S+)", text):
        if name.endswith(SCRIPTS):
            found += (REPO / name).read_text().splitlines()
    for name in re.findall(r"^`{3,}\{session\} (\S+)", text, flags=re.M):
        shown, _ = sessions.shown(sessions.recorded_path(sessions.FOLDER / f"{name}.t"))
        found += [line for line in shown.splitlines() if line[:2] in ("$ ", "> ")]
    return tuple(found)


@cache
def labels(page: str) -> frozenset[str]:
    return frozenset(re.findall(r"^\(([\w-]+)\)=$", (REPO / "book" / f"{page}.md").read_text(), flags=re.M))


def pattern(word: str) -> re.Pattern[str]:
    """The word alone, with a plural; ``mark``: how pages write it where they mean the word of the course."""
    own = WORDS[word].get("mark", rf"{re.escape(word)}s?")
    return re.compile(rf"(?<![\w./-]){own}(?![\w-])")


def leads_to(line: str, chapter: str) -> bool:
    """Does the line link to the chapter, or to one of its sections?"""
    targets = re.findall(r"\]\(([^)\s]+)\)", line)
    sections = {f"#{label}" for label in labels(chapter)}
    return any(target.split("#")[0] == f"{chapter}.md" or target in sections for target in targets)


@cache
def first(word: str, page: str) -> str | None:
    """The line in which a page first uses the word, in its text before its scripts and commands."""
    found = pattern(word)
    return next((line for line in (*lines(page), *code(page)) if found.search(line)), None)


def too_early(word: str, order: list[str] = ORDER) -> list[str]:
    """``PAGE: LINE`` of each page that uses a word before the chapter that teaches it, and does not say where."""
    entry = WORDS[word]
    found = []
    for page in order[: order.index(entry["taught"])]:
        line = first(word, page)
        if line is None or leads_to(line, entry["taught"]):
            continue
        explained = entry.get("explained", {}).get(page)
        whole = "\n".join(lines(page))
        if explained is None or explained not in whole:
            found.append(f"{page}: {line.strip()[:160]}")
    return found


def test_each_word_is_taught_before_it_is_used():
    assert {word: found for word in WORDS if (found := too_early(word))} == {}


def test_the_chapter_that_teaches_a_word_uses_it():
    assert [word for word in WORDS if not pattern(word).search("\n".join(lines(WORDS[word]["taught"])))] == []


def test_no_explanation_is_listed_in_vain():
    """A page that no longer uses the word, or that comes later now, is not listed."""
    vain = []
    for word, entry in WORDS.items():
        earlier = ORDER[: ORDER.index(entry["taught"])]
        needed = [page for page in earlier if (line := first(word, page)) and not leads_to(line, entry["taught"])]
        vain += [f"{word}: {page}" for page in entry.get("explained", {}) if page not in needed]
    assert vain == []


def test_every_word_of_the_glossary_is_listed():
    text = (REPO / "book" / "glossary.md").read_text()
    terms = re.findall(r"^(\S.*)\n  \S", text[text.index("```{glossary}") :], flags=re.M)
    names = {name.removeprefix("to ").strip() for term in terms for name in term.split(",")}
    assert len(names) >= 50
    assert {LISTED["as"].get(name, name) for name in names} - set(WORDS) == set()


def test_every_command_of_a_scheduler_on_a_page_is_listed():
    commands = set().union(*(dialect.all_commands for dialect in dialects().values()))
    text = "\n".join(line for page in ORDER for line in (*lines(page), *code(page)))
    used = {name for name in commands if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", text)}
    assert len(used) >= 30
    assert used - set(WORDS) == set()


def options(page: str) -> set[str]:
    """Options of Slurm's commands in the scripts and commands that a page shows."""
    directives = {match[1] for line in code(page) if (match := re.match(r"#SBATCH (--[\w-]+)", line))}
    command = r"(?<![\w./-])(?:sbatch|srun|salloc)((?: --[a-z][\w-]+(?:=\S+)?)+)"
    typed = re.findall(command, "\n".join(code(page)))
    found = directives | {option for options in typed for option in re.findall(r"(?<= )--[a-z][\w-]+", options)}
    return found - set(LISTED["misspelt"])


def test_every_option_is_spoken_of_where_it_is_first_shown(say):
    """Or earlier; or the page links to the chapter that the list names."""
    said, shown, silent = "", set(), []
    for page in ORDER:
        said += "\n".join(lines(page)) + "\n"
        new = options(page) - shown
        shown |= new
        silent += [f"{page}: {name}" for name in sorted(new) if name not in WORDS and not named(name, said)]
    say(f"options of Slurm's commands that pages show: {len(shown)}")
    assert len(shown) >= 35
    assert silent == []


def named(option: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text))


def test_the_list_does_not_shrink(say):
    say(f"words, commands and options that are taught before they are used: {len(WORDS)}")
    assert len(WORDS) >= LISTED["at_least"]


def test_a_word_that_comes_too_early_is_found():
    """In the older order data were staged by jobs, and *One device* spoke of DDP."""
    older = ["files_and_data", *[page for page in ORDER if page != "files_and_data"]]
    assert [entry.split(":")[0] for entry in too_early("sbatch", older)][:1] == ["files_and_data"]
