"""The houses, the asks and the events in words.

A card is called by its name (E-2.3), a place by the column and row of its top left cell: (9, -2), where x grows to the
right and y downwards (E-3.1), and seats are counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from referee.games.edo_yashiki.components import (
    CARDS,
    KIND_NAMES,
    KINDS,
    NAMES,
    SETUPS,
    TARGET,
    TOKEN,
    Face,
)
from referee.games.edo_yashiki.facts import CATEGORIES, PHASES, bonus_kinds, finished_lines, points_by_category
from referee.games.edo_yashiki.house import EMPTY, House, HouseLine, PlacedCard
from referee.games.edo_yashiki.options import STOP, PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.scoring import chain_points, line_points
from referee.games.edo_yashiki.state import (
    NONE,
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    SCORE_LINE,
    SPECIALISTS,
    ScoringChain,
)
from referee.games.edo_yashiki.view import View
from referee.kernel.board import Section
from referee.kernel.errors import RulesBug
from referee.kernel.game import Event, Option, Seat, Verb

_DRAFTS = {
    "sealed": "all seats rank the row in secret",
    "reflex": "all seats rank the row in secret, and earlier answers are served first",
    "turn_order": "the seats pick in turn, the first player first",
}


def describe(view: View) -> tuple[Section, ...]:
    """The board in words: the game, the row, the seats, the own scoring, then house by house.

    A house is a picture of its cells: F floor, T tatami, P pond, G garden. Small letters are free to be covered,
    capital letters belong to a line, which no card may cover (E-3.6).
    """
    houses = [section for seat in range(len(view.houses)) for section in _house(view, seat)]
    own = () if view.chain is None else (_chain(view.chain),)
    return (_game(view), _row(view), _seats(view), *own, *houses)


def question(view: View, kind: str) -> str:
    """What a seat is asked."""
    if kind == PLACE_CARD and view.card is not None:
        return f"Where do you lay card {NAMES[view.card]}?"
    return {
        RANK_CARDS: "In which order do you want the cards of the row?",
        PICK_CARD: "Which card do you take?",
        PLACE_CARD: "Where do you lay your card?",
        SCORE_LINE: "Which line do you score?",
    }[kind]


def answer(view: View, kind: str, option: Option) -> str:
    """One option in words."""
    if kind == RANK_CARDS:
        return ranking_words(view.row, cast(RankCards, option))
    if kind == PICK_CARD:
        return pick_words(view.row, cast(PickCard, option))
    if kind == PLACE_CARD:
        return placement_words(own_card(view), cast(PlaceCard, option))
    return score_words(own_chain(view), cast(ScoreLine, option))


def own_card(view: View) -> int:
    """The card that the asked seat lays."""
    if view.card is None:
        raise RulesBug(f"{PLACE_CARD} is asked of a seat that received a card, and from the view of that seat")
    return view.card


def own_chain(view: View) -> ScoringChain:
    """The scoring of the asked seat so far."""
    if view.chain is None:
        raise RulesBug(f"{SCORE_LINE} is asked of a seat that made lines, and from the view of that seat")
    return view.chain


def ranking_words(row: Sequence[int], option: RankCards) -> str:
    """A ranking: "card E17, then E35, then E02"."""
    return "card " + ", then ".join(NAMES[row[index]] for index in option.order)


def pick_words(row: Sequence[int], option: PickCard) -> str:
    """A card of the row: "card E17"."""
    return f"card {NAMES[row[option.card]]}"


def placement_words(card: int, option: PlaceCard) -> str:
    """A placement: "card E17 at (9, -2), turned"."""
    return _laid(NAMES[card], *option)


def score_words(chain: ScoringChain, option: ScoreLine) -> str:
    """A line and its points, or the end of scoring."""
    if option == STOP:
        return "score no more lines"
    line = chain.lines[option.line]
    return f"{line_words(line)} at ({line.x}, {line.y}), {_points(line_points(line))}"


def line_words(line: HouseLine) -> str:
    """A line without its place: "row of 4 tatami"."""
    return f"{'row' if line.axis == 'H' else 'column'} of {line.length} {KIND_NAMES[line.kind]}"


def token_words(tokens: int) -> str:
    """The kinds of a set of tokens."""
    return ", ".join(KIND_NAMES[kind] for kind in KINDS if tokens & TOKEN[kind]) or "none"


def face_words(face: Face) -> str:
    """The rows of a card, top first: "FT/TP/GF" (E-2.2)."""
    return "/".join(row.decode() for row in face)


def bonus_words(points: int) -> str:
    """A bonus and what it is for."""
    return f"bonus {points} for {bonus_kinds(points)} kinds"


def event(event: Event) -> str:
    """What happened, in words; the seat that did it is named elsewhere."""
    return _EVENTS[event.verb, event.subject](event.items, event.amount)


def _game(view: View) -> Section:
    rounds = SETUPS[len(view.houses)].rounds
    rules = "Specialists: a line costs the token of its kind" if view.rules == SPECIALISTS else "standard"
    return Section(
        "Game",
        ("what", "now"),
        (
            ("round", f"{view.round} of at most {rounds}"),
            ("phase", PHASES[view.phase]),
            ("first player", seat_words(view.first)),
            ("deck", f"{view.left} cards"),
            ("end", f"{TARGET} points, or too few cards for a row"),
            ("rules", rules),
            ("draft", _DRAFTS[view.draft]),
        ),
    )


def _row(view: View) -> Section:
    """The cards of this round, and which seat reached for or took each."""
    takers = {index: seat for seat, index in enumerate(view.got) if index != NONE}
    rows = []
    for index, card in enumerate(view.row):
        taken = f"taken by {seat_words(takers[index])}" if index in takers else "free"
        rows.append((NAMES[card], face_words(CARDS[card].faces[0]), taken + _reached(view, index, takers)))
    return Section("Row", ("card", "rows, top first", "who"), tuple(rows))


def _reached(view: View, index: int, takers: Mapping[int, Seat]) -> str:
    """Which other seats reached for a card of this round's row."""
    if index not in takers or not view.drafts:
        return ""
    reaching = {seat for reach in view.drafts[-1].reaches for seat, reached in enumerate(reach) if reached == index} - {
        takers[index]
    }
    return f"; {_and(seat_words(seat) for seat in sorted(reaching))} reached for it too" if reaching else ""


def _seats(view: View) -> Section:
    """Points by category, tokens, and the card of this round."""
    specialists = view.rules == SPECIALISTS
    rows = []
    for seat, score in enumerate(view.scores):
        name = seat_words(seat) + (" (you)" if seat == view.seat else "")
        tokens = (token_words(view.tokens[seat]),) if specialists else ()
        card = "none yet" if view.got[seat] == NONE else NAMES[view.row[view.got[seat]]]
        rows.append((name, str(score), *map(str, points_by_category(view, seat)), *tokens, card))
    tokens_head = ("tokens",) if specialists else ()
    return Section("Seats", ("seat", "points", *CATEGORIES, *tokens_head, "card of this round"), tuple(rows))


def _chain(chain: ScoringChain) -> Section:
    """The own scoring so far (E-9.9)."""
    rows = []
    for number, line in enumerate(chain.lines):
        scored = "scored" if number in chain.scored else "token" if chain.tokens & TOKEN[line.kind] else "no token"
        rows.append((line_words(line), f"({line.x}, {line.y})", str(line_points(line)), scored))
    title = f"Your lines: {_points(chain_points(chain))} so far, tokens {token_words(chain.tokens)}"
    return Section(title, ("line", "from", "points", "state"), tuple(rows))


def _house(view: View, seat: Seat) -> tuple[Section, Section]:
    """The picture of a house, and its cards in the order in which they were laid."""
    house = view.houses[seat]
    owner = f"House of {seat_words(seat)}"
    picture, left, right, top = _picture(house)
    rows = tuple((str(top + number), row) for number, row in enumerate(picture))
    cards = "; ".join(_placed(card) for card in house.cards)
    return (
        Section(owner, ("y", f"x from {left} to {right}"), rows),
        Section(f"{owner}, cards as laid, later ones on top", (), ((cards,),)),
    )


def _picture(house: House) -> tuple[list[str], int, int, int]:
    """The rows of the smallest box around a house, the first and the last x, and the first y."""
    stride, empty = house.stride, bytes([EMPTY])
    shown = bytearray(house.cells.lower())
    for line in finished_lines(house):
        step = 1 if line.axis == "H" else stride
        start = (line.y - house.top) * stride + line.x - house.left
        for position in range(start, start + line.length * step, step):
            shown[position] = ord(line.kind)
    rows = [bytes(shown[at : at + stride]) for at in range(0, len(shown), stride)]
    used = [number for number, row in enumerate(rows) if row.strip(empty)]
    rows = rows[used[0] : used[-1] + 1]
    first = min(len(row) - len(row.lstrip(empty)) for row in rows)
    last = max(len(row.rstrip(empty)) for row in rows)
    return [row[first:last].decode() for row in rows], house.left + first, house.left + last - 1, house.top + used[0]


def _placed(placed: PlacedCard) -> str:
    card, x, y, rot = placed
    return f"{NAMES[card]} ({x}, {y})" + (" turned" if rot else "")


def _laid(name: str, x: int, y: int, rot: int) -> str:
    return f"card {name} at ({x}, {y})" + (", turned" if rot else "")


def seat_words(seat: Seat) -> str:
    """A seat, counted from 1."""
    return f"seat {seat + 1}"


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


def _and(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _seats_in_order(seats: Iterable[Any]) -> str:
    return ", ".join(seat_words(seat) for seat in seats)


def _arrivals(items: Sequence[Any]) -> str:
    times = [f"{seat_words(seat)} {'never' if time < 0 else time}" for seat, time in enumerate(items)]
    return f"answers arrived, in twentieths of a second: {', '.join(times)}"


def _line_event(items: Sequence[Any], amount: int) -> str:
    line = HouseLine(*items)
    return f"scored {_points(amount)}: {line_words(line)} at ({line.x}, {line.y})"


def _tokens_event(items: Sequence[Any]) -> str:
    return "has the tokens " + ", ".join(KIND_NAMES[kind] for kind in items)


_ENDS = {"target": f"a seat has {TARGET} points or more", "deck": "the deck cannot fill another row"}
_EVENTS: Mapping[tuple[Verb, str], Callable[[Sequence[Any], int], str]] = {
    (Verb.PHASE, "round"): lambda items, amount: f"round {items[0]} began",
    (Verb.PHASE, "end"): lambda items, amount: f"the game ended: {_ENDS[items[0]]}",
    (Verb.REVEALED, "row"): lambda items, amount: f"the row is {', '.join(items)}",
    (Verb.REVEALED, "tokens"): lambda items, amount: _tokens_event(items),
    (Verb.ORDER, "first player"): lambda items, amount: f"the first player is {seat_words(items[0])}",
    (Verb.ORDER, "priority"): lambda items, amount: f"clashes were won in the order {_seats_in_order(items)}",
    (Verb.ORDER, "arrivals"): lambda items, amount: _arrivals(items),
    (Verb.CHOSE, "reach"): lambda items, amount: f"reached for card {items[1]} in pass {items[0]}",
    (Verb.GAINED, "card"): lambda items, amount: f"took card {items[0]}",
    (Verb.MOVED, "card"): lambda items, amount: f"laid {_laid(items[0], items[1], items[2], items[3])}",
    (Verb.SCORED, "line"): _line_event,
    (Verb.SCORED, "bonus"): lambda items, amount: (
        f"scored {_points(amount)}: bonus for lines of {bonus_kinds(amount)} kinds"
    ),
}
"""By verb and subject: the words of an event from its items and its amount."""
