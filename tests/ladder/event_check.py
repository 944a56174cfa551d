"""A second opinion on the report of a Swiss event: what docs/events.md says, computed from the listed games alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

ROUNDING = 1e-3
MOST_BOTS = 12
"""Bots up to which it is tried out whether a repeat could have been avoided."""


def scores(game: Mapping[str, Any]) -> dict[str, Fraction]:
    """The score of each bot of a game: its mean against the others of the table."""
    players, absent = game["players"], game["absent"]
    others = len(players) - 1
    found = {}
    for seat, name in enumerate(players):
        if absent is not None:
            came = len(players) - len(absent)
            found[name] = Fraction(0) if name in absent else (len(absent) + Fraction(came - 1, 2)) / others
        else:
            mine = game["places"][seat]
            pairs = [place for other, place in enumerate(game["places"]) if other != seat]
            found[name] = (
                sum((Fraction((mine < place) * 2 + (mine == place), 2) for place in pairs), Fraction(0)) / others
            )
    return found


def check_swiss(report: Mapping[str, Any]) -> None:
    """Assert that points, tie-breaks, order, byes and rematches of a report are as they must be."""
    bots = [entry["bot"] for entry in report["standings"]]
    points = dict.fromkeys(bots, Fraction(0))
    met: dict[frozenset[str], int] = {}
    byes = dict.fromkeys(bots, 0)
    for found in report["round_list"]:
        playing = [name for table in found["tables"] for name in table["bots"]] + found["byes"]
        assert len(set(playing)) == len(playing), "a bot has one place in a round"
        assert set(playing).isdisjoint(found["missed"])
        _check_repeats(report["seats"], playing, found, met, byes)
        for table in found["tables"]:
            for name in table["bots"]:
                points[name] += sum((scores(game)[name] for game in table["games"]), Fraction(0)) / len(table["games"])
            if any(game["absent"] is None for game in table["games"]):
                for pair in combinations(table["bots"], 2):
                    met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
        for name in found["byes"]:
            points[name] += 1
            byes[name] += 1
    _check_order(report, points)


def _check_repeats(
    seats: int,
    playing: Sequence[str],
    found: Mapping[str, Any],
    met: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
) -> None:
    """As few rematches and second byes as possible; fewer bots than a table has seats all have a bye."""
    if len(playing) < seats:
        assert not found["tables"]
        return
    assert len(found["byes"]) == len(playing) % seats
    repeats = sum(byes[name] > 0 for name in found["byes"])
    repeats += sum(
        met.get(frozenset(pair), 0) > 0 for table in found["tables"] for pair in combinations(table["bots"], 2)
    )
    if repeats and len(playing) <= MOST_BOTS:
        assert repeats == fewest_repeats(frozenset(playing), seats, met, byes)
    elif repeats:
        raise AssertionError(f"{repeats} repeats among {len(playing)} bots")


def fewest_repeats(
    names: frozenset[str], seats: int, met: Mapping[frozenset[str], int], byes: Mapping[str, int]
) -> int:
    """The least number of rematches and second byes of any round, by trying all of them."""

    @cache
    def seated(left: frozenset[str]) -> int:
        if not left:
            return 0
        first = min(left)
        return min(
            sum(met.get(frozenset(pair), 0) > 0 for pair in combinations((first, *others), 2))
            + seated(left - {first, *others})
            for others in combinations(sorted(left - {first}), seats - 1)
        )

    return min(
        sum(byes[name] > 0 for name in resting) + seated(names - set(resting))
        for resting in combinations(sorted(names), len(names) % seats)
    )


def _check_order(report: Mapping[str, Any], points: Mapping[str, Fraction]) -> None:
    keys = []
    for entry in report["standings"]:
        name = entry["bot"]
        direct = _direct(report, name, points)
        buchholz, berger = _opponents(report, name, points)
        told = [entry[key] for key in ("points", "direct_encounter", "buchholz", "sonneborn_berger")]
        own = [points[name], direct, buchholz, berger]
        assert all(abs(float(mine) - theirs) < ROUNDING for mine, theirs in zip(own, told, strict=True)), (
            name,
            own,
            told,
        )
        keys.append((-points[name], -direct, -buchholz, -berger, entry["seed"]))
    assert keys == sorted(keys)
    assert [entry["rank"] for entry in report["standings"]] == list(range(1, len(keys) + 1))
    if report["state"] == "over":
        assert report["winner"] == report["standings"][0]["bot"]


def _games(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [game for found in report["round_list"] for table in found["tables"] for game in table["games"]]


def _against(game: Mapping[str, Any], name: str, other: str) -> Fraction:
    one, two = (game["places"][game["players"].index(each)] for each in (name, other))
    return Fraction((one < two) * 2 + (one == two), 2)


def _direct(report: Mapping[str, Any], name: str, points: Mapping[str, Fraction]) -> Fraction:
    level = [other for other in points if points[other] == points[name]]
    played = [game for game in _games(report) if game["places"] is not None]
    met = {frozenset(pair) for game in played for pair in combinations(game["players"], 2)}
    if any(frozenset(pair) not in met for pair in combinations(level, 2)):
        return Fraction(0)
    total = Fraction(0)
    for game in played:
        for other in level:
            if other != name and name in game["players"] and other in game["players"]:
                total += _against(game, name, other)
    return total


def _opponents(report: Mapping[str, Any], name: str, points: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """Buchholz and Sonneborn-Berger."""
    buchholz = berger = Fraction(0)
    for found in report["round_list"]:
        table = next((table for table in found["tables"] if name in table["bots"]), None)
        played = [] if table is None else [game for game in table["games"] if game["places"] is not None]
        if not played:
            walked = Fraction(0)
            if table is not None:
                walked = sum((scores(game)[name] for game in table["games"]), Fraction(0)) / len(table["games"])
            own = Fraction(1) if name in found["byes"] else walked
            buchholz += points[name]
            berger += points[name] * own
            continue
        for game in played:
            others = [other for other in game["players"] if other != name]
            share = Fraction(1, len(others) * len(played))
            buchholz += sum((points[other] for other in others), Fraction(0)) * share
            berger += sum((points[other] * _against(game, name, other) for other in others), Fraction(0)) * share
    return buchholz, berger
