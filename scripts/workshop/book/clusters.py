"""A page for each cluster that the site offers, made from its file when the sources are staged."""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import yaml

from workshop import sites
from workshop.book import filled
from workshop.sites import ACCOUNT_WORDS, Site, scheduler_name, show_time
from workshop.sites.show import checked

FOLDER = "clusters"
# The page below which they stand in the contents.
ABOVE = "book/clusters_reference"
_WAITING = {"historical": "warning", "unofficial-sources": "warning"}
_LOGIN = {
    "ondemand": "Open OnDemand",
    "jupyterhub": "JupyterHub",
    "portal": "Portal",
    "desktop": "Desktop",
    "transfer": "To copy files",
    "access": "To get in",
    "network": "Network",
    "mfa": "Second factor",
}
_RULES = {
    "node": "asked for each node",
    "with-cores": "comes with the cores: no option",
    "with-gpus": "comes with the GPUs: no option",
    "per-slot": "counts for every slot",
    "whole-node": "all of the node's",
    "shared": "shared by jobs",
    "multi-node-exclusive": "whole for jobs of several nodes",
    "any": "anywhere",
    "advised": "better from",
    "only": "only below",
    "not-home": "not in the home directory",
}
_INTERNET = {"open": "reach the internet", "none": "have no internet", "proxy": "reach the internet by a proxy"}


def documents() -> list[str]:
    """The pages' names, as those of the contents, in the order of the table of clusters."""
    return [f"{FOLDER}/{site.name}" for site in sites.in_order()]


def staged() -> dict[str, bytes]:
    """Files of the staged copy: each page's Markdown."""
    return {f"{FOLDER}/{site.name}.md": page(site).encode() for site in sites.in_order()}


def contents(toc: str) -> str:
    """``_toc.yml`` with the pages below the table of clusters, where the book has it."""
    parsed = yaml.safe_load(toc)
    chapters = [chapter for part in parsed.get("parts", []) for chapter in part["chapters"]]
    for chapter in chapters:
        if chapter["file"] == ABOVE:
            chapter["sections"] = [{"file": name} for name in documents()]
    return yaml.safe_dump(parsed, sort_keys=False, allow_unicode=True)


def page(site: Site) -> str:
    """The Markdown of one site's page."""
    parts = [
        f"# {site.title}",
        _html(f"<p>{' · '.join(_who(site))}</p>"),
        _state(site),
        _html(
            f'<p><a class="btn btn-primary" href="../book/first_job.html?site={site.name}">Show the job scripts of all '
            f"pages for {escape(site.title)}</a></p>"
        ),
    ]
    for title, keys, write in SECTIONS:
        text = write(site)
        if text:
            parts += [f"## {title}", text, _read_in(site, keys)]
    return "\n\n".join([*parts, _scripts(site), _sources(site)]) + "\n"


# ---- Pieces of HTML: what site files say is text, whatever Markdown would make of it


def _html(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```"


def _text(value: Any) -> str:
    """Text of a site file; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(str(value), quote=False))


def _code(value: Any) -> str:
    words = "".join(f'<span class="pre">{escape(word, quote=False)}</span> ' for word in str(value).split())
    return f'<code class="docutils literal notranslate">{words.rstrip()}</code>'


def _list(items: list[str]) -> str:
    return _html("<ul>\n" + "\n".join(f"<li><p>{item}</p></li>" for item in items) + "\n</ul>") if items else ""


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Columns in which no row has anything are left out."""
    used = [number for number in range(len(head)) if any(row[number] for row in rows)]
    cells = [["th", *(head[number] for number in used)], *(["td", *(row[number] for number in used)] for row in rows)]
    lines = ["<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in row) + "</tr>" for kind, *row in cells]
    body = f"<thead>{lines[0]}</thead>\n<tbody>\n" + "\n".join(lines[1:]) + "\n</tbody>"
    return _html(f'<div class="pst-scrollable-table-container"><table class="table">\n{body}\n</table></div>')


def _read_in(site: Site, keys: tuple[str, ...]) -> str:
    """The sources of a section's facts, and the day on which the oldest of them was checked."""
    facts = [fact for fact in site.facts if fact.key.partition(".")[0] in keys]
    names = dict.fromkeys(name for fact in facts for name in fact.sources)
    links = [_source(site.sources[name]) for name in names]
    day = min((checked(site, fact) for fact in facts), default="")
    return _html(f'<p class="wk-recorded">From {", ".join(links)}; checked {day}.</p>') if links else ""


def _source(source: dict[str, Any]) -> str:
    title = _text(source["title"])
    return f'<a href="{escape(source["url"])}">{title}</a>' if "url" in source else f"{title}, {_code(source['file'])}"


# ---- Sections


def _who(site: Site) -> list[str]:
    version = site.get("scheduler.version")
    scheduler = site.get("scheduler.product") or scheduler_name(site.scheduler)
    return [_text(part) for part in (site.get("where"), " ".join(filter(None, [scheduler, version]))) if part]


def _state(site: Site) -> str:
    kind = _WAITING.get(site.status, "note")
    text = _text(site.status_text)
    return f":::{{admonition}} State\n:class: {kind}\n{_html(f'<p>{text}.</p>')}\n:::"


def _login(site: Site) -> str:
    hosts = "\n".join(f"ssh USER@{host}" for host in site.get("login.hosts", []))
    items = []
    for key, title in _LOGIN.items():
        value = site.get(f"login.{key}")
        if value:
            items += [f"{title}: {_linked(one)}" for one in (value if isinstance(value, list) else [value])]
    return "\n\n".join(filter(None, [f"```bash\n{hosts}\n```" if hosts else "", _list(items)]))


def _linked(value: Any) -> str:
    return f'<a href="{escape(value)}">{_text(value)}</a>' if str(value).startswith("http") else _text(value)


def _rules(site: Site) -> str:
    return _list([*_account(site), *_time(site), *_resources(site), *_place(site)])


def _account(site: Site) -> Iterator[str]:
    rule, form = site.get("account.rule"), site.get("account.form")
    if rule:
        shown = f", such as {_code(form)}" if form else ""
        jobs = f"; for GPU jobs {_code(site.get('account.gpu_form'))}" if site.get("account.gpu_form") else ""
        found = f". {_code(site.get('account.find'))} lists yours" if site.get("account.find") else ""
        yield f"Account: {ACCOUNT_WORDS[rule]}{shown}{jobs}{found}."


def _time(site: Site) -> Iterator[str]:
    words = {
        "max": "longest",
        "min": "shortest",
        "advised_min": "better at least",
        "default": "if none is asked for",
    }
    times = [f"{word} {site.get(f'time.{key}')}" for key, word in words.items() if site.get(f"time.{key}")]
    if times or site.get("time.note"):
        note = f" {_text(site.get('time.note'))}" if site.get("time.note") else ""
        yield f"Walltime: {'; '.join(times) or 'by partition'}.{note}".replace(": ;", ":")


def _resources(site: Site) -> Iterator[str]:
    if site.get("gpu.request"):
        also = "".join(f"; or {_text(one) if ' ask' in one else _code(one)}" for one in site.get("gpu.also", []))
        yield f"GPUs of a node: {_code(site.get('gpu.request'))}{also}."
    for key, title in (("memory", "Memory"), ("sharing", "Nodes")):
        if site.get(f"{key}.rule"):
            note = f" {_text(site.get(f'{key}.note'))}" if site.get(f"{key}.note") else ""
            yield f"{title}: {_RULES[site.get(f'{key}.rule')]}.{note}"
    for key, title in (("always", "Each job script must have"), ("never", "Not taken")):
        if site.get(f"directives.{key}"):
            yield f"{title}: {', '.join(map(_code, site.get(f'directives.{key}')))}."


def _place(site: Site) -> Iterator[str]:
    if site.get("run_from.rule"):
        path = f" {_code(site.get('run_from.path'))}" if site.get("run_from.path") else ""
        why = f" {_text(site.get('run_from.why'))}" if site.get("run_from.why") else ""
        yield f"Jobs start {_RULES[site.get('run_from.rule')]}{path}.{why}"
    if site.get("network.compute_internet"):
        note = f" {_text(site.get('network.note'))}" if site.get("network.note") else ""
        yield f"Compute nodes {_INTERNET[site.get('network.compute_internet')]}.{note}"


def _partitions(site: Site) -> str:
    rows = [
        [
            _code(one.name) + (" (default)" if one.default else ""),
            "" if one.use == "any" else one.use,
            show_time(one.max_time) if one.max_time else "",
            " to ".join(str(number) for number in (one.min_nodes, one.max_nodes) if number),
            _text(one.note or ""),
        ]
        for one in site.partitions
    ]
    return _table(["Name", "For", "Longest job", "Nodes", "Note"], rows) if rows else ""


def _nodes(site: Site) -> str:
    rows = [
        [
            _text(node.name),
            str(node.count or ""),
            str(node.cores or ""),
            f"{node.memory / 1024**3:.0f} GiB" if node.memory else "",
            _gpus(node),
            _code(node.partition) if node.partition else "",
        ]
        for node in site.nodes
    ]
    return _table(["Kind", "Number", "Cores", "Memory", "GPUs", "Partition"], rows) if rows else ""


def _gpus(node: sites.NodeKind) -> str:
    size = f" of {node.gpu_memory // 1024**3} GB" if node.gpu_memory else ""
    return f"{node.gpus} {_code(node.gpu_type) if node.gpu_type else ''}{size}".strip() if node.gpus else ""


def _software(site: Site) -> str:
    blocks = []
    for key, title in (
        ("set_up", f"Once, {site.set_up_place}"),
        ("pytorch", "In a job"),
        ("container", "For Apptainer"),
    ):
        lines = site.get(f"software.{key}")
        if lines:
            blocks += [f"{title}:", "```bash\n" + "\n".join(lines) + "\n```"]
    notes = [site.get("software.note"), site.get("containers.build"), site.get("containers.note")]
    return "\n\n".join([*blocks, _list([_text(note) for note in notes if note])]).strip()


def _storage(site: Site) -> str:
    rows = []
    for key, title in (("home", "Home"), ("project", "Project"), ("scratch", "Scratch"), ("node_local", "Node's disk")):
        place = site.get(f"storage.{key}")
        if place:
            backup = {True: "yes", False: "no"}.get(place.get("backup"), "")
            rows.append([title, _code(place["path"]), place.get("quota", ""), backup, _text(place.get("note", ""))])
    purge = _list([_text(site.get("storage.purge"))]) if site.get("storage.purge") else ""
    table = _table(["Place", "Path", "Limit", "Backup", "Note"], rows) if rows else ""
    return "\n\n".join(filter(None, [table, purge]))


def _commands(site: Site) -> str:
    own = {**site.get("commands.jobs", {}), **site.get("commands.quota", {}), **site.get("commands.interactive", {})}
    return _list([f"{_code(command)}: {_text(what)}" for command, what in own.items()])


def _notes(site: Site) -> str:
    return _list([_text(note) for note in site.get("notes", [])])


# Title, the parts of the file that it shows, what writes it.
SECTIONS: tuple[tuple[str, tuple[str, ...], Callable[[Site], str]], ...] = (
    ("Log in", ("login",), _login),
    ("Rules for jobs", ("account", "time", "gpu", "memory", "sharing", "directives", "run_from", "network"), _rules),
    ("Partitions and queues", ("partitions",), _partitions),
    ("Nodes", ("nodes",), _nodes),
    ("Software", ("software", "containers"), _software),
    ("Where files lie", ("storage",), _storage),
    ("Its own commands", ("commands",), _commands),
    ("To know", ("notes",), _notes),
)


def _scripts(site: Site) -> str:
    """Each job script of the course, filled; or why it cannot be."""
    made = filled.for_site(site)
    lines = ["## Its job scripts", "Filled and checked, not run there. Each is also in place of the generic one on the"]
    lines[-1] += " pages once you choose this cluster."
    refused = []
    for name, one in made.items():
        file = name.rpartition("/")[2]
        if "refused" in one:
            refused.append(f"{_code(file)}: {_text(one['refused'])}")
            continue
        notes = _list([_text(note) for note in [*one["warnings"], *one["notes"]]])
        code = f"```{site.scheduler}\n{one['text']}```"
        lines.append(f":::{{dropdown}} {file}\n{code}\n\n{notes}\n:::")
    if refused:
        lines += ["Not for this cluster:", _list(refused)]
    return "\n\n".join(lines) if made else ""


def _sources(site: Site) -> str:
    items = []
    for name, source in site.sources.items():
        dates = f"text of {source['dated']}, " if "dated" in source else ""
        own = "" if source.get("official", True) else ", not the site's own text"
        items.append(f"{_source(site.sources[name])} ({dates}checked {source['checked']}{own})")
    return "## Sources\n\n" + _list(items)
