"""What the page /play offers: games, seats, rules, opponents and clocks; and the table that a sent form asks for."""

from __future__ import annotations

from collections.abc import Mapping

from ladder.web.drawing.words import game_title
from ladder.web.reading.page import Data
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame
from referee.v1 import admin_pb2 as pb

CLOCKS = (
    ("none", "no clock"),
    ("10m+10s", "10 minutes, and 10 seconds for each decision"),
    ("20m+20s", "20 minutes, and 20 seconds for each decision"),
    ("45m+30s", "45 minutes, and 30 seconds for each decision"),
)
"""Clocks and their words; the first is chosen unless the person chooses another."""
YOU, INVITED = "you", "invited"
HOUSE, CONNECTED = "house:", "connected:"
"""What the value of a seat's field begins with where a bot sits; the bot's name follows."""


def offered(rules: pb.GetPeopleRulesResponse, query: Mapping[str, str]) -> Data:
    """The data of the page for what is chosen so far."""
    found: Data = {
        "tables": rules.tables,
        "free": max(0, rules.tables - rules.open),
        "games": [
            {"game": name, "title": game_title(name), "least": seats.start, "most": seats.stop - 1}
            for name in registry.names()
            for seats in (registry.game(name).seats,)
        ],
        "chosen": None,
    }
    if query.get("game") in registry.GAMES:
        found["chosen"] = _chosen(registry.game(query["game"]), rules, query)
    return found


def _chosen(game: AnyGame, rules: pb.GetPeopleRulesResponse, query: Mapping[str, str]) -> Data:
    counts = list(game.seats)
    asked = query.get("seats", "")
    usual = 2 if 2 in counts else counts[0]
    seats = int(asked) if asked in map(str, counts) else usual
    bots = [bot for bot in rules.opponents if not bot.games or game.name in bot.games]
    usual_bot = f"{HOUSE}{bots[0].name}" if bots and bots[0].kind == pb.PEOPLE_SEAT_KIND_HOUSE else INVITED
    return {
        "game": game.name,
        "title": game.title,
        "counts": counts,
        "seats": seats,
        "bots": [
            {"value": f"{HOUSE if bot.kind == pb.PEOPLE_SEAT_KIND_HOUSE else CONNECTED}{bot.name}", "name": bot.name}
            for bot in bots
        ],
        "preset": [YOU, *[usual_bot] * (seats - 1)],
        "settings": [
            {"name": name, "values": list(choice.values), "default": choice.default, "meaning": choice.meaning}
            for name, choice in game.variants.items()
            if choice.seats is None or seats in choice.seats
        ],
        "clocks": [{"value": value, "words": words} for value, words in CLOCKS],
    }


def asked_table(form: Mapping[str, str], host: str) -> tuple[pb.OpenPeopleTableRequest, int]:
    """The table that a form asks for, and the seat of the person who sends it; raises BadSetting."""
    game = form.get("game", "")
    if game not in registry.GAMES:
        raise BadSetting(f"Choose a game: {', '.join(registry.names())}.")
    most = max(registry.game(game).seats)
    values = [form[f"seat{number}"] for number in range(most) if f"seat{number}" in form]
    seats = [_seat(value) for value in values]
    if values.count(YOU) != 1:
        raise BadSetting("Take one seat yourself.")
    variant = {name.removeprefix("rule:"): value for name, value in form.items() if name.startswith("rule:")}
    request = pb.OpenPeopleTableRequest(
        game=game, seats=seats, variant=variant, clock=form.get("clock", "none"), address=host
    )
    return request, values.index(YOU)


def _seat(value: str) -> pb.PeopleSeat:
    if value in (YOU, INVITED):
        return pb.PeopleSeat(kind=pb.PEOPLE_SEAT_KIND_PERSON)
    for prefix, kind in ((HOUSE, pb.PEOPLE_SEAT_KIND_HOUSE), (CONNECTED, pb.PEOPLE_SEAT_KIND_CONNECTED)):
        if value.startswith(prefix):
            return pb.PeopleSeat(kind=kind, name=value.removeprefix(prefix))
    raise BadSetting("Choose who sits at each seat: you, an invited person, or a bot.")
