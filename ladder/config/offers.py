"""Sorts of tables that a referee offers: a game, seats, a variant, a clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant, timed_kinds
from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import Policy

MOST_DIGITS = 3
"""Digits of a number of seats."""
SHOWN = 80
"""Characters of a bad option that an error repeats."""


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A sort of table."""

    game: str
    seats: int
    variant: Mapping[str, str] = field(default_factory=dict)
    """The complete variant."""
    clock: TimeControl = NO_CLOCK
    policy: Policy = field(default_factory=Policy)
    weight: float = 1.0
    """Share of a bot's matches that such tables should get, relative to the other offers that the bot plays."""
    rated: bool = True

    def __str__(self) -> str:
        return f"{self.game}:{self.seats}"

    @property
    def timed(self) -> bool:
        """Whether the rules of such tables go by when answers arrive.

        Such tables are played at a referee, never within one process, and no deal of theirs is played twice. They are
        rated only among bots on the referee's own machine, because no network lag is forgiven.
        """
        return bool(timed_kinds(registry.game(self.game), self.variant))

    def plan(self, players: tuple[str, ...], match: str, secret: bytes, *, rated: bool) -> MatchPlan:
        """A match at such a table."""
        return MatchPlan(self.game, players, match, secret, self.variant, self.clock, self.policy, rated)


def every_table(
    games: Sequence[str] = (),
    *,
    seats: Sequence[int] = (),
    variant: Mapping[str, str] | None = None,
    clock: TimeControl = NO_CLOCK,
    policy: Policy | None = None,
    rated: bool = True,
) -> tuple[TableOffer, ...]:
    """Tables of every game (or those named) at every seat count (or those named); raises BadSetting, UnknownName."""
    tables = []
    for name in games or registry.names():
        game = registry.game(name)
        for count in seats or game.seats:
            settled = settle_variant(game, count, variant or {})
            tables.append(TableOffer(name, count, settled, clock, policy or Policy(), rated=rated))
    return tuple(tables)


def named_tables(
    wanted: Sequence[str], *, variant: Mapping[str, str], clock: TimeControl, policy: Policy, rated: bool
) -> tuple[TableOffer, ...]:
    """The tables of `--table GAME[:SEATS]` options, each once; without any, every game with two or more seats."""
    if not wanted:
        # A bot that is alone waits for another one instead of playing solo games without end.
        everything = every_table(variant=variant, clock=clock, policy=policy, rated=rated)
        return tuple(table for table in everything if table.seats > 1)
    tables: list[TableOffer] = []
    for text in wanted:
        name, colon, count = text.partition(":")
        game = registry.game(name)
        if colon and not (count.isascii() and count.isdecimal() and len(count) <= MOST_DIGITS):
            shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
            raise BadSetting(f"--table {shown}: write GAME or GAME:SEATS, for example {game.name}:{game.seats.start}")
        seats = [int(count)] if colon else []
        found = every_table([name], seats=seats, variant=variant, clock=clock, policy=policy, rated=rated)
        tables.extend(table for table in found if table not in tables)
    return tuple(tables)
