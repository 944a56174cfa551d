"""What greedy would do: a hint for a person, from the same ask that the person has."""

from __future__ import annotations

from random import Random

from bots.ask import AnyAsk, Ask, Table
from bots.bundled.greedy import Greedy
from ladder.viewer.boards import board_of
from ladder.web.reading.page import Data
from referee.codec import decoding
from referee.v1 import play_pb2 as pb

NAME = "greedy"


def hint(ask: pb.Ask, seated: pb.Seated) -> Data:
    """The option that greedy would choose, in words, and its note. The same ask gives the same hint."""
    received = decoding.Received(ask)
    table = Table(seated.match_id, seated.game, seated.seat, tuple(seated.players), dict(seated.variant))
    own: AnyAsk = Ask(table, ask.ask, ask.kind, ask.option_count, received, rng=Random(f"{ask.match_id}/{ask.ask}"))
    index = own.index(Greedy().decide(own))
    words = board_of(seated.game).answer(received.view, ask.kind, received.options[index])
    return {"ask": ask.ask, "option": index, "words": words, "note": own.noted, "by": NAME}
