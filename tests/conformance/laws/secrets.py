"""Laws about what is hidden: a view is all a seat gets, and nothing that it may not know can reach it.

The argument is one of indistinguishable worlds. `determinise` makes, from a seat's view alone, a state w that may
differ from the true state s in everything the seat may not know. So whatever the seat gets to see must be the same in
s and in w: its view, its question, its options, the words with which an answer of its own is refused. Where they
differ, something hidden shows through.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Seat
from referee.kernel.plain import canonical, parse
from tests.conformance.journey import Journey, Moment, few, play_on, print_of
from tests.conformance.laws.law import Law, demand, demand_none
from tests.conformance.laws.options import strangers
from tests.conformance.laws.states import NoLuck
from tests.conformance.values import differences, flaws, uncontained

WORLDS = 3
"""How many worlds a viewer imagines at each moment."""


def imagined(journey: Journey, moment: Moment, viewer: Seat | None, count: int = WORLDS) -> Iterator[object]:
    """Some worlds that look to the viewer like the state of the moment."""
    game = journey.table.game
    for i in range(count):
        yield game.determinise(
            game.view(moment.state, viewer), Fast(f"{journey.plan.seed}/{moment.number}/{viewer}/{i}")
        )


def looks(
    journey: Journey, purpose: str, moments: int = 16, viewers: int | None = None
) -> Iterator[tuple[Moment, Seat | None]]:
    """Moments of a journey, the end included, each with every viewer or with some."""
    end = Moment(len(journey.moments), journey.final, print_of(journey.table, journey.final), (), {})
    rng = journey.rng(f"looks/{purpose}")
    for moment in [*journey.sample(moments, purpose), *([end] if journey.stuck is None else [])]:
        for viewer in few(journey.table.viewers, viewers or journey.table.seats + 1, rng):
            yield moment, viewer


def views_are_values(journey: Journey) -> None:
    """A view is immutable through and through, equal to itself made again, hashable, and nothing hangs on to it."""
    game = journey.table.game
    for moment, viewer in looks(journey, "views_are_values", 8, 3):
        view = game.view(moment.state, viewer)
        demand_none(flaws(view), "the view of", viewer, "at step", moment.number)
        demand(hash(view) == hash(game.view(moment.state, viewer)), "a view made twice has two hashes")
        again = game.view(game.clone(moment.state), viewer)
        demand_none(differences(view, again), "the view of", viewer, "from a clone differs")


def views_stay_as_they_were(journey: Journey) -> None:
    """A view that was handed out does not change when the game goes on, and looking at a state does not change it."""
    table, game = journey.table, journey.table.game
    for moment in journey.sample(5, "views_stay_as_they_were"):
        state = game.clone(moment.state)
        views = [game.view(state, viewer) for viewer in table.viewers]
        demand(moment.print == print_of(table, state), "looking at step", moment.number, "changed it")
        texts = [repr(view) for view in views]
        play_on(table, state, Fast(moment.number), journey.rng("views_stay"))
        for viewer, text, view in zip(table.viewers, texts, views, strict=True):
            demand(text == repr(view), "the view of", viewer, "at step", moment.number, "changed after it was given")


def imagined_worlds_look_the_same(journey: Journey) -> None:
    """Every imagined world shows its viewer the same view, question, options and result as the true state."""
    game = journey.table.game
    for moment, viewer in looks(journey, "imagined_worlds_look_the_same", 24):
        view = game.view(moment.state, viewer)
        asks = [ask for ask in moment.asks if ask.seat == viewer]
        place = ("to", viewer, "at step", moment.number, moment.asks)
        for world in imagined(journey, moment, viewer):
            demand_none(differences(view, game.view(world, viewer)), "an imagined world looks different", *place)
            own = [ask for ask in game.pending(world) if ask.seat == viewer]
            demand(asks == own, "an imagined world asks", own, "instead of", asks, *place)
            for ask in asks:
                options = list(game.options(world, ask.seat))
                expected = list(moment.options[ask.seat])
                demand_none(differences(expected, options), "an imagined world offers other options", *place)
            demand(bool(moment.asks) == bool(game.pending(world)), "an imagined world is over, the game not", *place)
            demand(game.result(moment.state) == game.result(world), "an imagined world has another result", *place)


def equal_views_imagine_equally(journey: Journey) -> None:
    """What is imagined depends on the view's value and on luck alone, not on the state that the view was taken from."""
    table, game = journey.table, journey.table.game
    for moment, viewer in looks(journey, "equal_views_imagine_equally", 8, 3):
        view = game.view(moment.state, viewer)
        expected = print_of(table, game.determinise(view, Fast(moment.number)))
        again = print_of(table, game.determinise(view, Fast(moment.number)))
        demand(expected == again, "one view and one luck imagine two worlds for", viewer, "at step", moment.number)
        for world in imagined(journey, moment, viewer, 2):
            other = game.determinise(game.view(world, viewer), Fast(moment.number))
            demand(expected == print_of(table, other), "equal views imagine differently:", viewer, moment.asks)


def imagined_worlds_differ_from_the_truth(journey: Journey) -> None:
    """If anything is hidden, then imagining does not always hit the truth: whoever always does has peeked."""
    table = journey.table
    if not table.game.hidden:
        return
    for viewer in table.viewers:
        worlds = (
            moment.print != print_of(table, world)
            for moment in journey.sample(12, "imagined_worlds_differ")
            for world in imagined(journey, moment, viewer)
        )
        demand(any(worlds), "whatever", viewer, "imagines is always the truth, and yet something is said to be hidden")


def imagined_worlds_are_states(journey: Journey) -> None:
    """An imagined world is stored, read back, cloned and played to its end like any other state."""
    table, game = journey.table, journey.table.game
    rng = journey.rng("imagined_worlds_are_states")
    for moment, viewer in looks(journey, "imagined_worlds_are_states", 6, 2):
        for world in imagined(journey, moment, viewer, 1):
            place = ("imagined by", viewer, "at step", moment.number)
            before = print_of(table, world)
            stored = game.load(parse(canonical(game.dump(world))))
            demand(before == print_of(table, stored), "a world", *place, "is not the same when it is stored")
            twin = game.clone(world)
            play_on(table, world, Fast(moment.number), rng)
            demand(before == print_of(table, twin), "a world", *place, "shares parts with its clone")
            demand(game.result(world) is not None, "a world", *place, "does not end within the bounds")


def the_public_view_is_in_every_view(journey: Journey) -> None:
    """Each seat sees all that everybody may see."""
    game = journey.table.game
    for moment, viewer in looks(journey, "the_public_view_is_in_every_view"):
        public = game.view(moment.state, None)
        missing = uncontained(public, game.view(moment.state, viewer))
        demand_none(missing, "seat", viewer, "does not see what is public at step", moment.number)


def refusals_tell_nothing(journey: Journey) -> None:
    """An answer of a seat's own is refused with the same words in every world that looks the same to it."""
    game = journey.table.game
    for moment in journey.sample(6, "refusals_tell_nothing"):
        rng = journey.rng(f"refusals/{moment.number}")
        for seat in range(journey.table.seats):
            foreign = few(strangers(journey, moment, moment.options.get(seat, ())), 3, rng)
            for world in imagined(journey, moment, seat, 2):
                for answer in foreign:
                    said = [_refusal(journey, state, seat, answer) for state in (moment.state, world)]
                    demand(len(set(said)) == 1, "seat", seat, "is refused with other words in another world:", said)
            demand(game.pending(moment.state) == moment.asks, "a refused answer changed who is asked")


def _refusal(journey: Journey, state: object, seat: Seat, answer: object) -> str:
    """With which words a seat's answer is refused while the others answer properly, or that it is not asked."""
    game = journey.table.game
    answers = {ask.seat: game.options(state, ask.seat)[0] for ask in game.pending(state)}
    try:
        if seat not in answers:
            return f"{len(game.options(state, seat))} options"
        game.apply(game.clone(state), answers | {seat: answer}, NoLuck())
    except IllegalAnswer as error:
        return str(error)
    return "accepted"


def encodings_tell_nothing(journey: Journey) -> None:
    """The bytes sent to a seat are the same in every world that looks the same to it, whatever was sent to others."""
    table = journey.table
    if table.encoder is None:
        return
    shared = table.encoder()
    for moment in journey.sample(8, "encodings_tell_nothing"):
        for seat in moment.options:
            expected = table.encoder()(moment.state, seat)
            place = ("seat", seat, "at step", moment.number)
            demand(bool(expected), "nothing is sent to", *place)
            demand(expected == shared(moment.state, seat), "what was sent before shows in the bytes for", *place)
            for world in imagined(journey, moment, seat, 2):
                demand(expected == table.encoder()(world, seat), "another world shows in the bytes for", *place)


LAWS: tuple[Law, ...] = (
    views_are_values,
    views_stay_as_they_were,
    imagined_worlds_look_the_same,
    equal_views_imagine_equally,
    imagined_worlds_differ_from_the_truth,
    imagined_worlds_are_states,
    the_public_view_is_in_every_view,
    refusals_tell_nothing,
    encodings_tell_nothing,
)
