"""From round to round: set-up, the domain phase, passing, dealing and the end (sections 3, 4, 7 and 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.honshu.components import (
    CARDS,
    CUBES,
    PROVINCES,
    SCORING_CARDS,
    province_face,
)
from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.domain import Laid, empty_domain
from referee.games.honshu.options import ask_all
from referee.games.honshu.placement import Placement, Placements
from referee.games.honshu.scoring import SeatScore, land_of, score
from referee.games.honshu.state import PLACE, PLAY, PLAY2, State, Switches, cube_colours
from referee.games.honshu.supply import cover, produce
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import TABLE, Event, Option, Pending, Result, Seat, Variant, Verb, rank

LEFT, RIGHT = 1, -1
"""Steps to a neighbour: seats are numbered clockwise."""


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """Deal provinces, turn order and hands, and open the first round (section 3).

    Each shuffle is a stream of its own: "provinces" (H-3.2), "turn-order" (H-3.4), "map-cards" (H-3.5) and, if it is
    drawn, "scoring-card" (H-3.6).
    """
    rules = Switches(**variant)
    provinces = chance.shuffled("provinces", range(1, PROVINCES + 1))[:seats]
    order = tuple(chance.order("turn-order", seats))
    pile = tuple(chance.shuffled("map-cards", CARDS))
    scoring_card = 0
    if rules.scoring_card == "random":
        scoring_card = sorted(SCORING_CARDS)[chance.pick("scoring-card", len(SCORING_CARDS))]
    elif rules.scoring_card != "none":
        scoring_card = int(rules.scoring_card)
    faces = [province_face(rules.province_side, number) for number in provinces]
    state = State(
        rules=rules,
        scoring_card=scoring_card,
        round=0,
        order=order,
        hands=[()] * seats,
        pile=pile,
        supply=CUBES,
        domains=[empty_domain(face, rules.layering == "free") for face in faces],
        cubes=[()] * seats,
        taken=[0] * seats,
        stack=[(PLACE,)],
    )
    unseen: list[Event] = []
    for seat, face in enumerate(faces):
        produce(state, seat, face, Laid(face, 0, 0, 0, 0), unseen)
    _deal(state, unseen)
    _begin_round(state, unseen)
    return state


def _begin_round(state: State, events: list[Event]) -> None:
    """Open the next round; two players first turn up the deck pair (section 4, H-6.1)."""
    state.round += 1
    events.append(Event(Verb.PHASE, TABLE, "round", (state.round,)))
    if len(state.hands) > 2:
        state.stack[-1] = (PLAY,)
        return
    state.revealed = tuple(sorted(state.pile[: CONSTANTS.reveal]))
    state.pile = state.pile[CONSTANTS.reveal :]
    state.stack[-1] = (PLAY2,)
    events.append(Event(Verb.REVEALED, TABLE, "deck pair", state.revealed))


def _place_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """Everybody at once (H-7.1, R-6)."""
    return ask_all(PLACE, len(state.hands))


def _place_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Every legal placement of the card received (H-7.1)."""
    return Placements(state.domains[seat], state.taken[seat])


def _place(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Lay all cards, return all covered cubes, then produce new ones in turn order (H-7.8, H-7.9, R-6)."""
    laid = [Laid(card, *cast(Placement, answers[seat])) for seat, card in enumerate(state.taken)]
    for seat, card in enumerate(laid):
        events.append(Event(Verb.CHOSE, seat, "placement", tuple(card)))
        cover(state, seat, card, events)
    for seat in state.order:
        produce(state, seat, laid[seat].card, laid[seat], events)
    state.taken = [0] * len(laid)
    _end_round(state, events)


def _end_round(state: State, events: list[Event]) -> None:
    """Pass or deal where the round says so, then go on or score (H-8.1 to H-8.4)."""
    if state.round == CONSTANTS.rounds:
        _finish(state, events)
        return
    if state.round == CONSTANTS.pass_left_after:
        _pass_hands(state, LEFT, events)
    elif state.round == CONSTANTS.deal_after:
        _deal(state, events)
    elif state.round == CONSTANTS.pass_right_after:
        _pass_hands(state, RIGHT, events)
    _begin_round(state, events)


def _pass_hands(state: State, step: int, events: list[Event]) -> None:
    """Every seat passes its hand to a neighbour; the two of them know the cards (H-8.1, H-8.3)."""
    hands = state.hands
    seats = len(hands)
    side = "left" if step == LEFT else "right"
    for seat, hand in enumerate(hands):
        neighbour = (seat + step) % seats
        events.append(Event(Verb.MOVED, seat, f"hand to the {side}", (), len(hand)))
        both = (min(seat, neighbour), max(seat, neighbour))
        events.append(Event(Verb.MOVED, seat, f"cards to seat {neighbour}", hand, audience=both))
    state.hands = [hands[(seat - step) % seats] for seat in range(seats)]


def _deal(state: State, events: list[Event]) -> None:
    """Six cards to each seat, in blocks from the top of the pile, seat 0 first (H-3.5, H-3.7, H-8.2)."""
    size = CONSTANTS.hand_size
    for seat in range(len(state.hands)):
        state.hands[seat] = tuple(sorted(state.pile[:size]))
        state.pile = state.pile[size:]
        events.append(Event(Verb.DREW, seat, "map cards", (), size))
        events.append(Event(Verb.DREW, seat, "map cards in hand", state.hands[seat], audience=(seat,)))


def known_neighbour(round_number: int, seat: Seat, seats: int) -> Seat | None:
    """The seat whose whole hand this seat knows, because it passed it on: until that hand is played (section 10)."""
    if CONSTANTS.pass_left_after < round_number <= CONSTANTS.deal_after:
        return (seat + LEFT) % seats
    if CONSTANTS.pass_right_after < round_number <= CONSTANTS.rounds:
        return (seat + RIGHT) % seats
    return None


def final_scores(state: State) -> tuple[SeatScore, ...]:
    """The points of every seat (H-8.5, H-8.6)."""
    return tuple(
        score(land_of(domain.cells), cube_colours(state, seat), state.scoring_card, state.rules.equals_cards)
        for seat, domain in enumerate(state.domains)
    )


def _finish(state: State, events: list[Event]) -> None:
    """Score every domain; the game is over (H-8.4)."""
    state.scores = final_scores(state)
    for seat, lines in enumerate(state.scores):
        named = lines._asdict().items()
        events += [Event(Verb.SCORED, seat, line, (), points) for line, points in named if line != "fields"]
    state.stack.clear()


HANDLERS = {PLACE: Handler(_place_asks, _place_options, _place)}


def result(state: State) -> Result | None:
    """More points first, then more visible fields, else a shared place (H-8.7, R-8); None while the game goes on."""
    if not state.scores:
        return None
    keys = [(score.total, score.fields) for score in state.scores]
    return Result(rank(keys), tuple(points for points, _ in keys), "twelve rounds played")
