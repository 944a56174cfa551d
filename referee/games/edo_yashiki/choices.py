"""The options of an ask as clicks.

| kind | clicks | keys |
|---|---|---|
| `rank_cards` | card after card, the most wanted first; the last one follows | `card:<number>` |
| `pick_card` | a card | `card:<number>` |
| `place_card` | which way up, unless both look the same; then the place of the top left cell | `turn:<0 or 1>`, `at:<x>:<y>` |
| `score_line` | a line, or stop | `line:<number>`, `stop` |

A card's number is that of the protocol. `place` of a card is its `card` and `row`; of a way up its `turn` and the `rows`
shown; of a place its `x`, `y`, `card` and `turn`, with the `lines` that would be made and what they bring, if any; of a
line the line.
"""  # noqa: E501 - the table's rows

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from referee.games.edo_yashiki.components import CARDS, NAMES, ROTATIONS, TOKEN
from referee.games.edo_yashiki.facts import line_plain
from referee.games.edo_yashiki.house import HouseLine, lines_made
from referee.games.edo_yashiki.options import STOP, PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.scoring import bonus, line_points, points, scorable
from referee.games.edo_yashiki.state import PICK_CARD, PLACE_CARD, RANK_CARDS, SPECIALISTS, ScoringChain
from referee.games.edo_yashiki.view import View
from referee.games.edo_yashiki.words import (
    bonus_words,
    face_words,
    line_words,
    own_card,
    own_chain,
    pick_words,
    placement_words,
    ranking_words,
    score_words,
)
from referee.kernel.board import Choice, Part
from referee.kernel.game import Option, Seat
from referee.kernel.plain import Plain


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """The options as people choose them, in the same order."""
    if kind == RANK_CARDS:
        return _rankings(view, cast("Sequence[RankCards]", options))
    if kind == PICK_CARD:
        return [
            Choice(pick_words(view.row, option), (_card(view, option.card),))
            for option in cast("Sequence[PickCard]", options)
        ]
    if kind == PLACE_CARD:
        return _placements(view, cast("Sequence[PlaceCard]", options))
    return [_score(own_chain(view), option) for option in cast("Sequence[ScoreLine]", options)]


def _card(view: View, index: int) -> Part:
    card = view.row[index]
    return Part(f"card:{card}", f"card {NAMES[card]}", {"card": card, "row": index})


def _rankings(view: View, options: Sequence[RankCards]) -> list[Choice]:
    parts = [_card(view, index) for index in range(len(view.row))]
    return [
        Choice(ranking_words(view.row, option), tuple([parts[index] for index in option.order[:-1]]))
        for option in options
    ]


def _placements(view: View, options: Sequence[PlaceCard]) -> list[Choice]:
    card = own_card(view)
    house = view.houses[cast(Seat, view.seat)]
    faces = CARDS[card].faces
    turns = [_turn(card, turn) for turn in range(len(faces))]
    found = []
    for option in options:
        x, y, rot = option
        turn = ROTATIONS.index(rot)
        made = lines_made(house, faces[turn], x, y)
        brings = _brings(view, made) if made else ""
        place: dict[str, Plain] = {"x": x, "y": y, "card": card, "turn": turn}
        if made:
            place |= {"lines": [line_plain(line) for line in made], "brings": brings}
        cell = Part(f"at:{x}:{y}", f"at ({x}, {y})", place)
        path = (turns[turn], cell) if len(turns) > 1 else (cell,)
        found.append(Choice(placement_words(card, option), path, brings))
    return found


def _turn(card: int, turn: int) -> Part:
    face = CARDS[card].faces[turn]
    words = f"{'turned' if turn else 'as printed'}: {face_words(face)}"
    return Part(f"turn:{turn}", words, {"card": card, "turn": turn, "rows": [row.decode() for row in face]})


def _brings(view: View, made: Sequence[HouseLine]) -> str:
    """The points of the lines that a card would make; under the Specialists rules only those lines and the tokens."""
    specialists = view.rules == SPECIALISTS
    tokens = view.tokens[view.seat] if specialists and view.seat is not None else 0
    words = []
    for line in made:
        worth = line_points(line)
        spent = specialists and worth and not tokens & TOKEN[line.kind]
        words.append(f"{line_words(line)} ({'no token now' if spent else worth})")
    paying = scorable(made)
    if bonus(paying):
        words.append(bonus_words(bonus(paying)))
    total = points(made)
    amount = f"{'up to ' if specialists and total else ''}{total} point{'' if total == 1 else 's'}"
    return f"{amount}: {', '.join(words)}"


def _score(chain: ScoringChain, option: ScoreLine) -> Choice:
    words = score_words(chain, option)
    if option == STOP:
        return Choice(words, (Part("stop", words),))
    line = chain.lines[option.line]
    gain = line_points(line)
    brings = f"{gain} point{'' if gain == 1 else 's'} for the token"
    return Choice(words, (Part(f"line:{option.line}", words, {"line": option.line, **line_plain(line)}),), brings)
