"""An ask in words: what a language model, or a person at a terminal, is shown, and how a text becomes an answer.

    shown = WordedAsk(ask)
    text = "\\n".join([*shown.heading(), *shown.board(), *shown.listed(shown.matching("card 16"))])
    return shown.found("card 16 upright at row 2, column 1, over the province")

The words are those of the game's own board (`referee.kernel.board`), which are computed from the view alone, so nothing
here can tell a bot more than its view does. Words count seats from 1, and options by their index, as replays do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from bots.ask import AnyAsk, Table
from referee.kernel.board import Board, Choice, Section, board
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import TABLE, Event, Seat

NEAR = 3
"""Most options that a refusal offers in place of words that fit none."""
GROUPS = 12
"""Most first parts of options that `WordedAsk.groups` counts."""
_NUMBERED = re.compile(r"(?:option |number |#)?(\d{1,9})(?:$|[:.)] ?)(.*)")

_WORD = re.compile(r"(?<!\w)-\d+|\w+")


class WordedAsk:
    """One ask in words."""

    def __init__(self, ask: AnyAsk) -> None:
        self.ask = ask
        self._board: Board[Any] = board(ask.game_name)
        self._choices: Sequence[Choice] | None = None

    @property
    def choices(self) -> Sequence[Choice]:
        """The options as people choose them, in the order of `ask.options`; computed on first use."""
        if self._choices is None:
            self._choices = self._board.choices(self.ask.view, self.ask.kind, self.ask.options)
        return self._choices

    @property
    def question(self) -> str:
        """What the seat is asked."""
        return self._board.question(self.ask.view, self.ask.kind)

    def heading(self) -> Iterator[str]:
        """The number of the ask and its question, and the time of the seat."""
        yield f"Ask {self.ask.number}: {self.question}"
        yield from self.time()

    def time(self) -> Iterator[str]:
        """The seconds that are left now for this decision and for the match; nothing without a clock."""
        clock = self.ask.clock
        remaining, advice = clock.remaining, clock.advice()
        if remaining is None or clock.left is None or advice is None:
            return
        left = max(remaining, clock.left - (clock.budget or 0.0) + remaining)
        yield (
            f"Time: {remaining:.0f} s for this decision, {left:.0f} s for the rest of the match; "
            f"an equal share is {advice:.0f} s now."
        )

    def board(self) -> Iterator[str]:
        """The board, section by section, the most important first."""
        return section_lines(self._board.describe(self.ask.view))

    def words(self, index: int) -> str:
        """One option in words, without its number."""
        return self.choices[index].words

    def listed(self, indices: Iterable[int]) -> Iterator[str]:
        """Options, each with its index, its words and what it would bring at once."""
        for index in indices:
            choice = self.choices[index]
            yield f"{index}: {choice.words}" + (f"  [{choice.brings}]" if choice.brings else "")

    def groups(self) -> str:
        """The first parts of the options with the number of options that begin so; empty if each has its own."""
        counted = Counter(choice.path[0].words for choice in self.choices)
        if not 1 < len(counted) < len(self.choices):
            return ""
        most = counted.most_common(GROUPS)
        more = ", ..." if len(counted) > GROUPS else ""
        return ", ".join(f"{words} ({count})" for words, count in most) + more

    def matching(self, text: str) -> list[int]:
        """The options whose words, or words of what they bring, hold every word of a text; all for an empty text."""
        wanted = _words(text)
        return [index for index, choice in enumerate(self.choices) if _holds(choice, wanted)]

    def found(self, text: str) -> int:
        """The index of the option that a text names, by its number or its words.

        Raises IllegalAnswer with what was probably meant: a text that names no option, or several, is never guessed at.
        """
        plain = _plain(text)
        exact = [index for index, choice in enumerate(self.choices) if _plain(choice.words) == plain]
        if len(exact) == 1:
            return exact[0]
        if exact:
            numbers = ", ".join(map(str, exact))
            raise IllegalAnswer(f"{_short(text)} names several options: give the number of one of them, {numbers}")
        numbered = _NUMBERED.fullmatch(plain)
        if numbered is None:
            raise IllegalAnswer(f"{_short(text)} is no option of ask {self.ask.number}{self._near(text)}")
        index, words = int(numbered[1]), numbered[2]
        if index >= len(self.choices):
            raise IllegalAnswer(
                f"there is no option {index}: the options have the numbers 0 to {len(self.choices) - 1}"
            )
        if words and words != _plain(self.choices[index].words):
            raise IllegalAnswer(
                f"the number {index} and its words name two options: option {index} is {self.words(index)!r}"
            )
        return index

    def _near(self, text: str) -> str:
        """What was probably meant by words that fit no option."""
        near = self.matching(text)
        if not near:
            close = get_close_matches(_plain(text), [_plain(choice.words) for choice in self.choices], NEAR, 0.6)
            near = [index for index, choice in enumerate(self.choices) if _plain(choice.words) in close]
        if not near:
            return ": give the number of an option, or its words as they are listed"
        more = f", or one of {len(near) - NEAR} more" if len(near) > NEAR else ""
        return f"; did you mean {' | '.join(self.listed(near[:NEAR]))}{more}? Give its number"


def event_line(table: Table, event: Event) -> str:
    """An event in the words of its game, after the seat that caused it."""
    words = board(table.game_name).event(event)
    return _one_line(words if event.seat == TABLE else f"{seat_words(table, event.seat)} {words}")


def seat_words(table: Table, seat: Seat) -> str:
    """A seat as words name it, with its bot: `seat 2 (greedy)`, `seat 1 (you)`."""
    if seat == table.seat:
        return f"seat {seat + 1} (you)"
    name = table.players[seat] if seat < len(table.players) else ""
    return f"seat {seat + 1} ({_one_line(name)})" if name else f"seat {seat + 1}"


def section_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Sections of a board: each with its title, its rows indented, columns under each other."""
    for title, columns, rows in sections:
        yield title
        table = [columns, *rows] if columns else rows
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"  {cells.rstrip()}"


def _holds(choice: Choice, wanted: Sequence[str]) -> bool:
    """Whether every wanted word is one of an option; a number matches as a whole, other words by their beginning."""
    have = _words(f"{choice.words} {choice.brings}")
    return all(any(word == own if _is_number(word) else own.startswith(word) for own in have) for word in wanted)


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdecimal()


def _words(text: str) -> list[str]:
    """The words and numbers of a text, without what stands between them."""
    return _WORD.findall(text.casefold())


def _plain(text: str) -> str:
    """A text without the differences that change no meaning: case, spaces, quotes around it and a full stop."""
    return " ".join(text.split()).strip("'\"`").rstrip(".").casefold().strip()


def _short(text: str) -> str:
    line = _one_line(text)
    return repr(line if len(line) <= 80 else f"{line[:77]}...")


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
