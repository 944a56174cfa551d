"""The pages of events: all tournaments of the database, and one of them with rounds, bracket and cross table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ladder.events.report import plain, report
from ladder.store.database import Store
from ladder.web.drawing.words import game_title
from ladder.web.reading.library import Library
from ladder.web.reading.page import Data, Listed, NoSuchPage, Page, Question, part
from referee.kernel.errors import CallerFault

STAGES = {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"}
"""The names of the last rounds of a bracket, counted from its end."""


def events_of(store: Store) -> list[str]:
    """The seasons that are events, the newest first."""
    return [row.name for row in reversed(store.seasons()) if store.event(row.id) is not None]


def short(store: Store, season: str) -> Data:
    """An event in a few facts; `tables` and `tables_over` are those of its latest round."""
    found: dict[str, Any] = plain(report(store, season))
    kept = ("event", "game", "format", "state", "paused", "winner", "rounds", "rounds_played")
    last = found["round_list"][-1]["tables"] if found["round_list"] else []
    return {key: found[key] for key in kept} | {
        "entrants": len(found["standings"]),
        "title": game_title(found["game"]),
        "tables": len(last),
        "tables_over": sum(1 for table in last if table["scores"] is not None),
    }


def _list(question: Question) -> Data:
    store = question.library.store()
    return {"events": [short(store, season) for season in events_of(store)]}


def _event(question: Question) -> Data:
    store = question.library.store()
    name = question.path["event"]
    if name not in events_of(store):
        raise NoSuchPage(f"No event is called {name[:64]}.")
    try:
        found: dict[str, Any] = plain(report(store, name))
    except CallerFault as error:
        raise NoSuchPage(str(error)) from None
    knockout = found["format"] == "knockout"
    for entry in found["round_list"]:
        entry["name"] = _stage(found["rounds"], entry["round"]) if knockout and found["seats"] == 2 else ""
        entry["over"] = all(table["scores"] is not None for table in entry["tables"])
        for table in entry["tables"]:
            table["tally"] = _tally(table)
    return found | {
        "title": game_title(found["game"]),
        "bracket": _bracket(found["round_list"]) if knockout and found["seats"] == 2 else [],
        "seed_of": {row["bot"]: row["seed"] for row in found["standings"]},
        "faulted": sum(1 for row in found["standings"] if row["out"]),
    }


def _tally(table: dict[str, Any]) -> dict[str, float] | None:
    """Games that each bot of a table has won, a level one as a half each; None: the table is being played."""
    if table["scores"] is None:
        return None
    games = len(table["games"])
    return {bot: round(2 * score * games) / 2 for bot, score in table["scores"].items()}


def _bracket(rounds: list[dict[str, Any]]) -> list[Data]:
    """The rounds of a knockout, ties and byes ordered so that the two bots of a tie come from neighbours."""
    found: list[Data] = []
    wanted: list[str] = []
    for entry in reversed(rounds):
        ties: list[dict[str, Any]] = [*entry["tables"], *({"bots": [bot], "bye": True} for bot in entry["byes"])]
        place = {bot: number for number, bot in enumerate(wanted)}
        ties.sort(key=lambda tie: min(place.get(bot, len(place)) for bot in tie["bots"]))
        for tie in ties:
            tie["bots"] = sorted(tie["bots"], key=lambda bot: place.get(bot, len(place)) if len(ties) == 1 else 0)
        wanted = [bot for tie in ties for bot in tie["bots"]]
        found.insert(0, {"name": entry["name"], "ties": ties})
    return found


def _stage(rounds: int, number: int) -> str:
    return STAGES.get(rounds - number + 1, f"Round {number}")


def _addresses(library: Library) -> Iterator[Listed]:
    for season in events_of(library.store()):
        yield Listed(f"/events/{part(season)}")


PAGES = (
    Page("events", "Events", "/events", _list, lambda library: [Listed("/events")]),
    Page("event", "Events", "/events/{event:str}", _event, _addresses),
)
