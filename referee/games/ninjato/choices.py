"""The options of an ask as people click them: which card, tile, treasure or space first, and what that would bring.

Every place of a part names one thing on the board, so that the drawing finds it. `on` says what it is; the other fields
are numbers as in the view:

| `on` | other fields | thing |
|---|---|---|
| `space` | `space` | a space for shuriken: Dojo, Sensei, Palace, Pavilion, or one side of a house |
| `face_up`, `hand` | `value` | a Dojo card beside the deck, or in the asked seat's hand |
| `dojo_deck` | | the Dojo deck |
| `sensei`, `palace`, `pavilion` | `skill`, `envoy`, `rumor` | a tile or card on display |
| `ready`, `used` | `skill` | a skill tile of the asked seat, face up or face down |
| `envoy` | `envoy` | an envoy of the asked seat |
| `loot` | `treasure`, `red` | a treasure in the loot |
| `house` | `house`, `treasure`, `red` | a treasure in a house |
| `part` | `part` | one of the two parts of an elite guard |
| `supply` | `token` | a clan token that is on no house |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.games.ninjato.components import (
    BORYAKU,
    CHOCHO,
    DOJO_DRAW,
    ENVOYS,
    GUARDS,
    KUJI_KIRI,
    RUMOR_TYPES,
    SEISHIN_TEKI,
    TOKENS,
    Counts,
)
from referee.games.ninjato.counts import plus
from referee.games.ninjato.market import ENVOY_DEMANDS, RUMOR_DEMANDS, payable_envoys, payable_rumors, payments
from referee.games.ninjato.names import (
    CLAN_NAMES,
    listed,
    play_name,
    seat_name,
    sided_name,
    skill_name,
    skill_price,
    treasure_name,
    treasure_names,
)
from referee.games.ninjato.options import SPACE, Place, Play
from referee.games.ninjato.plays import targets
from referee.games.ninjato.raid import lowest
from referee.games.ninjato.scoring import bonuses, clan_honor, ranking
from referee.games.ninjato.sensei import price
from referee.games.ninjato.view import View
from referee.games.ninjato.words import ahead, answer, clan_of_step, disguised_now, tiles_beside_base
from referee.kernel.board import Choice, Part
from referee.kernel.game import Option, Seat
from referee.kernel.plain import Plain

FEW = 8
"""Up to so many payments are shown at once; of more the honor is chosen first."""

_Clicks = tuple[Part, ...]


class _Asked(NamedTuple):
    """What the words of one option are computed from."""

    view: View
    seat: Seat
    frame: Any
    options: Sequence[Any]
    plays: Mapping[tuple[int, int], int]
    """Number of plays by part of the opponent and by base."""
    parts: int
    """Number of different parts of the opponent that can be beaten."""
    honors: Mapping[int, int]
    """Number of payments by the honor that they score."""


def _on(sort: str, **fields: int) -> dict[str, Plain]:
    return {"on": sort, **fields}


# The clicks of an option


def _space(asked: _Asked, option: Place) -> _Clicks:
    number = SPACE[option]
    return (Part(f"space:{number}", answer(asked.view, "place", option), _on("space", space=number)),)


def _pick(asked: _Asked, option: Any) -> _Clicks:
    place = _on("face_up", value=option.value) if option.value else _on("dojo_deck")
    return (Part(f"card:{option.value}", answer(asked.view, "dojo_pick", option), place),)


def _own_card(asked: _Asked, option: Any) -> _Clicks:
    words = answer(asked.view, asked.frame[0], option)
    return (Part(f"card:{option.value}", words, _on("hand", value=option.value)),)


def _tile(asked: _Asked, option: Any) -> _Clicks:
    return (Part(f"skill:{option.skill}", skill_name(option.skill), _on("sensei", skill=option.skill)),)


def _envoy(asked: _Asked, option: Any) -> _Clicks:
    words = answer(asked.view, "envoy_take", option)
    return (Part(f"envoy:{option.envoy}", words, _on("palace", envoy=option.envoy)),)


def _rumor(asked: _Asked, option: Any) -> _Clicks:
    words = answer(asked.view, "rumor_take", option)
    return (Part(f"rumor:{option.rumor}", words, _on("pavilion", rumor=option.rumor)),)


def _payment(asked: _Asked, option: Any) -> _Clicks:
    name = "-".join(map(str, option.treasures))
    last = Part(f"pay:{name}", treasure_names(option.treasures))
    if len(asked.options) <= FEW or asked.honors[option.honor] == 1:
        return (last,)
    return (Part(f"honor:{option.honor}", f"{option.honor} honor"), last)


def _play(asked: _Asked, option: Play) -> _Clicks:
    clicks: list[Part] = []
    if asked.parts > 1:
        _, values = zip(*_targets(asked), strict=True)
        words = f"against the {'second' if option.part else 'first'} part, {values[option.part]}"
        clicks.append(Part(f"part:{option.part}", words, _on("part", part=option.part)))
    place = _on("hand", value=option.base) if option.base else _on("ready", skill=BORYAKU)
    second = option.part == 1 and asked.parts == 1
    whole = play_name(option.base, option.supports, tiles_beside_base(option), option.value, second)
    if asked.plays[option.part, option.base] == 1:
        return (*clicks, Part(f"play:{option.base}", f"play {whole}", place))
    base = f"a {option.base}" if option.base else skill_name(BORYAKU)
    tiles = "-".join(map(str, option.tiles))
    clicks.append(Part(f"play:{option.base}", f"play {base} ...", place))
    return (*clicks, Part(f"with:{option.supports}:{tiles}", whole))


def _targets(asked: _Asked) -> tuple[tuple[int, int], ...]:
    frame = asked.frame
    return targets(frame.opponent, frame.card, frame.standing, frame.mode)


def _switch(asked: _Asked, option: Any) -> _Clicks:
    return (Part("switch", answer(asked.view, "fight", option), _on("ready", skill=SEISHIN_TEKI)),)


def _swap(asked: _Asked, option: Any) -> _Clicks:
    loot = _on("loot", treasure=option.loot, red=option.loot_red)
    house = _on("house", house=asked.frame.house, treasure=option.house, red=option.house_red)
    return (
        Part("swap", "use Chocho ...", _on("ready", skill=CHOCHO)),
        Part(f"loot:{option.loot}:{option.loot_red}", f"{sided_name(option.loot, option.loot_red)} of the loot", loot),
        Part(
            f"house:{option.house}:{option.house_red}",
            f"for {sided_name(option.house, option.house_red)} of the house",
            house,
        ),
    )


def _refresh(asked: _Asked, option: Any) -> _Clicks:
    return (
        Part("refresh", "use Kuji-kiri ...", _on("ready", skill=KUJI_KIRI)),
        Part(f"tile:{option.skill}", f"turn {skill_name(option.skill)} face up", _on("used", skill=option.skill)),
    )


def _button(asked: _Asked, option: Any) -> _Clicks:
    return (Part(option.do, answer(asked.view, asked.frame[0], option)),)


def _keep(asked: _Asked, option: Any) -> _Clicks:
    red = 0 if asked.frame.light[option.treasure] else 1
    words = answer(asked.view, "keep", option)
    return (Part(f"keep:{option.treasure}", words, _on("loot", treasure=option.treasure, red=red)),)


def _token(asked: _Asked, option: Any) -> _Clicks:
    token = TOKENS.index((option.clan, option.value))
    words = f"{CLAN_NAMES[option.clan]} {option.value}"
    return (Part(f"token:{token}", words, _on("supply", token=token)),)


def _disguise(asked: _Asked, option: Any) -> _Clicks:
    words = answer(asked.view, "disguise", option)
    place = _on("envoy", envoy=option.envoy) if option.envoy >= 0 else {}
    return (Part(f"envoy:{option.envoy}" if option.envoy >= 0 else "none", words, place),)


def _reward(asked: _Asked, option: Any) -> _Clicks:
    return (Part(option.what, answer(asked.view, "clan_reward", option)),)


# What an option brings


def _space_brings(asked: _Asked, option: Place) -> str:
    view, seat = asked.view, asked.seat
    if option.space == "dojo":
        return _cards_brought(view.hand_sizes[seat])
    if option.space == "sensei":
        return "a skill"
    if option.space == "house":
        guard = GUARDS[view.sentinels[option.house]].value
        value = f"{'more' if option.mode == 0 else 'less'} than {guard}"
        return f"{treasure_name(lowest(view.light[option.house], view.red[option.house])[0])} for {value}"
    purse = view.treasures[seat]
    if option.space == "palace":
        demands = [ENVOY_DEMANDS[take.envoy] for take in payable_envoys(view.palace, purse)]
    else:
        demands = [RUMOR_DEMANDS[take.rumor] for take in payable_rumors(view.pavilion, purse)]
    card = "an envoy" if option.space == "palace" else "a rumor"
    return f"{card} and up to {max(_most_honor(demand, purse) for demand in demands)} honor"


def _cards_brought(held: int) -> str:
    count = DOJO_DRAW[min(held, len(DOJO_DRAW) - 1)]
    return f"{count} Dojo cards"


def _most_honor(demand: int, purse: Counts) -> int:
    return max(option.honor for option in payments(demand, purse))


def _tile_brings(asked: _Asked, option: Any) -> str:
    view, seat = asked.view, asked.seat
    return skill_price(price(view.ready[seat], view.used[seat], option.skill))


def _honor_range(demand: int, purse: Counts) -> str:
    honors = [option.honor for option in payments(demand, purse)]
    least, most = min(honors), max(honors)
    return f"{most} honor" if least == most else f"{least} to {most} honor"


def _envoy_brings(asked: _Asked, option: Any) -> str:
    view, seat = asked.view, asked.seat
    envoys = (*view.envoys[:seat], (*view.envoys[seat], option.envoy), *view.envoys[seat + 1 :])
    clan = ENVOYS[option.envoy].clan
    ranked = ranking(view._replace(envoys=envoys), clan, ())
    place = ranked.index(seat)
    rank = f", then {('first', 'second')[place]} of {CLAN_NAMES[clan]}" if place < 2 else ""
    return _honor_range(ENVOY_DEMANDS[option.envoy], view.treasures[seat]) + rank


def _at_the_end(asked: _Asked, rumor: int) -> str:
    """What one rumor more would add at the end, if nothing else changed (N-12.2, N-12.3)."""
    view, seat = asked.view, asked.seat
    rumors = (*view.rumors[:seat], (*view.rumors[seat], rumor), *view.rumors[seat + 1 :])
    after = dict(bonuses(view._replace(rumors=rumors), seat))
    before = dict(bonuses(view, seat))
    gain = sum(after[name] - before[name] for name in RUMOR_TYPES)
    return f"{gain} honor at the end as things stand"


def _rumor_brings(asked: _Asked, option: Any) -> str:
    at_the_end = _at_the_end(asked, option.rumor)
    if asked.frame[0] == "rumor_free":
        return at_the_end
    return f"{_honor_range(RUMOR_DEMANDS[option.rumor], asked.view.treasures[asked.seat])} now, {at_the_end}"


def _play_brings(asked: _Asked, option: Play) -> str:
    frame, view = asked.frame, asked.view
    if frame.standing & ~(1 << option.part):
        return "one part beaten"
    light, red = view.light[frame.house], view.red[frame.house]
    loot = sided_name(*lowest(light, red))
    return f"{loot}, the last of the house" if sum(light) + sum(red) == 1 else loot


def _loot_brings(asked: _Asked, option: Any) -> str:
    return treasure_names(plus(asked.frame.light, asked.frame.red))


def _give_up_brings(asked: _Asked, option: Any) -> str:
    loot = plus(asked.frame.light, asked.frame.red)
    if not any(loot):
        return "no treasure"
    return listed((treasure_name(kind) for kind, count in enumerate(loot) if count), last="or")


def _banzai_brings(asked: _Asked, option: Any) -> str:
    return ahead(asked.view, asked.frame)


def _token_brings(asked: _Asked, option: Any) -> str:
    tokens = list(asked.view.tokens)
    tokens[asked.frame.house] = TOKENS.index((option.clan, option.value))
    sums = (f"{name} {clan_honor(tokens, clan)}" for clan, name in enumerate(CLAN_NAMES))
    return f"houses then bring {listed(sums)}"


def _disguise_brings(asked: _Asked, option: Any) -> str:
    if option.envoy < 0:
        return ""
    clan = ENVOYS[option.envoy].clan
    place = ranking(asked.view, clan, (*disguised_now(asked.view), option.envoy)).index(asked.seat)
    rank = ("first", "second")[place] if place < 2 else f"rank {place + 1}"
    return f"{rank} of {CLAN_NAMES[clan]} as things stand"


def _reward_brings(asked: _Asked, option: Any) -> str:
    clan = clan_of_step(asked.view)
    honor = clan_honor(asked.view.tokens, clan)
    ranked = ranking(asked.view, clan, disguised_now(asked.view))
    second = seat_name(ranked[1]) if len(ranked) > 1 else ""
    if option.what == "honor":
        return f"{honor} honor" + (f"; {second} gets a rumor" if second else "")
    return "a rumor" + (f"; {second} gets {honor} honor" if second else "")


def _no_words(asked: _Asked, option: Any) -> str:
    return ""


_Click = Callable[[_Asked, Any], _Clicks]
_Bring = Callable[[_Asked, Any], str]

_SORTS: dict[str, tuple[_Click, _Bring]] = {
    "place": (_space, _space_brings),
    "pick": (_pick, _no_words),
    "discard": (_own_card, _no_words),
    "learn": (_tile, _tile_brings),
    "spend": (_own_card, _no_words),
    "take_envoy": (_envoy, _envoy_brings),
    "take_rumor": (_rumor, _rumor_brings),
    "pay": (_payment, lambda asked, option: f"{option.honor} honor"),
    "play": (_play, _play_brings),
    "switch": (_switch, _no_words),
    "swap": (_swap, _no_words),
    "refresh": (_refresh, _no_words),
    "give_up": (_button, _give_up_brings),
    "leave": (_button, _loot_brings),
    "banzai": (_button, _banzai_brings),
    "keep": (_keep, _no_words),
    "put_token": (_token, _token_brings),
    "disguise": (_disguise, _disguise_brings),
    "reward": (_reward, _reward_brings),
}
"""How an option is clicked and what it brings, by its verb."""


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """The options as people choose them, in the same order."""
    frame: Any = view.frame
    listed_options: list[Any] = list(options)
    plays = Counter((option.part, option.base) for option in listed_options if option.do == "play")
    honors = Counter(option.honor for option in listed_options if option.do == "pay")
    parts = len({part for part, _ in plays})
    asked = _Asked(view, frame[1], frame, listed_options, plays, parts, honors)
    found = []
    for option in listed_options:
        clicks, brings = _SORTS[option.do]
        found.append(Choice(answer(view, kind, option), clicks(asked, option), brings(asked, option)))
    return found
