"""A person at the terminal: the board in words, numbered options that words narrow down, page by page.

The person is a bot of this process whose decisions are typed, so the match is an ordinary one with a record.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.specs import BotSpec
from ladder.arena.entrants import Entrant, EntrantKind
from ladder.arena.play import fresh_id, fresh_secret
from ladder.arena.play import play as play_match
from ladder.cli.replay_text import board_lines
from ladder.cli.writable import check_file
from ladder.escaping import visible
from referee.kernel.board import Choice, board
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, Event, Option
from referee.match import files
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.match.record import Record

PAGE = 15
"""Options that are shown at a time."""
HELP = (
    "type the number of an option; words that an option must have; enter for the next page; "
    "b for the board, h for a hint, q to leave"
)


class Leaving(Exception):
    """The person leaves the table."""


class TerminalPlayer(Bot):
    """A person whose answers are typed."""

    def __init__(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        """`read` returns a typed line and raises EOFError at the end; `write` shows a line."""
        self._read = read
        self._write = write

    def decide(self, ask: AnyAsk) -> Option:
        """The option that the person types the number of."""
        words = board(ask.game_name)
        view = ask.view
        self._say(ask, ask.events)
        self._board(ask)
        choices = words.choices(view, ask.kind, ask.options)
        self._write("")
        self._write(visible(words.question(view, ask.kind)))
        return _Choosing(ask, choices, self._read, self._write, lambda: self._board(ask)).run()

    def _board(self, ask: AnyAsk) -> None:
        self._write("")
        for line in board_lines(board(ask.game_name).describe(ask.view)):
            self._write(line)

    def _say(self, ask: AnyAsk, events: Sequence[Event]) -> None:
        words = board(ask.game_name)
        for event in events:
            players = ask.table.players
            who = f"{players[event.seat]} " if 0 <= event.seat < len(players) else ""
            self._write(visible(f"{who}{words.event(event)}"))


class _Choosing:
    """The choice of one option: all options, narrowed down by words, a page at a time."""

    def __init__(
        self,
        ask: AnyAsk,
        choices: Sequence[Choice],
        read: Callable[[], str],
        write: Callable[[str], None],
        board: Callable[[], None],
    ) -> None:
        self._ask = ask
        self._choices = choices
        self._read = read
        self._write = write
        self._board = board
        self._shown = list(range(len(choices)))
        self._first = 0

    def run(self) -> Option:
        """Ask until an option is chosen; raises Leaving."""
        self._page()
        while True:
            try:
                typed = self._read().strip()
            except EOFError:
                raise Leaving from None
            if typed == "q":
                raise Leaving
            if typed.isascii() and typed.isdecimal() and len(typed) < 9:
                number = int(typed)
                if 1 <= number <= len(self._choices):
                    return self._ask.options[number - 1]
                self._write(f"there are options 1 to {len(self._choices)}")
            elif typed == "b":
                self._board()
            elif typed == "h":
                self._hint()
            elif typed == "?":
                self._write(HELP)
            elif typed:
                self._narrow(typed)
            else:
                self._first += PAGE
                self._page()

    def _narrow(self, words: str) -> None:
        """Show the options that have all these words."""
        wanted = words.lower().split()
        found = [
            number
            for number, choice in enumerate(self._choices)
            if all(word in f"{choice.words} {choice.brings}".lower() for word in wanted)
        ]
        if not found:
            self._write(f"no option has the words {visible(words)[:80]!r}; enter shows all of them")
            found = list(range(len(self._choices)))
        self._shown, self._first = found, 0
        self._page()

    def _page(self) -> None:
        if self._first >= len(self._shown):
            self._first, self._shown = 0, list(range(len(self._choices)))
        page = self._shown[self._first : self._first + PAGE]
        for number in page:
            choice = self._choices[number]
            brings = f" ({choice.brings})" if choice.brings else ""
            self._write(visible(f"{number + 1:5}  {choice.words}{brings}"))
        rest = len(self._shown) - self._first - len(page)
        self._write(f"{rest} more: enter; or words to search; ? for help" if rest > 0 else "? for help")

    def _hint(self) -> None:
        from bots.bundled.greedy import Greedy

        before = self._ask.noted
        number = self._ask.index(Greedy().decide(self._ask))
        note = f" ({self._ask.noted})" if self._ask.noted else ""
        self._ask.note(before)
        self._write(visible(f"greedy would: {number + 1}  {self._choices[number].words}{note}"))


def play_in_terminal(
    rules: AnyGame,
    entrants: Sequence[Entrant],
    name: str,
    variant: Mapping[str, str],
    clock: TimeControl,
    path: Path | None,
) -> None:
    """Play one match in the terminal, in seat 1; raises BadSetting."""
    for entrant in entrants:
        if entrant.kind is not EntrantKind.HOUSE:
            raise BadSetting(f"{entrant.spec} is a process of its own, which plays in the browser alone")
    if not clock.unlimited:
        raise BadSetting("in the terminal there is no clock: leave --clock out, or --terminal")
    if path is not None:
        check_file("--record", path, replaced=True)

    def typed() -> str:
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    left: list[Leaving] = []

    class Seat(TerminalPlayer):
        """The person; leaving ends the match."""

        def decide(self, ask: AnyAsk) -> Option:
            try:
                return super().decide(ask)
            except Leaving as leaving:
                left.append(leaving)
                raise KeyboardInterrupt from None

    person = BotSpec(name, None, lambda: Seat(typed, typer.echo))
    players = [Entrant(name, name, None, person, None), *entrants]
    plan = MatchPlan(
        game=rules.name,
        players=tuple(_numbered([entrant.name for entrant in players])),
        match=fresh_id(None, rules.name),
        secret=fresh_secret(None),
        variant=variant,
        policy=Policy(rated=False),
        rated=False,
    )
    typer.echo(HELP)
    try:
        record = play_match(plan, players)
    except KeyboardInterrupt:
        typer.echo("you left the table; the match has no result" if left else "stopped")
        raise typer.Exit(0 if left else 130) from None
    _tell_end(record, path)


def _tell_end(record: Record, path: Path | None) -> None:
    """Print the result, and write the record to a file."""
    final = record.final
    if path is not None:
        files.write(record, path)
    if final is None or final.result is None:
        typer.echo("the match ended without a result")
        return
    result = final.result
    names = [*record.header.players, *result.automata]
    for place, player, points in sorted(zip(result.places, names, result.points, strict=True)):
        typer.echo(visible(f"{place}. {player}: {points} points"))
    if path is not None:
        typer.echo(f"record: {path}  (kumite replay {path}; kumite verify {path})")


def _numbered(names: Sequence[str]) -> list[str]:
    """The names, each once."""
    found: list[str] = []
    for name in names:
        count = sum(other == name or other.startswith(f"{name}+") for other in found)
        found.append(f"{name}+{count + 1}" if count else name)
    return found
