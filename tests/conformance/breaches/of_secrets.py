"""Games that give away what they should hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from referee.kernel.chance import Chance, Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Event, Option, Pending, Result, Seat, Verb
from referee.kernel.plain import Plain
from tests.conformance import toy
from tests.conformance.breaches.breach import Breach, Breaches
from tests.conformance.tables import Encode
from tests.conformance.toy import GAME, Answers, OptionLists, State, Toy, View

BREACHES = Breaches()


@dataclass(frozen=True)
class LooseView(View):
    """A view with room for more; see the games that use it."""

    extra: object = None


@dataclass(frozen=True)
class SlyView(View):
    """A view with a part that comparisons and prints leave out."""

    unseen: tuple[int, ...] = field(default=(), compare=False, repr=False)


def loosened(view: View, extra: object = None) -> LooseView:
    """A view with something added to it."""
    return LooseView(**{part.name: getattr(view, part.name) for part in fields(View)}, extra=extra)


def sly(view: View, unseen: tuple[int, ...]) -> SlyView:
    """A view with something added to it that nobody notices."""
    return SlyView(**{part.name: getattr(view, part.name) for part in fields(View)}, unseen=unseen)


@BREACHES.breaks("imagined_worlds_look_the_same", ".extra[0]")
class ShowsAllHands(Toy):
    """A view shows the hands of all seats."""

    def view(self, state: State, seat: Seat | None) -> View:
        return loosened(super().view(state, seat), tuple(map(tuple, state.hands)))


@BREACHES.breaks("imagined_worlds_look_the_same", ".extra: ")
class ShowsTheNextCard(Toy):
    """A view shows what lies on top of the deck."""

    def view(self, state: State, seat: Seat | None) -> View:
        return loosened(super().view(state, seat), state.deck[-1:] and state.deck[-1])


@BREACHES.breaks("imagined_worlds_look_the_same", ".held[0]")
class ShowsChainsInProgress(Toy):
    """A view counts what others have buried so far, before it is published."""

    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), held=tuple(map(len, state.hands)))

    def determinise(self, view: View, chance: Chance) -> State:
        try:
            return super().determinise(view, chance)
        except IndexError:
            return super().determinise(replace(view, held=(4,) * len(view.held)), chance)


@BREACHES.breaks("imagined_worlds_look_the_same", "offers other options")
class OptionsKnowTheDeck(Toy):
    """A stall more is free when the next card of the deck is even: the number of options tells."""

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        listed = super().options(state, seat)
        return listed[:-1] if isinstance(listed, toy.Stalls) and sum(state.deck[-2:]) % 2 else listed


@BREACHES.breaks("imagined_worlds_look_the_same", "bury_soon")
class QuestionsKnowTheDeck(Toy):
    """The name of the question depends on a hidden card."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        asks = super().pending(state)
        return tuple(Pending(ask.seat, "bury_soon") for ask in asks) if sum(state.deck[-1:]) % 2 else asks


@BREACHES.breaks("imagined_worlds_look_the_same", ".hand[0]")
class ImaginesAnotherHand(Toy):
    """Imagining gives the viewer itself another hand."""

    def determinise(self, view: View, chance: Chance) -> State:
        state = super().determinise(view, chance)
        if view.seat is not None and view.hand and state.deck:
            state.hands[view.seat][0], state.deck[0] = state.deck[0], state.hands[view.seat][0]
        return state


@BREACHES.breaks("imagined_worlds_look_the_same", "is over, the game not")
class ImaginesTheEnd(Toy):
    """Imagining ends the game."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        return () if state.deck[:1] == [-1] else super().pending(state)

    def determinise(self, view: View, chance: Chance) -> State:
        state = super().determinise(view, chance)
        state.deck[:1] = [-1]
        return state


@BREACHES.breaks("views_are_values", ".unseen is left out of comparisons")
class ViewsHoldTheState(Toy):
    """A view carries the whole state in a field that comparisons leave out."""

    def view(self, state: State, seat: Seat | None) -> View:
        return sly(super().view(state, seat), tuple(state.deck))


@BREACHES.breaks("views_are_values", ".extra is a list")
class ViewsHoldLists(Toy):
    """A view holds a list, which anybody can change."""

    def view(self, state: State, seat: Seat | None) -> View:
        return loosened(super().view(state, seat), extra=[1, 2])


@BREACHES.breaks("views_are_values", "carries note beside its fields")
class ViewsCarryMore(Toy):
    """Something is attached to a view beside its fields."""

    def view(self, state: State, seat: Seat | None) -> View:
        view = loosened(super().view(state, seat))
        object.__setattr__(view, "note", tuple(state.deck))
        return view


@BREACHES.breaks("views_are_values", "from a clone differs")
class ViewsKnowClones(Toy):
    """The view of a clone differs from that of its original."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        copy.free &= ~1
        return copy


@BREACHES.breaks("views_stay_as_they_were", "changed after it was given")
class LiveViews(Toy):
    """A view looks into the living state."""

    def view(self, state: State, seat: Seat | None) -> View:
        return loosened(super().view(state, seat), extra=state.spent)


@BREACHES.breaks("views_stay_as_they_were", "looking at step")
class LookingCounts(Toy):
    """Looking at the state changes it."""

    def view(self, state: State, seat: Seat | None) -> View:
        state.prize += 1
        return super().view(state, seat)


@BREACHES.breaks("equal_views_imagine_equally", "equal views imagine differently")
class PeeksThroughTheView(Toy):
    """Imagining takes the deck from a part of the view that comparisons leave out."""

    def view(self, state: State, seat: Seat | None) -> View:
        return sly(super().view(state, seat), tuple(state.deck))

    def determinise(self, view: View, chance: Chance) -> State:
        assert isinstance(view, SlyView)
        unseen = view.unseen
        state = super().determinise(view, chance)
        if chance.pick("peek", 2) and sorted(unseen) == sorted(state.deck):
            state.deck = list(unseen)
        elif chance.pick("peek", 2):
            state.deck.sort(key=lambda card: (card in unseen[:5], card))
        return state


@BREACHES.breaks("equal_views_imagine_equally", "imagine two worlds")
class ImaginesByMood(Toy):
    """What is imagined depends on how often somebody imagined before."""

    times = 0

    def determinise(self, view: View, chance: Chance) -> State:
        self.times += 1
        return super().determinise(view, Fast(self.times))


@BREACHES.breaks("imagined_worlds_differ_from_the_truth", "is always the truth")
class PeeksAtTheTable(Toy):
    """The game object remembers the state that it looked at last, and imagines exactly that."""

    seen: State | None = None

    def view(self, state: State, seat: Seat | None) -> View:
        self.seen = self.clone(state)
        return super().view(state, seat)

    def determinise(self, view: View, chance: Chance) -> State:
        assert self.seen is not None
        return self.clone(self.seen)


@BREACHES.breaks("imagined_worlds_are_states", "does not end within the bounds")
class ImaginesTooFewCards(Toy):
    """An imagined deck runs out in the middle of the game: nobody is asked, and there is no result."""

    def determinise(self, view: View, chance: Chance) -> State:
        state = super().determinise(view, chance)
        state.rounds += 10
        return state

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        if len(state.deck) <= len(state.hands):
            state.stack.clear()
            return []
        return super().apply(state, answers, chance, *options)

    def result(self, state: State) -> Result | None:
        return super().result(state) if state.rounds < 10 else None


@BREACHES.breaks("imagined_worlds_are_states", "not the same when it is stored")
class ImaginesTheUnstorable(Toy):
    """An imagined world is something else when it is stored."""

    def determinise(self, view: View, chance: Chance) -> State:
        state = super().determinise(view, chance)
        state.prize = 99
        return state

    def load(self, plain: Plain) -> State:
        state = super().load(plain)
        state.prize = min(state.prize, 6)
        return state


@BREACHES.breaks("the_public_view_is_in_every_view", ".first: ")
class HidesFromThePlayers(Toy):
    """Spectators see the first seat, players do not."""

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        return view if seat is None else replace(view, first=-1)


@BREACHES.breaks("the_public_view_is_in_every_view", ".spent: (99,) is public")
class TellsThePublicMore(Toy):
    """Spectators see more spent cards than the players."""

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        return replace(view, spent=(*view.spent, 99)) if seat is None else view


@BREACHES.breaks("refusals_tell_nothing", "the next card is")
class RefusesWithReasons(Toy):
    """A refusal names the next card of the deck."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        try:
            return super().apply(state, answers, chance, *options)
        except IllegalAnswer as error:
            raise IllegalAnswer(f"{error}; the next card is {state.deck[-1:]}") from None


def leaky_encoder() -> Encode:
    """Writes the top of the deck behind the view."""
    return lambda state, viewer: repr((GAME.view(state, viewer), state.deck[-1:])).encode()


def forgetful_encoder() -> Encode:
    """Writes nothing."""
    return lambda state, viewer: b""


def lazy_encoder() -> Encode:
    """Writes the first hand that it has seen in a round for everybody."""
    hands: dict[int, tuple[int, ...] | None] = {}

    def encode(state: State, viewer: Seat | None) -> bytes:
        view = GAME.view(state, viewer)
        return repr(hands.setdefault(view.round, view.hand)).encode()

    return encode


for made, complaint in [
    (leaky_encoder, "another world shows in the bytes"),
    (lazy_encoder, "what was sent before shows in the bytes"),
    (forgetful_encoder, "nothing is sent"),
]:
    BREACHES.append(Breach(Toy, "encodings_tell_nothing", complaint, encoder=made))


@BREACHES.breaks("equal_sights_come_with_equal_words", "tell more than its view")
class TellsEverybody(Toy):
    """What a seat draws is told to all."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        return [event._replace(audience=None) if event.verb is Verb.DREW else event for event in events]


@BREACHES.breaks("equal_sights_come_with_equal_words", "tell more than its view")
class TellsTheNeighbour(Toy):
    """What a seat buries is whispered to the next one."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        seats = len(state.hands)
        return [
            event._replace(audience=tuple(sorted({event.seat, (event.seat + 1) % seats})))
            if event.subject == "bury"
            else event
            for event in super().apply(state, answers, chance, *options)
        ]


@BREACHES.breaks("equal_sights_come_with_equal_words", "tell more than its view")
class TellsHowMany(Toy):
    """The number of events betrays how many are burying still."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        return events + [Event(Verb.PHASE, ask.seat, "still burying") for ask in self.pending(state)]


@BREACHES.breaks("equal_words_come_with_equal_sights", ".extra[0]")
class ShowsHandsConsistently(Toy):
    """A view shows all hands, and imagining keeps to them: only the words betray that they were to be hidden."""

    def view(self, state: State, seat: Seat | None) -> View:
        return loosened(super().view(state, seat), tuple(map(tuple, state.hands)))

    def determinise(self, view: View, chance: Chance) -> State:
        assert isinstance(view, LooseView)
        assert isinstance(view.extra, tuple)
        state = super().determinise(view, chance)
        pool = [card for pile in (*state.hands, state.deck) for card in pile]
        state.hands = [list(hand) for hand in view.extra]
        shown = {card for hand in state.hands for card in hand}
        state.deck = [card for card in pool if card not in shown]
        return state


@BREACHES.breaks("equal_words_come_with_equal_sights", ".prize: ")
class ShowsWhatItDoesNotTell(Toy):
    """The prize grows by luck, and no event says so."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        events = super().apply(state, answers, chance, *options)
        state.prize += chance.pick("prize", 3)
        return events
