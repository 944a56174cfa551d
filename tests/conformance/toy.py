"""Night Market: a small game with everything that makes games hard, to try the kit on.

Two to four seats hold hidden cards from one deck. In each round the first seat takes a stall (a long, lazy list of
options), all seats bid a card at once, everybody draws, and then all seats bury cards in private chains of their own
length: nobody learns what another one buries, nor how much, until all chains have ended. One card always stays in the
hand. Buried cards score at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from referee.kernel import frames, grid
from referee.kernel.chance import Chance
from referee.kernel.errors import BadPlain
from referee.kernel.frames import Frame, FrameGame, Handler
from referee.kernel.game import (
    TABLE,
    Bounds,
    Choices,
    Edition,
    Event,
    Option,
    Pending,
    Result,
    Seat,
    Variant,
    Verb,
    rank,
)
from referee.kernel.plain import Plain

CARDS = tuple(range(1, 33))
STALLS = 70
DEALT = 4
ROUNDS = {"short": 2, "long": 3}
PRIZE = {"plain": 3, "double": 6}
Answers = Mapping[Seat, Option]
OptionLists = Mapping[Seat, Any]


@dataclass(frozen=True, slots=True)
class Stall:
    """Take a stall of the market."""

    cell: int


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a card for the prize."""

    card: int


@dataclass(frozen=True, slots=True)
class Bury:
    """Lay a card aside, unseen, until the end."""

    card: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Bury no more in this round."""


class Stalls(Sequence[Option]):
    """The free stalls as options, by number, each made when it is asked for."""

    __slots__ = ("_given",)

    def __init__(self, free: int) -> None:
        self._given = free

    @property
    def _free(self) -> int:
        """The free stalls as a set of bits."""
        return self._given

    def __len__(self) -> int:
        return self._free.bit_count()

    @overload
    def __getitem__(self, index: int) -> Option: ...

    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...

    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"there are {len(self)} free stalls")
        return Stall(grid.select(self._free, position))

    def __contains__(self, option: object) -> bool:
        return isinstance(option, Stall) and self._free >> option.cell & 1 == 1

    def index(self, option: Option, start: int = 0, stop: int | None = None) -> int:
        if not isinstance(option, Stall) or option not in self:
            raise ValueError("that stall is not free")
        return grid.rank(self._free, option.cell)


@dataclass(slots=True)
class State:
    """One game. `fresh` counts the cards that each seat buried in the current round, unpublished yet."""

    rounds: int
    prize: int
    round: int
    first: Seat
    free: int
    deck: list[int]
    hands: list[list[int]]
    buried: list[list[int]]
    fresh: list[int]
    spent: list[int]
    points: list[int]
    stack: list[Frame]


@dataclass(frozen=True, slots=True)
class View:
    """What a seat, or the public (None), may know."""

    seat: Seat | None
    rounds: int
    prize: int
    round: int
    first: Seat
    phase: str
    free: int
    deck: int
    held: tuple[int, ...]
    """Of each seat: its hand and what it buried in this round."""
    laid: tuple[int, ...]
    """Of each seat: what it buried in earlier rounds."""
    spent: tuple[int, ...]
    points: tuple[int, ...]
    shown: tuple[tuple[int, ...], ...] | None
    """All buried cards, once the game is over."""
    hand: tuple[int, ...] | None
    buried: tuple[int, ...] | None
    fresh: int | None
    open: bool | None
    """Whether the seat may bury more in this round."""


def start_round(state: State, events: list[Event]) -> None:
    """Ask the first seat for a stall, or end the game."""
    seats = range(len(state.hands))
    if state.round < state.rounds:
        state.round += 1
        state.first = (state.first + 1) % len(seats)
        state.stack[:] = [("stall",)]
        events.append(Event(Verb.PHASE, TABLE, "round", (state.round, state.first)))
        return
    state.stack.clear()
    for seat in seats:
        worth = sum(card % 4 for card in state.buried[seat])
        state.points[seat] += worth
        events.append(Event(Verb.REVEALED, seat, "buried cards", tuple(state.buried[seat])))
        events.append(Event(Verb.SCORED, seat, "buried cards", amount=worth))
    events.append(Event(Verb.PHASE, TABLE, "over"))


def apply_stall(
    state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]
) -> None:
    """The first seat takes its stall in public; even ones bring a point."""
    seat, stall = state.first, answers[state.first]
    assert isinstance(stall, Stall)
    state.free ^= 1 << stall.cell
    state.points[seat] += 1 - stall.cell % 2
    events.append(Event(Verb.CHOSE, seat, "stall", (stall.cell,)))
    state.stack[:] = [("bid",)]


def apply_bid(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """All bids are shown, the highest wins the prize, and everybody draws."""
    seats = range(len(state.hands))
    bids: list[int] = []
    for seat in seats:
        bid = answers[seat]
        assert isinstance(bid, Bid)
        card = bid.card
        bids.append(card)
        state.hands[seat].remove(card)
        state.spent.append(card)
        events.append(Event(Verb.REVEALED, seat, "bid", (card,)))
    winner = max(seats, key=lambda seat: bids[seat])
    state.points[winner] += state.prize
    events.append(Event(Verb.SCORED, winner, "prize", amount=state.prize))
    for seat in seats:
        card = state.deck.pop()
        state.hands[seat].append(card)
        state.hands[seat].sort()
        events.append(Event(Verb.DREW, seat, "card", amount=1))
        events.append(Event(Verb.DREW, seat, "card", (card,), audience=(seat,)))
    if chance.pick(f"wind/{state.round}", 4) == 0:
        state.spent.append(state.deck.pop(0))
        events.append(Event(Verb.REVEALED, TABLE, "card blown from the deck", (state.spent[-1],)))
    open_chains(state, tuple(seats), events)


def open_chains(state: State, seats: Iterable[Seat], events: list[Event]) -> None:
    """Ask those who can still bury something; when nobody can, publish the numbers and go on."""
    still = tuple(seat for seat in seats if len(state.hands[seat]) > 1)
    if still:
        state.stack[:] = [("bury", still)]
        return
    for seat, count in enumerate(state.fresh):
        events.append(Event(Verb.MOVED, seat, "cards buried", amount=count))
    state.fresh = [0] * len(state.fresh)
    start_round(state, events)


def bury_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Any card of the hand, or no more."""
    return (*map(Bury, state.hands[seat]), Stop())


def apply_bury(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Every open chain goes one step on, unseen."""
    still = []
    for seat in frame[1]:
        answer = answers[seat]
        if isinstance(answer, Bury):
            state.hands[seat].remove(answer.card)
            state.buried[seat].append(answer.card)
            state.fresh[seat] += 1
            still.append(seat)
            events.append(Event(Verb.CHOSE, seat, "bury", (answer.card,), audience=(seat,)))
        else:
            events.append(Event(Verb.CHOSE, seat, "stop", audience=(seat,)))
    open_chains(state, still, events)


HANDLERS: Mapping[str, Handler[State]] = {
    "stall": Handler(
        asks=lambda state, frame: (Pending(state.first, "stall"),),
        options=lambda state, frame, seat: Stalls(state.free),
        apply=apply_stall,
    ),
    "bid": Handler(
        asks=lambda state, frame: tuple(Pending(seat, "bid") for seat in range(len(state.hands))),
        options=lambda state, frame, seat: tuple(map(Bid, state.hands[seat])),
        apply=apply_bid,
    ),
    "bury": Handler(
        asks=lambda state, frame: tuple(Pending(seat, "bury") for seat in frame[1]),
        options=bury_options,
        apply=apply_bury,
    ),
}


class Toy:
    """The rules of Night Market."""

    name = "night_market"
    title = "Night Market"
    rules_version = 1
    digest = "0" * 64
    seats = range(2, 5)
    variants: Mapping[str, Choices] = {
        "market": Choices(("plain", "double"), "plain", "how much the prize is worth", seats=range(3, 5)),
        "rounds": Choices(("short", "long"), "short", "two rounds or three"),
    }
    bounds = Bounds(decisions=75, options=STALLS)
    earlier: tuple[Edition, ...] = ()
    secret_choices: frozenset[str] = frozenset()
    secret_pending: frozenset[str] = frozenset()
    hidden: tuple[str, ...] = ("hands, from other seats", "buried cards, from other seats", "the deck, from all")

    def __init__(self) -> None:
        """The frames are the kernel's; breaches of the contract override the methods below."""
        self._frames = FrameGame(
            name=self.name,
            title=self.title,
            rules_version=self.rules_version,
            digest=self.digest,
            seats=self.seats,
            variants=self.variants,
            bounds=self.bounds,
            hidden=self.hidden,
            handlers=HANDLERS,
            start=self.start,
            result=self.result,
            view=self.view,
            determinise=self.determinise,
            clone=self.clone,
            dump=self.dump,
            load=self.load,
        )

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        deck = chance.shuffled("deck", CARDS)
        hands = [sorted(deck.pop() for _ in range(DEALT)) for _ in range(seats)]
        state = State(
            rounds=ROUNDS[variant["rounds"]],
            prize=PRIZE[variant["market"]],
            round=0,
            first=chance.pick("first", seats),
            free=(1 << STALLS) - 1,
            deck=deck,
            hands=hands,
            buried=[[] for _ in hands],
            fresh=[0] * seats,
            spent=[],
            points=[0] * seats,
            stack=[],
        )
        start_round(state, [])
        return state

    def pending(self, state: State) -> tuple[Pending, ...]:
        return self._frames.pending(state)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        return self._frames.options(state, seat)

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        return self._frames.apply(state, answers, chance, *options)

    def result(self, state: State) -> Result | None:
        if state.stack:
            return None
        return Result(rank([(points,) for points in state.points]), tuple(state.points), "all rounds played")

    def view(self, state: State, seat: Seat | None) -> View:
        frame = state.stack[-1] if state.stack else ("over",)
        return View(
            seat=seat,
            rounds=state.rounds,
            prize=state.prize,
            round=state.round,
            first=state.first,
            phase=frame[0],
            free=state.free,
            deck=len(state.deck),
            held=tuple(len(hand) + fresh for hand, fresh in zip(state.hands, state.fresh, strict=True)),
            laid=tuple(len(pile) - fresh for pile, fresh in zip(state.buried, state.fresh, strict=True)),
            spent=tuple(state.spent),
            points=tuple(state.points),
            shown=None if state.stack else tuple(map(tuple, state.buried)),
            hand=None if seat is None else tuple(state.hands[seat]),
            buried=None if seat is None else tuple(state.buried[seat]),
            fresh=None if seat is None else state.fresh[seat],
            open=None if seat is None else frame[0] == "bury" and seat in frame[1],
        )

    def determinise(self, view: View, chance: Chance) -> State:
        seats = range(len(view.held))
        chains = imagine_chains(view, chance) if view.phase == "bury" else [(0, False) for _ in seats]
        shown = view.shown or [()] * len(seats)
        known = {*view.spent, *(view.hand or ()), *(view.buried or ()), *(card for pile in shown for card in pile)}
        deck = chance.shuffled("unseen", [card for card in CARDS if card not in known])
        hands, buried = [], []
        for seat, (fresh, _) in enumerate(chains):
            if seat == view.seat and view.hand is not None and view.buried is not None:
                hands.append(list(view.hand))
                buried.append(list(view.buried))
                continue
            hands.append(sorted(deck.pop() for _ in range(view.held[seat] - fresh)))
            pile = list(shown[seat]) if view.shown else [deck.pop() for _ in range(view.laid[seat] + fresh)]
            buried.append(pile)
        stack: list[Frame] = [] if view.phase == "over" else [(view.phase,)]
        if view.phase == "bury":
            stack = [("bury", tuple(seat for seat in seats if chains[seat][1]))]
        return State(
            rounds=view.rounds,
            prize=view.prize,
            round=view.round,
            first=view.first,
            free=view.free,
            deck=deck,
            hands=hands,
            buried=buried,
            fresh=[fresh for fresh, _ in chains],
            spent=list(view.spent),
            points=list(view.points),
            stack=stack,
        )

    def clone(self, state: State) -> State:
        return State(
            rounds=state.rounds,
            prize=state.prize,
            round=state.round,
            first=state.first,
            free=state.free,
            deck=state.deck[:],
            hands=[hand[:] for hand in state.hands],
            buried=[pile[:] for pile in state.buried],
            fresh=state.fresh[:],
            spent=state.spent[:],
            points=state.points[:],
            stack=state.stack[:],
        )

    def dump(self, state: State) -> dict[str, Plain]:
        numbers: dict[str, Plain] = {name: getattr(state, name) for name in NUMBERS}
        lists: dict[str, Plain] = {name: list(getattr(state, name)) for name in LISTS}
        piles: dict[str, Plain] = {name: [list(pile) for pile in getattr(state, name)] for name in PILES}
        return {**numbers, **lists, **piles, "stack": [frames.dump_frame(frame) for frame in state.stack]}

    def load(self, plain: Plain) -> State:
        if not isinstance(plain, dict) or set(plain) != {*NUMBERS, *LISTS, *PILES, "stack"}:
            raise BadPlain("a state of Night Market has its own fields and no others")
        seats = len(rows(plain["hands"]))
        if not all(len(rows(plain[name])) == seats for name in ("buried", "fresh", "points")):
            raise BadPlain("every seat has a hand, a pile, a count and points")
        return State(
            rounds=whole(plain["rounds"]),
            prize=whole(plain["prize"]),
            round=whole(plain["round"]),
            first=whole(plain["first"]),
            free=whole(plain["free"]),
            deck=wholes(plain["deck"]),
            hands=[wholes(hand) for hand in rows(plain["hands"])],
            buried=[wholes(pile) for pile in rows(plain["buried"])],
            fresh=wholes(plain["fresh"]),
            spent=wholes(plain["spent"]),
            points=wholes(plain["points"]),
            stack=[frames.load_frame(frame) for frame in rows(plain["stack"])],
        )


NUMBERS = ("rounds", "prize", "round", "first", "free")
LISTS = ("deck", "fresh", "spent", "points")
PILES = ("hands", "buried")


def imagine_chains(view: View, chance: Chance) -> list[tuple[int, bool]]:
    """For each seat what it may have buried in this round, and whether it may be burying still.

    Chains go in step: after `steps` steps an open one holds that many cards, a stopped one fewer.
    """
    others = [seat for seat in range(len(view.held)) if seat != view.seat]
    longest = max(view.held[seat] for seat in others) - 2
    chains = [(0, False) for _ in view.held]
    if view.seat is None or view.fresh is None:
        steps = chance.pick("steps", longest + 1)
    elif view.open:
        steps = view.fresh
    else:
        least = view.fresh + (view.held[view.seat] - view.fresh > 1)
        steps = least + chance.pick("steps", longest - least + 1)
    for seat in others:
        held = view.held[seat]
        chances = [(fresh, False) for fresh in range(min(steps, held - 1))]
        chances += [(held - 1, False)] if held - 1 <= steps else [(steps, True)]
        chains[seat] = chances[chance.pick("chains", len(chances))]
    if view.seat is not None and view.fresh is not None:
        chains[view.seat] = (view.fresh, bool(view.open))
    if not any(still for _, still in chains):
        able = [seat for seat in others if view.held[seat] - steps > 1]
        chains[able[chance.pick("chains", len(able))]] = (steps, True)
    return chains


def rows(plain: Plain) -> list[Plain]:
    """A list, or BadPlain."""
    if not isinstance(plain, list):
        raise BadPlain("a list is due")
    return plain


def whole(plain: Plain) -> int:
    """A number, or BadPlain."""
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise BadPlain("a whole number is due")
    return plain


def wholes(plain: Plain) -> list[int]:
    """A list of numbers, or BadPlain."""
    return [whole(item) for item in rows(plain)]


def census(state: State) -> dict[str, int]:
    """All components, wherever they are."""
    piles = (state.deck, state.spent, *state.hands, *state.buried)
    cards = [card for pile in piles for card in pile]
    return {"cards": len(cards), "different cards": len(set(cards))}


GAME = Toy()
