"""Every game through the match: each viewer gets exactly the events that are meant for it, and its own view."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import BUCKET, Event, Seat, timed_kinds
from referee.kernel.turns import advance, settle
from referee.match.delivery import deliver
from referee.match.match import Match
from referee.match.outputs import Asked, Output, Told, Verdict
from referee.match.plan import MatchPlan
from tests.conformance import toy
from tests.conformance.laws.telling import told_to
from tests.conformance.tables import Table, cover, every_table, tables_in

SECRET = secret_from_seed("matches")
TABLES = [*cover(every_table(), least=4), *cover(tables_in(toy.__name__), least=4)]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_viewer_is_told_what_is_meant_for_it_and_nothing_else(table: Table) -> None:
    """What asks and tellings bring to a seat, or to the public, are the game's events for it: all, in order, once."""
    heard, _, steps = watch(table)
    events = replay(table, steps)

    assert {viewer: told_to(viewer, events) for viewer in table.viewers} == {
        viewer: tuple(heard[viewer]) for viewer in table.viewers
    }


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_seat_is_asked_with_its_own_view(table: Table) -> None:
    """The view in an ask is what the game shows to the seat that is asked."""
    _, asked, steps = watch(table)
    shown: list[tuple[Seat, object]] = []
    replay(table, steps, shown)

    assert shown == asked


Steps = list[tuple[dict[Seat, int], dict[Seat, int]]]
"""Of each turn the answers, and when those to timed asks arrived."""


def watch(table: Table) -> tuple[dict[Seat | None, list[Event]], list[tuple[Seat, object]], Steps]:
    """Play a match at random; returns the events each viewer got, the views asked with, and the answers by turn."""
    game = table.game
    players = tuple(f"player {seat}" for seat in range(table.seats))
    plan = MatchPlan(game.name, players, "m", SECRET, table.variant)
    match = Match(game, plan, spectators=True)
    rng = random.Random(7)
    heard: dict[Seat | None, list[Event]] = defaultdict(list)
    asked: list[tuple[Seat, object]] = []
    steps: Steps = []
    match.begin(0)
    for seat in range(table.seats):
        match.ready(seat, 0)
    turn: dict[Seat, tuple[int, int, str]] = {}
    timed = timed_kinds(game, table.variant)

    class Viewer:
        """Notes what any seat is told and asked."""

        def send(self, output: Output) -> None:
            if isinstance(output, Asked):
                asked.append((output.seat, output.view))
                turn[output.seat] = (output.ask, rng.randrange(len(output.options)), output.kind)
            if isinstance(output, (Asked, Told)):
                heard[output.seat] += output.events

    def collect() -> None:
        deliver(match, [Viewer()] * table.seats, public=heard[None].extend)

    while not match.over:
        turn.clear()
        collect()
        arrivals = {seat: rng.randrange(3) for seat, (*_, kind) in turn.items() if kind in timed}
        steps.append(({seat: index for seat, (_, index, _) in turn.items()}, arrivals))
        asked_at = match.last
        for seat, (ask, index, _) in list(turn.items()):
            at = asked_at + arrivals.get(seat, 0) * BUCKET + rng.randrange(BUCKET)
            if match.answer(seat, ask, index, at) is not Verdict.ACCEPTED:
                pytest.fail(f"seat {seat} may not answer {index}")
    collect()
    return heard, asked, steps


def replay(table: Table, steps: Steps, shown: list[tuple[Seat, object]] | None = None) -> list[Event]:
    """All events of the same answers, by the rules alone; `shown` gets the view of each seat with a choice."""
    game, chance = table.game, Sealed(SECRET)
    state = game.start(table.seats, table.variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    for step, arrivals in steps:
        if shown is not None:
            shown += [(ask.seat, game.view(state, ask.seat)) for ask in turn.asks]
        answers = {seat: turn.options[seat][index] for seat, index in step.items()}
        turn = advance(game, state, turn, answers, chance, events, arrivals=arrivals)
    return events
