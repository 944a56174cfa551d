"""The state as plain data and back.

Houses are written as the cards that were laid and are built again by laying them; so nothing that follows from
something else is stored, and a dump that breaks the rules of placement is refused. So is one whose cards, rounds or
seats do not add up.
"""

from __future__ import annotations

from referee.games.edo_yashiki.census import census
from referee.games.edo_yashiki.components import ALL_TOKENS, CARDS, SEATS
from referee.games.edo_yashiki.house import House, first, options, place
from referee.games.edo_yashiki.options import SCORES, STOP, PlaceCard
from referee.games.edo_yashiki.rounds import ending
from referee.games.edo_yashiki.scoring import extended, open_lines, opened
from referee.games.edo_yashiki.state import (
    NONE,
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    SCORE_LINE,
    SEALED,
    SPECIALISTS,
    STANDARD,
    TURN_ORDER,
    Draft,
    ScoringChain,
    State,
)
from referee.kernel.errors import BadPlain
from referee.kernel.frames import Frame, dump_frame, load_frame
from referee.kernel.plain import Plain

_FIELDS = (
    "rules", "draft", "deck", "round", "first", "row", "got", "drafts", "houses", "scores", "tokens", "scored",
    "chains", "stack",
)  # fmt: skip


def dump(state: State) -> Plain:
    """The whole state as plain data."""
    return {
        "rules": state.rules,
        "draft": state.draft,
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
    if not isinstance(plain, dict) or sorted(plain) != sorted(_FIELDS):
        raise BadPlain(f"a state of edo_yashiki has the fields {', '.join(_FIELDS)}")
    state = State()
    state.rules = _word(plain["rules"], "rules", (STANDARD, SPECIALISTS))
    state.draft = _word(plain["draft"], "draft", (SEALED, TURN_ORDER))
    state.houses = tuple(_house(cards) for cards in _items(plain["houses"], "houses"))
    seats = len(state.houses)
    if seats not in SEATS:
        raise BadPlain(f"there are {seats} houses")
    state.deck = _numbers(plain["deck"], "deck", 0, len(CARDS))
    state.round = _number(plain["round"], "round", 1, len(CARDS))
    state.first = _number(plain["first"], "first", 0, seats)
    state.row = _numbers(plain["row"], "row", 0, len(CARDS), seats)
    state.got = _numbers(plain["got"], "got", NONE, seats, seats)
    state.drafts = tuple(_draft(draft, seats) for draft in _items(plain["drafts"], "drafts"))
    state.scores = _numbers(plain["scores"], "scores", 0, 1000, seats)
    owners = seats if state.rules == SPECIALISTS else 0
    state.tokens = _numbers(plain["tokens"], "tokens", 1, ALL_TOKENS + 1, owners)
    state.scored = tuple(_scored(seats, owners) for seats in _items(plain["scored"], "scored"))
    state.stack = [load_frame(frame) for frame in _items(plain["stack"], "stack")]
    state.chains = _chains(plain["chains"], state)
    _check(state)
    return state


def _check(state: State) -> None:
    """Refuse a state whose parts do not fit together."""
    draft = RANK_CARDS if state.draft == SEALED else PICK_CARD
    phases: tuple[list[Frame], ...] = ([], [draft], [PLACE_CARD], [SCORE_LINE])
    if state.stack not in phases or (state.stack == [SCORE_LINE]) != bool(state.chains):
        raise BadPlain("the stack is not where a game of these rules can be")
    if not state.stack and ending(state) is None:
        raise BadPlain("the game is over without a reason")
    if state.chains and all(chain.ended for chain in state.chains):
        raise BadPlain("lines are being scored and every chain has ended")
    drafting = state.stack == [draft]
    laid = not drafting and state.stack != [PLACE_CARD]
    if len(state.drafts) != state.round - drafting:
        raise BadPlain("the drafts do not match the round")
    if len(state.scored) != (state.round - bool(state.stack) if state.tokens else 0):
        raise BadPlain("the scored lines do not match the round")
    if any(len(house.cards) != state.round + laid for house in state.houses):
        raise BadPlain("the houses do not match the round")
    taken = sorted(card for card in state.got if card != NONE)
    if len(set(taken)) != len(taken) or (state.draft == SEALED and drafting and taken):
        raise BadPlain("the cards taken are not what a draft can give")
    if not drafting and len(taken) != len(state.got):
        raise BadPlain("a seat has no card after the draft")
    if any(count != 1 for count in census(state).values()):
        raise BadPlain("the cards in the deck, the row and the houses are not every card once")


def _house(plain: Plain) -> House:
    """Lay the cards of a house again."""
    cards = [_numbers(card, "card of a house", -1000, 1000, 4) for card in _items(plain, "house")]
    if not cards or cards[0][1:] != (0, 0, 0):
        raise BadPlain("a house begins with its starting card at (0, 0)")
    house = None
    for card, x, y, rot in cards:
        if not 0 <= card < len(CARDS):
            raise BadPlain(f"there is no card {card}")
        if house is None:
            house = first(card)
            continue
        at = PlaceCard(x, y, rot)
        if at not in options(house, card):
            raise BadPlain(f"card {card} cannot lie at ({x}, {y})")
        house = place(house, card, at)
    if house is None:
        raise BadPlain("a house has no cards")
    return house


def _draft(plain: Plain, seats: int) -> Draft:
    row, got, priority, reaches = _items(plain, "draft", 4)
    return Draft(
        _numbers(row, "row of a draft", 0, len(CARDS), seats),
        _numbers(got, "cards of a draft", 0, seats, seats),
        _numbers(priority, "priority", 0, seats),
        tuple(_numbers(reach, "reach", NONE, seats, seats) for reach in _items(reaches, "reaches")),
    )


def _scored(plain: Plain, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(_numbers(lines, "scored lines", 0, len(SCORES)) for lines in _items(plain, "scored lines", seats))


def _chains(plain: Plain, state: State) -> tuple[ScoringChain, ...]:
    """Run the chains again, line by line."""
    chains = []
    seats = len(state.tokens)
    written = _items(plain, "chains")
    if written and len(written) != seats:
        raise BadPlain(f"there are {len(written)} chains for {seats} seats")
    for house, tokens, item in zip(state.houses, state.tokens, written, strict=False):
        chain = opened(house.made, tokens)
        scored, ended = _items(item, "chain", 2)
        for line in _numbers(scored, "scored lines", 0, len(SCORES)):
            if line not in open_lines(chain):
                raise BadPlain(f"line {line} of a chain cannot be scored")
            chain = extended(chain, SCORES[line])
        if ended is True:
            chain = extended(chain, STOP)
        elif ended is not chain.ended:
            raise BadPlain("a chain goes on without a line to score")
        chains.append(chain)
    return tuple(chains)


def _word(plain: Plain, what: str, words: tuple[str, ...]) -> str:
    if not isinstance(plain, str) or plain not in words:
        raise BadPlain(f"{what} is one of {', '.join(words)}")
    return plain


def _items(plain: Plain, what: str, count: int | None = None) -> list[Plain]:
    if not isinstance(plain, list) or count not in (None, len(plain)):
        raise BadPlain(f"{what}: a list{'' if count is None else f' of {count}'} is due")
    return plain


def _number(plain: Plain, what: str, low: int, stop: int) -> int:
    if not isinstance(plain, int) or isinstance(plain, bool) or not low <= plain < stop:
        raise BadPlain(f"{what}: a number in {low}..{stop - 1} is due")
    return plain


def _numbers(plain: Plain, what: str, low: int, stop: int, count: int | None = None) -> tuple[int, ...]:
    return tuple(_number(item, what, low, stop) for item in _items(plain, what, count))
