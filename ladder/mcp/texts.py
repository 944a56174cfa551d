"""What the tools print: the situation of a seat, pages of options, outcomes, the rules of a game chapter by chapter.

All about a match comes from the asks and events of the client's own seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from bots.ask import Table
from bots.in_words import WordedAsk, seat_words
from ladder.mcp.seat import MatchOutcome, Situation
from referee.kernel import registry
from referee.kernel.errors import UnknownName
from referee.kernel.registry import GAMES

PAGE = 20
"""Most options on one page."""
WHOLE = "all"
"""Stands for every chapter of the rules."""
_NUMBER = re.compile(r"(?:[a-z]-)?(\d+)\b")
"""The number of a chapter, `7` or `N-7`, in small letters."""


def situation_text(situation: Situation, *, text: str = "", page: int = 1, board: bool = True) -> str:
    """All that a seat knows now: what happened, the open decision, its board and a page of its options."""
    return "\n".join(_situation(situation, text, page, board))


def _situation(situation: Situation, text: str, page: int, board: bool) -> Iterator[str]:
    yield from (f"Note: {line}" for line in situation.news)
    ask = situation.ask
    table = situation.table if ask is None else ask.ask.table
    if table is not None:
        yield table_line(table)
    if situation.events:
        yield "Since your last answer:"
        yield from (f"  {line}" for line in situation.events)
    if ask is not None:
        yield from _decision(ask, text, page, board)
    elif situation.outcome is not None:
        yield from outcome_lines(situation.outcome)
    elif situation.ended is not None:
        yield f"The bot is not at the referee: {situation.ended}. Call join to enter again."
    elif table is None:
        yield f"No match of {situation.game} has begun: the referee has not seated you yet. Call wait again."
    else:
        yield "Nothing to decide yet: other seats are thinking. Call wait again."


def _decision(shown: WordedAsk, text: str, page: int, board: bool) -> Iterator[str]:
    yield ""
    yield from shown.heading()
    if board:
        yield ""
        yield from shown.board()
    yield ""
    yield from options_lines(shown, text, page)
    yield ""
    yield f"Answer with answer(ask={shown.ask.number}, option=NUMBER or its words, note=why in a few words)."


def options_lines(shown: WordedAsk, text: str, page: int) -> Iterator[str]:
    """A page of the options that hold every word of a text; all options for an empty text."""
    every = len(shown.choices)
    found = shown.matching(text)
    if not found:
        yield f"No option of {every} holds all of the words {text!r}: look(filter=...) with fewer words."
        return
    pages = -(-len(found) // PAGE)
    here = min(max(page, 1), pages)
    matching = f" of {every} that hold {text!r}" if text else ""
    paged = f", page {here} of {pages}" if pages > 1 else ""
    yield f"Options ({len(found)}{matching}{paged}), by number:"
    yield from (f"  {line}" for line in shown.listed(found[(here - 1) * PAGE : here * PAGE]))
    if pages > 1:
        yield f"More: look(page={here % pages + 1}), or look(filter=words) for the options that hold these words."
        groups = shown.groups()
        if groups and not text:
            yield f"They begin with: {groups}"


def table_line(table: Table) -> str:
    """Which match it is, who sits where, and the settings."""
    seats = ", ".join(seat_words(table, seat) for seat in range(max(len(table.players), table.seat + 1)))
    settings = "".join(f", {key}={value}" for key, value in sorted(table.variant.items()))
    return f"Match {table.match} of {table.game_name}: {seats}{settings}"


def outcome_lines(outcome: MatchOutcome) -> Iterator[str]:
    """How a match ended: places and points by seat, and the rating."""
    table, result = outcome.table, outcome.result
    if result is None:
        yield "The match was stopped and has no result. Call join for another one."
        return
    names = [seat_words(table, seat) for seat in range(len(result.places) - len(result.automata))]
    ranking = sorted(zip(result.places, [*names, *result.automata], result.points, strict=True))
    yield f"The match is over ({result.reason})."
    yield from (f"  place {place}: {name}, {points} points" for place, name, points in ranking)
    rating = outcome.rating
    if rating is not None:
        rank = f"rank {rating.rank}" if rating.rank else "not ranked yet"
        yield f"Your rating: {rating.before:.0f} before, {rating.after:.0f} after; {rank}."
    yield "Call join for another match."


def rules_text(game: str, chapter: str) -> str:
    """The rules of a game: what it is and its chapters, one chapter by its number or words, or all; UnknownName."""
    found = registry.game(game)
    chapters = _chapters(game)
    if not chapter:
        return "\n".join(_about(game))
    if chapter.strip().casefold() == WHOLE:
        return "\n\n".join(chapters.values())
    wanted = chapter.strip().casefold().rstrip(".")
    number = _NUMBER.fullmatch(wanted)
    titles = [title for title in chapters if number is not None and _numbered(title) == number[1]]
    if not titles:
        titles = [title for title in chapters if wanted in title.casefold()]
    if not titles:
        raise UnknownName.of(f"chapter of the rules of {found.title}", chapter, chapters)
    return "\n\n".join(chapters[title] for title in titles)


def _about(game: str) -> Iterator[str]:
    found = registry.game(game)
    yield f"{found.title} ({game}), for {found.seats[0]} to {found.seats[-1]} seats"
    yield "ModelSeats count from 1 in all that the other tools print; the rules count them from 0."
    yield "Hidden:"
    yield from (f"  {line}" for line in found.hidden)
    yield "Settings of a table:"
    for name, choices in found.variants.items():
        yield f"  {name}: {', '.join(choices.values)} (default {choices.default}): {choices.meaning}"
    yield f'Chapters; rules(game="{game}", chapter="1") prints one, chapter="{WHOLE}" all of them:'
    yield from (f"  {title}" for title in _chapters(game))


def _numbered(title: str) -> str:
    """The number of a chapter; empty: it has none."""
    found = _NUMBER.match(title.casefold())
    return found[1] if found else ""


@cache
def _chapters(game: str) -> dict[str, str]:
    """The chapters of a game's rules document by their titles."""
    text = files(GAMES[game]).joinpath("RULES.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {part.partition("\n")[0].strip(): f"## {part.strip()}" for part in parts[1:]}
