"""The traffic of a whole followed match, byte for byte: the same in every world that looks the same to the public."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from referee.kernel.chance import Chance, Fast, Sealed, secret_from_seed
from referee.kernel.game import AnyGame, Event, Option, Pending, Seat, timed_kinds
from referee.kernel.turns import Turn, advance, settle
from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Shown, Verdict
from referee.match.plan import MatchPlan
from referee.transport.spectators import Spectators
from referee.v1 import watch_pb2 as pb
from tests.conformance.tables import Table, cover, every_table

SECRET = secret_from_seed("followed")
TABLES = [table for table in cover(every_table(), least=4) if table.encoder is not None]
CLOCK = TimeControl.parse("60s+1s")

Steps = list[dict[Seat, int]]


class AlwaysAsking:
    """A game in which every decision is asked: a single option stands twice in its list."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def options(self, state: Any, seat: Seat) -> Sequence[Option]:
        """The options of the game, a single one twice."""
        listed = self._game.options(state, seat)
        return listed if len(listed) > 1 else [listed[0], listed[0]]

    def apply(
        self,
        state: Any,
        answers: Mapping[Seat, Option],
        chance: Chance,
        options: Mapping[Seat, Sequence[Option]] | None = None,
        arrivals: Mapping[Seat, int] | None = None,
    ) -> list[Event]:
        """As in the game."""
        return self._game.apply(state, answers, chance, {}, arrivals or {})


class Recorded:
    """The bytes that a follower of a match receives, and the answers that were given."""

    def __init__(self, game: AnyGame, table: Table, clock: TimeControl) -> None:
        players = tuple(f"player {seat}" for seat in range(table.seats))
        self.match = Match(game, MatchPlan(game.name, players, "m", SECRET, table.variant, clock=clock))
        self.traffic: list[bytes] = []
        self.asked: list[Asked] = []
        self.asks = 0
        spectators = Spectators(self.match)
        self.follower = spectators.follow(lambda: None)
        self._spectators = spectators
        self.match.begin(0)
        for seat in range(table.seats):
            self.match.ready(seat, 0)
        self._drain()

    def answer(self, asked: Asked, index: int) -> None:
        """Answer one ask."""
        assert self.match.answer(asked.seat, asked.ask, index, 0) is Verdict.ACCEPTED
        self._drain()

    def _drain(self) -> None:
        for output in self.match.drain():
            if isinstance(output, Shown | Ended):
                self._spectators.send(output)
            if isinstance(output, Asked):
                self.asked.append(output)
                self.asks += 1
            while (data := self.follower.take()) is not None:
                self.traffic.append(data)

    def play(self, rng: random.Random, choices: list[int] | None = None) -> list[int]:
        """Play to the end at random; answers to single options are not drawn. Returns the drawn choices."""
        drawn: list[int] = []
        script = None if choices is None else iter(choices)
        while not self.match.over:
            asked, self.asked = self.asked, []
            for ask in asked:
                single = len(set(ask.options)) == 1
                index = 0 if single else (rng.randrange(len(ask.options)) if script is None else next(script))
                if not single:
                    drawn.append(index)
                self.answer(ask, index)
        return drawn


def clock_of(table: Table) -> TimeControl:
    """A clock where banks must tell nothing; elsewhere the number of options is public and so are banks."""
    return CLOCK if table.game.secret_choices else NO_CLOCK


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_forced_decision_is_shown_like_a_chosen_one(table: Table) -> None:
    """Asked for every single option or for none, a match is the same messages in number, size, order and bytes."""
    skipping = Recorded(table.game, table, clock_of(table))
    choices = skipping.play(random.Random(5))
    asking = Recorded(AlwaysAsking(table.game), table, clock_of(table))
    asking.play(random.Random(5), choices)

    assert len(skipping.traffic) > 10
    assert skipping.traffic == asking.traffic
    if table.game.secret_choices:
        assert asking.asks > skipping.asks


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_traffic_of_a_match_is_that_of_every_world_that_looks_the_same(table: Table) -> None:
    """With all that the public may not know dealt anew before each message, the follower gets the same bytes."""
    true = Recorded(table.game, table, clock_of(table))
    true.play(random.Random(9))
    end = true.traffic[-1]
    imagined = Imagined(table, true)
    for luck in range(2):
        assert [*imagined.traffic(luck), end] == true.traffic
    if table.game.hidden:
        assert imagined.different > 0


class Imagined:
    """A match played again by the rules alone, each position shown from a world that looks the same to the public."""

    def __init__(self, table: Table, true: Recorded) -> None:
        self._table = table
        self._true = true
        self.different = 0
        """Number of worlds that were not the true state."""

    def traffic(self, luck: int) -> list[bytes]:
        """The messages of all positions."""
        table, game, match = self._table, self._table.game, self._true.match
        chance = Sealed(SECRET)
        spectators = Spectators(match)
        follower = spectators.follow(lambda: None)
        found: list[bytes] = []
        events: list[Event] = []
        number = 0
        veiled = False

        def show(pending: Sequence[Pending], heard: int, applied: int) -> None:
            nonlocal number, veiled
            number += 1
            still, veiled = veiled, any(kind in game.secret_pending for _, kind in pending)
            if still and veiled:
                assert not events
                return
            world = game.determinise(game.view(state, None), Fast(f"{luck}/{number}"))
            self.different += game.dump(world) != game.dump(state)
            told = tuple(event for event in events if event.audience is None)
            events.clear()
            asks = game.pending(world)
            if veiled:
                asks = tuple(Pending(seat, pending[0].kind) for seat in range(table.seats))
            spectators.send(Shown(number, told, game.view(world, None), asks, match.public.banks()))
            while (data := follower.take()) is not None:
                found.append(data)

        def shown(turn: Turn) -> Turn:
            show(turn.asks, 0, 0)
            return turn

        state = game.start(table.seats, table.variant, chance)
        turn = shown(settle(game, state, chance, events, show))
        rng = random.Random(9)
        timed = timed_kinds(game, table.variant)
        while turn.asks:
            answers = {seat: turn.options[seat][rng.randrange(len(turn.options[seat]))] for seat, _ in turn.asks}
            arrivals = {seat: 0 for seat, kind in turn.asks if kind in timed}
            turn = shown(advance(game, state, turn, answers, chance, events, show, arrivals))
        return found


CHAINS = [table for table in every_table() if table.game.secret_pending and table.variant.get("rules") == "specialists"]


@pytest.mark.parametrize("table", CHAINS[:4], ids=str)
def test_nobody_learns_whose_secret_asks_have_ended(table: Table) -> None:
    """Whether seats end their chains at once or late, followers and latecomers get the same as long as one is open."""
    kinds = table.game.secret_pending
    differed = 0
    for seed in range(8):
        heard = []
        for late in (False, True):
            played = Recorded(table.game, table, CLOCK)
            rng = random.Random(seed)
            while not any(ask.kind in kinds and len(ask.options) > 2 for ask in played.asked) and not played.match.over:
                asked, played.asked = played.asked, []
                for ask in asked:
                    played.answer(ask, rng.randrange(len(ask.options)))
            if played.match.over:
                break
            seen = [(len(played.traffic), played.match.public.shown())]
            while any(asked.kind in kinds for asked in played.asked):
                asked, played.asked = played.asked, []
                for ask in asked:
                    played.answer(ask, 0 if late else len(ask.options) - 1)
                if any(asked.kind in kinds for asked in played.asked):
                    seen.append((len(played.traffic), played.match.public.shown()))
            heard.append((seen, played.traffic[: seen[0][0]]))
        if not heard:
            continue
        (early, before), (late_chain, also_before) = heard
        assert before == also_before
        assert {str(entry) for entry in (*early, *late_chain)} == {str(early[0])}
        differed += len(early) != len(late_chain)

    assert differed > 0


def test_the_bytes_of_a_position_hold_no_option_and_no_note() -> None:
    """The message type has a field for options, which is part of the game's ask: a position leaves it empty."""
    for table in TABLES:
        played = Recorded(table.game, table, NO_CLOCK)
        played.play(random.Random(3))
        for data in played.traffic[:-1]:
            message = pb.FollowTableResponse.FromString(data)
            game = getattr(message, message.WhichOneof("game") or "")

            assert [field.name for field, _ in game.ListFields()] == ["view"]
