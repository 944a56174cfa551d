"""Setting the table: states in which the situation of a test stands, with all components still there.

A `Stage` begins with an ordinary start and moves cards, tiles and tokens about, always from one place to another, so
that a staged state passes every check that a played one passes. Cards are named as in the rules: Dojo cards by value,
treasures, skills and elites by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.games.ninjato import GAME
from referee.games.ninjato.components import (
    CLANS,
    ELITES,
    ENVOYS,
    FORCE,
    GUARDS,
    RUMORS,
    SKILL,
    SKILLS,
    TOKENS,
    TREASURE,
    TREASURES,
)
from referee.games.ninjato.counts import NO_CARDS, NO_SKILLS, NO_TREASURES, gather, spread
from referee.games.ninjato.options import PLACES, Place, Play
from referee.games.ninjato.state import Raid, State
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Option, Seat
from tests.games.option_types import all_of

ELITE = {elite.id: kind for kind, elite in enumerate(ELITES)}
ENVOY = {envoy.id: number for number, envoy in enumerate(ENVOYS)}
RUMOR = {rumor.id: number for number, rumor in enumerate(RUMORS)}


def guard(value: int, alarm: bool = False) -> int:
    """The kind of an ordinary guard."""
    return next(kind for kind, it in enumerate(GUARDS) if (it.value, it.alarm) == (value, alarm))


def token(clan: str, value: int) -> int:
    """The number of a clan token."""
    return TOKENS.index((CLANS.index(clan), value))


def cards(*values: int) -> tuple[int, ...]:
    """A heap of Dojo cards."""
    return gather((value - 1 for value in values), NO_CARDS)


def heap(*names: str) -> tuple[int, ...]:
    """A heap of treasures."""
    return gather((TREASURE[name] for name in names), NO_TREASURES)


def tiles(*names: str) -> tuple[int, ...]:
    """A heap of skill tiles."""
    return gather((SKILL[name] for name in names), NO_SKILLS)


def space(name: str, house: int = -1, mode: int = -1) -> Place:
    """A place option."""
    return next(option for option in PLACES if option[1:] == (name, house, mode))


def play(base: int, *names: str, supports: int = 0, value: int, part: int = 0) -> Play:
    """A play option; base 0 is Boryaku."""
    used = [SKILL[name] for name in names] + ([SKILL["boryaku"]] if base == 0 else [])
    return Play("play", part, base, supports, tuple(sorted(used)), value)


def refill(top: Sequence[int], deck: Sequence[int]) -> tuple[int, ...]:
    """A deck with certain cards on top, taken from within it."""
    rest = list(deck)
    for item in top:
        rest.remove(item)
    return (*top, *rest)


class Stage:
    """A state to be set up and played."""

    def __init__(self, seats: int = 2, seed: int = 1) -> None:
        self.chance = Fast(seed)
        self.state: State = GAME.start(seats, {}, self.chance)
        self.events: list[Event] = []

    # setting up

    def order(self, *seats: Seat) -> Stage:
        """The turn order; the first of them is to place."""
        self.state.order = seats
        self.state.stack[:] = [("place", seats[0])]
        return self

    def round(self, number: int) -> Stage:
        """The round marker."""
        self.state.round = number
        return self

    def hand(self, seat: Seat, *values: int) -> Stage:
        """A seat's hand, of cards drawn unseen."""
        state = self.state
        deck = [*state.dojo_deck, *spread(state.hands[seat])]
        for value in values:
            deck.remove(value - 1)
        state.dojo_deck = tuple(deck)
        state.hands[seat] = state.fresh[seat] = cards(*values)
        state.known[seat] = NO_CARDS
        return self

    def hands(self, *hands: Iterable[int]) -> Stage:
        """All hands, seat by seat."""
        for seat in range(self.state.seats):
            self.hand(seat)
        for seat, values in enumerate(hands):
            self.hand(seat, *values)
        return self

    def face_up(self, *values: int) -> Stage:
        """The open Dojo cards."""
        state = self.state
        deck = [*state.dojo_deck, *spread(state.face_up)]
        for value in values:
            deck.remove(value - 1)
        state.dojo_deck = tuple(deck)
        state.face_up = cards(*values)
        state.pool = gather(deck, NO_CARDS)
        for fresh in state.fresh:
            state.pool = gather(spread(fresh), state.pool)
        return self

    def dojo_deck(self, *values: int) -> Stage:
        """The cards on top of the Dojo deck."""
        self.state.dojo_deck = refill([value - 1 for value in values], self.state.dojo_deck)
        return self

    def house(self, house: int, sentinel: int, light: Iterable[str] = (), red: Iterable[str] = ()) -> Stage:
        """A house's Sentinel and treasures."""
        state = self.state
        bag = [*state.bag, *spread(state.light[house]), *spread(state.red[house])]
        for name in (*light, *red):
            bag.remove(TREASURE[name])
        state.bag = tuple(bag)
        state.light[house], state.red[house] = heap(*light), heap(*red)
        deck = [*state.guard_deck, *(kind for kind in [state.sentinels[house]] if kind >= 0)]
        kind = guard(sentinel)
        deck.remove(kind)
        state.guard_deck = tuple(deck)
        state.sentinels[house] = kind
        return self

    def guards(self, *kinds: int) -> Stage:
        """The guards on top of their deck."""
        self.state.guard_deck = refill(kinds, self.state.guard_deck)
        return self

    def elites(self, *names: str) -> Stage:
        """The elite guards on top of their deck."""
        self.state.elite_deck = refill([ELITE[name] for name in names], self.state.elite_deck)
        return self

    def bag(self, *names: str) -> Stage:
        """The treasures that the bag gives next."""
        self.state.bag = refill([TREASURE[name] for name in names], self.state.bag)
        return self

    def treasures(self, seat: Seat, *names: str) -> Stage:
        """A seat's treasures."""
        state = self.state
        bag = [*state.bag, *spread(state.treasures[seat])]
        for name in names:
            bag.remove(TREASURE[name])
        state.bag = tuple(bag)
        state.treasures[seat] = heap(*names)
        return self

    def skills(self, seat: Seat, *names: str, down: Iterable[str] = ()) -> Stage:
        """A seat's skill tiles, face up and face down."""
        state = self.state
        for name in (*names, *down):
            self._take_skill(SKILL[name])
        state.ready[seat], state.used[seat] = tiles(*names), tiles(*down)
        return self

    def _take_skill(self, skill: int) -> None:
        """Out of a stack, or out of the display in exchange for the top tile of the stack."""
        state = self.state
        if SKILLS[skill].hensojutsu:
            state.hensojutsu_deck = refill([skill], state.hensojutsu_deck)[1:]
        elif skill in state.skill_deck:
            state.skill_deck = refill([skill], state.skill_deck)[1:]
        else:
            state.sensei = tuple(sorted((*refill([skill], state.sensei)[1:], state.skill_deck[0])))
            state.skill_deck = state.skill_deck[1:]

    def sensei(self, *names: str) -> Stage:
        """The Sensei's display."""
        state = self.state
        for stack in (False, True):
            shown = [skill for skill in state.sensei if SKILLS[skill].hensojutsu == stack]
            wanted = [SKILL[name] for name in names if SKILLS[SKILL[name]].hensojutsu == stack]
            deck = state.hensojutsu_deck if stack else state.skill_deck
            deck = refill(wanted, (*deck, *shown))[len(wanted) :]
            if stack:
                state.hensojutsu_deck = deck
            else:
                state.skill_deck = deck
        state.sensei = tuple(sorted(SKILL[name] for name in names))
        return self

    def palace(self, *names: str) -> Stage:
        """The Palace's display."""
        state = self.state
        wanted = [ENVOY[name] for name in names]
        state.envoy_deck = refill(wanted, (*state.envoy_deck, *state.palace))[len(wanted) :]
        state.palace = tuple(sorted(wanted))
        return self

    def pavilion(self, *names: str) -> Stage:
        """The Pavilion's display."""
        state = self.state
        wanted = [RUMOR[name] for name in names]
        state.rumor_deck = refill(wanted, (*state.rumor_deck, *state.pavilion))[len(wanted) :]
        state.pavilion = tuple(sorted(wanted))
        return self

    def envoys(self, seat: Seat, *names: str) -> Stage:
        """A seat's envoys, taken out of the deck; displayed ones are exchanged."""
        state = self.state
        wanted = [ENVOY[name] for name in names]
        deck = refill(wanted, (*state.envoy_deck, *state.palace))[len(wanted) :]
        state.palace, state.envoy_deck = tuple(sorted(deck[: len(state.palace)])), deck[len(state.palace) :]
        state.envoys[seat] = tuple(wanted)
        return self

    def rumors(self, seat: Seat, *names: str) -> Stage:
        """A seat's rumors, taken out of the deck; displayed ones are exchanged."""
        state = self.state
        wanted = [RUMOR[name] for name in names]
        deck = refill(wanted, (*state.rumor_deck, *state.pavilion))[len(wanted) :]
        state.pavilion, state.rumor_deck = tuple(sorted(deck[: len(state.pavilion)])), deck[len(state.pavilion) :]
        state.rumors[seat] = tuple(wanted)
        return self

    def trophies(self, seat: Seat, *names: str) -> Stage:
        """A seat's beaten elites."""
        wanted = [ELITE[name] for name in names]
        self.state.elite_deck = refill(wanted, self.state.elite_deck)[len(wanted) :]
        self.state.trophies[seat] = tuple(wanted)
        return self

    def tokens(self, *numbers: int) -> Stage:
        """The clan tokens of the five houses."""
        self.state.tokens = list(numbers)
        self.state.supply = tuple(number for number in range(len(TOKENS)) if number not in numbers)
        return self

    # playing

    @property
    def seat(self) -> Seat:
        """Who is asked."""
        return GAME.pending(self.state)[0].seat

    @property
    def kind(self) -> str | None:
        """What is asked, or None when the game is over."""
        asks = GAME.pending(self.state)
        return asks[0].kind if asks else None

    @property
    def options(self) -> list[Option]:
        """The legal answers of the seat that is asked."""
        return list(GAME.options(self.state, self.seat))

    @property
    def raid(self) -> Raid:
        """The raid that is going on."""
        frame = self.state.stack[-1]
        if not isinstance(frame, Raid):
            raise TypeError(f"there is no raid in {frame}")
        return frame

    def act(self, option: Option) -> Stage:
        """Answer for the seat that is asked."""
        self.events = GAME.apply(self.state, {self.seat: option}, self.chance)
        return self

    def do(self, wanted: str) -> Stage:
        """Answer with the only option of that verb."""
        (option,) = [option for option in self.options if verb(option) == wanted]
        return self.act(option)

    def places(self) -> list[Place]:
        """The options of a seat that is to place."""
        return all_of(Place, self.options)

    def plays(self) -> list[Play]:
        """The legal plays among the options."""
        return [option for option in self.options if isinstance(option, Play)]

    def raiding(self, house: int, mode: int) -> Stage:
        """Put a shuriken on a side of a house."""
        return self.act(space("house", house, mode))

    def pass_turn(self) -> Stage:
        """Let the seat that is to place take a turn that changes little: a raid that is given up at once."""
        house = max(number for number in range(5) if self.state.is_open(number))
        return self.raiding(house, FORCE).do("give_up")

    def finish_round(self, last: int = 0) -> Stage:
        """Pass turns until the round is over, or only `last` placements are left in it."""
        number = self.state.round
        while self.kind == "place" and self.state.round == number:
            if 3 * self.state.seats - len(self.state.placed) == last:
                break
            self.pass_turn()
        return self


def verb(option: Option) -> str:
    """The verb of an option: the first field of every option of Ninjato."""
    assert isinstance(option, tuple)
    first: str = option[0]
    return first


def raid_stage(
    hand: Iterable[int],
    sentinel: int,
    mode: int,
    light: Iterable[str],
    red: Iterable[str] = (),
    skills: Iterable[str] = (),
) -> Stage:
    """Seat 0 of two raids house 0 with a hand and face-up skills; seat 1 holds nothing."""
    stage = Stage().order(0, 1).hands(hand, ()).skills(0, *skills).house(0, sentinel, light, red)
    return stage.raiding(0, mode)


def names_of(treasures: Sequence[int]) -> list[str]:
    """The treasures of a heap by name, lowest first."""
    return [TREASURES[kind].id for kind in spread(tuple(treasures))]
