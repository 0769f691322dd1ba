"""The build fails for a warning, again in the second run, and does nothing where nothing changed."""

import resource

import pytest


def cpu_seconds() -> float:
    """CPU time of the programs that this test has run: on a busy machine they wait, but take no more of it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
def test_second_build_does_nothing(tiny):
    first = tiny.run("book", "build")
    assert first.returncode == 0, first.stdout
    page = tiny.root / "_build" / "html" / "book" / "one.html"
    # Two dollar signs in a sentence are no formula: a formula would load MathJax from another host.
    assert "$HOME and $PATH" in page.read_text()
    assert "mathjax" not in page.read_text().lower()
    before = page.stat().st_mtime_ns
    started = cpu_seconds()
    second = tiny.run("book", "build")
    assert "Nothing has changed" in second.stdout
    assert cpu_seconds() - started < 3
    assert page.stat().st_mtime_ns == before
    # What makes the pages has changed: all are made again.
    code = tiny.root / "scripts" / "workshop" / "book" / "directives.py"
    code.write_text(code.read_text() + "# changed\n")
    assert tiny.run("book", "build").returncode == 0
    assert page.stat().st_mtime_ns > before


@pytest.mark.slow
def test_what_pages_load_is_new_where_nothing_else_changed(tiny):
    """Sphinx copies it only when it writes a page, and a page names it by its content."""
    script, built = tiny.root / "book" / "static" / "workshop.js", tiny.root / "_build" / "html"
    assert tiny.run("book", "build").returncode == 0
    page = (built / "book" / "one.html").read_text()
    script.write_text(script.read_text() + "// changed\n")
    result = tiny.run("book", "build")
    assert result.returncode == 0, result.stdout
    assert (built / "_static" / "workshop.js").read_bytes() == script.read_bytes()
    assert (built / "book" / "one.html").read_text() != page  # browsers keep what has the old name


# Each line breaks the page in its own way; behind it, what the build must say of it.
BROKEN = {
    "[nowhere](no_such_page.md)": "no_such_page",
    "[no section](#no-such-section)": "no-such-section",
    "```{literalinclude} ../scripts/train/gone.py\n```": "gone.py",
    "```{diagram} gone_diagram\n```": "gone_diagram.svg",
    "```{session} gone_session\n```": "gone_session.t",
    "```{exercise} gone/exercise\nTask\n```": "starter",
    "```{no-such-directive}\n```": "no-such-directive",
}


def test_broken_pages_fail_twice(tiny):
    """Each in a page of its own: from six pages on Sphinx reads them in several processes."""
    for number, broken in enumerate(BROKEN):
        tiny.page(f"broken_{number}", f"# Broken {number}\n\n{broken}\n")
    for _ in range(2):
        result = tiny.run("book", "build")
        assert result.returncode == 1
        assert [message for message in BROKEN.values() if message not in result.stdout] == []


@pytest.mark.slow
def test_a_page_that_left_the_book_leaves_the_site(tiny):
    tiny.run("book", "build")
    toc = tiny.root / "_toc.yml"
    toc.write_text(toc.read_text().replace("      - file: notebooks/two\n", ""))
    (tiny.root / "notebooks" / "two.ipynb").unlink()
    index = tiny.root / "index.md"
    index.write_text(index.read_text().replace(" [two](notebooks/two.ipynb)", ""))
    result = tiny.run("book", "build")
    assert result.returncode == 0, result.stdout
    assert not (tiny.root / "_build" / "html" / "notebooks" / "two.html").exists()


@pytest.mark.parametrize(("lexer", "word"), [("SlurmLexer", "SBATCH"), ("PbsLexer", "PBS"), ("LsfLexer", "BSUB")])
def test_only_directives_are_highlighted_as_such(lexer, word):
    from pygments.token import Keyword

    from workshop.book import lexers

    text = f"#!/bin/bash\n#{word} one\n##{word} two\n# {word} three\n"
    found = [
        value.strip()
        for _, kind, value in getattr(lexers, lexer)().get_tokens_unprocessed(text)
        if kind is Keyword.Pseudo
    ]
    assert found == [f"#{word} one"]
