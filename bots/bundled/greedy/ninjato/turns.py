"""The decisions outside raids: where to place, what to take there and how to pay; and the scoring phases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bots.bundled.greedy.ninjato.raids import Arsenal, HouseTreasures, LootWorth, Odds
from bots.bundled.greedy.ninjato.worth import AGAINST, RUMOR_REWARD, Outlook, clan_honor, power
from referee.games.ninjato.components import (
    CLAN_ORDER,
    DOJO_DRAW,
    ENVOYS,
    GUARDS,
    HAND_LIMIT,
    Counts,
)
from referee.games.ninjato.counts import NO_CARDS, fewer, minus, more
from referee.games.ninjato.market import (
    ENVOY_DEMANDS,
    RUMOR_DEMANDS,
    payable_envoys,
    payable_rumors,
    payments,
)
from referee.games.ninjato.options import (
    Discard,
    Disguise,
    Learn,
    Pay,
    Pick,
    Place,
    Reward,
    Spend,
)
from referee.games.ninjato.sensei import learnable, price

Judge: TypeAlias = Callable[[Any], float]
"""Honor that an option is worth; each kind of decision has its own type of option."""

FUTILE = -0.5
"""Honor for a raid that cannot beat the Sentinel: a turn is lost and a treasure added for other seats."""
EARLIER = 0.25
"""Honor for an earlier place in the next turn order."""


def hand_of(outlook: Outlook) -> Counts:
    """The seat's own hand."""
    return outlook.view.hand or NO_CARDS


def place(outlook: Outlook) -> Judge:
    """Judges spaces by what they promise."""
    odds = Odds(outlook)
    promises: dict[str, Callable[[Outlook], float]] = {
        "dojo": visit,
        "sensei": lesson,
        "palace": audience,
        "pavilion": gossip,
    }

    def judge(option: Place) -> float:
        if option.space == "house":
            return raid(odds, option.house, option.mode)
        return promises[option.space](outlook)

    return judge


def raid(odds: Odds, house: int, mode: int) -> float:
    """The worth of a raid on one side of a house."""
    outlook = odds.outlook
    view, seat = outlook.view, outlook.seat
    arsenal = Arsenal(hand_of(outlook), view.ready[seat], mode)
    inside = HouseTreasures(view.light[house], view.red[house])
    worth = odds.fight(inside, LootWorth(0.0, 0.0), arsenal, (GUARDS[view.sentinels[house]].value,))
    return worth or FUTILE


def visit(outlook: Outlook) -> float:
    """The worth of a visit to the Dojo: the power of the best cards there, and an earlier turn."""
    hand = held = hand_of(outlook)
    face_up = outlook.view.face_up
    for _ in range(DOJO_DRAW[min(sum(hand), len(DOJO_DRAW) - 1)]):
        open_cards = [card for card, count in enumerate(face_up) if count]
        card = max(open_cards, key=lambda card: power(more(hand, card)), default=None)
        if card is None or power(more(hand, card)) < unseen(outlook, hand):
            # An unseen card counts as an average one: a 4 or a 2, by the side on which the hand is stronger.
            card = 3 if hand[3] + hand[4] >= hand[0] + hand[1] else 1
        else:
            face_up = fewer(face_up, card)
        hand = more(hand, card)
    while sum(hand) > HAND_LIMIT:
        hand = max((fewer(hand, card) for card, count in enumerate(hand) if count), key=power)
    return (power(hand) - power(held)) * outlook.card + EARLIER


def unseen(outlook: Outlook, hand: Counts) -> float:
    """The expected power of a hand with one more card from the deck."""
    view = outlook.view
    pool = minus(view.pool, view.drawn or NO_CARDS)
    weights = pool if any(pool) else view.dojo_discard
    return sum(count * power(more(hand, card)) for card, count in enumerate(weights)) / max(1, sum(weights))


def lesson(outlook: Outlook) -> float:
    """The worth of the best skill that the seat can pay for."""
    view, seat = outlook.view, outlook.seat
    options = learnable(view.sensei, view.ready[seat], view.used[seat], hand_of(outlook))
    return max(map(learn(outlook), options))


def learn(outlook: Outlook) -> Judge:
    """Judges skills by their worth, less the card that they cost."""
    view, seat, hand = outlook.view, outlook.seat, hand_of(outlook)

    def judge(option: Learn) -> float:
        due = price(view.ready[seat], view.used[seat], option.skill)
        paid = 0.0
        if due > 0:
            paid = power(hand) - power(fewer(hand, due - 1))
        elif due == 0:
            paid = min(power(hand) - power(fewer(hand, card)) for card, count in enumerate(hand) if count)
        return outlook.skill(option.skill) - paid * outlook.card

    return judge


def audience(outlook: Outlook) -> float:
    """The worth of the best envoy that the seat can pay for."""
    return max(map(take_envoy(outlook), payable_envoys(outlook.view.palace, outlook.view.treasures[outlook.seat])))


def gossip(outlook: Outlook) -> float:
    """The worth of the best rumor that the seat can pay for."""
    return max(map(buy_rumor(outlook), payable_rumors(outlook.view.pavilion, outlook.view.treasures[outlook.seat])))


def take_envoy(outlook: Outlook) -> Judge:
    """Judges envoys, each with its best payment."""
    return lambda option: outlook.envoy(option.envoy) + bargain(outlook, ENVOY_DEMANDS[option.envoy])


def buy_rumor(outlook: Outlook) -> Judge:
    """Judges rumors, each with its best payment."""
    return lambda option: outlook.rumor(option.rumor) + bargain(outlook, RUMOR_DEMANDS[option.rumor])


def bargain(outlook: Outlook, demand: int) -> float:
    """The worth of the best payment of a demand."""
    return max(map(pay(outlook), payments(demand, outlook.view.treasures[outlook.seat])))


def pay(outlook: Outlook) -> Judge:
    """Judges payments by their honor, less what the treasures are worth unspent."""

    def judge(option: Pay) -> float:
        return option.honor - outlook.loot(option.treasures)

    return judge


def pick(outlook: Outlook) -> Judge:
    """Judges cards by the power of the hand with them."""
    hand = hand_of(outlook)

    def judge(option: Pick) -> float:
        return power(more(hand, option.value - 1)) if option.value else unseen(outlook, hand)

    return judge


def put_away(outlook: Outlook) -> Judge:
    """Judges cards by the power of the hand without them."""
    hand = hand_of(outlook)

    def judge(option: Discard | Spend) -> float:
        return power(fewer(hand, option.value - 1))

    return judge


def disguise(outlook: Outlook) -> Judge:
    """Judges envoys by what one more influence changes in this scoring phase."""

    def judge(option: Disguise) -> float:
        if option.envoy < 0:
            return 0.0
        clan = ENVOYS[option.envoy].clan
        return outlook.incomes(clan, 0)[outlook.seat] - outlook.incomes(clan)[outlook.seat]

    return judge


def free_rumor(outlook: Outlook) -> Judge:
    """Judges rumors that cost nothing."""
    return lambda option: outlook.rumor(option.rumor)


def reward(outlook: Outlook) -> Judge:
    """Judges honor and the best rumor, each less a share of what is left for the second."""
    view = outlook.view
    step = view.frame[2] if view.frame is not None else 0
    honor = float(clan_honor(view.tokens, CLAN_ORDER[view.round][step]))
    rumor = max((outlook.rumor(number) for number in view.pavilion), default=0.0)

    def judge(option: Reward) -> float:
        return honor - AGAINST * RUMOR_REWARD if option.what == "honor" else rumor - AGAINST * honor

    return judge


JUDGES: dict[str, Callable[[Outlook], Judge]] = {
    "place": place,
    "dojo_pick": pick,
    "dojo_discard": put_away,
    "sensei_take": learn,
    "sensei_pay": put_away,
    "envoy_take": take_envoy,
    "rumor_take": buy_rumor,
    "pay": pay,
    "disguise": disguise,
    "clan_reward": reward,
    "rumor_free": free_rumor,
}
