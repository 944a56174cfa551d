"""What outlives the referee: records of matches and resume tokens, and a recorder that fails when it is told to.

A recorder belongs to one run of the referee. It refuses what no store may ever be given: a step twice, a step that
skips one, anything after the end. It can die before or after it has stored something, and it can be in trouble for a
while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.match.outputs import SeatRating, Settled
from referee.match.record import Chain, Final, Header, Record, Step, from_lines
from tests.simulation.promises import STORAGE_TROUBLE
from tests.simulation.world import SECOND, Killed, World, Wrong

if TYPE_CHECKING:
    from tests.simulation.scenario import Odds

LONGEST_TROUBLE = 60
"""Longest trouble of the store, in tenths of a second."""


class Moment(NamedTuple):
    """When something was stored, and by which run of the referee."""

    at: int
    life: int


class Stored:
    """One match as it is stored."""

    def __init__(self, header: Header, secret: bytes, chain: Chain) -> None:
        self.header = header
        self.secret = secret
        self.chain = chain
        self.lines: list[bytes] = []
        self.steps: list[Step] = []
        self.moments: list[Moment] = []
        """When each step was stored."""
        self.answered = [0] * len(header.players)
        """Asks of each seat that stored steps have answered."""
        self.final: Final | None = None
        self.settled = Settled()
        self.ended: Moment | None = None
        """When the end was stored."""

    def record(self, *, read: bool = True) -> Record:
        """The record, read back from what was written, or as it was handed in."""
        return from_lines(self.lines) if read else Record(self.header, tuple(self.steps), self.final)


class Storage:
    """Everything that is stored."""

    def __init__(self) -> None:
        self.matches: dict[str, Stored] = {}
        self.ends = 0
        """Matches whose end is stored."""
        self.tokens: dict[str, str] = {}
        """Resume tokens by the names of their bots, as the referee handed them over."""
        self.unread: dict[tuple[str, int], str] = {}
        """Match and seat of each end that its bot may not have read, and the name of the bot."""
        self.troubles: list[tuple[int, int]] = []
        """From and until when nothing could be stored."""


class SimulatedRecorder:
    """Stores the matches of one run of the referee."""

    def __init__(self, world: World, storage: Storage, odds: Odds, life: int) -> None:
        self._world = world
        self._storage = storage
        self._odds = odds
        self._life = life
        self.dead = False
        """Whether the referee was killed: nothing more is stored for it."""
        self._trouble_until = 0
        self._failing_since: int | None = None

    def begin(self, header: Header, secret: bytes) -> None:
        """Store that a match begins."""
        self._before(f"begin {header.match}")
        if header.match in self._storage.matches:
            raise Wrong(f"match {header.match} begins a second time")
        chain = Chain()
        stored = Stored(header, secret, chain)
        stored.lines.append(chain.header(header))
        self._storage.matches[header.match] = stored
        self._after(f"begin {header.match}")

    def step(self, match: str, step: Step) -> None:
        """Store a step."""
        what = f"step {step.n} of {match}"
        self._before(what)
        stored = self._storage.matches[match]
        if stored.final is not None:
            raise Wrong(f"{what}: the end is stored already")
        if step.n != len(stored.moments):
            raise Wrong(f"{what}: step {len(stored.moments)} is the next to be stored")
        stored.lines.append(stored.chain.step(step))
        stored.steps.append(step)
        stored.moments.append(Moment(self._world.now(), self._life))
        for seat in step.answers:
            stored.answered[seat] += 1
        self._after(what)

    def end(self, match: str, final: Final) -> Settled:
        """Store the end; returns what players are told beside the result."""
        what = f"end of {match}"
        self._before(what)
        stored = self._storage.matches[match]
        if stored.final is not None:
            raise Wrong(f"{what}: stored a second time")
        stored.lines.append(stored.chain.final(final))
        stored.final = final
        self._storage.ends += 1
        stored.ended = Moment(self._world.now(), self._life)
        ratings = tuple(SeatRating(1000.0, 1000.0 + seat, 50.0, 1, seat + 1) for seat in range(len(final.endings)))
        stored.settled = Settled(stored.chain.hash, ratings if final.rated else ())
        self._storage.unread.update({(match, seat): name for seat, name in enumerate(stored.header.players)})
        self._after(what)
        return stored.settled

    def remember(self, name: str, token: str) -> None:
        """Store a resume token."""
        self._trouble(f"token of {name}")
        self._storage.tokens[name] = token

    def missed(self, name: str) -> list[tuple[Stored, int]]:
        """The ends that a bot may not have read, each with its seat."""
        unread = [key for key, owner in self._storage.unread.items() if owner == name]
        return [(self._storage.matches[match], seat) for match, seat in unread]

    def confirmed(self, match: str, seat: int) -> None:
        """A bot has read an end."""
        self._trouble(f"reading of {match}/{seat}")
        self._storage.unread.pop((match, seat), None)

    def _before(self, what: str) -> None:
        world, odds = self._world, self._odds
        now = world.now()
        if STORAGE_TROUBLE is not None and now >= self._trouble_until and world.fails(odds.trouble, "storage trouble"):
            self._trouble_until = now + world.rng.randint(1, LONGEST_TROUBLE) * SECOND // 10
        self._trouble(what)
        if self._failing_since is not None:
            self._storage.troubles.append((self._failing_since, now))
            self._failing_since = None
        if world.fails(odds.kill_at_store, f"referee killed before a {what.split()[0]} is stored"):
            self.dead = True
            raise Killed

    def _trouble(self, what: str) -> None:
        """Fail where nothing can be stored now."""
        now = self._world.now()
        if self.dead:
            raise Killed
        if STORAGE_TROUBLE is not None and now < self._trouble_until and not self._world.calm:
            self._world.say(f"store: {what} fails")
            if self._failing_since is None:
                self._failing_since = now
            raise STORAGE_TROUBLE("the disk is full")

    def _after(self, what: str) -> None:
        self._world.say(f"store: {what}")
        if self._world.fails(self._odds.kill_at_store, f"referee killed after a {what.split()[0]} is stored"):
            self.dead = True
            raise Killed
