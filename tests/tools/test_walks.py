"""The count of functions on the four walks: what counts as one, and where each walk begins and ends."""

from __future__ import annotations

import sys

import pytest

from referee.kernel import plain, registry
from tools import walks
from tools.walks import Function, Trace


def traced(trace: Trace) -> None:
    """Call two functions of Kumite, one of them twice, and one of Python's own."""
    for _ in range(2):
        plain.canonical({"a": [1, 2]})
    registry.names()
    sorted([2, 1])


def test_a_function_of_ours_counts_once_and_others_do_not() -> None:
    """Whether it is called once or twice."""
    trace = walks.opened_trace()
    with walks.traced(trace):
        traced(trace)

    found = trace.functions()
    assert Function("referee.kernel.plain", "canonical") in found
    assert Function("referee.kernel.registry", "names") in found
    assert len(found) == len(set(found))
    assert all(function.module.split(".")[0] in walks.PACKAGES for function in found)
    assert sys.getprofile() is None


def test_what_is_entered_while_the_trace_is_closed_does_not_count() -> None:
    """The windows of a walk are what counts."""
    trace = Trace()
    with walks.traced(trace):
        traced(trace)

    assert trace.functions() == []


def test_the_walk_of_a_record_leads_from_its_lines_to_the_end_of_the_audit() -> None:
    """Reading, the hash chain, the replay of the rules and the commitment are on it; twice the same is found."""
    found = walks.record()
    modules = {function.module for function in found}

    assert {"referee.match.record", "referee.match.verify", "referee.match.replay", "referee.kernel.chance"} <= modules
    assert found == walks.record()


def test_the_walk_of_a_rating_leads_from_the_store_through_the_fit_to_the_table() -> None:
    """The results are rated anew: the published ratings do not count as up to date."""
    modules = {function.module for function in walks.rating()}

    assert {"ladder.ratings.plackett_luce", "ladder.ratings.intervals"} <= modules
    assert any(module.startswith("ladder.store") for module in modules)
    assert any(module.startswith("ladder.cli") for module in modules)


def test_the_walk_of_a_seasons_match_leads_from_the_schedule_to_the_stored_rating() -> None:
    """Pairing, the match, its record and the fit are on it; what opens the command and the database is not."""
    found = walks.season()
    modules = {function.module for function in found}

    assert {"ladder.pairing.planned", "referee.match.record", "ladder.ratings.plackett_luce"} <= modules
    assert not [function for function in found if function.name.endswith("add_to")]


@pytest.mark.slow
def test_the_walk_of_a_decision_leads_from_the_stream_through_the_store_to_the_stream() -> None:
    """An answer is judged, recorded, stored and followed by an ask; pings and the loop's own beat are not on it."""
    found = walks.decision()
    modules = {function.module for function in found}

    assert {"referee.transport.service", "referee.match.match", "referee.match.record"} <= modules
    assert any(module.startswith("ladder.store") for module in modules)
    assert not [function for function in found if "ping" in function.name or function.name == "Turns.select"]
