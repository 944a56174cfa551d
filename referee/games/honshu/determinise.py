"""Determinisation: a full state from the information set of one seat, given as its view."""

from __future__ import annotations

from referee.games.honshu.components import PROVINCE_FACES
from referee.games.honshu.domain import domain_of
from referee.games.honshu.geometry import position
from referee.games.honshu.state import OVER, State
from referee.games.honshu.view import View, unseen_cards
from referee.kernel.chance import Chance


def determinise(view: View, chance: Chance) -> State:
    """A random full state that shows `view` to its seat: the unseen cards are dealt anew."""
    unseen = chance.shuffled("unseen-cards", unseen_cards(view))
    hands = []
    for size, known in zip(view.hand_sizes, view.known_hands, strict=True):
        missing = size - len(known)
        hands.append(tuple(sorted(unseen[:missing])) if missing else known)
        unseen = unseen[missing:]
    free = view.rules.layering == "free"
    return State(
        rules=view.rules,
        scoring_card=view.scoring_card,
        round=view.round,
        order=view.order,
        hands=hands,
        pile=tuple(unseen),
        supply=view.supply,
        domains=[domain_of(PROVINCE_FACES[domain.province], domain.laid, free) for domain in view.domains],
        cubes=[tuple([position(*cube) for cube in domain.cubes]) for domain in view.domains],
        taken=list(view.taken),
        trick=view.trick,
        faceup=view.faceup,
        revealed=view.revealed,
        offers=view.offers,
        discards=view.discards,
        scores=view.scores,
        stack=[] if view.phase == OVER else [(view.phase,)],
    )
