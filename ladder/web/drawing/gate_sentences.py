"""What a gate's report says in words: the sentence that answers first, and one for each of its parts.

Every function takes the report as `kumite gate --json` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ladder.web.drawing.sentences import bold
from ladder.web.drawing.words import counted, game_title, grouped, lasting, share, signed, spelled

Report = Mapping[str, Any]

MOST = 2000.0
"""Beyond this strength an estimate says no more than a direction: the sets hardly differed."""
TITLES = {
    "accepted": "Accepted",
    "rejected": "Rejected",
    "inconclusive": "Inconclusive",
    "identical": "Identical",
    "faulted": "Faulted",
}
"""The answer as a title."""


def lede(report: Report) -> Markup:
    """The answer in one or two sentences."""
    return {
        "accepted": _accepted,
        "rejected": _rejected,
        "inconclusive": _inconclusive,
        "identical": _identical,
        "faulted": _faulted,
    }[report["answer"]](report)


def _accepted(report: Report) -> Markup:
    low, unit = report["elo0"], report["unit"]
    if low > 0:
        claim = Markup("{} is more than {} {} stronger than {}").format(
            bold(report["new"]), grouped_bound(low), unit, bold(report["old"])
        )
    elif low < 0:
        claim = Markup("{} is not {} {} weaker than {}").format(
            bold(report["new"]), grouped_bound(-low), unit, bold(report["old"])
        )
    else:
        claim = Markup("{} is better than {}").format(bold(report["new"]), bold(report["old"]))
    return Markup("{}{}. {}").format(claim, _about(report), took(report))


def _rejected(report: Report) -> Markup:
    guard, high, unit = report["guard"], report["elo1"], report["unit"]
    new, old = bold(report["new"]), bold(report["old"])
    if guard is not None and guard["verdict"] == "H0" and report["verdict"] != "H0":
        if report["verdict"] == "H1":
            claim = Markup("{} gains points and loses games against {}: the guard on wins rejects it").format(new, old)
            return Markup("{}. {}").format(claim, took(report))
        claim = Markup("{} wins too few games against {}: the guard on wins rejects it").format(new, old)
        return Markup("{}. {}").format(claim, took(report))
    if high > 0:
        claim = Markup("{} is not {} {} stronger than {}").format(new, grouped_bound(high), unit, old)
    elif high < 0:
        claim = Markup("{} is more than {} {} weaker than {}").format(new, grouped_bound(-high), unit, old)
    else:
        claim = Markup("{} is not as strong as {}").format(new, old)
    return Markup("{}{}. {}").format(claim, _about(report), took(report))


def _inconclusive(report: Report) -> Markup:
    new, old = bold(report["new"]), bold(report["old"])
    if not report["sets"]:
        return Markup("The test of {} against {} ended before a single set was counted.").format(new, old)
    spent = "its time" if report["budget"] is not None and report["seconds"] > report["budget"] else "its sets"
    return Markup("{} and {} could not be told apart{}: the test used up {} ({}).").format(
        new, old, _about(report), spent, counted(report["sets"], "set")
    )


def _identical(report: Report) -> Markup:
    passed = (
        "H0 is below zero, so the new bot passes as not weaker."
        if report["elo0"] < 0
        else "A bot that answers the same cannot be stronger."
    )
    return Markup("{} and {} gave the same answers in all {}. {}").format(
        bold(report["new"]), bold(report["old"]), counted(report["games"], "game"), passed
    )


def _faulted(report: Report) -> Markup:
    tolerated = "none" if not report["allow_faults"] else grouped(report["allow_faults"])
    return Markup("{} failed: {}, {} tolerated. The test ended after {}, whatever the score.").format(
        bold(report["new"]), counted(report["fault_count"], "fault"), tolerated, counted(report["sets"], "set")
    )


def _about(report: Report) -> Markup:
    """The corrected estimate behind the claim, or the naive one; empty if neither can be given."""
    ends = report["interval_unbiased"] or report["interval"]
    return Markup(": {}").format(strength(ends, report["unit"])) if told(ends) else Markup("")


def told(ends: Sequence[float | None] | None) -> bool:
    """Whether an estimate is more than a direction."""
    if ends is None or all(end is None for end in ends[1:]):
        return False
    return all(end is None or abs(end) <= MOST for end in ends)


def strength(ends: Sequence[float | None], unit: str) -> str:
    """An estimate with its interval in words; an end that is None is open."""
    middle, low, high = ends
    if low is not None and high is not None and middle is not None:
        return f"about {signed(middle)} {unit}, between {signed(low)} and {signed(high)}"
    if low is not None:
        return f"at least {signed(low)} {unit}"
    return f"at most {signed(high)} {unit}" if high is not None else "not known"


def interval_words(ends: Sequence[float | None]) -> str:
    """The interval of an estimate for a column of a table."""
    _, low, high = ends
    if low is not None and high is not None:
        return f"{signed(low)} to {signed(high)}"
    if low is not None:
        return f"≥ {signed(low)}"
    return f"≤ {signed(high)}" if high is not None else "not known"


def grouped_bound(value: float) -> str:
    """A bound without superfluous digits."""
    return grouped(value, 0 if value == int(value) else 1)


def signed_bound(value: float) -> str:
    """A bound with its sign."""
    return signed(value, 0 if value == int(value) else 1)


def took(report: Report) -> str:
    """How many sets the test took."""
    return f"The test took {counted(report['sets'], 'set')} of {spelled(report['seats'])} games."


def path(report: Report) -> str:
    """How the path is read."""
    shape = (
        "The bounds close in, so that the test has an end."
        if report["stop"] == "triangular"
        else "The test stops where a bound is crossed."
    )
    return f"Every look at the sets moves the line: up speaks for the new bot, down against it. {shape}"


def path_finding(llr: float, sets: int, lower: float, upper: float, name: str = "Log likelihood ratio") -> str:
    """Where a path ended, for screen readers."""
    where = "above the upper bound" if llr >= upper else "below the lower bound" if llr <= lower else "between bounds"
    return f"{name} over the sets: {signed(llr, 2)} after {counted(sets, 'set')}, {where}"


def guard(report: Report) -> str:
    """What the guard is for and what it said."""
    found = report["guard"]
    said = {
        "H1": "It let the new bot pass.",
        "H0": "It rejected the new bot.",
        "continue": "It had no verdict yet.",
    }[found["verdict"]]
    return (
        "The test counts how clearly games are won. The guard counts wins alone: a bot at "
        f"{signed_bound(found['elo0'])} {report['unit']} passes it with a chance of "
        f"{share(found['alpha'])} at most. {said}"
    )


def level_sets(report: Report) -> str:
    """How the sets were played and how many were level."""
    games = spelled(report["seats"]).capitalize()
    how = (
        f"{games} games on one deal, the new bot in every seat."
        if report["duplicate"]
        else f"{games} games, each on a deal of its own, the new bot in every seat."
    )
    counts = report["counts"]
    level = counts[len(counts) // 2] if len(counts) % 2 else 0
    return f"{how} {grouped(level)} of {counted(report['sets'], 'set')} {'was' if level == 1 else 'were'} level."


def estimates(report: Report) -> str:
    """Which of the two estimates to quote."""
    if report["answer"] == "identical":
        return "Bots that answer the same are equally strong."
    if report["interval_unbiased"] is None:
        return "The test has no verdict, so there is no estimate that allows for its stop."
    return "A test that stops when it looks good overrates. The upper line allows for that: quote it."


def worst(report: Report) -> str:
    """How many sets were lost whole."""
    lost = report["counts"][0]
    return f"{grouped(lost)} of {counted(report['sets'], 'set')} {'was' if lost == 1 else 'were'} lost in every seat."


def best(report: Report) -> str:
    """How many sets were won whole."""
    won = report["counts"][-1]
    return f"{grouped(won)} of {counted(report['sets'], 'set')} {'was' if won == 1 else 'were'} won in every seat."


def no_faults(report: Report) -> str:
    """The sentence that the candidate had no fault."""
    allowed = report["allow_faults"]
    too_many = f"More than {counted(allowed, 'fault')}" if allowed else "A single fault"
    played = f"The new bot had no fault in {counted(report['games'], 'game')}."
    return f"{played} {too_many} would have failed the gate, whatever the score."


def cost(report: Report) -> str:
    """What the test cost, and what it can resolve in its time."""
    spent = (
        f"The test took {counted(report['sets'], 'set')} ({counted(report['games'], 'game')}) in "
        f"{lasting(report['seconds'] * 1e6)}."
    )
    if report["expected"] is None:
        return f"{spent} It ended before it could say what to expect."
    if report["resolved_by_budget"] is not None:
        apart = f"{report['resolved_by_budget']:.1f} {report['unit']}"
        return f"{spent} The time it was given resolves bounds that are {apart} apart or more."
    return spent


def table(report: Report) -> str:
    """The game and the seats."""
    return f"{game_title(report['game'])} for {spelled(report['seats'])}"


def players(found: Report) -> str:
    """Who sat where in a game, with points."""
    points = found.get("points")
    return ", ".join(
        f"seat {seat + 1} {spec}" + (f" {grouped(points[seat])}" if points else "")
        for seat, spec in enumerate(found["specs"])
    )
