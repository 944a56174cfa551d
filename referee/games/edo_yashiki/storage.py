"""The state as plain data and back.

A house is written as its cards in the order laid, and `load` builds the house by laying them again. `load` refuses a
dump that breaks the rules of placement, or whose cards, rounds or seats do not add up.
"""

from __future__ import annotations

from referee.games.edo_yashiki.census import census
from referee.games.edo_yashiki.components import ALL_TOKENS, CARDS, SEATS
from referee.games.edo_yashiki.house import ALL, SEEN, House, first, options, place
from referee.games.edo_yashiki.options import SCORES, STOP, PlaceCard
from referee.games.edo_yashiki.rounds import ending
from referee.games.edo_yashiki.scoring import extended, open_lines, opened
from referee.games.edo_yashiki.state import (
    NONE,
    OVER,
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    REFLEX,
    SCORE_LINE,
    SEALED,
    SPECIALISTS,
    STANDARD,
    TURN_ORDER,
    Draft,
    ScoringChain,
    State,
    phase,
)
from referee.kernel.errors import BadPlain
from referee.kernel.frames import dump_frame, load_frame
from referee.kernel.plain import Plain
from referee.kernel.reading import Reader

_READ = Reader(BadPlain, "not a state of edo_yashiki: ")
_FIELDS = (
    "rules", "draft", "covering", "deck", "round", "first", "row", "got", "drafts", "houses", "scores", "tokens",
    "scored", "chains", "stack",
)  # fmt: skip
_LAST_CARD = len(CARDS) - 1
_LAST_LINE = len(SCORES) - 1
_LONGEST = 1 << 63
"""Later than any bucket in which an answer can arrive."""
_FAR = 1000
"""Larger than any coordinate (section 15) and any score."""


def dump(state: State) -> Plain:
    """The whole state as plain data."""
    return {
        "rules": state.rules,
        "draft": state.draft,
        "covering": state.covering,
        "deck": [*state.deck],
        "round": state.round,
        "first": state.first,
        "row": [*state.row],
        "got": [*state.got],
        "drafts": [dump_frame(draft) for draft in state.drafts],
        "houses": [[[*placed] for placed in house.cards] for house in state.houses],
        "scores": [*state.scores],
        "tokens": [*state.tokens],
        "scored": [[[*lines] for lines in seats] for seats in state.scored],
        "chains": [[[*chain.scored], chain.ended] for chain in state.chains],
        "stack": [dump_frame(frame) for frame in state.stack],
    }


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    fields = _READ.exactly(plain, "a state", _FIELDS)
    state = State()
    state.rules = _READ.word(fields, "rules", (STANDARD, SPECIALISTS))
    state.draft = _READ.word(fields, "draft", (SEALED, REFLEX, TURN_ORDER))
    state.covering = _READ.word(fields, "covering", (SEEN, ALL))
    houses = _READ.listed(fields["houses"], "houses", min(SEATS), max(SEATS))
    state.houses = tuple(_house(cards, state.covering) for cards in houses)
    seats = len(state.houses)
    state.deck = _READ.integers(fields["deck"], "deck", 0, _LAST_CARD)
    state.round = _READ.integer(fields["round"], "round", 1, _LAST_CARD)
    state.first = _READ.integer(fields["first"], "first", 0, seats - 1)
    state.row = _READ.integers(fields["row"], "row", 0, _LAST_CARD, seats)
    state.got = _READ.integers(fields["got"], "got", NONE, seats - 1, seats)
    timed = seats if state.draft == REFLEX else 0
    state.drafts = tuple(_draft(draft, seats, timed) for draft in _READ.listed(fields["drafts"], "drafts"))
    state.scores = _READ.integers(fields["scores"], "scores", 0, _FAR, seats)
    owners = seats if state.rules == SPECIALISTS else 0
    state.tokens = _READ.integers(fields["tokens"], "tokens", 1, ALL_TOKENS, owners)
    state.scored = tuple(_scored(chains, owners) for chains in _READ.listed(fields["scored"], "scored"))
    state.stack = [load_frame(frame) for frame in _READ.listed(fields["stack"], "stack")]
    state.chains = _chains(fields["chains"], state)
    _check(state)
    return state


def _check(state: State) -> None:
    """Refuse a state whose parts do not fit together."""
    require = _READ.require
    now = phase(state)
    drafting = PICK_CARD if state.draft == TURN_ORDER else RANK_CARDS
    known = now in (OVER, drafting, PLACE_CARD, SCORE_LINE) and state.stack == ([] if now == OVER else [(now,)])
    require(known and (now == SCORE_LINE) == bool(state.chains), "the stack is not that of a phase of these rules")
    require(now != OVER or ending(state) is not None, "the game is over without a reason")
    running = [chain for chain in state.chains if not chain.ended]
    require(bool(running) == bool(state.chains), "lines are being scored and every chain has ended")
    require(len(state.drafts) == state.round - (now == drafting), "the drafts do not match the round")
    rounds_scored = state.round - (now != OVER) if state.tokens else 0
    require(len(state.scored) == rounds_scored, "the scored lines do not match the round")
    laid = state.round + (now in (SCORE_LINE, OVER))
    require(all(len(house.cards) == laid for house in state.houses), "the houses do not match the round")
    taken = [card for card in state.got if card != NONE]
    require(len(set(taken)) == len(taken), "a card of the row was taken twice")
    require(not taken or now != RANK_CARDS, "a card was taken while the row is ranked")
    require(len(taken) == len(state.got) or now == drafting, "a seat has no card after the draft")
    require(set(census(state).values()) == {1}, "deck, row and houses do not hold every card once")


def _house(plain: Plain, covering: str) -> House:
    """The house, built by laying its cards again."""
    cards = [_READ.integers(card, "card of a house", -_FAR, _FAR, 4) for card in _READ.listed(plain, "house", 1)]
    _READ.require(all(0 <= card <= _LAST_CARD for card, *_ in cards), "a house has an unknown card")
    (card, *anchor), *later = cards
    _READ.require(anchor == [0, 0, 0], "a house does not begin with its starting card at (0, 0)")
    house = first(card, covering)
    for card, x, y, rot in later:
        at = PlaceCard(x, y, rot)
        _READ.require(at in options(house, card), f"card {card} cannot lie at ({x}, {y})")
        house = place(house, card, at)
    return house


def _draft(plain: Plain, seats: int, timed: int) -> Draft:
    """A draft; `timed` is the number of its arrivals: one for each seat in a reflex draft, none in another."""
    row, got, priority, reaches, arrivals = _READ.listed(plain, "draft", 5, 5)
    return Draft(
        _READ.integers(row, "row of a draft", 0, _LAST_CARD, seats),
        _READ.integers(got, "cards of a draft", 0, seats - 1, seats),
        _READ.integers(priority, "priority", 0, seats - 1),
        tuple(_READ.integers(reach, "reach", NONE, seats - 1, seats) for reach in _READ.listed(reaches, "reaches")),
        _READ.integers(arrivals, "arrivals of a draft", NONE, _LONGEST, timed),
    )


def _scored(plain: Plain, seats: int) -> tuple[tuple[int, ...], ...]:
    chains = _READ.listed(plain, "scored lines", seats, seats)
    return tuple(_READ.integers(lines, "scored lines", 0, _LAST_LINE) for lines in chains)


def _chains(plain: Plain, state: State) -> tuple[ScoringChain, ...]:
    """The chains, run again line by line."""
    chains = []
    written = _READ.listed(plain, "chains")
    _READ.require(len(written) in (0, len(state.tokens)), "the chains are not one for each seat")
    for house, tokens, item in zip(state.houses, state.tokens, written, strict=False):
        chain = opened(house.made, tokens)
        scored, ended = _READ.listed(item, "chain", 2, 2)
        for line in _READ.integers(scored, "scored lines", 0, _LAST_LINE):
            _READ.require(line in open_lines(chain), f"line {line} of a chain cannot be scored")
            chain = extended(chain, SCORES[line])
        if ended is True:
            chain = extended(chain, STOP)
        _READ.require(ended is chain.ended, "a chain goes on without a line to score")
        chains.append(chain)
    return tuple(chains)
