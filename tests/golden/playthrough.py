"""A whole game as text: who is asked what, what is answered, what happens, and the fingerprint after every step.

The text is made for people who review a change of rules: one line for each answer, with the number of options there
were, and one sentence for each event.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import TABLE, Event, Option, timed_kinds
from referee.kernel.plain import fingerprint
from tests.conformance.journey import carried_out
from tests.conformance.tables import Table, registered

FOLDER = Path(__file__).parent
SEED = "golden"
ANSWERS = "golden/answers"
ARRIVALS = "golden/arrivals"
"""The stream of the buckets in which answers to timed asks arrive."""


def tables() -> list[Table]:
    """The tables that are written down: every seat count with default rules, and every other value once.

    A value that is no default is played at the smallest table that allows it, the other settings at their defaults.
    """
    chosen: list[Table] = []
    seen: set[tuple[str, str, str]] = set()
    for table in registered():
        own = [(k, v) for k, v in table.variant.items() if v != table.game.variants[k].default]
        if not own:
            chosen.append(table)
        elif len(own) == 1 and (table.game.name, *own[0]) not in seen:
            seen.add((table.game.name, *own[0]))
            chosen.append(table)
    return chosen


def file_of(table: Table) -> Path:
    """Where the playthrough of a table is kept."""
    return FOLDER / table.game.name / f"{table.seats}-{table.settings}.txt"


def written(table: Table) -> str:
    """The playthrough of a table."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    game = table.game
    settings = ", ".join(f"{key}={value}" for key, value in sorted(table.variant.items())) or "no settings"
    yield f"{game.title} (rules version {game.rules_version}), {table.seats} seats, {settings}"
    yield f"components {game.digest[:16]}, luck of the seed {SEED!r}, answers from its stream {ANSWERS!r}"
    chance, choice = Sealed(secret_from_seed(SEED)), Sealed(secret_from_seed(SEED))
    state = game.start(table.seats, table.variant, chance)
    timed = timed_kinds(game, table.variant)
    number = 0
    while asks := game.pending(state):
        yield ""
        yield f"step {number}, state {fingerprint(game.dump(state))[:16]}"
        answers = {}
        for ask in asks:
            options = game.options(state, ask.seat)
            index = choice.pick(ANSWERS, len(options))
            answers[ask.seat] = options[index]
            yield f"  seat {ask.seat} {ask.kind}: {index} of {len(options)}, {text_of(options[index])}"
        arrivals = {ask.seat: choice.pick(ARRIVALS, 3) for ask in asks if ask.kind in timed}
        for event in carried_out(table, state, answers, chance, arrivals):
            yield f"    {sentence(event)}"
        number += 1
    yield ""
    yield f"over after {number} steps, state {fingerprint(game.dump(state))[:16]}"
    result = game.result(state)
    if result is not None:
        yield f"  {result.reason}: places {text_of(result.places)}, points {text_of(result.points)}"
        if result.automata:
            yield f"  automata: {text_of(result.automata)}"


def sentence(event: Event) -> str:
    """An event as it reads: who, verb, how much, what, which; and to whom it is told."""
    who = "table" if event.seat == TABLE else f"seat {event.seat}"
    words = [who, str(event.verb.value), str(event.amount) if event.amount else "", event.subject]
    words.append(text_of(event.items) if event.items else "")
    told = "" if event.audience is None else f"(told to {', '.join(map(str, event.audience))})"
    return " ".join(word for word in (*words, told) if word)


def text_of(value: Option) -> str:
    """A value in short: `PlaceCard 3 -1 0` instead of `PlaceCard(x=3, y=-1, rot=0)`."""
    if isinstance(value, tuple):
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        inner = " ".join(f"[{text_of(item)}]" if isinstance(item, tuple) else text_of(item) for item in value)
        return f"{name} {inner}".strip()
    return str(value)
