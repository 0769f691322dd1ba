"""Clusters as text and as JSON: a list, or one with the source of every fact."""

import textwrap
from itertools import groupby
from typing import Any

from workshop import sites
from workshop.sites.values import Fact


def summary(site: sites.Site) -> dict[str, Any]:
    """What a list of sites needs: name, title, place, scheduler, status and the status in words."""
    return {
        "name": site.name,
        "title": site.title,
        "where": site.get("where"),
        "scheduler": site.scheduler,
        "status": site.status,
        "status_text": site.status_text,
    }


def as_json(site: sites.Site) -> dict[str, Any]:
    """Everything: the summary, the values, each fact with sources and date, and the sources themselves."""
    facts = [
        {"key": fact.key, "value": fact.value, "sources": list(fact.sources), "checked": checked(site, fact)}
        for fact in site.facts
    ]
    values = {key: value for key, value in site.values.items() if key != "sources"}
    return {**summary(site), "values": values, "facts": facts, "sources": site.sources}


def checked(site: sites.Site, fact: Fact) -> str:
    """The day on which a fact was checked: its own date, else the oldest of its sources' dates."""
    return fact.checked or min(site.sources[name]["checked"] for name in fact.sources)


def overview(found: list[sites.Site]) -> str:
    """One line for each site, its status below it."""
    width = max(len(site.name) for site in found)
    lines = []
    for site in found:
        lines.append(f"{site.name:<{width}}  {sites.scheduler_name(site.scheduler):<8} {site.title}")
        lines.append(_wrap(site.status_text, width + 2))
    return "\n".join([*lines, "", "workshop sites NAME shows the facts of one cluster and their sources."])


def describe(site: sites.Site) -> str:
    """All facts of one site with the short names of their sources, then the sources."""
    head = [
        f"{site.title} ({site.name}), {sites.scheduler_name(site.scheduler)}",
        f"Status: {site.status_text}.",
    ]
    lines = [_wrap(line, 0) for line in head]
    for section, facts in groupby(site.facts, key=lambda fact: fact.key.partition(".")[0]):
        if section not in ("status", "status_note"):
            lines += ["", section, *_section_lines(site, section, list(facts))]
    return "\n".join([*lines, "", "sources", *(_source_line(site, name) for name in site.sources)])


def _section_lines(site: sites.Site, section: str, facts: list[Fact]) -> list[str]:
    if section in ("nodes", "partitions"):
        return [_entry_line(list(group)) for _, group in groupby(facts, key=lambda fact: fact.key.split(".")[1])]
    return [_fact_line(fact) for fact in facts]


def _entry_line(facts: list[Fact]) -> str:
    """One kind of node or one partition: its facts on one line, called by its name."""
    name = next(str(fact.value) for fact in facts if fact.key.endswith(".name"))
    rest = [fact for fact in facts if not fact.key.endswith(".name")]
    told = ", ".join(f"{fact.key.split('.', 2)[2].replace('_', ' ')} {_word(fact.value)}" for fact in rest)
    marks = ", ".join(dict.fromkeys(name for fact in facts for name in fact.sources))
    return _wrap(f"{name}: {told} [{marks}]", 2)


def _fact_line(fact: Fact) -> str:
    label = fact.key.partition(".")[2]
    marks = f"[{', '.join(fact.sources)}]"
    if isinstance(fact.value, list):
        items = "".join(f"\n      {item}" for item in fact.value)
        return f"  {label or 'list'} {marks}:{items}"
    plain = not label or label.isdigit()
    return _wrap(f"{_word(fact.value)} {marks}" if plain else f"{label}: {_word(fact.value)} {marks}", 2)


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _source_line(site: sites.Site, name: str) -> str:
    source = site.sources[name]
    dates = [f"text of {source['dated']}"] if "dated" in source else []
    notes = [*dates, f"checked {source['checked']}"]
    if not source.get("official", True):
        notes.append("not the site's own text")
    if "copy" in source:
        notes.append(f"read in: {source['copy']}")
    first = f"  {name}: {source['title']}\n      {source.get('url') or source['file']}"
    return first + "\n" + _wrap("; ".join(notes), 6)


def _wrap(text: str, indent: int) -> str:
    pad = " " * indent
    return textwrap.fill(
        text,
        100,
        initial_indent=pad,
        subsequent_indent=pad + ("  " if indent == 2 else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )
