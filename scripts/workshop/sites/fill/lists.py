"""What `fill` made of each option of a script: the options before and after, and the reasons that the plan holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from workshop.jobs.fates import Fate, Lists
from workshop.jobs.launch.options import each_once, options_of
from workshop.jobs.model import Script
from workshop.jobs.pieces import Piece, pieces
from workshop.jobs.profile import Profile
from workshop.jobs.rules.base import Context
from workshop.sites.fill.plan import Plan, Reason


def lists_of(before: Script, after: Script, plan: Plan) -> tuple[Lists, list[Fate]]:
    """Each option of header and launchers in one list, and what the filled script has beyond them."""
    found, added = _header(before, after, plan)
    found.add(_launchers(before, after, plan))
    return found, added


def _header(before: Script, after: Script, plan: Plan) -> tuple[Lists, list[Fate]]:
    found, new = Lists(), pieces(after)
    there = Counter(said for piece in new for said in piece.says)
    changed: set[str] = set()
    for piece in pieces(before):
        if not Counter(piece.says) - there:
            there -= Counter(piece.says)
            found.carried.append(Fate(piece.line, "header", piece.written))
            continue
        reason = _reason(piece, plan)
        kept = _names(piece) & {name for other in new for name in _names(other)}
        fate = Fate(piece.line, "header", piece.written, reason.text, "" if kept else reason.nearest)
        (found.changed if kept or _moved(piece, plan, new) else found.left_out).append(fate)
        changed |= _names(piece) | _same_reason(piece, plan)
    added = [piece for piece in new if Counter(piece.says) & there and not _names(piece) & changed]
    return found, [Fate(one.line, "header", one.written, _reason(one, plan).text) for one in added]


def _names(piece: Piece) -> set[str]:
    """The options that a piece gives; those of PBS's ``-l`` with the name of the resource."""
    return {_name(option, value) for option, value in piece.says}


def _name(option: str, value: str) -> str:
    if option != "-l":
        return option
    return f"-l {value.removeprefix('select=').partition('=')[0]}" if "=" in value else "-l select"


def _reason(piece: Piece, plan: Plan) -> Reason:
    return next((plan.reasons[name] for name in sorted(_names(piece)) if name in plan.reasons), Reason(""))


def _same_reason(piece: Piece, plan: Plan) -> set[str]:
    """The options that one reason names together: one of them stands in the place of another."""
    text = _reason(piece, plan).text
    return {name for name, reason in plan.reasons.items() if text and reason.text == text}


def _moved(piece: Piece, plan: Plan, new: Iterable[Piece]) -> bool:
    """True where another option says it now, for the same reason."""
    others = _same_reason(piece, plan) - _names(piece)
    return any(others & _names(other) for other in new)


def _launchers(before: Script, after: Script, plan: Plan) -> Lists:
    found = Lists()
    there = Counter((one.program, one.written) for one in _options(after))
    for one in _options(before):
        shown = f"{one.program} {one.written}"
        if there[one.program, one.written] > 0:
            there[one.program, one.written] -= 1
            found.carried.append(Fate(one.line, "launch", shown))
            continue
        own = plan.reasons.get(f"{one.program} {one.field}")
        reason = own or plan.reasons.get(one.program, Reason(""))
        fate = Fate(one.line, "launch", shown, reason.text, own.nearest if own else "")
        (found.left_out if own else found.changed).append(fate)
    return found


def _options(script: Script) -> list:
    context = Context(script, Profile())
    launches = each_once(context.launches)
    return [one for launch in launches for one in options_of(launch, context.reading.text)]
