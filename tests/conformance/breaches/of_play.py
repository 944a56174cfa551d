"""Games that go wrong in their course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.kernel.chance import Chance
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Bounds, Choices, Event, Option, Pending, Result, Seat, Verb
from tests.conformance import toy
from tests.conformance.breaches.breach import Breach, Breaches
from tests.conformance.toy import Answers, OptionLists, State, Toy

BREACHES = Breaches()


@BREACHES.breaks("a_game_describes_itself", "has no value fair")
class DefaultOutOfList(Toy):
    """One setting's default is none of its values."""

    variants: Mapping[str, Choices] = {**Toy.variants, "mood": Choices(("good", "bad"), "fair", "how one feels")}


@BREACHES.breaks("a_game_describes_itself", "is no SHA-256")
class BadDigest(Toy):
    """The components have no digest."""

    digest = "unknown"


@BREACHES.breaks("a_game_ends_within_its_bounds", "more than 75 decisions")
class Endless(Toy):
    """Whoever takes a stall may take it again."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        free = state.free
        events = super().apply(state, answers, chance, *options)
        state.free, state.stack = free, [("stall",)]
        return events


@BREACHES.breaks("a_game_ends_within_its_bounds", "more than 5 decisions")
class MoreDecisionsThanDeclared(Toy):
    """It takes more decisions than it says."""

    bounds = Bounds(decisions=5, options=toy.STALLS)


@BREACHES.breaks("a_game_ends_within_its_bounds", "has 70 options")
class MoreOptionsThanDeclared(Toy):
    """It offers more options than it says."""

    bounds = Bounds(decisions=Toy.bounds.decisions, options=toy.STALLS - 1)


@BREACHES.breaks("asks_are_in_order", "in the order [1, 0]")
class AsksBackwards(Toy):
    """Seats are asked from last to first."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        return super().pending(state)[::-1]


@BREACHES.breaks("asks_are_in_order", "seats [0, 1, 2] are asked")
class AsksOutsiders(Toy):
    """A seat that is not at the table is asked as well."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        asks = super().pending(state)
        return (*asks, Pending(len(state.hands), "look_on")) if len(asks) == len(state.hands) else asks

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        return super().options(state, seat) if seat < len(state.hands) else (0, 1)

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        return super().apply(state, {s: answers[s] for s in answers if s < len(state.hands)}, chance)


@BREACHES.breaks("a_result_comes_exactly_at_the_end", "there is a result while")
class ResultTooSoon(Toy):
    """There is a result in the last round already."""

    def result(self, state: State) -> Result | None:
        over = self.clone(state)
        if over.round == over.rounds:
            over.stack.clear()
        return super().result(over)


@BREACHES.breaks("a_result_comes_exactly_at_the_end", "should be shared as (1, 1, 3)")
class NoPlaceSkipped(Toy):
    """Two winners are followed by a second place."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and result._replace(places=(1, 1, 2, 2)[: len(state.hands)])


@BREACHES.breaks("a_result_comes_exactly_at_the_end", "should be shared as (1, 2)")
class NobodyWins(Toy):
    """Places begin with the second."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and result._replace(places=tuple(place + 1 for place in result.places))


@BREACHES.breaks("every_option_can_be_played", "is refused: that stall is taken")
class OffersTheImpossible(Toy):
    """A stall is offered that may not be taken."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        if toy.Stall(69) in answers.values():
            raise IllegalAnswer("that stall is taken")
        return super().apply(state, answers, chance, *options)


@BREACHES.breaks("events_are_well_formed", "no event of the vocabulary")
class InventsVerbs(Toy):
    """Something happens that the vocabulary does not know."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        sneezed = Event("sneezed", 0, "nose")  # type: ignore[arg-type]
        return [*super().apply(state, answers, chance, *options), sneezed]


@BREACHES.breaks("events_are_well_formed", "holds objects")
class TellsObjects(Toy):
    """An event carries an object instead of a name."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        chose = Event(Verb.CHOSE, 0, "stall", (toy.Stall(1),))  # type: ignore[arg-type]
        return [*super().apply(state, answers, chance, *options), chose]


@BREACHES.breaks("events_are_well_formed", "is told to [0, 2]")
class TellsAbsentees(Toy):
    """An event is told to a seat that does not exist."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        told = (0, len(state.hands))
        return [*super().apply(state, answers, chance, *options), Event(Verb.PHASE, 0, "wink", audience=told)]


@BREACHES.breaks("components_are_conserved", "and is {'cards': 31")
class LosesACard(Toy):
    """What the wind takes is gone."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        if events[-1].subject == "over":
            state.spent.pop()
        return events


@BREACHES.breaks("components_are_conserved", "in a world imagined by")
class ImaginesTwoOfAKind(Toy):
    """An imagined world holds a card twice."""

    def determinise(self, view: toy.View, chance: Chance) -> State:
        state = super().determinise(view, chance)
        state.deck[:1] = state.deck[1:2]
        return state


BREACHES.append(Breach(Toy, "components_are_conserved", "counts nothing", census=lambda state: {"cards": 0}))
