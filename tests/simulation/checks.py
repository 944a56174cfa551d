"""What must hold in every world, however much goes wrong in it.

Some of it is looked at in the moment: nothing is handed to the network that follows from an unstored step. The rest is
looked at when all matches are over: every record verifies, every recorded answer was given, no time is charged in which
the referee was down, and every seat knows its end.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from google.protobuf.message import DecodeError

from referee.kernel.errors import BadRecord, BrokenRecord
from referee.match.policy import EndingKind, Owner
from referee.match.record import Final, Record, Step
from referee.match.replay import replay
from referee.match.verify import verify
from referee.transport import messages
from referee.v1 import play_pb2 as pb
from tests.match.toy import GAME
from tests.simulation import toy_wire
from tests.simulation.machine import Machine, policy
from tests.simulation.network import QUEUED, Stream
from tests.simulation.promises import ENDS_SURVIVE_RESTARTS, UNASKED_SEATS_ARE_HELD
from tests.simulation.storage import Stored
from tests.simulation.world import Wrong

if TYPE_CHECKING:
    from tests.simulation.play import Simulation

TOLERANCE = 50_000
"""Microseconds that a seat may be charged beyond what the question stood open for it."""
READ_EVERY = 4
"""In one world of so many the records are read back from their lines before they are verified, which costs more."""
NOT_RESUMED = (pb.FAULT_CODE_UNKNOWN_RESUME, pb.FAULT_CODE_NAME_TAKEN)
"""Faults that a bot never gets which shows the resume token of its present session."""

Key = tuple[str, int, int]
"""Match, seat and number of an ask."""


class Given(NamedTuple):
    """An answer as it reached the referee."""

    at: int
    """The moment of its arrival."""
    life: int
    """The run of the referee."""
    option: int


class Handed(NamedTuple):
    """An ask as it left the referee."""

    at: int
    life: int


class Checks:
    """Looks on in one world."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._storage = simulation.storage
        self._players = {opening.match: opening.players for opening in simulation.plan.openings}
        self._secrets = {opening.match: opening.secret for opening in simulation.plan.openings}
        self._given: dict[Key, list[Given]] = {}
        self._handed: dict[Key, list[Handed]] = {}
        self._shown: dict[Key, tuple[object, ...]] = {}
        self._back: dict[tuple[str, int], int] = {}
        """When each bot first came to each run of the referee."""
        self._overs: dict[tuple[str, int], bytes] = {}
        self._told: set[tuple[str, int]] = set()
        self._issued: dict[str, str] = {}
        """The resume token that was last sent to each bot, whether it arrived or not."""
        self.gentle = simulation.plan.gentle
        """Whether nothing of what goes wrong may show in the records."""
        self.recorded: Counter[str] = Counter()
        """What the records of the matches say."""

    # In the moment.

    def arrived(self, stream: Stream, data: bytes, queued: int) -> None:
        """A message of a bot reaches the referee."""
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            return
        world = self._simulation.world
        at, life = world.now() - queued, stream.referee.life
        name = stream.machine.name
        if request.HasField("hello") and not self._simulation.plan.closed:
            token = request.hello.resume_token
            known = stream.referee.connections.session(name) is not None
            stream.proves = known and bool(token) and token == self._issued.get(name)
            stream.machine.unproven |= known and not stream.proves
        for answer in request.answers:
            players = self._players.get(answer.match_id, ())
            if world.tracing:
                world.say(f"{name} answers {answer.match_id}/{answer.seat}/{answer.ask}: {answer.option}")
            if answer.seat < len(players) and players[answer.seat] == name:
                key = answer.match_id, answer.seat, answer.ask
                self._given.setdefault(key, []).append(Given(at, life, answer.option))
        if world.tracing:
            for ready in request.ready:
                world.say(f"{name} is ready at {ready.match_id}/{ready.seat}")

    def handled(self, stream: Stream) -> None:
        """The referee has acted on a message of a bot: from its first hello on the bot counts as back."""
        if stream.stream is not None and stream.stream.session is not None:
            back = stream.machine.name, stream.referee.life
            if back not in self._back:
                self._back[back] = self._simulation.world.now()

    def handed_over(self, stream: Stream, data: bytes) -> pb.PlayResponse:
        """A message leaves the referee; returns it."""
        message = pb.PlayResponse.FromString(data)
        now, life, name = self._simulation.world.now(), stream.referee.life, stream.machine.name
        for match, secret in self._secrets.items():
            if secret in data:
                stored = self._storage.matches.get(match)
                if stored is None or stored.final is None:
                    raise Wrong(f"the secret of match {match} leaves before its end is stored")
        if message.HasField("welcome"):
            self._issued[name] = message.welcome.resume_token
        for seated in message.seated:
            self._own(name, seated.match_id, seated.seat, "is offered")
        for told in message.told:
            self._own(name, told.match_id, told.seat, "is told events of")
        for ask in message.asks:
            self._own(name, ask.match_id, ask.seat, "is asked for")
            self._ask(ask, Handed(now, life))
        for over in message.over:
            self._own(name, over.match_id, over.seat, "is told the end of")
            self._over(over)
        for fault in message.faults:
            if stream.proves and fault.code in NOT_RESUMED:
                raise Wrong(f"{name} is refused with the resume token that it was sent last: {fault.message}")
        return message

    def received(self, machine: Machine, message: pb.PlayResponse) -> None:
        """A message reaches a bot."""
        for over in message.over:
            self._own(machine.name, over.match_id, over.seat, "reads the end of")
            self._told.add((over.match_id, over.seat))

    def untold(self) -> list[str]:
        """The seats whose bots keep coming back and have not been told the end of a match that is over."""
        found = []
        for match, stored in self._storage.matches.items():
            for seat, name in enumerate(stored.header.players):
                if stored.ended is None or (match, seat) in self._told:
                    continue
                owed = ENDS_SURVIVE_RESTARTS or stored.ended.life == self._simulation.referee.life
                if owed and self._comes_back(name):
                    found.append(f"{match}/{seat} ({name})")
        return found

    def _comes_back(self, name: str) -> bool:
        """Whether a bot returns as the one that played, and can prove it."""
        machine = self._simulation.machines[name]
        if machine.hopeless or machine.unproven or machine.manners.deaf:
            return False
        return not self._simulation.plan.closed or self._simulation.entrants.entrant(f"bearer-{name}") is not None

    def _own(self, name: str, match: str, seat: int, what: str) -> None:
        players = self._players.get(match, ())
        if seat >= len(players) or players[seat] != name:
            raise Wrong(f"{name} {what} seat {seat} of match {match}, which is not its own")

    def _ask(self, ask: pb.Ask, handed: Handed) -> None:
        key = ask.match_id, ask.seat, ask.ask
        stored = self._storage.matches.get(ask.match_id)
        if stored is None or not stored.moments or stored.answered[ask.seat] < ask.ask - 1:
            raise Wrong(f"ask {'/'.join(map(str, key))} leaves before the steps that it follows from are stored")
        self._handed.setdefault(key, []).append(handed)
        shown = (ask.kind, ask.option_count, toy_wire.read(ask) or ask.WhichOneof("game"))
        if self._shown.setdefault(key, shown) != shown:
            raise Wrong(f"ask {'/'.join(map(str, key))} shows something else the second time")

    def _over(self, over: pb.Over) -> None:
        stored = self._storage.matches.get(over.match_id)
        if stored is None or stored.final is None:
            raise Wrong(f"the end of match {over.match_id} is told before it is stored")
        due = pb.Over()
        messages.fill_over(due, over.match_id, over.seat, stored.final, stored.settled)
        data = over.SerializeToString(deterministic=True)
        if self._overs.setdefault((over.match_id, over.seat), data) != data:
            raise Wrong(f"seat {over.seat} of match {over.match_id} is told two different ends")
        if over != due:
            raise Wrong(f"seat {over.seat} of match {over.match_id} is told another end than the stored one")

    # When all is over.

    def finish(self) -> None:
        """Look at every record, and at what the referee still holds."""
        if any(machine.unproven for machine in self._simulation.machines.values()):
            self.gentle = False
            self.recorded["worlds with a bot that could not prove who it is"] += 1
        for match, stored in self._storage.matches.items():
            try:
                record = stored.record(read=self._simulation.plan.seed % READ_EVERY == 0)
                verify(record)
            except (BadRecord, BrokenRecord) as error:
                raise Wrong(f"the record of match {match} does not hold: {error}") from error
            if record.final is None:
                raise Wrong(f"match {match} has no end")
            self._count(record, record.final)
            if stored.header.game == GAME.name:
                self._check_views(record)
            self._check_final(record, record.final)
            asks = [0] * len(record.header.players)
            for step in record.steps:
                for seat in step.answers:
                    asks[seat] += 1
                    self._check_answer(stored, step, seat, asks[seat])
        referee = self._simulation.referee
        held = [session.name for session in referee.connections.sessions if session.tables]
        if held or referee.lobby.running:
            raise Wrong(f"all is over, and the referee still holds {referee.lobby.running} tables for {held}")

    def _count(self, record: Record, final: Final) -> None:
        self.recorded["steps"] += len(record.steps)
        for step in record.steps:
            self.recorded["stand-ins"] += len(step.by)
            self.recorded.update(f"fault {fault.kind}" for fault in step.faults)
        self.recorded.update(f"fault {fault.kind}" for fault in final.faults)
        self.recorded.update(f"ending {ending.kind}" for ending in final.endings)

    def _check_views(self, record: Record) -> None:
        """What an ask showed is what its seat could see, and nothing of another seat's."""
        asks = [0] * len(record.header.players)
        for position in replay(record):
            for seat, kind in position.turn.asks:
                asks[seat] += 1
                shown = self._shown.get((record.header.match, seat, asks[seat]))
                options = position.turn.options[seat]
                due = (kind, len(options), toy_wire.shown(kind, options, GAME.view(position.state, seat)))
                if shown is not None and shown != due:
                    raise Wrong(f"ask {asks[seat]} of seat {seat} in {record.header.match} shows what it may not")

    def _check_final(self, record: Record, final: Final) -> None:
        match = record.header.match
        if any(ending.owner is Owner.REFEREE for ending in final.endings):
            raise Wrong(f"the referee gave match {match} up: {final.endings[0].message}")
        if not self.gentle:
            return
        faults = [fault for step in record.steps for fault in step.faults] + list(final.faults)
        if faults:
            raise Wrong(f"match {match}: a seat of bots that behave has a fault: {faults[0]}")
        if not final.rated or any(ending.kind is not EndingKind.FINISHED for ending in final.endings):
            raise Wrong(f"match {match} of bots that behave ends {final.endings}")

    def _check_answer(self, stored: Stored, step: Step, seat: int, ask: int) -> None:
        """A recorded answer is the seat's own, or the stand-in's for a reason, and costs no more than its time."""
        match = stored.header.match
        key = match, seat, ask
        life = stored.moments[step.n].life
        if seat in step.by:
            if self.gentle:
                raise Wrong(f"ask {'/'.join(map(str, key))}: the stand-in answers for a bot that behaves")
            if seat in step.spent:
                self._check_charge(stored, step, seat, ask, stored.moments[step.n].at)
            return
        given = [answer for answer in self._given.get(key, ()) if answer.option == step.answers[seat]]
        if not given:
            raise Wrong(f"ask {'/'.join(map(str, key))}: the recorded answer {step.answers[seat]} was never given")
        given = [answer for answer in given if answer.life == life]
        handed = [hand for hand in self._handed.get(key, ()) if hand.life == life]
        if not given or not handed:
            raise Wrong(f"ask {'/'.join(map(str, key))}: answered in a run of the referee that never asked")
        if self.gentle and step.answers[seat] != policy(match, seat, ask, self._shown[key][1]):  # type: ignore[arg-type]
            raise Wrong(f"ask {'/'.join(map(str, key))}: another answer is recorded than the bot always gives")
        self._check_charge(stored, step, seat, ask, given[-1].at)
        thought = min(
            self._running(max([hand.at for hand in handed if hand.at <= answer.at], default=answer.at), answer.at)
            for answer in given
        )
        if step.spent[seat] + step.lag.get(seat, 0) + TOLERANCE < thought:
            raise Wrong(
                f"ask {'/'.join(map(str, key))}: thought {thought} us, charged {step.spent[seat]} and lag {step.lag}"
            )

    def _check_charge(self, stored: Stored, step: Step, seat: int, ask: int, until: int) -> None:
        """No seat pays for time in which the referee was down, or before it could know of the question."""
        start = self._earliest(stored, step, seat)
        most = self._running(start, until) + TOLERANCE
        if step.spent[seat] > most:
            raise Wrong(
                f"ask {stored.header.match}/{seat}/{ask}: {step.spent[seat]} us are charged, "
                f"and the question was open for {most - TOLERANCE} us"
            )

    def _running(self, start: int, end: int) -> int:
        """The time between two moments, without that in which nothing could be stored."""
        stood = sum(max(0, min(over, end) - max(since, start)) for since, over in self._storage.troubles)
        return max(0, end - start - stood)

    def _earliest(self, stored: Stored, step: Step, seat: int) -> int:
        """The moment at which the clock of an ask can have started, in the run of the referee that saw its end.

        After a restart that is when the bot is back, even if the ask itself leaves later.
        """
        opened, life = stored.moments[step.n - 1], stored.moments[step.n].life
        name = stored.header.players[seat]
        held_until = self._simulation.lives[life] + stored.header.policy.start
        back = min(held_until, self._back.get((name, life), held_until))
        if opened.life != life:
            return back
        if life and UNASKED_SEATS_ARE_HELD:
            return max(back, opened.at - QUEUED)
        return opened.at - QUEUED
