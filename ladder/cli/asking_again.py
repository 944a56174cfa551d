"""`kumite replay MATCH --ask N --bot SPEC`: a bot is asked again what a seat was asked in a recorded match."""

from __future__ import annotations

import time
from bdb import BdbQuit
from typing import NamedTuple

import typer

from bots.ask import AnyAsk, Ask, Given, Table
from bots.clock import UNLIMITED, ClockSettings
from bots.seated_bot import SeatedBot, clock_of
from bots.specs import BotSpec, resolve
from ladder.cli.replay_text import seconds, who
from ladder.escaping import visible
from referee.kernel.board import board
from referee.kernel.errors import BadSetting
from referee.kernel.game import Seat
from referee.kernel.raised import described, trace
from referee.match.clock import SECOND
from referee.match.moments import RecordMoment
from referee.match.record import Header, Record


class AskedAgain(NamedTuple):
    """Which ask is put to which bot again."""

    ask: int
    """The number of the ask among the asks of its seat, counted from 1."""
    spec: str
    explain: bool = False
    """Whether notes and times are told."""
    debug: bool = False
    """Whether the bot's method is called in Python's debugger."""

    def put(self, record: Record, seat: Seat | None) -> bool:
        """Ask the bot at a seat, or at every seat that was asked so often (None); returns whether the bot answered.

        Raises BadSetting if no seat was asked so often, or for a bot that cannot be made.
        """
        bot = resolve(self.spec)
        bot.check(record.header.game)
        counts: dict[Seat, int] = {}
        answered = True
        seats = range(len(record.header.players)) if seat is None else (seat,)
        for each in seats:
            player = _seated(bot, record.header, each)
            for moment in record.moments(each):
                counts[each] = moment.number
                if moment.number == self.ask:
                    answered = self._put(record.header, moment, player) and answered
                    break
                if player.listens and moment.events and not self._told(player, moment):
                    return False
        if self.ask not in counts.values():
            most = ", ".join(f"seat {each + 1} {count}" for each, count in counts.items())
            raise BadSetting(f"--ask {self.ask}: asks are counted from 1 for each seat, and this match has: {most}")
        return answered

    def _told(self, player: SeatedBot, moment: RecordMoment) -> bool:
        """Tell the bot the events of an earlier ask; returns whether the bot took them."""
        try:
            player.told(moment.events)
        except (Exception, SystemExit) as error:
            self._tell_raised(error)
            return False
        return True

    def _tell_raised(self, error: BaseException) -> None:
        """One line, and the trace for the bot's author on standard error."""
        typer.echo(f"  {visible(self.spec)}: {visible(described(error))}")
        typer.echo("\n".join(map(visible, trace(error).splitlines())), err=True)

    def _put(self, header: Header, moment: RecordMoment, player: SeatedBot) -> bool:
        words = board(header.game)
        count = len(moment.options)
        seat = who(moment.seat, header.players)
        typer.echo(f"ask {moment.number} of {seat}, answered in step {moment.step}: {moment.kind}, {count} options")
        typer.echo(f"  {visible(words.question(moment.view, moment.kind))}")
        typer.echo(f"  recorded: {_answer(header, moment, moment.index)}{' (stand-in)' if moment.stand_in else ''}")
        if self.explain:
            if moment.spent is not None:
                typer.echo(f"    in {seconds(moment.spent)}")
            if moment.note:
                typer.echo(f"    note: {visible(moment.note)}")
        ask = _ask(header, moment, player)
        began = time.monotonic()
        try:
            index = _debugged(player, ask) if self.debug else player.decide(ask)
        except BdbQuit:
            typer.echo("  no answer: the debugger was left, or the bot returned None")
            return False
        except (Exception, SystemExit) as error:
            self._tell_raised(error)
            return False
        took = round((time.monotonic() - began) * SECOND)
        same = "the same answer" if index == moment.index else "another answer"
        typer.echo(f"  {visible(self.spec)}: {_answer(header, moment, index)}; {same}")
        if self.explain:
            typer.echo(f"    in {seconds(took)}")
            for line in player.note.splitlines():
                typer.echo(f"    note: {visible(line)}")
        return True


def _answer(header: Header, moment: RecordMoment, index: int) -> str:
    words = board(header.game).answer(moment.view, moment.kind, moment.options[index])
    return f"option {index} of {len(moment.options)}: {visible(words)}"


def _seated(bot: BotSpec, header: Header, seat: Seat) -> SeatedBot:
    """The bot at a seat of the match, told of the table; raises BadSetting if that fails."""
    clock = header.clock
    control = None
    if not clock.unlimited:
        cap = clock.cap / SECOND if clock.cap else None
        control = ClockSettings(clock.bank / SECOND, clock.increment / SECOND, cap)
    table = Table(header.match, header.game, seat, header.players, header.variant, control=control)
    try:
        player = SeatedBot(bot.make(f"{header.match}/{seat}"), table)
        player.seated()
    except (Exception, SystemExit) as error:
        raise BadSetting(f"{bot.name}: the bot failed before its first move: {described(error)}") from error
    return player


def _ask(header: Header, moment: RecordMoment, player: SeatedBot) -> AnyAsk:
    """The ask as the seat had it, with the time that the seat had."""
    clock = UNLIMITED
    if moment.left is not None:
        left = moment.left + (moment.spent or 0)
        budget = min(left, header.clock.cap or left)
        clock = clock_of(player.table, moment.number, left, budget, None, time.monotonic())
    return Ask(
        player.table,
        moment.number,
        moment.kind,
        len(moment.options),
        Given(moment.view, moment.options),
        rng=player.rng,
        events=moment.events if player.listens else (),
        clock=clock,
    )


def _debugged(player: SeatedBot, ask: AnyAsk) -> int:
    """The bot's answer, from its first line on in Python's debugger; raises BdbQuit if the debugger is left."""
    from pdb import Pdb

    player.hear(ask)
    if player.bundles:
        found = Pdb().runcall(player.bot.decide_many, [ask])
    else:
        found = [Pdb().runcall(player.bot.decide, ask)]
    if found is None or found[0] is None:
        raise BdbQuit
    return player.answer(ask, found[0])
