"""Who plays next: a fair queue over the bots that are free, one table at a time.

The bot that has waited longest is the host: it gets the first sort of table that it plays and that enough free bots
play too, filled up by those who have waited longest. Sorts take turns. If there is no table for the host, the next in
line may be host and overtakes it; a bot that was overtaken `PATIENCE` times is not overtaken any more by those it
needs: they are held for it until its table is full. So nobody starves, however rare the table that it wants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from referee.match.clock import NO_CLOCK, Clock
from referee.match.policy import Policy

PATIENCE = 8
"""How often a bot that waits for a table is overtaken before others wait for it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sort of table that a referee offers."""

    game: str
    seats: int
    variant: Mapping[str, str] = field(default_factory=dict)
    """The complete variant."""
    clock: Clock = NO_CLOCK
    policy: Policy = field(default_factory=Policy)


class Free(Protocol):
    """What matchmaking knows of a bot."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def room(self) -> int:
        """Tables it could sit down at now."""

    @property
    def present(self) -> bool:
        """Whether it will have room when its tables end."""

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether it accepts such a table."""


class Company(NamedTuple):
    """A table to be opened."""

    wanted: Wanted
    names: tuple[str, ...]
    """Its players, longest wait first; the seats are yet to be drawn."""


class Matchmaker:
    """The queue. It remembers who waits since when and which sort of table was opened when."""

    def __init__(self, wanted: Sequence[Wanted], patience: int = PATIENCE) -> None:
        self._sorts = list(wanted)
        self._patience = patience
        self._turn = 0
        self._since: dict[str, int] = {}
        self._played: dict[str, int] = {}
        self._overtaken: dict[str, int] = {}

    def next(self, bots: Sequence[Free]) -> Company | None:
        """The next table to open between these bots, if there is one; the caller seats them before it asks again."""
        self._forget(bots)
        queue = sorted((bot for bot in bots if bot.room > 0), key=self._turn_of)
        held: set[str] = set()
        for place, host in enumerate(queue):
            if host.name in held:
                continue
            for wanted in self._sorts:
                company = self._company(host, wanted, queue, held)
                if company is not None:
                    self._seat(company, queue[:place])
                    return company
            if self._overtaken.get(host.name, 0) >= self._patience:
                held.update(self._needed(host, bots, queue))
        return None

    def _turn_of(self, bot: Free) -> tuple[int, int]:
        """Who waits longest comes first; of those who wait equally long, who has played least; then who came first."""
        return self._since.setdefault(bot.name, self._turn), self._played.get(bot.name, 0)

    def _company(self, host: Free, wanted: Wanted, queue: Sequence[Free], held: set[str]) -> Company | None:
        if not _plays(host, wanted):
            return None
        names = [host.name]
        for bot in queue:
            if len(names) == wanted.seats:
                break
            if bot is not host and bot.name not in held and _plays(bot, wanted):
                names.append(bot.name)
        return Company(wanted, tuple(names)) if len(names) == wanted.seats else None

    def _seat(self, company: Company, overtaken: Sequence[Free]) -> None:
        self._turn += 1
        for name in company.names:
            self._since[name] = self._turn
            self._played[name] = self._played.get(name, 0) + 1
            self._overtaken.pop(name, None)
        for bot in overtaken:
            if bot.name not in company.names:
                self._overtaken[bot.name] = self._overtaken.get(bot.name, 0) + 1
        self._sorts.remove(company.wanted)
        self._sorts.append(company.wanted)

    def _needed(self, host: Free, bots: Sequence[Free], queue: Sequence[Free]) -> set[str]:
        """The free bots that wait for the host's table with it, if it can be filled at all."""
        for wanted in self._sorts:
            if _plays(host, wanted):
                able = [bot for bot in bots if bot.present and _plays(bot, wanted)]
                if len(able) >= wanted.seats:
                    return {host.name, *(bot.name for bot in queue if _plays(bot, wanted))}
        return set()

    def _forget(self, bots: Sequence[Free]) -> None:
        present = {bot.name for bot in bots}
        for memory in (self._since, self._played, self._overtaken):
            for name in [name for name in memory if name not in present]:
                del memory[name]


def _plays(bot: Free, wanted: Wanted) -> bool:
    return bot.plays(wanted.game, wanted.seats, wanted.variant)
