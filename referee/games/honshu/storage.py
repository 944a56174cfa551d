"""A state as plain data and back.

A domain is stored as its province and the placements of its cards; everything visible follows from them. `load` takes
nothing on trust: every placement must have been legal, the cards and cubes must be those of the box, and what lies on
the table must fit the phase of the round.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.honshu.components import (
    CARDS,
    COLOURS,
    CUBES,
    KINDS,
    PROVINCE_FACES,
    PROVINCE_NAMES,
    SCORING_CARDS,
    SEATS,
)
from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.domain import Domain, Laid, empty_domain
from referee.games.honshu.geometry import CENTRE, cell, position
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.placement import Placement, Placements
from referee.games.honshu.rounds import final_scores
from referee.games.honshu.state import (
    KEEP,
    NO_CUBE,
    OVER,
    OVERRIDE,
    PAIR,
    PICK,
    PLACE,
    PLAY,
    PLAY2,
    SWITCHES,
    Bid,
    State,
    Switches,
    cards_in_play,
    census,
    phase,
)
from referee.kernel.errors import BadPlain
from referee.kernel.plain import Plain


def dump(state: State) -> Plain:
    """The whole state as plain data."""
    return {
        "rules": dict(state.rules._asdict()),
        "scoring_card": state.scoring_card,
        "phase": phase(state),
        "round": state.round,
        "order": list(state.order),
        "hands": [list(hand) for hand in state.hands],
        "pile": list(state.pile),
        "supply": list(state.supply),
        "domains": [
            {
                "province": PROVINCE_NAMES[domain.province],
                "laid": [list(laid) for laid in domain.laid],
                "cubes": [list(cell(at)) for at in cubes],
            }
            for domain, cubes in zip(state.domains, state.cubes, strict=True)
        ],
        "taken": list(state.taken),
        "trick": [list(bid) for bid in state.trick],
        "faceup": list(state.faceup),
        "revealed": list(state.revealed),
        "offers": [list(offer) for offer in state.offers],
        "discards": list(state.discards),
    }


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    fields = _object(plain, "the state")
    rules = _rules(fields)
    lands = [_domain(land, rules) for land in _list(fields, "domains")]
    now = _text(fields, "phase")
    state = State(
        rules=rules,
        scoring_card=_number(fields.get("scoring_card"), "scoring_card"),
        round=_number(fields.get("round"), "round"),
        order=_numbers(fields.get("order"), "order"),
        hands=[_numbers(hand, "hands") for hand in _list(fields, "hands")],
        pile=_numbers(fields.get("pile"), "pile"),
        supply=_numbers(fields.get("supply"), "supply"),
        domains=[domain for domain, _ in lands],
        cubes=[cubes for _, cubes in lands],
        taken=list(_numbers(fields.get("taken"), "taken")),
        trick=tuple(_bid(bid) for bid in _list(fields, "trick")),
        faceup=_numbers(fields.get("faceup"), "faceup"),
        revealed=_numbers(fields.get("revealed"), "revealed"),
        offers=tuple(_numbers(offer, "offers") for offer in _list(fields, "offers")),
        discards=_numbers(fields.get("discards"), "discards"),
        stack=[] if now == OVER else [(now,)],
    )
    _check_table(state)
    _check_box(state)
    _check_phase(state)
    if now == OVER:
        state.scores = final_scores(state)
    return state


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise BadPlain(f"not a state of honshu: {what}")


def _object(plain: Plain, what: str) -> Mapping[str, Plain]:
    if not isinstance(plain, dict):
        raise BadPlain(f"not a state of honshu: {what} is not an object")
    return plain


def _list(fields: Mapping[str, Plain], key: str) -> list[Plain]:
    plain = fields.get(key)
    if not isinstance(plain, list):
        raise BadPlain(f"not a state of honshu: {key} is not a list")
    return plain


def _text(fields: Mapping[str, Plain], key: str) -> str:
    plain = fields.get(key)
    if not isinstance(plain, str):
        raise BadPlain(f"not a state of honshu: {key} is not a text")
    return plain


def _number(plain: Plain, what: str) -> int:
    if not isinstance(plain, int) or isinstance(plain, bool):
        raise BadPlain(f"not a state of honshu: {what} holds something that is no number")
    return plain


def _numbers(plain: Plain, what: str, length: int | None = None) -> tuple[int, ...]:
    if not isinstance(plain, list) or length not in (None, len(plain)):
        raise BadPlain(f"not a state of honshu: {what} is not a list of the right length")
    return tuple(_number(item, what) for item in plain)


def _rules(fields: Mapping[str, Plain]) -> Switches:
    given = _object(fields.get("rules"), "rules")
    rules = Switches(*(_text(given, key) for key in Switches._fields))
    for key, value in rules._asdict().items():
        _check(value in SWITCHES[key], f"{key} has no value {value!r}")
    return rules


def _domain(plain: Plain, rules: Switches) -> tuple[Domain, tuple[int, ...]]:
    """A domain and its cubes; every card must have been placed legally (H-7.1)."""
    fields = _object(plain, "a domain")
    name = _text(fields, "province")
    _check(name in PROVINCE_FACES and name[0] == rules.province_side, f"there is no province {name!r}")
    domain = empty_domain(PROVINCE_FACES[name], rules.layering == "free")
    for item in _list(fields, "laid"):
        card, *where = _numbers(item, "laid", 5)
        placement = Placement(*where)
        _check(card in CARDS and placement in Placements(domain, card), "a card was laid where it may not be")
        domain = domain.lay(Laid(card, *placement))
    cubes = []
    for item in _list(fields, "cubes"):
        row, col = _numbers(item, "cubes", 2)
        at = position(row, col) if abs(row) < CENTRE and abs(col) < CENTRE else -1
        shown = KINDS[domain.cells.get(at, 0) % SLOT_UNIT]
        _check(shown.what == "production", "a cube lies outside the production cells")
        cubes.append(at)
    _check(cubes == sorted(set(cubes)), "cubes are not in order")
    return domain, tuple(cubes)


def _bid(plain: Plain) -> Bid:
    bid = Bid(*_numbers(plain, "trick", 3))
    _check(NO_CUBE <= bid.colour < len(COLOURS), "a bid has an unknown colour")
    return bid


def _check_table(state: State) -> None:
    """Seats and set-up fit together."""
    seats = len(state.domains)
    _check(seats in SEATS, f"there are {seats} domains")
    _check(len(state.hands) == len(state.taken) == seats, "hands and domains belong to different numbers of seats")
    _check(sorted(state.order) == list(range(seats)), "the turn order is no order of the seats")
    drawn = state.rules.scoring_card
    allowed = SCORING_CARDS if drawn == "random" else (0 if drawn == "none" else int(drawn),)
    _check(state.scoring_card in allowed, "the scoring card is not the chosen one")
    _check(all(list(hand) == sorted(hand) for hand in (*state.hands, state.faceup)), "cards are not in order")


def _check_box(state: State) -> None:
    """The cards and cubes are those of the box (H-1.1 to H-1.3)."""
    cards = cards_in_play(state)
    _check(sorted(cards) == list(CARDS) and cards.total() == len(CARDS), "the map cards are not those of the box")
    _check(len(state.supply) == len(CUBES) and min(state.supply) >= 0, "the supply has not four colours")
    counts = census(state)
    cubes = tuple(counts[f"{name} cubes"] for name in COLOURS)
    _check(cubes == CUBES, "the cubes are not those of the box")
    _check(counts["provinces"] == len(state.domains), "a province was dealt twice")


def _check_phase(state: State) -> None:
    """The round, the hands and the cards on the table fit the phase (section 4)."""
    now, seats = phase(state), len(state.hands)
    _check(now in _PHASES[seats > 2], f"there is no phase {now!r} with {seats} players")
    _check(1 <= state.round <= CONSTANTS.rounds, f"there is no round {state.round}")
    done = CONSTANTS.rounds if now == OVER else state.round - 1
    _check(all(len(domain.laid) == done for domain in state.domains), "a domain has a wrong number of cards")
    bidders = tuple(bid.seat for bid in state.trick)
    expected = {PLAY: state.order[: len(bidders)], PICK: bidders, OVERRIDE: (0, 1), PAIR: (0, 1)}
    _check(bidders == expected.get(now, ()), "the trick does not fit the phase")
    played = bidders if now == PLAY else () if now == PLAY2 else range(seats)
    for seat, hand in enumerate(state.hands):
        size = CONSTANTS.hand_size - (state.round - 1) % CONSTANTS.deal_after - (seat in played)
        _check(len(hand) == size, f"seat {seat} holds a wrong number of cards")
    _check(len(state.revealed) == (CONSTANTS.reveal if now in (PLAY2, OVERRIDE, PAIR) else 0), "no deck pair fits")
    _check([len(offer) for offer in state.offers] == ([2, 2] if now == KEEP else []), "the pairs do not fit the phase")
    picked = state.order[: seats - len(state.faceup)] if now == PICK else range(seats if now == PLACE else 0)
    _check([bool(card) for card in state.taken] == [seat in picked for seat in range(seats)], "cards taken do not fit")


_PHASES = ((PLAY2, OVERRIDE, PAIR, KEEP, PLACE, OVER), (PLAY, PICK, PLACE, OVER))
"""The phases for two players, and for more."""
