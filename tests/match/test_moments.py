"""The decisions of a record are those that its bots were asked, with the same views, options and events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.match.inprocess import play
from referee.match.moments import RecordMoment
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.record import Record, from_lines


class Asking:
    """A bot that answers by the number of the ask, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.note = ""

    def __call__(self, asked: Asked) -> int:
        self.asked.append(asked)
        self.note = f"ask {asked.ask}" if asked.ask % 3 == 0 else ""
        return (7 * asked.ask + asked.seat) % len(asked.options)


def played(game: str, seats: int) -> tuple[Record, list[Asking]]:
    """A match as its file holds it, and its bots."""
    bots = [Asking() for _ in range(seats)]
    names = tuple(f"bot {seat}" for seat in range(seats))
    record = play(registry.game(game), MatchPlan(game, names, "moments", secret_from_seed(game)), bots)
    return from_lines(record.lines()), bots


def essence(moment: RecordMoment | Asked) -> tuple[object, ...]:
    """What a seat is asked."""
    number = moment.number if isinstance(moment, RecordMoment) else moment.ask
    return moment.seat, number, moment.kind, list(moment.options), moment.view, tuple(moment.events)


@pytest.mark.parametrize("game", registry.names())
def test_every_moment_is_what_the_bot_was_asked(game: str) -> None:
    """In every game: seat, number, kind, options, view and events of each decision, kept beyond the next one."""
    record, bots = played(game, 3)

    for seat, bot in enumerate(bots):
        found = list(record.moments(seat))
        assert [essence(moment) for moment in found] == [essence(asked) for asked in bot.asked]
        assert [moment.index for moment in found] == [
            (7 * asked.ask + seat) % len(asked.options) for asked in bot.asked
        ]
        assert all(moment.chosen == moment.options[moment.index] for moment in found)
        assert [moment.note for moment in found] == [f"ask {n}" if n % 3 == 0 else "" for n in range(1, len(found) + 1)]


def test_the_moments_of_all_seats_come_in_the_order_of_steps_and_seats() -> None:
    """Together they are those of each seat, and times and steps are those of the record."""
    record, bots = played("edo_yashiki", 2)
    found = list(record.moments())

    assert len(found) == sum(len(bot.asked) for bot in bots)
    assert [(moment.step, moment.seat) for moment in found] == sorted((moment.step, moment.seat) for moment in found)
    for moment in found:
        step = record.steps[moment.step]
        assert (moment.index, moment.spent) == (step.answers[moment.seat], step.spent[moment.seat])
        assert (moment.at, moment.left, moment.lag, moment.stand_in) == (step.at, None, 0, False)


def test_a_match_that_is_not_finished_has_the_moments_so_far() -> None:
    """A record that was cut off is played as far as it goes."""
    record, _ = played("edo_yashiki", 2)
    whole = [moment for moment in record.moments(1) if moment.step < 9]
    begun = replace(record, steps=record.steps[:9], final=None, hashes=())

    assert [essence(moment) for moment in begun.moments(1)] == [essence(moment) for moment in whole]
    assert len(whole) > 2


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_the_match_does_not_have_is_refused_at_once(seat: int) -> None:
    """With the seats that there are, before the match is played again."""
    ask: Callable[[int], object] = played("edo_yashiki", 2)[0].moments

    with pytest.raises(BadSetting, match=f"seat {seat}: the seats of this match are 0 to 1"):
        ask(seat)
