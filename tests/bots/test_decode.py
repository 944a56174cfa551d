"""What comes over the wire is what the game said: views, options, events and results."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from referee.codec import decoding, encoding
from referee.codec.decoding import DECODERS
from referee.kernel import registry
from referee.kernel.chance import Fast, Sealed, secret_from_seed
from referee.kernel.game import AnyGame, Event, Option, Seat, settle_variant
from referee.kernel.turns import advance, settle
from referee.transport import messages
from referee.v1 import play_pb2

GAMES = [name for name in registry.names() if name in DECODERS]


def tables() -> Iterator[object]:
    """Every seat count alone and with each setting that differs from the default.

    The quick suite has every seat count and every setting once, at another seat count each; the others are slow.
    """
    for name in GAMES:
        game = registry.game(name)
        for seats in game.seats:
            yield pytest.param(name, seats, {})
        settings = [
            (key, value, tuple(choices.seats or game.seats))
            for key, choices in game.variants.items()
            for value in choices.values
            if value != choices.default
        ]
        for number, (key, value, allowed) in enumerate(settings):
            for seats in allowed:
                quick = seats == allowed[number % len(allowed)]
                yield pytest.param(name, seats, {key: value}, marks=() if quick else pytest.mark.slow)


TABLES = list(tables())


class Moment(NamedTuple):
    """One decision of a playout."""

    seat: Seat
    kind: str
    options: Sequence[Option]
    view: object
    events: list[Event]


def playout(game: AnyGame, seats: int, variant: dict[str, str], seed: str) -> Iterator[Moment]:
    """Every decision of a random game."""
    luck, chance = random.Random(seed), Sealed(secret_from_seed(seed))
    state = game.start(seats, settle_variant(game, seats, variant), chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    while turn.asks:
        told = list(events)
        events.clear()
        answers = {}
        for seat, kind in turn.asks:
            options = turn.options[seat]
            yield Moment(seat, kind, options, game.view(state, seat), told)
            answers[seat] = options[luck.randrange(len(options))]
        turn = advance(game, state, turn, answers, chance, events)


def sent(name: str, encode: encoding.Encode, moment: Moment) -> play_pb2.Ask:
    """The ask as it arrives at the other end."""
    message = play_pb2.Ask(kind=moment.kind, option_count=len(moment.options))
    getattr(message, name).MergeFromString(encode(moment.kind, moment.options, moment.view))
    return play_pb2.Ask.FromString(message.SerializeToString())


@pytest.mark.parametrize(("name", "seats", "variant"), TABLES, ids=str)
def test_every_view_and_option_list_survives_the_wire(name: str, seats: int, variant: dict[str, str]) -> None:
    """Decoding what the referee encodes gives back the equal view and the same options, at every decision."""
    encode = encoding.of(name).encoder()

    for moment in playout(registry.game(name), seats, variant, f"wire/{name}/{seats}"):
        received = decoding.Received(sent(name, encode, moment))

        assert moment.view == received.view
        assert list(moment.options) == list(received.options)
        assert [received.options[index] for index in range(len(moment.options))] == list(moment.options)


@pytest.mark.parametrize(("name", "seats", "variant"), TABLES, ids=str)
def test_a_decoded_view_can_be_played_on(name: str, seats: int, variant: dict[str, str]) -> None:
    """A world sampled from the decoded view asks its seat the same question: search works at the end of a wire."""
    game = registry.game(name)
    encode = encoding.of(name).encoder()

    for moment in playout(game, seats, variant, f"worlds/{name}/{seats}"):
        world = game.determinise(decoding.Received(sent(name, encode, moment)).view, Fast(1))

        assert list(moment.options) == list(game.options(world, moment.seat))


@pytest.mark.parametrize("name", GAMES)
def test_events_survive_the_wire(name: str) -> None:
    """An event arrives with the words and numbers it was told with; only its audience stays behind."""
    for moment in playout(registry.game(name), 2, {}, f"events/{name}"):
        message = play_pb2.Ask()
        messages.fill_events(message.events, moment.events)
        expected = tuple(event._replace(audience=None, items=tuple(event.items)) for event in moment.events)

        assert expected == decoding.events(message.events)


@pytest.mark.parametrize("name", registry.names())
def test_no_option_is_a_number(name: str) -> None:
    """A bot answers with an option or an index, so an option must never look like an index."""
    game = registry.game(name)

    for moment in playout(game, 2, {}, f"numbers/{name}"):
        assert not any(hasattr(option, "__index__") for option in moment.options[:3])


def test_every_decoder_belongs_to_a_game() -> None:
    """A decoder without a registered game would never be used or tested."""
    assert sorted(DECODERS) == GAMES
