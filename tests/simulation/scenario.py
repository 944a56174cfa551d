"""What one world is like: who plays, with which clocks and manners, and how often what goes wrong, by its seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from tests.match.toy import GAME
from tests.simulation.world import SECOND

REAL_GAMES_EVERY = 500
"""One world in so many plays a real game."""
NAMES = ("ann", "bob", "cy", "dee", "eve")
ROUGH_CLOCKS = ("10s+1s/5s", "3s+1s", "2s+2s/2s", "0s+3s/3s", "none")
GENTLE_CLOCKS = ("none", "3600s", "1800s+60s", "3600s+60s/1800s")


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely each fault of transport, storage and processes is, at each opportunity for it."""

    cut: float = 0.0
    """The stream breaks, at each message."""
    bot_killed: float = 0.0
    """The bot's process dies, at each message to or from it."""
    referee_killed: float = 0.0
    """The referee's process dies, at each message."""
    kill_at_store: float = 0.0
    """The referee's process dies, before and after each store."""
    trouble: float = 0.0
    """Storing fails for a while, at each store."""
    slow: float = 0.0
    """A message takes up to three seconds, at each message."""
    unread: float = 0.0
    """The bot does not read for a while, at each message to it."""
    revoked: float = 0.0
    """The bot's token is revoked, at each message from it."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a bot behaves: the odds of each misdeed at each ask."""

    kit: bool = False
    """Whether the bot is made with the kit, which never misbehaves."""
    thinking: int = SECOND // 20
    """Longest time for an answer, in microseconds."""
    keeps_token: bool = True
    """Whether its resume token survives its process."""
    events: bool = False
    never_ready: bool = False
    twice: float = 0.0
    """Answers twice, the same."""
    stale: float = 0.0
    """Repeats its answer to an older ask as well."""
    fickle: float = 0.0
    """Answers twice, differently."""
    early: float = 0.0
    """Answers asks that it was not asked yet."""
    stray: float = 0.0
    """Answers for a seat or match that is not its own as well."""
    illegal: float = 0.0
    malformed: float = 0.0
    late: float = 0.0
    silent: float = 0.0
    deaf: float = 0.0
    """Does not return a ping, at each ping."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One world."""

    seed: int
    gentle: bool
    """Only transport, storage and processes fail, and clocks are generous: nothing of that may show in the record."""
    closed: bool
    """Whether bots need a bearer token, which proves who they are."""
    openings: tuple[MatchPlan, ...]
    manners: Mapping[str, Manners]
    odds: Odds


def scenario(seed: int) -> Scenario:
    """The world of a seed."""
    rng = Random(f"scenario {seed}")
    gentle = rng.random() < 0.5
    closed = rng.random() < 0.4
    real = seed % REAL_GAMES_EVERY == REAL_GAMES_EVERY - 1
    game = registry.game(rng.choice(sorted(set(registry.names()) - {GAME.name}))) if real else GAME
    seats = [count for count in game.seats if 2 <= count <= 4]
    tables = 1 if real else rng.choice((1, 1, 2, 2, 3))
    clock = TimeControl.parse(rng.choice(GENTLE_CLOCKS if gentle else ROUGH_CLOCKS))
    policy = _policy(rng, gentle)
    openings = []
    for number in range(tables):
        count = rng.choice(seats)
        players = [rng.choice(NAMES[:3]) for _ in range(count)] if rng.random() < 0.1 else rng.sample(NAMES[:4], count)
        match = f"{seed:x}-{number}"
        opening = MatchPlan(game.name, tuple(players), match, secret_from_seed(match), {}, clock, policy)
        openings.append(opening)
    names = sorted({name for opening in openings for name in opening.players})
    manners = {name: _manners(rng, gentle, closed, clock) for name in names}
    return Scenario(seed, gentle, closed, tuple(openings), manners, _odds(rng, gentle, closed, real))


def _policy(rng: Random, gentle: bool) -> Policy:
    if gentle:
        return Policy(start=600 * SECOND)
    return Policy(
        faults=rng.randint(0, 4),
        start=rng.choice((2, 10, 30)) * SECOND,
        development=rng.random() < 0.05,
        lag_per_decision=rng.choice((0, 100_000)),
    )


def _odds(rng: Random, gentle: bool, closed: bool, real: bool) -> Odds:
    """Some sorts of faults, each at odds of its own, so that every mixture comes up."""
    scale = 0.1 if real else 1.0

    def some(most: float, share: float = 0.5) -> float:
        return rng.random() * most * scale if rng.random() < share else 0.0

    return Odds(
        cut=some(0.15),
        bot_killed=some(0.08),
        referee_killed=some(0.03),
        kill_at_store=some(0.06),
        trouble=some(0.1),
        slow=some(0.3),
        unread=some(0.1, 0.2),
        revoked=0.0 if gentle or not closed else some(0.02, 0.3),
    )


def _manners(rng: Random, gentle: bool, closed: bool, clock: TimeControl) -> Manners:
    thinking = rng.choice((1, 20, 200, 1000)) * 1000
    keeps = gentle or rng.random() < 0.8
    if rng.random() < 0.4:
        return Manners(kit=True, thinking=thinking, keeps_token=keeps, events=rng.random() < 0.5)

    def some(most: float, share: float = 0.3) -> float:
        return rng.random() * most if rng.random() < share else 0.0

    harmless = Manners(
        thinking=thinking,
        keeps_token=keeps,
        twice=some(0.5),
        stale=some(0.5),
        stray=some(0.3),
        events=rng.random() < 0.5,
    )
    if gentle or rng.random() < 0.4:
        return harmless
    limited = not clock.unlimited
    return replace(
        harmless,
        never_ready=rng.random() < 0.1,
        fickle=some(0.3),
        early=some(0.3),
        illegal=some(0.5),
        malformed=some(0.3),
        late=some(0.5) if limited else 0.0,
        silent=some(0.3) if limited else 0.0,
        deaf=some(0.9, 0.1),
    )
