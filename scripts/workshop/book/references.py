"""What the course refers to: works from ``book/references.yml`` and ``.bib``, and the chapters that link them."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from pybtex.database import Entry, parse_file
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.template import field as bibtex_field
from pybtex.style.template import sentence

from workshop.paths import REPO
from workshop.sites import EXAMPLES, TEMPLATE
from workshop.yaml_files import read_yaml

_LINK = re.compile(r"\]\((https?://[^\s)]+)\)")
# The page that lists the site files with their sources.
_SITES_PAGE = "clusters_reference"
_OWN_PAGE = "references"


def plain(url: str) -> str:
    """An address without what does not name the page: scheme, ``www.``, part of the page, slash at the end."""
    host, _, path = url.partition("://")[2].partition("#")[0].partition("/")
    return f"{host.lower().removeprefix('www.')}/{path}".rstrip("/")


def links(root: Path = REPO) -> dict[str, set[str]]:
    """Every outside address that a page links to, or a site file of the examples names → the stems of those pages.

    The other site files are each fork's own: *All clusters* lists their sources, and nobody must enter them twice.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for page in sorted((root / "book").glob("*.md")):
        if page.stem != _OWN_PAGE:
            for url in _LINK.findall(page.read_text()):
                found[url].add(page.stem)
    for path in sorted((root / "scripts" / "sites" / EXAMPLES).glob("*.yml")):
        if path.stem == TEMPLATE:
            continue
        for source in read_yaml(path).get("sources", {}).values():
            if source.get("url"):
                found[source["url"]].add(_SITES_PAGE)
    return dict(found)


@dataclass
class Work:
    """One entry of ``references.yml``, with the links that belong to it."""

    group: str
    title: str
    by: str
    about: str
    covers: list[str]
    url: str = ""
    key: str = ""
    links: dict[str, set[str]] = field(default_factory=dict)

    def chapters(self) -> set[str]:
        """Stems of the pages that link to this work."""
        return set().union(*self.links.values())


def works(root: Path = REPO) -> list[Work]:
    """All entries of ``references.yml``, in its order, without their links."""
    groups = read_yaml(root / "book" / "references.yml")
    return [Work(group=group, **entry) for group, entries in groups.items() for entry in entries]


def owner(url: str, among: list[Work]) -> Work | None:
    """The work that covers this address: the one with the longest beginning that fits."""
    address = plain(url)
    fitting = [
        (len(start), number)
        for number, work in enumerate(among)
        for start in work.covers
        if address == start or address.startswith((f"{start}/", f"{start}?"))
    ]
    return among[max(fitting)[1]] if fitting else None


def papers(root: Path = REPO) -> dict[str, Entry]:
    """The entries of ``references.bib``, by key."""
    return dict(parse_file(root / "book" / "references.bib").entries)


def paper_url(paper: Entry) -> str:
    """Where a paper is found, by its DOI or its number at arXiv."""
    if "doi" in paper.fields:
        return f"https://doi.org/{paper.fields['doi']}"
    return f"https://arxiv.org/abs/{paper.fields['eprint']}"


def worth_reading_for(paper: Entry) -> list[str]:
    """Chapters that a paper belongs to beyond those that link it (its field ``keywords``)."""
    return [name.strip() for name in paper.fields.get("keywords", "").split(",") if name.strip()]


def assigned(root: Path = REPO) -> tuple[list[Work], dict[str, set[str]], list[str]]:
    """Works with their links; links to papers (address → pages); and links that nothing covers."""
    listed = works(root)
    of_papers = {plain(paper_url(paper)) for paper in papers(root).values()}
    to_papers: dict[str, set[str]] = {}
    loose = []
    for url, pages in sorted(links(root).items()):
        work = owner(url, listed)
        if plain(url) in of_papers:
            to_papers[plain(url)] = pages
        elif work:
            work.links[url] = pages
        else:
            loose.append(url)
    return listed, to_papers, loose


def page_name(url: str) -> str:
    """A short name for one page of a work, made from its address."""
    parts = urlsplit(url)
    pieces = [unquote(piece) for piece in parts.path.split("/") if piece not in ("", "en", "index.html")]
    issue = re.search(r"/([^/]+)/(issues|pull)/(\d+)$", parts.path)
    if issue:
        return f"{issue[1]} {'issue' if issue[2] == 'issues' else 'pull request'} {issue[3]}"
    query = parse_qs(parts.query)
    if "page_id" in query:
        return f"page {query['page_id'][0]}"
    last = (query.get("topic") or query.get("title") or pieces[-1:] or [parts.netloc.removeprefix("www.")])[0]
    if last.isdigit():
        return f"page {last}" if pieces[-2] == "pages" else pieces[-2]
    if len(last) <= 2:
        return "/".join(pieces[-3:])
    last = re.sub(r"\.(html?|php|md|rst|pdf)$", "", last)
    if "ibm.com" in parts.netloc:
        return _lsf_page_name(last)
    last = re.sub(r"^(.*)\.(\d[A-Z]?)(\.in)?$", r"\1(\2)", last)  # a manual page: qsub.1B
    return last.replace("_", " ") if "/wiki/" in parts.path or query else last


def _lsf_page_name(last: str) -> str:
    """IBM's names of pages: ``bsub.__w.1`` is ``bsub -W``, ``lsf.conf.lsb_set_tmpdir.5`` a parameter."""
    last = re.sub(r"\.\d$", "", last)
    if last.startswith("lsf.conf."):
        return last.removeprefix("lsf.conf.").upper()
    option = re.fullmatch(r"([a-z]+)\.(_*)([a-z]+)", last)
    if option:
        return f"{option[1]} -{option[3].capitalize() if option[2] else option[3]}"
    return re.sub(r"^([a-z]+)\..*", r"\1", last).replace("_", " ").replace("-", " ")


def _chapter_links(stems: set[str], root: Path) -> str:
    """Links to pages of the course, in alphabetical order of their titles."""
    titles = {stem: (root / "book" / f"{stem}.md").read_text().split("\n", 1)[0].removeprefix("# ") for stem in stems}
    return ", ".join(f"[{title}]({stem}.md)" for stem, title in sorted(titles.items(), key=lambda item: item[1]))


def works_markdown(group: str, listed: list[Work], root: Path = REPO) -> str:
    """The works of one group as a definition list: what each is, which pages of it are linked, from which chapters.

    ``listed``: all works with their links, from `assigned`.
    """
    blocks = []
    for work in listed:
        if work.group != group:
            continue
        named = {}
        for url in work.links:
            named.setdefault(page_name(url), url)
        lines = [f"{work.by}: {work.about}."]
        if len(named) > 1 or not work.url:
            by_name = sorted(named.items(), key=lambda item: item[0].lower())
            lines.append("Pages: " + ", ".join(f"[{name}]({url})" for name, url in by_name) + ".")
        if work.links:
            lines.append(f"In {_chapter_links(work.chapters(), root)}.")
        title = f"[{work.title}]({work.url})" if work.url else work.title
        blocks.append(f"{title}\n: " + "\n\n  ".join(lines))
    return "\n\n".join(blocks)


class _Style(PlainStyle):
    """BibTeX's plain style, with titles in the capitals that they have in the file."""

    def format_title(self, e, which_field, as_sentence=True):
        title = bibtex_field(which_field)
        return sentence[title] if as_sentence else title


def papers_markdown(to_papers: dict[str, set[str]], root: Path = REPO) -> str:
    """The papers in alphabetical order, each with the chapters that use it and those for which it is worth reading.

    ``to_papers``: which pages link to which paper, from `assigned`.
    """
    listed = papers(root)
    blocks = []
    for formatted in _Style().format_bibliography(parse_file(root / "book" / "references.bib")):
        paper = listed[formatted.key]
        text = " ".join(formatted.text.render_as("markdown").split())
        using = to_papers.get(plain(paper_url(paper)), set())
        further = set(worth_reading_for(paper)) - using
        notes = [f"In {_chapter_links(using, root)}."] if using else []
        notes += [f"To read after {_chapter_links(further, root)}."] if further else []
        blocks.append(f"- {text} {' '.join(notes)}")
    return "\n".join(blocks)
