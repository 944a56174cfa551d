"""Games whose states share, forget, or change when they should not."""

from __future__ import annotations

import random

from referee.kernel.chance import Chance
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Event, Variant
from referee.kernel.plain import Plain
from tests.conformance import toy
from tests.conformance.breaches.breach import Breaches
from tests.conformance.toy import Answers, OptionLists, State, Toy

BREACHES = Breaches()


@BREACHES.breaks("clones_are_independent", "is not what it was")
class SharedHands(Toy):
    """A clone has its own list of hands, and the hands of its original in it."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        copy.hands = state.hands[:]
        return copy


@BREACHES.breaks("clones_are_independent", "is not what it was")
class SharedStack(Toy):
    """A clone follows its original from decision to decision."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        copy.stack = state.stack
        return copy


@BREACHES.breaks("clones_are_independent", "is not what it was")
class ForgetfulClone(Toy):
    """A clone forgets which stalls are taken."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        copy.free = (1 << toy.STALLS) - 1
        return copy


@BREACHES.breaks("stored_states_are_the_same", "the stored state of step")
class ForgetfulDump(Toy):
    """The points are not stored."""

    def load(self, plain: Plain) -> State:
        state = super().load(plain)
        state.points = [0] * len(state.points)
        return state


@BREACHES.breaks("stored_states_are_the_same", "is a tuple")
class TuplesInTheDump(Toy):
    """A dump holds a tuple, which no other language knows."""

    def dump(self, state: State) -> dict[str, Plain]:
        return {**super().dump(state), "spent": tuple(state.spent)}  # type: ignore[dict-item]

    def load(self, plain: Plain) -> State:
        if not isinstance(plain, dict):
            return super().load(plain)
        return super().load({**plain, "spent": list(plain["spent"])})  # type: ignore[arg-type]


@BREACHES.breaks("stored_states_are_the_same", "a dump shares parts")
class LiveDump(Toy):
    """A dump hands out the deck itself."""

    def dump(self, state: State) -> dict[str, Plain]:
        return {**super().dump(state), "deck": state.deck}  # type: ignore[dict-item]


@BREACHES.breaks("stored_states_are_the_same", "a loaded state shares parts")
class LiveLoad(Toy):
    """A loaded state keeps the list that it was loaded from."""

    def load(self, plain: Plain) -> State:
        state = super().load(plain)
        assert isinstance(plain, dict)
        state.deck = plain["deck"]  # type: ignore[assignment]
        return state


@BREACHES.breaks("stored_states_are_the_same", "plays on differently")
class StoresNoDeckOrder(Toy):
    """A dump has the deck sorted: it looks alike, and plays on differently."""

    def dump(self, state: State) -> dict[str, Plain]:
        return {**super().dump(state), "deck": [*sorted(state.deck)]}


@BREACHES.breaks("nonsense_is_not_loaded", "a dump without round is loaded")
class LoadsAnything(Toy):
    """What is missing in a dump is made up."""

    def load(self, plain: Plain) -> State:
        return super().load({"round": 1, **plain} if isinstance(plain, dict) else plain)


@BREACHES.breaks("nonsense_is_not_loaded", "raises TypeError")
class LoadsCarelessly(Toy):
    """Nonsense in a dump shows up as an error of Python's own."""

    def load(self, plain: Plain) -> State:
        if isinstance(plain, dict) and "points" in plain:
            sum(plain["points"])  # type: ignore[arg-type]
        return super().load(plain)


@BREACHES.breaks("luck_and_answers_decide_all", "a second game of the same secret differs")
class LuckOfItsOwn(Toy):
    """The deck is shuffled by a generator of the game's own."""

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        state = super().start(seats, variant, chance)
        random.shuffle(state.deck)
        return state


@BREACHES.breaks("luck_and_answers_decide_all", "asks for other luck")
class LuckRemembered(Toy):
    """The wind blows by a number that the game itself counts."""

    steps = 0

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        self.steps += 1
        if self.steps % 7 == 0:
            chance.pick("omen", 2)
        return super().apply(state, answers, chance, *options)


@BREACHES.breaks("games_do_not_disturb_each_other", "with another one beside it differs")
class OneTableOnly(Toy):
    """The game object remembers the last stall, whichever table it was taken at."""

    last = 0

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        for event in events:
            if event.subject == "stall":
                (stall,) = event.items
                assert isinstance(stall, int)
                self.last = stall
            if event.subject == "prize":
                state.points[event.seat] += self.last
        return events


@BREACHES.breaks("answers_have_no_order", "in another order")
class FirstComeFirstServed(Toy):
    """Whoever's answer stands first gets a point."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        state.points[next(iter(answers))] += 1
        return events


@BREACHES.breaks("a_refused_answer_changes_nothing", "changed the state")
class ChangesFirst(Toy):
    """The round is counted before the answer is looked at."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        if state.stack:
            state.prize += 1
        return super().apply(state, answers, chance, *options)


@BREACHES.breaks("a_refused_answer_changes_nothing", "luck of stream 'omen' was taken")
class DrawsFirst(Toy):
    """Luck is taken before the answer is looked at."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        chance.pick("omen", 2)
        return super().apply(state, answers, chance, *options)


@BREACHES.breaks("a_refused_answer_changes_nothing", "is not asked - and that is accepted")
class HearsEverybody(Toy):
    """Answers of seats that were not asked are ignored instead of refused."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        asked = [ask.seat for ask in self.pending(state)]
        return super().apply(state, {seat: answers[seat] for seat in asked if seat in answers}, chance)


@BREACHES.breaks("a_refused_answer_changes_nothing", "nobody answers - and that is accepted")
class AnswersForTheSilent(Toy):
    """A missing answer is replaced by the first option."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        missing = {a.seat: self.options(state, a.seat)[0] for a in self.pending(state) if a.seat not in answers}
        return super().apply(state, {**missing, **answers}, chance)


@BREACHES.breaks("a_refused_answer_changes_nothing", "and that is accepted: {")
class CorrectsTheWrong(Toy):
    """An answer that is no option is taken for the last one."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        try:
            return super().apply(state, answers, chance, *options)
        except IllegalAnswer:
            asks = self.pending(state)
            if not asks or set(answers) != {ask.seat for ask in asks}:
                raise
            return super().apply(state, {ask.seat: self.options(state, ask.seat)[-1] for ask in asks}, chance)


@BREACHES.breaks("a_refused_answer_changes_nothing", "raises KeyError")
class StumblesOverNonsense(Toy):
    """Nonsense is refused with an error of Python's own."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        sorted(vars(type(answer))["__slots__"] for answer in answers.values())
        return super().apply(state, answers, chance, *options)


@BREACHES.breaks("times_count_where_they_are_declared", "has a time")
class TakesAnyTime(Toy):
    """Times of arrival are passed over, whatever they say."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        return super().apply(state, answers, chance)
