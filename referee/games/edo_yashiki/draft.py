"""The draft: each seat takes exactly one card of the row (E-5.1, section 6).

`sealed`: all seats rank the row at once, then `resolve` shares it out. `reflex`: the same answer, and seats whose
answers arrived earlier are served earlier; when they arrived is an argument (`Game.apply`), so the rules read no clock.
`turn_order`: the seats pick in turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.edo_yashiki.components import NAMES, SEATS, SETUPS
from referee.games.edo_yashiki.options import PICKS, RANKINGS, PickCard, RankCards, asks_of_all
from referee.games.edo_yashiki.state import NONE, PICK_CARD, PLACE_CARD, RANK_CARDS, REFLEX, Draft, State
from referee.kernel.chance import Chance
from referee.kernel.errors import IllegalAnswer
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import TABLE, Arrivals, Event, Option, Pending, Seat, Verb
from referee.kernel.tuples import new_tuple

_RANK = asks_of_all(RANK_CARDS)
_PICK = tuple((Pending(seat, PICK_CARD),) for seat in range(max(SEATS)))
_PRIORITY = tuple(f"priority/{number}" for number in range(1 + max(setup.rounds for setup in SETUPS.values())))
"""The stream of each round's priority (E-12.6)."""
_REACHED = tuple(
    tuple(tuple(Event(Verb.CHOSE, seat, "reach", (number, name)) for name in NAMES) for seat in range(max(SEATS)))
    for number in range(1, 1 + max(SEATS))
)
"""By pass, seat and card: the seat reaches for the card."""
_TOOK = tuple(tuple(Event(Verb.GAINED, seat, "card", (name,)) for name in NAMES) for seat in range(max(SEATS)))
"""By seat and card: the card is the seat's."""


def resolve(
    row_size: int, groups: Sequence[Sequence[Seat]], ranking: Mapping[Seat, Sequence[int]], priority: Sequence[Seat]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Share a row out: what each seat gets, and what each seat reached for in each pass (E-6.3, E-6.4).

    Groups are served one after the other. In a pass every waiting seat of the group reaches for its best card that is
    still in the row; of several seats at one card the first in `priority` gets it, and the others wait for the next
    pass.
    """
    seats = len(priority)
    got = [NONE] * seats
    reaches = []
    free = (1 << row_size) - 1
    for group in groups:
        waiting = [seat for seat in priority if seat in group]
        while waiting:
            reach = [NONE] * seats
            taken = 0
            losers = []
            for seat in waiting:
                for card in ranking[seat]:
                    if free >> card & 1:
                        break
                reach[seat] = card
                if taken >> card & 1:
                    losers.append(seat)
                else:
                    taken |= 1 << card
                    got[seat] = card
            free &= ~taken
            reaches.append(tuple(reach))
            waiting = losers
    return tuple(got), tuple(reaches)


def _rank_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    return _RANK[len(state.houses)]


def _rank_options(state: State, frame: Frame, seat: Seat) -> Sequence[RankCards]:
    return RANKINGS[len(state.houses)]


def _rank_apply(
    state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]
) -> None:
    """Resolve rankings that have no time of arrival: all seats are one group (E-6.6).

    The match answers for a late seat, so no seat is absent (E-5.4), and in the sealed draft the time of an answer has
    no influence (E-6.7). In the reflex draft this is the case of no seat having answered itself (E-6.10).
    """
    _share_out(state, answers, {}, chance, events)


def _rank_apply_timed(
    state: State,
    frame: Frame,
    answers: Mapping[Seat, Option],
    arrivals: Arrivals,
    chance: Chance,
    events: list[Event],
) -> None:
    """Resolve the rankings of a reflex draft: groups by bucket of arrival (E-6.9, E-6.10)."""
    if state.draft != REFLEX:
        raise IllegalAnswer(f"answers to {RANK_CARDS} have no time of arrival in the draft {state.draft}")
    _share_out(state, answers, arrivals, chance, events)


def arrival_groups(seats: int, arrivals: Arrivals) -> list[list[Seat]]:
    """The seats of each bucket, the earliest bucket first; then the seats that did not answer themselves (E-6.10)."""
    buckets = sorted(set(arrivals.values()))
    groups = [[seat for seat in range(seats) if arrivals.get(seat) == bucket] for bucket in buckets]
    absent = [seat for seat in range(seats) if seat not in arrivals]
    return [*groups, absent] if absent else groups


def _share_out(
    state: State, answers: Mapping[Seat, Option], arrivals: Arrivals, chance: Chance, events: list[Event]
) -> None:
    """Share the row out by the round's priority (E-6.5) and publish the outcome (E-6.8, E-6.11).

    The state keeps what each seat reached for and drops the rest of the rankings.
    """
    seats = len(state.houses)
    ranking = {seat: order for seat, (order,) in cast("Mapping[Seat, RankCards]", answers).items()}
    priority = tuple(chance.order(_PRIORITY[state.round], seats))
    row = state.row
    times: tuple[int, ...] = ()
    groups: Sequence[Sequence[Seat]] = (range(seats),)
    if state.draft == REFLEX:
        times = tuple([arrivals.get(seat, NONE) for seat in range(seats)])
        groups = arrival_groups(seats, arrivals)
        events.append(Event(Verb.ORDER, TABLE, "arrivals", times))
    state.got, reaches = resolve(seats, groups, ranking, priority)
    state.drafts = (*state.drafts, new_tuple(Draft, (row, state.got, priority, reaches, times)))
    state.stack = [(PLACE_CARD,)]
    events.append(new_tuple(Event, (Verb.ORDER, TABLE, "priority", priority, 0, None)))
    for reached, reach in zip(_REACHED, reaches, strict=False):
        for seat, card in enumerate(reach):
            if card != NONE:
                events.append(reached[seat][row[card]])
    for seat, card in enumerate(state.got):
        events.append(_TOOK[seat][row[card]])


def _pick_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The first player picks first, then the seats to the left (E-6.12)."""
    seats = len(state.houses)
    return _PICK[(state.first + seats - state.got.count(NONE)) % seats]


def _pick_options(state: State, frame: Frame, seat: Seat) -> Sequence[PickCard]:
    got = state.got
    return tuple([PICKS[card] for card in range(len(got)) if card not in got])


def _pick_apply(
    state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]
) -> None:
    """Take the picked card, in public; the last card goes to the last seat without a decision (E-6.12)."""
    row = state.row
    got = list(state.got)
    seats = len(got)
    for seat, (card,) in cast("Mapping[Seat, PickCard]", answers).items():
        got[seat] = card
        events.append(_TOOK[seat][row[card]])
    if got.count(NONE) == 1:
        last = got.index(NONE)
        got[last] = next(card for card in range(seats) if card not in got)
        events.append(_TOOK[last][row[got[last]]])
        state.drafts = (*state.drafts, Draft(row, tuple(got)))
        state.stack = [(PLACE_CARD,)]
    state.got = tuple(got)


RANK: Handler[State] = Handler(_rank_asks, _rank_options, _rank_apply, _rank_apply_timed)
PICK: Handler[State] = Handler(_pick_asks, _pick_options, _pick_apply)
