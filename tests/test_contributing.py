"""CONTRIBUTING's way to a new game passes every table of the code that has one line for each game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bots.bundled.greedy import POLICIES
from bots.bundled.ismcts.guide import GUIDES
from bots.clock import PACE
from referee.codec.decoding import DECODERS
from referee.codec.encoding import ENCODERS
from referee.kernel import registry
from referee.v1 import play_pb2 as pb

ROOT = Path(__file__).parent.parent
STEPS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Add a game in ten steps")[1].split("\n## ")[0]
TABLES: dict[str, Mapping[str, object]] = {
    "POLICIES": POLICIES,
    "GUIDES": GUIDES,
    "PACE": PACE,
    "DECODERS": DECODERS,
    "ENCODERS": ENCODERS,
}


@pytest.mark.parametrize("name", TABLES)
def test_the_steps_name_every_table_of_games(name: str) -> None:
    """The table has a line for each game, and the steps say so."""
    assert set(registry.names()) == set(TABLES[name])
    assert f"`{name}`" in STEPS


@pytest.mark.parametrize(("message", "oneof"), [(pb.Ask, "game"), (pb.GameInfo, "components")])
def test_the_steps_name_every_field_of_games(message: type[pb.Ask] | type[pb.GameInfo], oneof: str) -> None:
    """The message has a field for each game, and the steps say where."""
    fields = {field.name for field in message.DESCRIPTOR.oneofs_by_name[oneof].fields}

    assert fields == set(registry.names())
    assert f"`oneof {oneof}` of `{message.DESCRIPTOR.name}`" in STEPS


def test_the_ten_steps_are_ten() -> None:
    """They are numbered through."""
    assert [f"{number}." for number in range(1, 11)] == [
        line.split()[0] for line in STEPS.splitlines() if line[:1].isdigit()
    ]
