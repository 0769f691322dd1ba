"""No option is lost: each ends in one of three lists when a script is translated or filled, with a reason for a change.

The scripts are made from the readers' own tables (``scripts_of_grammar``), and those of the project.
"""

import json
from collections import Counter

import pytest
from amount import examples
from click.testing import CliRunner
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jobfiles import ENDINGS, path_of, scripts_of
from scripts_of_grammar import options, scripts
from site_truth import kept_by_forks

from workshop import sites
from workshop.cli.fill import command
from workshop.jobs.launch.options import each_once, options_of
from workshop.jobs.model import Script
from workshop.jobs.pieces import pieces
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_script, read_text
from workshop.jobs.rules.base import Context
from workshop.jobs.translate import CannotTranslate, translate
from workshop.sites.fill import CannotFill, Filled, fill

SITES = {
    scheduler: [site for site in [*sites.all_sites(), sites.load_site(sites.TEMPLATE)] if site.scheduler == scheduler]
    for scheduler in ENDINGS
}
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


def given_options(script: Script) -> Counter:
    """(place, line, text) of each option of header and launchers."""
    found = Counter(("header", piece.line, piece.written) for piece in pieces(script))
    context = Context(script, Profile())
    for launch in each_once(context.launches):
        found.update(
            ("launch", one.line, f"{one.program} {one.written}") for one in options_of(launch, context.reading.text)
        )
    return found


def listed(lists) -> Counter:
    return Counter((fate.place, fate.line, fate.written) for fate in lists.all)


def wrong_in(result: Filled) -> list[str]:
    """What the lists of a filled script do not say, or say without its being so."""
    source, lists = result.source, result.lists
    new = read_text(result.text, source.scheduler)
    said = Counter(one for piece in pieces(new) for one in piece.says)
    meant = {(piece.line, piece.written): piece.says for piece in pieces(source)}
    found = [] if listed(lists) == given_options(source) else ["not each option is in one list"]
    found += [f"no reason: {fate.written}" for fate in (*lists.changed, *lists.left_out, *result.added) if not fate.why]
    found += [f"nothing in its place: {fate.written}" for fate in lists.left_out if not fate.nearest]
    for fate in (one for one in lists.carried if one.place == "header"):
        if Counter(meant[fate.line, fate.written]) - said:
            found.append(f"carried, but not there: {fate.written}")
    return found


@pytest.mark.parametrize(("scheduler", "fewest"), [("slurm", 150), ("pbs", 30), ("lsf", 60)])
def test_the_generator_knows_the_options(scheduler, fewest):
    assert len(options(scheduler)) >= fewest


@pytest.mark.parametrize("scheduler", ENDINGS)
@settings(max_examples=examples(120), deadline=None, suppress_health_check=SLOW)
@given(data=st.data())
def test_translate_puts_each_option_into_one_list(scheduler, data):
    script = read_text(data.draw(scripts(scheduler)), scheduler)
    to = data.draw(st.sampled_from([one for one in ENDINGS if one != scheduler]))
    try:
        result = translate(script, to)
    except CannotTranslate:
        assume(False)
    assert listed(result.lists) == given_options(script), script.text
    assert all(fate.why for fate in (*result.lists.changed, *result.lists.left_out)), script.text


@pytest.mark.parametrize("scheduler", ENDINGS)
@settings(max_examples=examples(120), deadline=None, suppress_health_check=SLOW)
@given(data=st.data())
def test_fill_puts_each_option_into_one_list_and_filling_twice_is_filling_once(scheduler, data):
    text = data.draw(scripts(scheduler))
    site = data.draw(st.sampled_from(SITES[scheduler]))
    wishes = data.draw(st.sampled_from([{}, {"account": "mine", "mail": "you@example.org"}]))
    try:
        result = fill(text, site, **wishes)
    except CannotFill:
        assume(False)
    assert wrong_in(result) == [], (text, result.text)
    again = fill(result.text, site, **wishes)
    assert again.text == result.text, text
    assert not (again.lists.changed or again.lists.left_out or again.added), result.text


def test_a_script_whose_only_option_a_site_does_not_have_can_be_filled_again():
    """Without directives nothing in it says LSF any more."""
    site = sites.load_site("dtu-hpc")
    once = fill("#!/bin/bash\n#BSUB -P proj1\n\ncd /tmp\n", site)
    assert "#BSUB" not in once.text
    assert fill(once.text, site).text == once.text
    with pytest.raises(CannotFill, match="script for Slurm"):
        fill("#!/bin/bash\n\nsrun hostname\n", site)


@pytest.mark.slow
def test_each_option_of_the_course_s_scripts_is_in_one_list_at_every_site(say):
    wrong, count, kept = {}, 0, 0
    for site in (site for found in SITES.values() for site in found):
        for path in scripts_of(site.scheduler):
            try:
                result = fill(path, site)
            except CannotFill:
                continue
            count += len(result.lists.all)
            kept += len(result.lists.all) * kept_by_forks(site)
            if problems := wrong_in(result):
                wrong[f"{path.name} for {site.name}"] = problems
    say(f"fill: {count} options of the course's scripts accounted for, at all sites")
    assert wrong == {}
    assert kept > 1_500


def test_json_has_the_lists():
    path = path_of("slurm", "ddp_multi_node")
    done = CliRunner().invoke(command, [str(path), "--site", "practice", "--format", "json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["text"] == fill(path, sites.load_site("practice")).text
    options_told = [one for name in ("carried", "changed", "left_out") for one in told[name]]
    assert len(options_told) == given_options(read_script(path)).total()
    assert all(one["why"] for one in told["changed"] + told["left_out"])
