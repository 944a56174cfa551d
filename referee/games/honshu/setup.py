"""Set-up: provinces, turn order, hands and the scoring card (section 3)."""

from __future__ import annotations

from referee.games.honshu.components import CARDS, CUBES, PROVINCES, SCORING_CARDS, province_face
from referee.games.honshu.domain import Laid, empty_domain
from referee.games.honshu.rounds import begin_round, deal
from referee.games.honshu.state import PLACE, State, Switches
from referee.games.honshu.supply import produce
from referee.kernel.chance import Chance
from referee.kernel.game import Event, Variant


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game in its first round: provinces, turn order and hands are dealt (section 3).

    All cubes begin in the supply, and the provinces take theirs from it (H-3.1, H-3.3). Each shuffle has its own
    stream: "provinces" (H-3.2), "turn-order" (H-3.4), "map-cards" (H-3.5) and, if the scoring card is drawn,
    "scoring-card" (H-3.6).
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
    deal(state, unseen)
    begin_round(state, unseen)
    return state
