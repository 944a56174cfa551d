"""What a drawing of Ninjato needs beyond a view: the components, honor by category, influence, and the raid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.ninjato.components import (
    BORYAKU,
    CLAN_ORDER,
    CLANS,
    ELITES,
    ENVOYS,
    GUARDS,
    PLAIN_TREASURES,
    ROUNDS,
    RUMOR_TITLES,
    RUMOR_TYPES,
    RUMORS,
    SCORING_ROUNDS,
    SHURIKEN,
    SKILLS,
    TOKENS,
    TREASURES,
    WAYS,
    Demand,
)
from referee.games.ninjato.names import (
    CLAN_NAMES,
    beaten_by,
    elite_name,
    envoy_name,
    guard_name,
    price_name,
    rumor_meaning,
    skill_effect,
    skill_name,
    skill_price,
    treasure_meaning,
)
from referee.games.ninjato.plays import targets
from referee.games.ninjato.scoring import (
    HONOR_LEFT,
    RUMOR_LEFT,
    clan_honor,
    final_result,
    influence,
    ranking,
)
from referee.games.ninjato.sensei import price
from referee.games.ninjato.state import RAID_KINDS, SCORING_KINDS
from referee.games.ninjato.turns import next_order
from referee.games.ninjato.view import View
from referee.games.ninjato.words import (
    ahead,
    disguised_now,
    doing,
    opponent_name,
    points,
    raiding,
    shuriken,
)
from referee.kernel.game import Event
from referee.kernel.plain import Plain

_SIGNS = {
    "set": "= {}",
    "swap": "swap",
    "switch_mode": "switch",
    "refresh": "refresh",
    "mask_influence": "mask",
}
"""The effect of a tile in a word or two, by its kind; the others show their numbers."""


def _sign(skill: int) -> str:
    effect, amounts = SKILLS[skill].effect, SKILLS[skill].amounts
    if effect == "add":
        return f"\N{PLUS-MINUS SIGN}{max(amounts)}" if len(amounts) > 1 else f"{amounts[0]:+}".replace("-", "\u2212")
    if skill == BORYAKU:
        return " or ".join(map(str, amounts))
    return _SIGNS[effect].format(*amounts)


def _price(demand: Demand) -> dict[str, Plain]:
    """A demand to be drawn: groups of a number and a type, -1 for any; `most` is above 0 for 1 to 4 of one type."""
    last = demand.forms[-1]
    groups: list[Plain] = [[size, -1 if allowed == PLAIN_TREASURES else allowed[0]] for size, allowed in last]
    least: list[Plain] = [[size, -1] for size, _ in demand.forms[0]]
    if len(demand.forms) > 1:
        return {"groups": least, "most": last[0][0], "distinct": False}
    return {"groups": groups, "most": 0, "distinct": demand.distinct}


def _components() -> dict[str, Plain]:
    """What the numbers of a view stand for, with the rules' words for each; the same in every position."""
    return {
        "treasures": [
            {"name": row.id, "honor": row.honor, "tip": f"{row.id}: {treasure_meaning(kind)}"}
            for kind, row in enumerate(TREASURES)
        ],
        "guards": [
            {"value": row.value, "alarm": row.alarm, "name": guard_name(kind)} for kind, row in enumerate(GUARDS)
        ],
        "elites": [
            {"parts": [list(part) for part in row.parts], "honor": row.honor, "name": elite_name(kind)}
            for kind, row in enumerate(ELITES)
        ],
        "skills": [
            {
                "name": row.name,
                "way": WAYS[row.way],
                "price": row.price,
                "sign": _sign(kind),
                "tip": f"{skill_name(kind)}, {WAYS[row.way]}: {skill_effect(kind)}; {skill_price(row.price)}"
                f" without a {WAYS[row.way]} tile",
            }
            for kind, row in enumerate(SKILLS)
        ],
        "envoys": [
            {
                "clan": row.clan,
                "age": row.age,
                "mask": row.mask,
                "price": _price(row.demand),
                "tip": f"{envoy_name(number)}: {price_name(row.demand)}{'; can be disguised' if row.mask else ''}",
            }
            for number, row in enumerate(ENVOYS)
        ],
        "rumors": [
            {
                "type": row.type,
                "price": _price(row.demand),
                "words": price_name(row.demand),
            }
            for row in RUMORS
        ],
        "rumor_types": [
            {"name": name, "title": title, "tip": f"{title}: {rumor_meaning(sort)}"}
            for sort, (name, title) in enumerate(zip(RUMOR_TYPES, RUMOR_TITLES, strict=True))
        ],
        "clans": [{"id": clan, "name": name} for clan, name in zip(CLANS, CLAN_NAMES, strict=True)],
        "tokens": [{"clan": clan, "honor": value} for clan, value in TOKENS],
        "rounds": ROUNDS,
        "scoring_rounds": list(SCORING_ROUNDS),
        "shuriken": SHURIKEN,
    }


COMPONENTS = _components()


def _clans(view: View) -> list[Plain]:
    """By clan: the honor of its houses, influence by seat, and the seats that are first and second (N-11)."""
    disguised = disguised_now(view)
    return [
        {
            "honor": clan_honor(view.tokens, clan),
            "influence": [influence(view, seat, clan, disguised) for seat in range(len(view.order))],
            "ranked": list(ranking(view, clan, disguised)),
        }
        for clan in range(len(CLANS))
    ]


def _raid(view: View) -> Plain:
    """The raid that goes on: its words, what beats each standing part of the opponent, and what banzai would bring."""
    frame: Any = view.frame
    if frame is None or frame[0] not in RAID_KINDS:
        return None
    needs: list[Plain] = []
    if frame.opponent:
        found = targets(frame.opponent, frame.card, frame.standing, frame.mode)
        needs += [beaten_by(value, frame.mode) for _, value in found]
    return {
        "words": raiding(view),
        "opponent": opponent_name(frame) if frame.opponent else "",
        "needs": needs,
        "ahead": ahead(view, frame) if frame[0] == "banzai" else "",
    }


_LEFT = {HONOR_LEFT: "honor", RUMOR_LEFT: "a rumor"}


def _scoring(view: View) -> Plain:
    """The clans of the scoring phase that goes on, in its order: what is settled and what waits (N-11.4 to N-11.6)."""
    frame: Any = view.frame
    if frame is None or frame[0] not in SCORING_KINDS:
        return None
    begun = frame[0] != "disguise"
    rows: list[Plain] = []
    for step, clan in enumerate(CLAN_ORDER[view.round]):
        ranked = ranking(view, clan, frame.disguised)
        left = _LEFT.get(frame.left[step], "") if step < len(frame.left) else ""
        rows.append(
            {
                "clan": clan,
                "first": ranked[0] if ranked else -1,
                "second": ranked[1] if len(ranked) > 1 else -1,
                "left": left,
                "now": begun and frame.step % len(CLANS) == step,
            }
        )
    return rows


def _result(view: View) -> Plain:
    """The places by seat, once the game is over (N-12.7)."""
    return list(final_result(view).places) if view.frame is None else None


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """The figures of a position, all from the view; the events of the last step add nothing to them.

    Seats, houses, clans and cards are numbers, as in the view.
    """
    seats = range(len(view.order))
    placed = shuriken(view)
    counts = [0] * len(seats)
    stars: list[Plain] = []
    for seat, space in placed:
        stars.append({"seat": seat, "number": counts[seat], "space": space})
        counts[seat] += 1
    return {
        "components": COMPONENTS,
        "points": [{"category": name, "points": list[Plain](honor)} for name, honor in points(view)],
        "shuriken": stars,
        "shuriken_left": [SHURIKEN - count for count in counts],
        "next_order": list(next_order(view.order, view.placed)),
        "hidden_cards": [view.hand_sizes[seat] - sum(view.known[seat]) for seat in seats],
        "free_skills": [
            [seat for seat in seats if price(view.ready[seat], view.used[seat], skill) < 0] for skill in view.sensei
        ],
        "clans": _clans(view),
        "asked": view.frame[1] if view.frame else -1,
        "doing": doing(view),
        "raid": _raid(view),
        "scoring": _scoring(view),
        "places": _result(view),
    }
