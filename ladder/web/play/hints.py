"""What greedy would do: a hint for a person, from the same ask that the person has."""

from __future__ import annotations

from random import Random

from bots.ask import AnyAsk, Ask, Table
from bots.bundled.greedy import Greedy
from ladder.web.reading.page import Data
from referee.codec import decoding
from referee.v1 import play_pb2 as pb

NAME = "greedy"


def hint(ask: pb.Ask, seated: pb.Seated) -> Data:
    """The number of the option that greedy would choose, and its note. The same ask gives the same hint."""
    received = decoding.Received(ask)
    table = Table(seated.match_id, seated.game, seated.seat, tuple(seated.players), dict(seated.variant))
    own: AnyAsk = Ask(table, ask.ask, ask.kind, ask.option_count, received, rng=Random(f"{ask.match_id}/{ask.ask}"))
    index = own.index(Greedy().decide(own))
    return {"ask": ask.ask, "option": index, "note": own.noted, "by": NAME}
