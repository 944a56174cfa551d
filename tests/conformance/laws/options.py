"""Laws about option lists: never empty, no repetition, one order everywhere, and a sequence in every respect."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from referee.kernel.chance import Fast
from referee.kernel.game import Option
from referee.kernel.plain import canonical, parse
from tests.conformance.journey import Journey, Moment, few, play_on
from tests.conformance.laws.law import Broken, Law, demand

LONG = 300
"""Lists up to this length are compared item by item at every moment, longer ones by sample."""


class Stranger:
    """A value that is an option of no game."""

    def __repr__(self) -> str:
        return "Stranger()"


FOREIGN: tuple[Hashable, ...] = (Stranger(), None, "no such option", (), ("no such option", 1), -(10**9), 10**9)


def strangers(journey: Journey, moment: Moment, listed: Sequence[Option], count: int = 4) -> list[Hashable]:
    """Answers that are not among the options: nonsense, and options of other moments of the same game."""
    rng = journey.rng(f"strangers/{moment.number}")
    legal = list(listed)
    elsewhere = [
        rng.choice(other)
        for earlier in few(journey.moments, 10, rng)
        for other in earlier.options.values()
        if len(other)
    ]
    return [*(x for x in FOREIGN if x not in legal), *(x for x in elsewhere if x not in legal)][: len(FOREIGN) + count]


def options_have_no_repetition(journey: Journey) -> None:
    """Every list offers something, and everything in it once; options are hashable values."""
    for moment in journey.moments:
        for seat, listed in moment.options.items():
            demand(len(listed) > 0, "seat", seat, "is asked", moment.asks, "and has no option")
            demand(len(set(listed)) == len(listed), "seat", seat, "is offered something twice at", moment.asks)


def options_have_one_order(journey: Journey) -> None:
    """The list is the same when it is asked for again, from a clone, and from a state that was stored and read back."""
    game = journey.table.game
    for moment in journey.sample(12, "options_have_one_order"):
        stored = game.load(parse(canonical(game.dump(moment.state))))
        for seat, listed in moment.options.items():
            expected = list(listed)
            for origin, state in [
                ("a clone", game.clone(moment.state)),
                ("another clone", game.clone(moment.state)),
                ("a stored state", stored),
            ]:
                for time in ("first", "second"):
                    actual = list(game.options(state, seat))
                    demand(expected == actual, f"from {origin} the {time} list of seat {seat} is another:", actual[:9])


def options_are_a_sequence(journey: Journey) -> None:
    """Length, position, membership, search, iteration and slices of a list agree with those of a plain one."""
    for moment in journey.sample(6, "options_are_a_sequence"):
        for listed in moment.options.values():
            demand(isinstance(listed, Sequence), "options are a", type(listed).__name__, "and no sequence")
            _check_positions(listed, journey)
            _check_membership(listed, strangers(journey, moment, listed))


def _check_positions(listed: Sequence[Option], journey: Journey) -> None:
    plain, count = list(listed), len(listed)
    demand(len(plain) == count, "a list says", count, "and iterates over", len(plain))
    demand(plain[::-1] == list(reversed(listed)), "a list is not the reverse of its reverse")
    for i in few(range(-count, count), 2 * LONG, journey.rng("positions")):
        demand(plain[i] == listed[i], "item", i, "of", count, "is", listed[i], "instead of", plain[i])
    for i in (count, count + 1, -count - 1, 10**6 + count):
        try:
            beyond = listed[i]
        except IndexError:
            continue
        raise Broken(f"a list of {count} has an item {i}: {beyond}")
    for piece in (slice(1, 3), slice(None, None, 2), slice(-2, None), slice(count, None)):
        try:
            part = listed[piece]
        except TypeError:
            continue  # a lazy list need not know slices; if it does, they must be right
        demand(plain[piece] == list(part), "the slice", piece, "is", list(part))


def _check_membership(listed: Sequence[Option], foreign: list[Hashable]) -> None:
    plain = list(listed)
    for i in {0, len(plain) // 2, len(plain) - 1}:
        demand(plain[i] in listed, plain[i], "is item", i, "and is said not to be there")
        demand(listed.index(plain[i]) == i, plain[i], "is item", i, "and is found at", listed.index(plain[i]))
        demand(listed.count(plain[i]) == 1, plain[i], "is counted", listed.count(plain[i]), "times")
    for stranger in foreign:
        demand(stranger not in listed, stranger, "is no option and is said to be there")
        demand(listed.count(stranger) == 0, stranger, "is no option and is counted")
        try:
            found = listed.index(stranger)
        except ValueError:
            continue
        raise Broken(f"{stranger} is no option and is found at {found}")


def options_stay_as_they_were(journey: Journey) -> None:
    """A list that was handed out does not change when the game goes on."""
    table, game = journey.table, journey.table.game
    for moment in journey.sample(6, "options_stay_as_they_were"):
        state = game.clone(moment.state)
        kept = {seat: game.options(state, seat) for seat in moment.options}
        expected = {seat: list(listed) for seat, listed in kept.items()}
        play_on(table, state, Fast(moment.number), journey.rng("options_stay"), steps=3)
        for seat, listed in kept.items():
            demand(expected[seat] == list(listed), "the list of seat", seat, "changed after it was given")


LAWS: tuple[Law, ...] = (
    options_have_no_repetition,
    options_have_one_order,
    options_are_a_sequence,
    options_stay_as_they_were,
)
