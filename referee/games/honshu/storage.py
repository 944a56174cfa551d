"""The state as plain data and back.

A domain is stored as its province and the placements of its cards; everything visible follows from them. `load` checks
every value: each placement must have been legal, the cards and cubes must be those of the box, and the cards on the
table must fit the phase of the round.
"""

from __future__ import annotations

from referee.games.honshu.census import cards_in_play, census
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
from referee.games.honshu.options import Placement, Placements
from referee.games.honshu.scoring import final_scores
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
    phase,
)
from referee.kernel.errors import BadPlain
from referee.kernel.plain import Plain
from referee.kernel.reading import Reader

_READ = Reader(BadPlain, "not a state of honshu: ")
_FIELDS = (
    "rules", "scoring_card", "phase", "round", "order", "hands", "pile", "supply", "domains", "taken", "trick",
    "faceup", "revealed", "offers", "discards",
)  # fmt: skip
_PHASES = ((PLAY2, OVERRIDE, PAIR, KEEP, PLACE, OVER), (PLAY, PICK, PLACE, OVER))
"""The phases for two players, and for more."""


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
    fields = _READ.exactly(plain, "a state", _FIELDS)
    rules = _rules(fields["rules"])
    lands = [_domain(land, rules) for land in _READ.items(fields, "domains")]
    now = _READ.text(fields, "phase")
    state = State(
        rules=rules,
        scoring_card=_READ.whole(fields, "scoring_card"),
        round=_READ.integer(fields["round"], "round", 1, CONSTANTS.rounds),
        order=_READ.integers(fields["order"], "order"),
        hands=[_READ.integers(hand, "hands") for hand in _READ.items(fields, "hands")],
        pile=_READ.integers(fields["pile"], "pile"),
        supply=_READ.integers(fields["supply"], "supply", 0, count=len(CUBES)),
        domains=[domain for domain, _ in lands],
        cubes=[cubes for _, cubes in lands],
        taken=list(_READ.integers(fields["taken"], "taken")),
        trick=tuple(_bid(bid) for bid in _READ.items(fields, "trick")),
        faceup=_READ.integers(fields["faceup"], "faceup"),
        revealed=_READ.integers(fields["revealed"], "revealed"),
        offers=tuple(_READ.integers(offer, "offers") for offer in _READ.items(fields, "offers")),
        discards=_READ.integers(fields["discards"], "discards"),
        stack=[] if now == OVER else [(now,)],
    )
    _check_table(state)
    _check_box(state)
    _check_phase(state)
    if now == OVER:
        state.scores = final_scores(state)
    return state


def _rules(plain: Plain) -> Switches:
    fields = _READ.exactly(plain, "rules", Switches._fields)
    return Switches(*(_READ.word(fields, key, SWITCHES[key]) for key in Switches._fields))


def _domain(plain: Plain, rules: Switches) -> tuple[Domain, tuple[int, ...]]:
    """A domain and its cubes; every card must have been placed legally (H-7.1)."""
    fields = _READ.exactly(plain, "a domain", ("province", "laid", "cubes"))
    name = _READ.word(fields, "province", [name for name in PROVINCE_FACES if name[0] == rules.province_side])
    domain = empty_domain(PROVINCE_FACES[name], rules.layering == "free")
    for item in _READ.items(fields, "laid"):
        card, *where = _READ.integers(item, "laid", count=5)
        placement = Placement(*where)
        legal = card in CARDS and placement in Placements(domain, card)
        _READ.require(legal, "a card was laid where it may not be")
        domain = domain.lay(Laid(card, *placement))
    cubes = []
    for item in _READ.items(fields, "cubes"):
        at = position(*_READ.integers(item, "cubes", 1 - CENTRE, CENTRE - 1, 2))
        shown = KINDS[domain.cells.get(at, 0) % SLOT_UNIT]
        _READ.require(shown.what == "production", "a cube lies outside the production cells")
        cubes.append(at)
    _READ.require(cubes == sorted(set(cubes)), "cubes are not in order")
    return domain, tuple(cubes)


def _bid(plain: Plain) -> Bid:
    seat, card, colour = _READ.integers(plain, "trick", count=3)
    return Bid(seat, card, _READ.integer(colour, "the colour of a bid", NO_CUBE, len(COLOURS) - 1))


def _check_table(state: State) -> None:
    """Refuse seats and set-up that do not fit together."""
    require = _READ.require
    seats = len(state.domains)
    require(seats in SEATS, f"there are {seats} domains")
    require(len(state.hands) == len(state.taken) == seats, "hands and domains belong to different numbers of seats")
    require(sorted(state.order) == list(range(seats)), "the turn order is no order of the seats")
    drawn = state.rules.scoring_card
    allowed = SCORING_CARDS if drawn == "random" else (0 if drawn == "none" else int(drawn),)
    require(state.scoring_card in allowed, "the scoring card is not the chosen one")
    require(all(list(hand) == sorted(hand) for hand in (*state.hands, state.faceup)), "cards are not in order")


def _check_box(state: State) -> None:
    """Refuse cards and cubes that are not those of the box (H-1.1 to H-1.3)."""
    cards = cards_in_play(state)
    whole = sorted(cards) == list(CARDS) and cards.total() == len(CARDS)
    _READ.require(whole, "the map cards are not those of the box")
    counts = census(state)
    cubes = tuple(counts[f"{name} cubes"] for name in COLOURS)
    _READ.require(cubes == CUBES, "the cubes are not those of the box")
    _READ.require(counts["provinces"] == len(state.domains), "a province was dealt twice")


def _check_phase(state: State) -> None:
    """Refuse a round, hands or cards on the table that do not fit the phase (section 4)."""
    require = _READ.require
    now, seats = phase(state), len(state.hands)
    require(now in _PHASES[seats > 2], f"there is no such phase with {seats} players")
    done = CONSTANTS.rounds if now == OVER else state.round - 1
    require(all(len(domain.laid) == done for domain in state.domains), "a domain has a wrong number of cards")
    bidders = tuple(bid.seat for bid in state.trick)
    expected = {PLAY: state.order[: len(bidders)], PICK: bidders, OVERRIDE: (0, 1), PAIR: (0, 1)}
    require(bidders == expected.get(now, ()), "the trick does not fit the phase")
    played = bidders if now == PLAY else () if now == PLAY2 else range(seats)
    for seat, hand in enumerate(state.hands):
        size = CONSTANTS.hand_size - (state.round - 1) % CONSTANTS.deal_after - (seat in played)
        require(len(hand) == size, f"seat {seat} holds a wrong number of cards")
    require(len(state.revealed) == (CONSTANTS.reveal if now in (PLAY2, OVERRIDE, PAIR) else 0), "no deck pair fits")
    require([len(offer) for offer in state.offers] == ([2, 2] if now == KEEP else []), "the pairs do not fit the phase")
    picked = state.order[: seats - len(state.faceup)] if now == PICK else range(seats if now == PLACE else 0)
    require([bool(card) for card in state.taken] == [seat in picked for seat in range(seats)], "cards taken do not fit")
