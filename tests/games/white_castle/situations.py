"""Situations to test: a table laid out by name, one open question, and answers in the canonical words of W-17."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.white_castle import GAME
from referee.games.white_castle.components import (
    CARD_NUMBERS,
    COLOURS,
    DAIMYO_NAMES,
    DIE_TILE_COLOUR,
    DIE_TILE_NAMES,
    EFFECTS,
    FIRST_GAME,
    GARDENS,
    GOODS,
    MEMBERS,
    ROOMS,
    SPACE_NAMES,
    TILE_SPACES,
    YARD_TILE_NAMES,
)
from referee.games.white_castle.flow import run
from referee.games.white_castle.options import CastleOption
from referee.games.white_castle.rounds import CONTINUATIONS
from referee.games.white_castle.state import Clan, Layout, State
from referee.kernel.chance import Chance, Fast
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Verb, settle_variant
from referee.kernel.turns import settle

GARDEN_NUMBERS = {garden.name: number for number, garden in enumerate(GARDENS)}
SPACE_NUMBERS = {name: number for number, name in enumerate(SPACE_NAMES)}
DEFAULT_GARDENS = ("GP2", "GS1", "GP3", "GS2", "GP5", "GS3")
DEFAULT_YARDS = ("Y1", "Y2", "Y3", "Y4")


def cards(*names: str) -> tuple[int, ...]:
    """Card numbers by name."""
    return tuple(CARD_NUMBERS[name] for name in names)


def effect(source: str) -> int:
    """The number of the effect that stands on a component, `S02:0` or `GP3`."""
    return next(number for number, its in enumerate(EFFECTS) if its.source == source)


def board(
    seats: int = 2,
    rooms: Mapping[str, Sequence[str]] = {},
    well: Sequence[str] = ("K03", "K07"),
    daimyo: str = "F1",
    gardens: Sequence[str] = DEFAULT_GARDENS,
    yards: Sequence[str] = DEFAULT_YARDS,
) -> Layout:
    """The first-game board with some things laid otherwise; rooms by the colours of their tiles, top to bottom."""
    tiles = list(FIRST_GAME.tiles)
    for place, space in enumerate(TILE_SPACES):
        name = SPACE_NAMES[space.room]
        if name in rooms:
            tiles[place] = DIE_TILE_COLOUR.index(COLOURS.index(rooms[name][space.row]))
        elif space.room not in ROOMS:
            tiles[place] = DIE_TILE_NAMES.index(well[space.row])
    return Layout.lay(
        seats,
        tiles,
        DAIMYO_NAMES.index(daimyo),
        [GARDEN_NUMBERS[name] for name in gardens],
        [YARD_TILE_NAMES.index(name) for name in yards],
    )


class Situation:
    """A game in one situation. Decisions with a single option are answered without a call, as in every match."""

    def __init__(self, state: State, chance: Chance | None = None) -> None:
        self.state = state
        self.chance = chance or Fast(5)
        self.events: list[Event] = []

    @classmethod
    def new(cls, seats: int = 2, chance: Chance | None = None, **variant: str) -> Situation:
        """A game at its first decision, as the rules set it up."""
        chance = chance or Fast(5)
        return cls(GAME.start(seats, settle_variant(GAME, seats, variant), chance), chance)

    @classmethod
    def in_round_one(cls, seats: int = 2, castle: Mapping[str, str] = {}, **layout: object) -> Situation:
        """A game in its first round: card A1 on each domain, nothing in hand, first-game castle but for `castle`."""
        table = cls.new(seats, first_game="on")
        state = table.state
        state.board = board(seats, **layout)  # type: ignore[arg-type]
        for clan in state.clans:
            fresh = Clan()
            clan.goods, clan.lantern, clan.action = fresh.goods, (), cards("A1")[0]
        for room, name in castle.items():
            state.castle[SPACE_NUMBERS[room]] = cards(name)[0]
        used = set(state.castle)
        state.stewards = tuple(card for card in state.stewards if card not in used)
        state.diplomats = tuple(card for card in state.diplomats if card not in used)
        state.order, state.track = tuple(range(len(state.clans))), list(range(len(state.clans)))
        state.offer, state.gone, state.stack = (), (), [("turns", 1), ("take_die", 0)]
        return table

    # ---- arranging

    def clan(self, seat: int = 0, **has: int) -> Clan:
        """A clan, given some goods: `table.clan(0, coin=3, seal=1)`."""
        clan = self.state.clans[seat]
        for name, amount in has.items():
            clan.goods[GOODS.index(name)] = amount
        return clan

    def away(self, seat: int = 0, gate: int = 0, floor1: int = 0, floor2: int = 0, floor3: int = 0) -> Clan:
        """A clan with courtiers in the castle."""
        clan = self.state.clans[seat]
        clan.court = [gate, floor1, 0, 0, floor2, 0, floor3]
        clan.home[0] = 5 - sum(clan.court)
        return clan

    def ask(self, *frame: object) -> Situation:
        """Put a frame on top of an ordinary turn and run to the next question."""
        self.state.stack = [("turns", 1), tuple(frame)]
        self.run()
        return self

    def do(self, source: str, seat: int = 0) -> Situation:
        """Begin an effect for a seat."""
        return self.ask("do", seat, effect(source))

    def place(self, space: str, colour: str, value: int, position: int = 2, seat: int = 0) -> Situation:
        """Take a die (from the right end) to a space."""
        self.ask("place_die", seat, COLOURS.index(colour), value, position)
        self.answer("space:" + space)
        return self

    def run(self) -> None:
        """Carry out what runs by itself, up to the next question."""
        run(CONTINUATIONS, self.state, self.chance, self.events)

    # ---- playing

    @property
    def frame(self) -> Frame:
        """The frame of the open decision."""
        return self.state.stack[-1]

    @property
    def kind(self) -> str:
        """Kind of the open decision; empty when the game is over."""
        asks = GAME.pending(self.state)
        return asks[0].kind if asks else ""

    @property
    def seat(self) -> int:
        """Seat of the open decision."""
        return GAME.pending(self.state)[0].seat

    @property
    def options(self) -> list[str]:
        """Texts of the options of the open decision."""
        return [option.text for option in self._listed()]

    def _listed(self) -> Sequence[CastleOption]:
        return cast(Sequence[CastleOption], GAME.options(self.state, self.seat))

    def answer(self, *texts: str) -> Situation:
        """Answer open questions one after the other; questions without a choice in between answer themselves."""
        for text in texts:
            chosen = next((option for option in self._listed() if option.text == text), None)
            assert chosen is not None, f"{text} is not among {self.options} of {self.kind}"
            self.events += GAME.apply(self.state, {self.seat: chosen}, self.chance)
            settle(GAME, self.state, self.chance, self.events)
        return self

    # ---- looking

    def goods(self, seat: int = 0) -> dict[str, int]:
        """What a clan holds, without zeros."""
        held = self.state.clans[seat].goods
        return {name: amount for name, amount in zip(GOODS, held, strict=True) if amount}

    def home(self, seat: int = 0) -> dict[str, int]:
        """Members at home."""
        return dict(zip(MEMBERS, self.state.clans[seat].home, strict=True))

    def said(self, verb: Verb) -> list[Event]:
        """The events of one verb."""
        return [event for event in self.events if event.verb is verb]
