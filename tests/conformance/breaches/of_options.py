"""Games whose option lists cannot be relied upon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from referee.kernel.game import Option, Seat
from referee.kernel.plain import Plain
from tests.conformance import toy
from tests.conformance.breaches.breach import Breaches
from tests.conformance.toy import Stalls, State, Toy

BREACHES = Breaches()


class Lists(Toy):
    """A toy whose lists of stalls are made by `stalls`, and whose other lists by `others`."""

    def stalls(self, state: State) -> Sequence[Option]:
        return Stalls(state.free)

    def others(self, state: State, listed: Sequence[Option]) -> Sequence[Option]:
        return listed

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        listed = super().options(state, seat)
        return self.stalls(state) if isinstance(listed, Stalls) else self.others(state, listed)


@BREACHES.breaks("options_have_no_repetition", "offered something twice")
class OffersTwice(Lists):
    """The first option stands in the list twice."""

    def others(self, state: State, listed: Sequence[Option]) -> Sequence[Option]:
        return (*listed, listed[0])


@BREACHES.breaks("options_have_no_repetition", "has no option")
class OffersNothing(Lists):
    """A seat with one card is asked and has nothing to answer."""

    def others(self, state: State, listed: Sequence[Option]) -> Sequence[Option]:
        return listed if len(listed) > 3 else ()


@BREACHES.breaks("options_have_one_order", "list of seat 0 is another")
class RestlessOrder(Lists):
    """Each call turns the list further."""

    calls = 0

    def others(self, state: State, listed: Sequence[Option]) -> Sequence[Option]:
        self.calls += 1
        turn = self.calls % len(listed)
        return (*listed[turn:], *listed[:turn])


@BREACHES.breaks("options_have_one_order", "list of seat 0 is another")
class ClonesTurnHands(Toy):
    """A clone holds its cards the other way round, and so offers them."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        for hand in copy.hands:
            hand.reverse()
        return copy


@BREACHES.breaks("options_have_one_order", "from a stored state the first list")
class StoresTurnHands(Toy):
    """A stored state holds its cards the other way round, and so offers them."""

    def load(self, plain: Plain) -> State:
        state = super().load(plain)
        for hand in state.hands:
            hand.reverse()
        return state


class BadStalls(Stalls):
    """A lazy list with a flaw; see its children."""


class NoNegatives(BadStalls):
    def __getitem__(self, index: int) -> Option:  # type: ignore[override]
        return super().__getitem__(max(index, 0))


class NoEnd(BadStalls):
    def __getitem__(self, index: int) -> Option:  # type: ignore[override]
        return super().__getitem__(index) if index < len(self) or index > 999 else toy.Stall(0)

    def __iter__(self) -> Iterator[Option]:
        return iter([self[i] for i in range(len(self))])


class WrongIndex(BadStalls):
    def index(self, option: Option, start: int = 0, stop: int | None = None) -> int:
        return super().index(option) and super().index(option) - 1


class OpenDoor(BadStalls):
    def __contains__(self, option: object) -> bool:
        return True


class ShutDoor(BadStalls):
    def __contains__(self, option: object) -> bool:
        return option != self[0] and super().__contains__(option)


class WrongSlice(BadStalls):
    @overload
    def __getitem__(self, index: int) -> Option: ...

    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...

    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        return list(self) if isinstance(index, slice) else super().__getitem__(index)


class WrongLength(BadStalls):
    def __len__(self) -> int:
        return super().__len__() - 1

    def __iter__(self) -> Iterator[Option]:
        return iter(Stalls(self._free))


class Flawed(Lists):
    """A toy whose lists of stalls are lazy and flawed."""

    flaw: type[BadStalls]

    def stalls(self, state: State) -> Sequence[Option]:
        return self.flaw(state.free)


FLAWS: dict[type[BadStalls], str] = {
    NoNegatives: "item -69 of 70 is Stall(cell=0)",
    NoEnd: "a list of 70 has an item 70",
    WrongIndex: "is item 35 and is found at 34",
    OpenDoor: "Stranger() is no option and is said to be there",
    ShutDoor: "is item 0 and is said not to be there",
    WrongSlice: "the slice slice(1, 3, None) is",
    WrongLength: "a list says 69 and iterates over 70",
}
for flaw, complaint in FLAWS.items():
    BREACHES.breaks("options_are_a_sequence", complaint)(type(f"Lists{flaw.__name__}", (Flawed,), {"flaw": flaw}))


@BREACHES.breaks("options_are_a_sequence", "no sequence")
class OffersASet(Lists):
    """Options come as a dictionary's keys, which cannot be counted off."""

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        return Unnumbered(super().options(state, seat))  # type: ignore[return-value]


class Unnumbered:
    """Something that is not declared a sequence."""

    def __init__(self, listed: Sequence[Option]) -> None:
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, index: int) -> Option:
        return self._listed[index]


@BREACHES.breaks("options_stay_as_they_were", "changed after it was given")
class LiveOptions(Lists):
    """The list looks into the living state, so it changes under the hands of whoever holds it."""

    def stalls(self, state: State) -> Sequence[Option]:
        return LiveStalls(state)


class LiveStalls(Stalls):
    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def _free(self) -> int:
        return self._state.free
