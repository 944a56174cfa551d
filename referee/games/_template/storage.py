"""The state as plain data and back. `load` checks every value: a dump that no game can reach is refused."""

from __future__ import annotations

from referee.games._template.census import census
from referee.games._template.components import CARDS, HAND_SIZE, PRIZES, ROUNDS, SEATS
from referee.games._template.state import BID, NO_SEAT, OVER, REWARD, State, phase
from referee.kernel.errors import BadPlain
from referee.kernel.plain import Plain
from referee.kernel.reading import Reader

_READ = Reader(BadPlain, "not a state of the template: ")
_FIELDS = ("length", "round", "prize", "winner", "deck", "hands", "played", "points", "phase")


def dump(state: State) -> Plain:
    """The whole state as plain data."""
    return {
        "length": state.length,
        "round": state.round,
        "prize": state.prize,
        "winner": state.winner,
        "deck": list(state.deck),
        "hands": [list(hand) for hand in state.hands],
        "played": list(state.played),
        "points": list(state.points),
        "phase": phase(state),
    }


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    fields = _READ.exactly(plain, "a state", _FIELDS)
    length = _READ.word(fields, "length", tuple(ROUNDS))
    now = _READ.word(fields, "phase", (BID, REWARD, OVER))
    hands = _READ.listed(fields["hands"], "hands", min(SEATS), max(SEATS))
    state = State(
        length=length,
        round=_READ.integer(fields["round"], "round", 1, ROUNDS[length]),
        prize=_READ.integer(fields["prize"], "prize", min(PRIZES), max(PRIZES)),
        winner=_READ.integer(fields["winner"], "winner", NO_SEAT, len(hands) - 1),
        deck=_READ.different(fields["deck"], "deck", CARDS[0], CARDS[-1]),
        hands=[_READ.different(hand, "a hand", CARDS[0], CARDS[-1]) for hand in hands],
        played=_READ.different(fields["played"], "played", CARDS[0], CARDS[-1]),
        points=list(_READ.integers(fields["points"], "points", 0, count=len(hands))),
        stack=[] if now == OVER else [(now,)],
    )
    _check(state)
    return state


def _check(state: State) -> None:
    """Refuse a state whose parts do not fit together."""
    require = _READ.require
    now, seats = phase(state), len(state.hands)
    counts = census(state)
    require(set(counts.values()) == {len(CARDS)}, "deck, hands and bids do not hold every card once")
    require(all(list(hand) == sorted(hand) for hand in state.hands), "a hand is not in order")
    bids = state.round - (now == BID)
    require(len(state.played) == bids * seats, "the bids do not match the round")
    require((state.winner == NO_SEAT) == (bids == 0), "there is a winner exactly after the first bids")
    require(now != OVER or state.round == ROUNDS[state.length], "the game is over before its last round")
    drawn = [len(hand) + bids - HAND_SIZE for hand in state.hands]
    require(min(drawn) >= 0 and sum(drawn) <= bids, "a hand has a wrong number of cards")
