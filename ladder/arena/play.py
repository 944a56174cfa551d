"""One match between bots named by specs, with a record of everything; in this process at full speed if all can."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence

from bots.ask import Table
from bots.bot import Bot
from bots.seated_bot import SeatedBot
from bots.specs import BotSpec
from ladder.arena.bot_log_lines import log_lines
from ladder.arena.entrants import Entrant
from ladder.escaping import visible
from ladder.store.records import BotLog, Printed, faults_of
from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.kernel.game import Seat
from referee.kernel.raised import described
from referee.match import inprocess
from referee.match.clock import SECOND
from referee.match.inprocess import Unseated
from referee.match.plan import MatchPlan, random_id, random_secret
from referee.match.policy import Owner
from referee.match.record import Record
from referee.match.supervision import DECISION_SECONDS, Call, Overtime, Raised, Supervision, Trouble

SHOWN_LINES = 20
"""Lines of a bot's log that are shown with its first fault."""
PROCESS = "process"
"""Where a bot failed that is a process of its own, as far as the host knows."""

_logger = logging.getLogger("ladder.playing")  # lines of the log say `playing`


def fresh_secret(seed: str | None) -> bytes:
    """A match's secret: unguessable, or the one that a seed stands for."""
    return random_secret() if seed is None else secret_from_seed(seed)


def fresh_id(seed: str | None = None, game: str = "") -> str:
    """A match id, 32 hex digits without meaning; reproducible for a seed, and another one for each game.

    Every bot is told the id, which leads back to the seed only by trying seeds. A caller that must keep the luck secret
    gives no seed, or one of at least 128 random bits.
    """
    if seed is None:
        return random_id()
    return hashlib.sha256(b"kumite/match-id/1\0" + secret_from_seed(seed) + game.encode()).hexdigest()[:32]


def play(
    plan: MatchPlan,
    entrants: Sequence[Entrant],
    *,
    dice: str | None = None,
    limit: float | None = None,
    troubles: list[Trouble] | None = None,
    logs: list[BotLog] | None = None,
) -> Record:
    """Play one match: in this process if all bots can, otherwise every seat as a process of its own.

    `dice` and `limit` are for bots in this process, see `play_match`; a process has its own dice, and its clock limits
    it. `logs` gets what the process of each seat printed, if they are processes; `troubles` then gets the last lines of
    it for the first fault of each seat.
    """
    for entrant in entrants:
        entrant.check(plan.game)
    local = [entrant.local for entrant in entrants if entrant.local is not None]
    if len(local) == len(entrants):
        return play_match(plan, local, dice=dice, limit=limit, troubles=troubles)
    # Loaded here: it brings gRPC, which bots of this process do without.
    from ladder.arena.play_processes import play_hosted

    found = Printed()
    record = play_hosted(plan, entrants, printed=found)
    if logs is not None:
        logs.extend(found.logs)
    if troubles is not None:
        troubles.extend(printed_last(record, found))
    return record


def printed_last(record: Record, printed: Printed) -> Iterator[Trouble]:
    """The first fault of each seat with the last lines that its bot had printed by then, in place of a trace.

    In development the fault ends the match, and what the bot prints after it is why.
    """
    told: set[Seat] = set()
    at_fault = {} if record.header.policy.development else printed.at_fault
    for fault in faults_of(record):
        if fault.seat in told or fault.owner is Owner.REFEREE:
            continue
        told.add(fault.seat)
        lines = log_lines(at_fault.get(fault.seat, printed.logs[fault.seat]))
        if lines:
            shown = lines[-SHOWN_LINES:]
            head = "the last lines that the bot printed:" if len(shown) < len(lines) else "the bot printed:"
            yield Trouble(fault.seat, fault.ask, PROCESS, fault.message, "\n".join([head, *shown]))


def play_match(
    plan: MatchPlan,
    seats: Sequence[BotSpec],
    *,
    dice: str | None = None,
    limit: float | None = None,
    troubles: list[Trouble] | None = None,
) -> Record:
    """Play one match between fresh bots and return its record.

    Each bot's own randomness grows from `dice` (None: the match id) and its seat, so a match is reproducible from those
    and its secret. `limit`: seconds that a decision may take where no clock says it; None: any time. `troubles` gets
    what bots raised, with traces, also what they raised when they were told the result: the record is closed then.
    """
    game = registry.game(plan.game)
    if len(seats) not in game.seats:
        raise BadSetting(
            f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} seats; {len(seats)} bots are named"
        )
    variant = plan.header(game).variant
    made = [
        _made(spec, f"{dice or plan.match}/{seat}", Table(plan.match, game.name, seat, plan.players, variant))
        for seat, spec in enumerate(seats)
    ]
    with Supervision(plan.match, plan.players, limit) as supervision:
        # A bot that raises when it is seated begins with a fault and cannot answer.
        failed = [_tell(player, "seated", supervision) for player in made]
        table = [player if said is None else Unseated(said) for player, said in zip(made, failed, strict=True)]
        record = inprocess.play(game, plan, table, supervision=supervision)
        if record.final is not None and record.final.result is not None:
            # What a bot raises now changes no result: a bot must not make the games disappear that it lost.
            for player in made:
                _tell(player, "over", supervision, record.final.result)
    if troubles is not None:
        troubles.extend(supervision.troubles)
    else:
        for trouble in supervision.troubles:
            if trouble.where == "over":
                name = plan.players[trouble.seat]
                _logger.warning("%s: the bot raised when it was told the result: %s", name, visible(trouble.message))
    return record


def _made(spec: BotSpec, seed: str, table: Table) -> SeatedBot:
    """A bot at its place; raises BadSetting that names it if it cannot even be made."""
    try:
        return SeatedBot(spec.make(seed), table)
    except (Exception, SystemExit) as error:
        raise BadSetting(f"{spec.name}: the bot failed before its first move: {described(error)}") from error


def _tell(player: SeatedBot, method: str, supervision: Supervision, *told: object) -> Raised | Overtime | None:
    """Call a method of a bot beside its decisions; returns how the bot failed, None if it did not.

    A method that a bot leaves as the kit has it does nothing, and is not called.
    """
    if getattr(type(player.bot), method) is getattr(Bot, method) and method not in vars(player.bot):
        return None
    micros = round((supervision.limit or DECISION_SECONDS) * SECOND)
    said = supervision.call(lambda _: getattr(player, method)(*told), Call(player.table.seat, method, micros))
    return said if isinstance(said, (Raised, Overtime)) else None
