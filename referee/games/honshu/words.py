"""Honshu in words: the board, the questions, the answers and the events, for people and language models.

Seats are numbered from one, cards by the number printed on them, cells by row and column as in the views. The codes of
cells are those of H-1.5; a factory bears what a cube scores there under the setting `factories` (H-8.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.games.honshu.areas import points_now, shown
from referee.games.honshu.components import (
    COLOUR_LETTERS,
    COLOURS,
    FACES,
    FACTORY_SCORES,
    KIND_OF,
    KINDS,
    PLAY,
    POINTS,
    SCORING_CARDS,
    ScoringCard,
)
from referee.games.honshu.geometry import OFFSETS, Cell, position
from referee.games.honshu.options import Keep, Override, Pair, Pick, Placement, Play
from referee.games.honshu.scoring import REPLACE
from referee.games.honshu.state import KEEP, NO_CUBE, OVER, OVERRIDE, PAIR, PICK, PLACE, PLAY2
from referee.games.honshu.state import PLAY as PLAY_KIND
from referee.games.honshu.tricks import value
from referee.games.honshu.view import DomainView, View
from referee.kernel.board import Section
from referee.kernel.errors import RulesBug
from referee.kernel.game import TABLE, Event, Option, Verb

CATEGORIES = ("forest", "town", "factory", "lake", "bonus")
"""The categories of points, in the order of H-8.6."""
TURNS = ("upright", "turned right", "upside down", "turned left")
"""By rotation (H-2.3)."""
CUBES = tuple(f"{colour} cube" for colour in COLOURS)
PHASES: Mapping[str, str] = {
    PLAY_KIND: "one seat after the other plays a card",
    PICK: "the highest bid takes a card first",
    PLAY2: "both seats choose a hand card",
    OVERRIDE: "the challenger may pay two cubes to choose the pair",
    PAIR: "the chooser takes a pair",
    KEEP: "both seats keep one card of their pair",
    PLACE: "every seat lays its card",
    OVER: "the game is over",
}
"""By phase, what happens in it."""


def seat_name(seat: int) -> str:
    """A seat, numbered from one."""
    return f"seat {seat + 1}"


def joined(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join((", ".join(names[:-1]), names[-1]) if len(names) > 1 else names)


def cards_named(cards: Sequence[int | str]) -> str:
    """ "card 5", "cards 5 and 9"."""
    return f"card{'s' if len(cards) > 1 else ''} {joined([str(card) for card in cards])}"


def a_cube(colour: str) -> str:
    """ "a blue cube"."""
    return f"a {colour} cube"


def row_and_column(row: int | str, column: int | str) -> str:
    """A cell of a domain."""
    return f"row {row}, column {column}"


def code_of_kind(kind: int, factories: str) -> str:
    """The code of a kind; a factory with what a cube scores there."""
    found = KINDS[kind]
    return f"{found.code[0]}{FACTORY_SCORES[factories][found.value]}" if found.value else found.code


def face_codes(face: int, factories: str) -> str:
    """The six codes of a face by cell index: "T B3 F pY T L"."""
    return " ".join([code_of_kind(kind, factories) for kind in FACES[face]])


def face_rows(face: int, factories: str) -> str:
    """A face row by row: "T B3 / F pY / T L"."""
    codes = face_codes(face, factories).split()
    return " / ".join(" ".join(codes[row : row + 2]) for row in range(0, len(codes), 2))


def cube_at(domain: DomainView, at: Cell) -> str:
    """ "blue cube at row 1, column 2"."""
    return f"{CUBES[KINDS[KIND_OF[shown(domain)[at]]].colour]} at {row_and_column(*at)}"


# --- the board


def describe(view: View) -> tuple[Section, ...]:
    """The board in words: the table, the cards that can be had, hands, points, and the domains as maps.

    What only a seat sees stands between what all see, in the same order for all, so that one seat's text differs little
    from another's where both are stored.
    """
    sections = [_table(view), *_cards_on_offer(view)]
    if view.seat is not None and view.hand_sizes[view.seat]:
        sections.append(_cards("Your hand", view.known_hands[view.seat], view))
    for owner, hand in enumerate(view.known_hands):
        if owner != view.seat and hand:
            sections.append(_cards(f"Hand of {seat_name(owner)}, which you passed on", hand, view))
    sections.append(_points(view))
    sections.append(Section("What scores", ("category", "points"), tuple(scoring_rules(view))))
    sections += [_domain(view, seat) for seat in range(len(view.domains))]
    if view.seat is not None:
        sections.append(_card_map(view, view.seat))
    return tuple(sections)


def _table(view: View) -> Section:
    rows = [("round", f"{view.round} of {PLAY.rounds}: {PHASES[view.phase]}")]
    rows += [(name, words) for name, words in _order(view)]
    rows.append(("cubes in the supply", ", ".join(map("{} {}".format, view.supply, COLOURS))))
    hands = ", ".join(f"{seat_name(seat)} {size}" for seat, size in enumerate(view.hand_sizes))
    rows.append(("cards in hand", f"{hands}; draw pile {view.pile}"))
    if view.discards:
        rows.append(("out of the game", cards_named(view.discards)))
    if view.rules.layering == "flat":
        rows.append(("layering", "a card lies over all that it meets, or under all"))
    rows.append(("cells", "F forest, T town, L lake, W field, pB production, pB* with its cube, B2 factory worth 2"))
    rows.append(("colours", ", ".join(map("{} {}".format, COLOUR_LETTERS, COLOURS))))
    return Section("Table", ("what", "now"), tuple(rows))


def _order(view: View) -> Iterator[tuple[str, str]]:
    if view.phase == OVER:
        return
    if len(view.order) > 2:
        yield "turn order", ", ".join(map(seat_name, view.order))
    elif view.phase == OVERRIDE:
        yield "leader", f"{seat_name(view.order[0])}; challenger {seat_name(view.order[1])}"
    elif view.phase == PAIR:
        yield "chooser", seat_name(view.order[0])


def _cards_on_offer(view: View) -> Iterator[Section]:
    """The trick, the pairs, and the cards to lay, where there are some."""
    factories = view.rules.factories
    if view.trick and len(view.order) > 2:
        bids: list[tuple[str, ...]] = []
        for bid in view.trick:
            taker = seat_name(view.taken.index(bid.card)) if bid.card in view.taken else ""
            cube = CUBES[bid.colour] if bid.colour != NO_CUBE else "no cube"
            face = face_rows(bid.card, factories)
            bids.append((seat_name(bid.seat), str(bid.card), cube, str(value(bid)), face, taker))
        yield Section("Trick", ("played by", "card", "cube", "value", "face", "taken by"), tuple(bids))
    if view.revealed:
        yield _cards("Deck pair", view.revealed, view)
    if view.faceup and len(view.order) == 2:
        yield _cards("Hand pair", view.faceup, view)
    for seat, offer in enumerate(view.offers):
        yield _cards(f"Pair of {seat_name(seat)}", offer, view)
    if view.phase == PLACE:
        rows = [(seat_name(seat), str(card), face_rows(card, factories)) for seat, card in enumerate(view.taken)]
        yield Section("Cards to lay", ("seat", "card", "face"), tuple(rows))


def _cards(title: str, cards: Sequence[int], view: View) -> Section:
    rows = [(str(card), face_rows(card, view.rules.factories)) for card in cards]
    return Section(title, ("card", "face"), tuple(rows))


def _points(view: View) -> Section:
    wanted = CATEGORIES if view.scoring_card else CATEGORIES[:-1]
    rows = []
    for seat, score in enumerate(points_now(view)):
        figures = (*(getattr(score, name) for name in wanted), score.total, score.fields)
        rows.append((seat_name(seat), *map(str, figures)))
    title = "Points" if view.phase == OVER else "Points if the game ended now"
    return Section(title, ("seat", *wanted, "total", "visible fields"), tuple(rows))


def _domain(view: View, seat: int) -> Section:
    """The visible cells as a map; a production cell that holds its cube bears a star."""
    domain = view.domains[seat]
    cubes = set(domain.cubes)
    codes = {
        at: code_of_kind(KIND_OF[code], view.rules.factories) + ("*" if at in cubes else "")
        for at, code in shown(domain).items()
    }
    last = f", newest card {domain.laid[-1].card}" if domain.laid else ""
    return _map(f"Domain of {seat_name(seat)}: province {domain.province}, cards laid {len(domain.laid)}{last}", codes)


def _card_map(view: View, seat: int) -> Section:
    """Which card is visible at each cell, as the seat needs it to lay a card over or under others."""
    picture = view.domains[seat].picture
    laid = view.domains[seat].laid
    names = [str(laid[slot - 1].card) if slot else "pr" for slot in picture.slots]
    title = f"Your domain, {seat_name(seat)}: the visible cards (pr: the province)"
    return _map(title, dict(zip(picture.cells, names, strict=True)))


def _map(title: str, cells: Mapping[Cell, str]) -> Section:
    """Cells as a table with a column for each column of the domain."""
    rows = range(min(at.row for at in cells), max(at.row for at in cells) + 1)
    columns = range(min(at.col for at in cells), max(at.col for at in cells) + 1)
    lines = [(str(row), *(cells.get(Cell(row, column), "") for column in columns)) for row in rows]
    return Section(title, ("row", *map(str, columns)), tuple(lines))


def scoring_rules(view: View) -> Iterator[tuple[str, str]]:
    """By category, how it scores under the settings of the table (H-8.6, H-8.8, section 9)."""
    card = SCORING_CARDS.get(view.scoring_card)
    replaced = card is not None and card.key == "lake_cell" and view.rules.equals_cards == REPLACE
    worths = [str(worth) for worth in FACTORY_SCORES[view.rules.factories].values()]
    takes = "each of two cubes" if card is not None and card.factory_capacity > 1 else "a cube"
    yield "forest", f"{POINTS.forest} for each cell"
    yield "town", f"{POINTS.town} for each cell of the largest"
    yield "factory", f"{', '.join(worths[:-1])} or {worths[-1]} for {takes} of its colour"
    if card is not None and replaced:
        yield "lake", f"{card.points} for each cell"
    else:
        yield "lake", f"{POINTS.lake_after_first} for each cell after its first"
    if card is not None:
        yield "bonus", f"scoring card {card.number}, {_scoring_card(card, view.rules.equals_cards == REPLACE)}"


def _scoring_card(card: ScoringCard, replace: bool) -> str:
    """A scoring card in words (section 9)."""
    if card.key == "delivered_colour":
        colours = " or ".join(COLOURS[colour] for colour in card.colours)
        return f"{card.points} for each {colours} cube at a factory"
    words = _SCORING_CARDS[card.key].format(points=card.points)
    if replace and card.key == "surrounded_town":
        return f"{words}, with its point of the town"
    return "the lakes score by it" if replace and card.key == "lake_cell" else words


_SCORING_CARDS: Mapping[str, str] = {
    "double_factory": "every factory takes two cubes",
    "forest_line": "{points} for each line of three forests",
    "field_square": "{points} for each square of 2x2 fields",
    "lake_cell": "{points} for each lake cell",
    "surrounded_town": "{points} for each town cell among four town cells",
    "empty_production": "{points} for each production cell without a cube",
}
"""By the key of a scoring card, what it pays for."""


# --- questions and answers

QUESTIONS: Mapping[str, str] = {
    PLAY_KIND: "Which card do you play, and with which cube, if any?",
    PICK: "Which card of the trick do you take?",
    PLAY2: "Which card do you play?",
    OVERRIDE: "Do you pay two cubes to choose the pair?",
    PAIR: "Which pair do you take?",
    KEEP: "Which card do you keep?",
}
"""By kind of ask; that of a placement names its card."""


def question(view: View, kind: str) -> str:
    """What a seat is asked."""
    if kind == PLACE and view.seat is not None:
        return f"Where do you lay card {view.taken[view.seat]}?"
    return QUESTIONS[kind]


def asked_seat(view: View) -> int:
    """The seat whose view this is; only seats are asked."""
    if view.seat is None:
        raise RulesBug("the public is asked nothing")
    return view.seat


def answer(view: View, kind: str, option: Option) -> str:
    """One option in words."""
    return _ANSWERS[kind](view, view.domains[asked_seat(view)], option)


def _play_words(view: View, domain: DomainView, option: Play) -> str:
    return f"card {option.card} {with_cube(domain, option.cube)}"


def _card_words(view: View, domain: DomainView, option: Play | Pick | Keep) -> str:
    return f"card {option.card}"


def _override_words(view: View, domain: DomainView, option: Override) -> str:
    return f"pay {joined([f'the {cube_at(domain, cube)}' for cube in option.cubes])}" if option.cubes else "decline"


def _pair_words(view: View, domain: DomainView, option: Pair) -> str:
    return f"the {option.which} pair, {cards_named(view.revealed if option.which == 'deck' else view.faceup)}"


def _placement_words(view: View, domain: DomainView, option: Placement) -> str:
    """A placement: "card 50 turned right at row 4, column -1, over card 44, under card 45"."""
    k, row, col, mask = option
    card = view.taken[asked_seat(view)]
    return f"card {card} {TURNS[k]} {place_words(row, col)}, {Layers(domain).words(k, row, col, mask)}"


_ANSWERS: Mapping[str, Callable[[View, DomainView, Any], str]] = {
    PLAY_KIND: _play_words,
    PLAY2: _card_words,
    PICK: _card_words,
    OVERRIDE: _override_words,
    PAIR: _pair_words,
    KEEP: _card_words,
    PLACE: _placement_words,
}
"""By kind of ask."""


def with_cube(domain: DomainView, cube: Cell | None) -> str:
    """What goes on a card that is played."""
    return "without a cube" if cube is None else f"with the {cube_at(domain, cube)}"


def place_words(row: int, column: int) -> str:
    """Where the top left cell of a card lies."""
    return f"at {row_and_column(row, column)}"


class Layers:
    """The visible cards of a domain by name, for words that say what a card lies over and under."""

    def __init__(self, domain: DomainView) -> None:
        picture = domain.picture
        cards = (0, *(laid.card for laid in domain.laid))
        # by position, the number of the visible card; 0: the province
        self._cards = {position(*at): cards[slot] for at, slot in zip(picture.cells, picture.slots, strict=True)}

    def words(self, k: int, row: int, col: int, mask: int) -> str:
        """What a placement lies over and under: "over the province and card 44, under cards 2 and 45"."""
        anchor = position(row, col)
        over: set[int] = set()
        under: set[int] = set()
        for index, offset in enumerate(OFFSETS[k]):
            card = self._cards.get(anchor + offset)
            if card is not None:
                (under if mask >> index & 1 else over).add(card)
        return ", ".join([f"{side} {_named(cards)}" for side, cards in (("over", over), ("under", under)) if cards])


def _named(cards: set[int]) -> str:
    """Cards of a domain, 0 being the province."""
    named = [cards_named(sorted(cards - {0}))] if cards - {0} else []
    return joined(["the province", *named] if 0 in cards else named)


# --- events


def event(told: Event) -> str:
    """What happened, without the seat."""
    words = _EVENTS.get((told.verb, told.subject))
    if words is not None:
        return words(told)
    colour, _, rest = told.subject.partition(" ")
    if rest == "cube":
        verb = "paid the" if told.verb is Verb.PAID else "got a"
        return f"{verb} {told.subject} at {row_and_column(*told.items)}"
    if rest == "cube to the supply":
        if told.seat == TABLE:
            return f"put {a_cube(colour)} back into the supply"
        return f"covered the {colour} cube at {row_and_column(*told.items)}, which went back to the supply"
    return f"passed {cards_named(told.items)} to seat {int(told.subject.rpartition(' ')[2]) + 1}"


def _laid(told: Event) -> str:
    card, k, row, col, mask = (int(item) for item in told.items)
    hidden = mask.bit_count()
    under = f", with {hidden} cell{'s' if hidden > 1 else ''} under the domain" if hidden else ""
    return f"laid card {card} {TURNS[k]} {place_words(row, col)}{under}"


def _order_of(told: Event) -> str:
    return ", ".join(seat_name(int(seat)) for seat in told.items)


def _scored(told: Event) -> str:
    return f"scored {told.amount} point{'' if told.amount == 1 else 's'} for {told.subject}"


_EVENTS: Mapping[tuple[Verb, str], Callable[[Event], str]] = {
    (Verb.PHASE, "round"): lambda told: f"began round {told.items[0]}",
    (Verb.REVEALED, "deck pair"): lambda told: f"turned up the deck pair, {cards_named(told.items)}",
    (Verb.ORDER, "turn order"): lambda told: f"set the turn order: {_order_of(told)}",
    (Verb.ORDER, "leader"): lambda told: f"made {seat_name(int(told.items[0]))} the leader",
    (Verb.CHOSE, "card"): lambda told: f"played {cards_named(told.items)}",
    (Verb.CHOSE, "placement"): _laid,
    (Verb.CHOSE, "override"): lambda told: "paid two cubes to choose the pair",
    (Verb.CHOSE, "no override"): lambda told: "left the choice of the pair to the leader",
    (Verb.CHOSE, "deck pair"): lambda told: f"took the deck pair, {cards_named(told.items)}",
    (Verb.CHOSE, "hand pair"): lambda told: f"took the hand pair, {cards_named(told.items)}",
    (Verb.GAINED, "other pair"): lambda told: f"got the other pair, {cards_named(told.items)}",
    (Verb.CHOSE, "card to keep"): lambda told: f"kept {cards_named(told.items)}",
    (Verb.MOVED, "card to the discards"): lambda told: f"discarded {cards_named(told.items)}",
    (Verb.GAINED, "card"): lambda told: f"took {cards_named(told.items)}",
    (Verb.MOVED, "hand to the left"): lambda told: f"passed {told.amount} cards to the left",
    (Verb.MOVED, "hand to the right"): lambda told: f"passed {told.amount} cards to the right",
    (Verb.DREW, "map cards"): lambda told: f"drew {told.amount} cards",
    (Verb.DREW, "map cards in hand"): lambda told: f"drew {cards_named(told.items)}",
    **{(Verb.SCORED, category): _scored for category in CATEGORIES},
}
"""By verb and subject; cubes and passed cards have subjects of their own."""
