"""Matches of the real games: whatever is registered plays, verifies, replays and recovers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.plain import fingerprint
from referee.match.inprocess import Bot, play_on
from referee.match.match import Match
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.record import Record, from_lines
from referee.match.replay import replay
from referee.match.verify import verify

TABLES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]
SECRET = secret_from_seed("games")


def bot(seat: int) -> Bot:
    """A bot whose choice depends on its seat and its ask alone."""

    def decide(asked: Asked) -> int:
        return Random(f"{seat}/{asked.ask}").randrange(len(asked.options))

    return decide


def played(name: str, seats: int) -> Record:
    """A match of random bots."""
    game = registry.game(name)
    plan = MatchPlan(name, tuple(f"bot{seat}" for seat in range(seats)), f"{name}-{seats}", SECRET)
    return play_on(Match(game, plan), [bot(seat) for seat in range(seats)], still())


def still() -> Callable[[], int]:
    """A clock that stands."""
    return lambda: 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_verifies_and_replays_to_equal_states(name: str, seats: int) -> None:
    """Through its lines, by the secret it reveals; two replays agree on the state after every step."""
    record = from_lines(played(name, seats).lines())
    verify(record)
    game = registry.game(name)
    first = [fingerprint(game.dump(position.state)) for position in replay(record)]
    second = [fingerprint(game.dump(position.state)) for position in replay(record)]

    assert len(first) == len(record.steps)
    assert first == second


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_goes_on_after_any_interruption(name: str, seats: int) -> None:
    """Restored at a dozen moments, it takes the same course to the same end."""
    whole = played(name, seats)
    for k in range(1, len(whole.steps) + 1, 1 + len(whole.steps) // 12):
        match = Match.restore(registry.game(name), whole.header, SECRET, whole.steps[:k], at=10**9)
        rest = play_on(match, [bot(seat) for seat in range(seats)], still())

        assert rest.steps == whole.steps[k:]
        assert rest.final == whole.final
