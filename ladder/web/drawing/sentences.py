"""The one sentence of a page that answers first, made from its data; every case has a sentence of its own.

Sentences are markup, with names in bold; `plain` strips that for the JSON twins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ladder.web.drawing.words import counted, grouped, spelled

Row = Mapping[str, Any]


def bold(name: str) -> Markup:
    """A bot's name in a sentence."""
    return Markup("<b><bdi>{}</bdi></b>").format(name)


def plain(sentence: Markup) -> str:
    """A sentence without its markup."""
    return sentence.striptags()


def joined(names: Sequence[Markup]) -> Markup:
    """Names as they are listed in a sentence: a, b and c."""
    if len(names) < 2:
        return Markup("").join(names)
    return Markup(", ").join(names[:-1]) + Markup(" and ") + names[-1]


def leader(rows: Sequence[Row], superiority: Mapping[tuple[str, str], float | None]) -> Markup:
    """Who leads a pool, from its rows in the order of ranks, and how sure that is."""
    ranked = [row for row in rows if row["rank"] is not None]
    if not rows:
        return Markup("No match has been played here yet.")
    if not ranked:
        return Markup("No bot has a rank yet: {} played, each fewer than ten games.").format(
            counted(len(rows), "bot has", "bots have")
        )
    first = ranked[0]
    level = [row for row in ranked if row["ranks"] is not None and row["ranks"][0] == 1]
    if len(ranked) == 1:
        return Markup("{} is the only bot with a rank.").format(bold(first["player"]))
    if len(level) > 1:
        names = joined([bold(row["player"]) for row in level[:3]])
        if len(level) > 3:
            return Markup("{} bots cannot be told apart at the top yet: {} and {} more.").format(
                spelled(len(level)).capitalize(), names, spelled(len(level) - 3)
            )
        return Markup("{} cannot be told apart yet; any of them may be the best.").format(names)
    second = ranked[1]
    sure = superiority.get((first["player"], second["player"]))
    ahead = first["elo"] - second["elo"]
    if first["high"] is None:
        return Markup("{} is first, rated at least {} after {}.").format(
            bold(first["player"]), grouped(first["low"]), counted(first["games"], "game")
        )
    if sure is None:
        return Markup("{} is first: {} Elo ahead of {}.").format(
            bold(first["player"]), grouped(ahead), bold(second["player"])
        )
    return Markup("{} is first: {} Elo ahead of {}, and better with {} certainty.").format(
        bold(first["player"]), grouped(ahead), bold(second["player"]), certainty(sure)
    )


def certainty(chance: float) -> str:
    """A chance in per cent that never claims all."""
    return "more than 99%" if chance > 0.995 else f"{100 * chance:.0f}%"


def told(row: Row) -> str:
    """A rating and its interval in words, for screen readers and tips."""
    low, high = row["low"], row["high"]
    if row.get("reference"):
        return f"{grouped(row['elo'])}, the reference of the scale"
    if low is not None and high is not None:
        return f"{grouped(row['elo'])}, between {grouped(low)} and {grouped(high)} with 95% confidence"
    because = f": {edge(row)} in {counted(row['games'], 'game')}" if edge(row) else ""
    if low is not None:
        return f"at least {grouped(low)}{because}"
    if high is not None:
        return f"at most {grouped(high)}{because}"
    return "not known yet"


def edge(row: Row) -> str:
    """Why an interval has one end only, where the bot's own results say it: unbeaten, winless, or nothing."""
    if not row["draws"] and not row["losses"]:
        return "unbeaten"
    return "winless" if not row["draws"] and not row["wins"] else ""


def seat_verdict(rows: Sequence[Row]) -> str:
    """Whether the seat matters, in a sentence."""
    sure = [row for row in rows if _sure(row)]
    if not sure:
        return "No: what the seats add cannot be told from nothing. Ratings allow for it anyway."
    most = max(sure, key=lambda row: abs(row["elo"]))
    way = "adds" if most["elo"] > 0 else "costs"
    return (
        f"Yes: seat {most['seat'] + 1} {way} {grouped(abs(most['elo']))} Elo. Ratings allow for it, and sets are "
        f"played from every seat."
    )


def _sure(row: Row) -> bool:
    return (row["low"] is not None and row["low"] > 0) or (row["high"] is not None and row["high"] < 0)


def pool(data: Row) -> Markup:
    """Who is best in a pool, and what else a reader should know first."""
    if not data["rated"]:
        return Markup("Matches of this pool are played for their own sake: they are not rated.")
    rows: list[Row] = data["standings"]
    meetings = data["meetings"]
    superiority: dict[tuple[str, str], float | None] = {}
    if meetings is not None:
        names = meetings["players"]
        for own, line in zip(names, meetings["superiority"], strict=True):
            superiority |= {(own, other): chance for other, chance in zip(names, line, strict=True)}
    by_rank = sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0))
    found = leader(by_rank, superiority)
    islands = len({row["island"] for row in rows})
    if islands > 1:
        found += Markup(" The pool has {} groups of bots that never met; ratings compare only within one.").format(
            spelled(islands)
        )
    unbeaten = [row for row in rows if row["rank"] is None and row["high"] is None and edge(row) == "unbeaten"]
    if unbeaten:
        names = joined([bold(row["player"]) for row in unbeaten[:3]])
        found += Markup(" {} {} new and unbeaten.").format(names, "is" if len(unbeaten[:3]) == 1 else "are")
    return found


def pools(rows: Sequence[Row]) -> Markup:
    """What is played, over all pools."""
    played = [row for row in rows if row["matches"]]
    if not played:
        return Markup("Nothing has been played yet.")
    matches = sum(row["matches"] for row in played)
    games = len({row["game"] for row in played})
    return Markup("{} of {} have been rated in {}.").format(
        counted(matches, "match", "matches"),
        spelled(games) + (" game" if games == 1 else " games"),
        counted(len(played), "pool"),
    )


def circles(found: Row) -> str:
    """Whether one number for each player tells the truth."""
    fits = found["p_value"] > 0.05
    if found["cycle_count"]:
        first = ", ".join(found["cycles"][0])
        return f"Yes: {counted(found['cycle_count'], 'circle')}. In the first, each beats the next: {first}."
    if fits:
        return (
            f"None. No three bots surely beat each other in turn, and one number for each bot explains the results of "
            f"pairs as well as chance allows (p = {found['p_value']:.2f})."
        )
    return (
        f"No three bots surely beat each other in turn, but the results of pairs are further from one number for each "
        f"bot than chance allows (p = {found['p_value']:.3f})."
    )


def matches(data: Row) -> Markup:
    """How many matches a list has, and of which kind."""
    total, query = data["total"], data["query"]
    kind = Markup(" with faults or without a result") if query["faults"] == "1" else Markup("")
    who = Markup(" of {}").format(bold(query["bot"])) if query["bot"] else Markup("")
    if query["bot"] and query["against"]:
        who += Markup(" against {}").format(bold(query["against"]))
    if not total:
        return Markup("No match{}{} has been played.").format(who, kind)
    return Markup("{}{}{}.").format(counted(total, "match", "matches"), who, kind)


def bots(data: Row) -> Markup:
    """How many bots there are."""
    if not data["total"]:
        return Markup("No bot has played here yet.")
    return Markup("{} played here.").format(counted(data["total"], "bot has", "bots have"))


def bot(data: Row) -> Markup:
    """Where a bot stands, and what goes wrong."""
    ranked = [(pool, pool["standings"][0]) for pool in data["pools"] if pool["standings"][0]["rank"] is not None]
    if not data["pools"]:
        found = Markup("It has no rating yet: no set in which it played is complete.")
    elif not ranked:
        games = sum(pool["standings"][0]["games"] for pool in data["pools"])
        found = Markup("It has no rank yet after {}: a rank needs ten in a pool.").format(counted(games, "game"))
    else:
        places = [
            Markup("{} of {} at {}").format(_placed(row["ranks"]), spelled(pool["bots"]), pool["title"])
            for pool, row in ranked[:3]
        ]
        found = Markup("{}.").format(joined(places))
        found = Markup(str(found)[:1].upper()) + Markup(str(found)[1:])
    faults = sum(row["faults"] or 0 for pool in data["pools"] for row in pool["standings"])
    if faults:
        found += Markup(" <strong>{}</strong> in its rated games: the referee's stand-in chose instead.").format(
            counted(faults, "answer was a fault", "answers were faults")
        )
    if data["next"]:
        first = data["next"][0]
        against = joined([bold(name) for name in first["opponents"]])
        at = Markup("round {} of {}").format(first["round"], first["season"]) if first["round"] else first["title"]
        found += Markup(" Its next match is against {}, {} {}.").format(against, "in" if first["round"] else "at", at)
    return found


ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """A place as a word, or as a figure from 11 on."""
    return ORDINALS[number] if 0 < number < len(ORDINALS) else f"number {number}"


def _placed(ranks: Sequence[int]) -> str:
    if ranks[0] == ranks[1]:
        return ordinal(ranks[0])
    if ranks[1] == ranks[0] + 1:
        return f"{ordinal(ranks[0])} or {ordinal(ranks[1])}"
    return f"{ordinal(ranks[0])} to {ordinal(ranks[1])}"


def met(row: Row) -> str:
    """A score against an opponent in words."""
    text = f"{100 * row['score']:.0f} per cent in {counted(row['games'], 'game')}"
    text += f", between {100 * row['low']:.0f} and {100 * row['high']:.0f}"
    return text if row["expected"] is None else f"{text}; the ratings expect {100 * row['expected']:.0f}"


def against(data: Row) -> Markup:
    """How two bots stand against each other, over all pools."""
    wins, draws, losses = (sum(pool["met"][key] for pool in data["pools"]) for key in ("wins", "draws", "losses"))
    games = wins + draws + losses
    if not games:
        return Markup("They sat at the same table, but no set of theirs has been rated.")
    if wins == losses:
        return Markup("They are level after {}.").format(counted(games, "rated game"))
    ahead, behind = (data["bot"], data["other"]) if wins > losses else (data["other"], data["bot"])
    return Markup("{} is ahead of {}: {} won, {} drawn, {} lost.").format(
        bold(ahead), bold(behind), max(wins, losses), draws, min(wins, losses)
    )


def home(data: Row) -> Markup:
    """What is going on, over all pools: who leads where, or that no bot does yet."""
    if not data["total"]:
        return Markup("Nothing has been played here yet. The first two bots that join begin.")
    clear: list[tuple[Row, Row]] = []
    open_: list[tuple[Row, Row]] = []
    for pool in data["pools"]:
        ranked = [row for row in pool["standings"] if row["rank"] is not None]
        if len(ranked) > 1:
            (clear if ranked[0]["ranks"] == [1, 1] else open_).append((pool, ranked[0]))
    parts: list[Markup] = []
    for player in dict.fromkeys(row["player"] for _, row in clear[:2]):
        led = joined([Markup(_lead(pool)) for pool, row in clear[:2] if row["player"] == player])
        parts.append(Markup("{} leads {}").format(bold(player), led))
    if not parts and not open_:
        found = Markup("{} been played; no bot has a rank yet").format(
            counted(data["total"], "match has", "matches have")
        )
    else:
        if open_:
            where = joined([Markup("{}").format(pool["title"]) for pool, _ in open_[:2]])
            parts.append(Markup("the matches do not tell yet which bot is best at {}").format(where))
        found = joined(parts)
    found = Markup(str(found)[:1].upper() + str(found)[1:]) + Markup(".")
    going_on = data["event"] and data["event"]["state"] != "over"
    return found + Markup(" ") + event_now(data["event"]) if going_on else found


def _lead(pool: Row) -> str:
    """A pool with a sure leader, and by how much it leads where both ratings have two ends."""
    first, second = [row for row in pool["standings"] if row["rank"] is not None][:2]
    bounded = all(row["low"] is not None and row["high"] is not None for row in (first, second))
    if bounded and first["island"] == second["island"]:
        return f"{pool['title']} by {grouped(first['elo'] - second['elo'])} Elo"
    return f"{pool['title']}{' unbeaten' if edge(first) == 'unbeaten' else ''}"


def event_now(row: Row) -> Markup:
    """How far an event is that is not over, and which round comes next."""
    if row["state"] == "waiting" or not row["rounds_played"]:
        return Markup("{} has not begun: {} entered.").format(
            bold(row["event"]), counted(row["entrants"], "bot is", "bots are")
        )
    number, rounds = row["rounds_played"], row["rounds"]
    if row["tables_over"] < row["tables"]:
        state = "paused in" if row["paused"] else "in"
        found = Markup("{} is {} round {} of {}, with {} of {} over").format(
            bold(row["event"]), state, number, rounds, row["tables_over"], counted(row["tables"], "table")
        )
        return found + (Markup("; round {} comes next.").format(number + 1) if number < rounds else Markup("."))
    if number < rounds:
        waits = " when the event goes on" if row["paused"] else " next"
        return Markup("Round {} of {} in {} comes{}.").format(number + 1, rounds, bold(row["event"]), waits)
    return Markup("All {} of {} have been played.").format(counted(rounds, "round"), bold(row["event"]))


def events(rows: Sequence[Row]) -> Markup:
    """What tournaments there are."""
    if not rows:
        return Markup("No tournament has been held here yet.")
    running = [row for row in rows if row["state"] == "running"]
    if running:
        return Markup("{} is being played: {}.").format(bold(running[0]["event"]), event_state(running[0]))
    newest = rows[0]
    if newest["winner"]:
        return Markup("{} won {}, the newest event.").format(bold(newest["winner"]), bold(newest["event"]))
    return Markup("{} is {}.").format(bold(newest["event"]), event_state(newest))


def event_state(row: Row) -> str:
    """How an event stands, in a few words."""
    if row["state"] == "over":
        return "finished"
    if row["state"] == "waiting":
        return "waiting for its start"
    return f"round {row['rounds_played']} of {row['rounds']}{', paused' if row['paused'] else ''}"


def event_format(data: Row) -> str:
    """The format of an event in a few words."""
    games = counted(data["games"], "game")
    if data["format"] == "swiss":
        return f"Swiss, {counted(data['rounds'], 'round')} of {games}"
    if data["format"] == "round_robin":
        return f"round robin, {games} a table"
    return f"knockout, {games} a tie"


def event(data: Row) -> Markup:
    """Who won, or how far the event is and who leads."""
    if data["state"] == "waiting":
        return Markup("It has not begun: {} entered.").format(counted(len(data["standings"]), "bot is", "bots are"))
    if data["winner"]:
        first, *rest = data["standings"]
        found = Markup("<strong>{} won.</strong> {} played {}.").format(
            bold(data["winner"]), counted(len(data["standings"]), "bot"), event_format(data)
        )
        if rest and data["format"] != "knockout":
            decided = "on points" if first["points"] > rest[0]["points"] else "by the tie-breaks"
            found += Markup(" It came in ahead of {} {}.").format(bold(rest[0]["bot"]), decided)
        return found
    if data["state"] == "over":
        return Markup("It is over, and no entrant came to play.")
    leader_ = data["standings"][0] if data["standings"] else None
    found = Markup("It is in {}.").format(event_state(data))
    if leader_ is not None and data["format"] != "knockout":
        found += Markup(" {} leads with {:g} points.").format(bold(leader_["bot"]), leader_["points"])
    return found


def game(data: Row) -> Markup:
    """What a game is, for a reader who comes from its name."""
    seats = data["seats"]
    return Markup(
        "For {} to {} seats. What a seat may not know, it is never sent; the referee plays the rules below."
    ).format(spelled(seats[0]), spelled(seats[-1]))


def match(data: Row) -> Markup:
    """Who won a match, how clearly, and whether it was clean."""
    seats = sorted(data["seats"], key=lambda seat: (seat["order"], seat["seat"]))
    if data["state"] == "running":
        return Markup("{} are at the table.").format(joined([bold(seat["player"]) for seat in data["seats"]]))
    if data["state"] == "void" or any(seat["place"] is None for seat in seats):
        return Markup("This match does not count: {}.").format(data["reason"] or "it was stopped without a result")
    first = [seat for seat in seats if seat["place"] == 1]
    if len(first) == len(seats) > 1:
        found = Markup("All {} are level with {} points.").format(spelled(len(seats)), first[0]["points"])
    elif len(first) > 1:
        found = Markup("{} share the first place with {} points.").format(
            joined([bold(seat["player"]) for seat in first]), first[0]["points"]
        )
    elif len(seats) == 1:
        found = Markup("{} made {} points.").format(bold(first[0]["player"]), first[0]["points"])
    else:
        second = seats[1]
        found = Markup("{} won, {} to {} of {}.").format(
            bold(first[0]["player"]), _points(first[0]), second["points"], bold(second["player"])
        )
    if data["faults"]:
        found += Markup(" The referee counted {}.").format(counted(data["faults"], "fault"))
    return found


def _points(seat: Row) -> str:
    return f"{seat['points']} points"
