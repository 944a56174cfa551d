"""A gate's report in words, as JSON and as JUnit XML."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TypeAlias
from xml.etree import ElementTree

from ladder.arena.gate.faults import described, stopped
from ladder.arena.gate.question import GateQuestion, is_exact
from ladder.arena.gate.sequential_test import Answer, GateReport, ShownSet, resolved_by
from ladder.arena.gate.sets import gate_command
from ladder.escaping import counted
from ladder.ratings.results import Z95
from ladder.ratings.score_test import Moments, candidates_ratio, normal_interval, prior_spread
from ladder.ratings.sprt import Model, SprtVerdict

Ends: TypeAlias = tuple[float, float, float]
"""An estimate, and the lower and the upper end of its 95% interval."""
OpenEnds: TypeAlias = tuple[float | None, float | None, float | None]
"""The same where the sets may be too few to know an end."""


def bar(report: GateReport, width: int = 30) -> str:
    """The log-likelihood ratio between its bounds, as a line of text."""
    design = report.question.tested
    if report.llr is None:
        return "[" + "?" * width + "]"
    share = (report.llr - design.lower) / (design.upper - design.lower)
    at = min(width - 1, max(0, round(share * (width - 1))))
    return "[" + "-" * at + "|" + "-" * (width - 1 - at) + "]"


def progress(report: GateReport) -> str:
    """One line: sets, the bar, the ratio, the estimate so far."""
    return f"{report.sets:5} sets  H0 {bar(report)} H1  LLR {_ratio(report)}  {strength(report)}"


def _ratio(report: GateReport) -> str:
    return "none" if report.llr is None else f"{report.llr:+.2f}"


def strength(report: GateReport) -> str:
    """The estimate so far with its interval, in the unit of the bounds, or that there is none."""
    found, mean = naive_ends(report), report.estimate.mean
    if found is not None:
        return f"{unit(report.question)} {_interval(*found)}"
    score = "no score yet" if mean is None else f"score {mean:.1%}"
    return f"Elo none ({score})"


def unit(question: GateQuestion) -> str:
    """The unit of the bounds."""
    return "normalised Elo" if question.design.model is Model.NORMALISED else "Elo"


def naive_ends(report: GateReport) -> Ends | None:
    """The naive estimate with its interval, in the unit of the bounds; None while there is none."""
    estimate, design = report.estimate, report.question.design
    if design.model is Model.NORMALISED:
        found = normal_interval(_spread(report), design.games, Z95)
        if found is None:
            return None
        middle, low, high = (end / report.question.ratio.value for end in found)
        return middle, low, high
    return _whole((estimate.elo, estimate.elo_low, estimate.elo_high))


def corrected_ends(report: GateReport) -> OpenEnds | None:
    """The median-unbiased estimate with its interval, in the unit of the bounds; None while there is none."""
    found = report.unbiased
    if found is None:
        return None
    normalised = report.question.design.model is Model.NORMALISED
    return (found.nelo, found.nelo_low, found.nelo_high) if normalised else (found.elo, found.low, found.high)


def _whole(ends: OpenEnds | None) -> Ends | None:
    """The ends if all of them are known."""
    if ends is None:
        return None
    middle, low, high = ends
    return None if middle is None or low is None or high is None else (middle, low, high)


def _spread(report: GateReport) -> Moments:
    """The scores of the sets, with the spread that the test takes them to have.

    A strong candidate's sets hardly differ in soft scores, nor in wins at many seats; over their own spread alone its
    strength would be any number.
    """
    question = report.question
    moments = report.moments if report.scale else Moments.of(report.counts)
    if moments.sets < 2 or is_exact(question.score, question.seats):
        return moments
    return replace(moments, variance=prior_spread(moments, question.tested, report.start))


def _interval(middle: float, low: float, high: float) -> str:
    return f"{middle:+.1f} [{low:+.1f}, {high:+.1f}]"


def corrected(report: GateReport) -> str | None:
    """The median-unbiased estimate in the unit of the bounds; None while there is none."""
    found, name = corrected_ends(report), unit(report.question)
    whole = _whole(found)
    if whole is not None:
        return f"{name} {_interval(*whole)}"
    if found is None or (found[1] is None) == (found[2] is None):
        return None
    middle, low, high = found
    end = f"at least {low:+.1f}" if low is not None else f"at most {high:+.1f}"
    return f"{name} {end}" if middle is None else f"{name} {middle:+.1f}, {end}"


def duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


def expectations(report: GateReport) -> list[str]:
    """What the test will cost, once its first sets are played; empty before."""
    expected, question = report.forecast, report.question
    if expected is None:
        return []

    def cost(sets: float) -> str:
        return f"{sets:.0f} sets ({duration(sets * report.seconds_a_set)})"

    lines = [
        f"expected: {cost(expected.at_h0)} if H0 holds, {cost(expected.between)} halfway, {cost(expected.at_h1)} if H1 "
        f"holds; at most {cost(question.max_sets)}"
    ]
    if question.budget is not None:
        least = resolved_by(report, question.budget)
        if least is not None:
            apart = f"{least:.1f} {unit(question)}"
            lines.append(f"{duration(question.budget)} resolve bounds that are {apart} apart or more")
    return lines


def conclusion(report: GateReport) -> list[str]:
    """The whole answer, line by line."""
    question, design = report.question, report.question.design
    where = f"{question.game}, {question.seats} seats"
    lines = [f"{question.new} against {question.old} at {where}: {report.answer}"]
    lines += described(report.faults, question.allow_faults)
    if report.answer is Answer.FAULTED:
        ended = f"the test ended after {_sets(report.sets)}"
        lines.append(f"a bot that fails is not accepted; {ended} (see --allow-faults)")
        return lines
    if report.answer is Answer.IDENTICAL:
        games = report.sets * question.seats
        lines.append(f"every answer of both was the same in all {games} games ({_sets(report.sets)})")
    lines.append(
        f"H0 {design.elo0:+g} against H1 {design.elo1:+g} {unit(question)} of wins, "
        f"{_sets(report.sets)} ({report.sets * question.seats} games), "
        f"LLR {_ratio(report)} in [{design.lower:.2f}, {design.upper:.2f}]"
    )
    if question.pair:
        lines.append(_paired(question))
    if report.scale:
        lines += _scored(report)
    if report.answer is not Answer.IDENTICAL:
        lines.append(f"estimate (naive, biased by the stop): {strength(report)}")
        unbiased = corrected(report)
        if unbiased is not None:
            lines.append(f"estimate (median-unbiased): {unbiased}")
        lines.append(
            f"sets by score of the new bot, worst first: {' '.join(f'{count:.0f}' for count in report.counts)}"
        )
    if not question.duplicate:
        lines.append("every game had a deal of its own, since a bot could remember the last one's")
    if report.forfeits:
        lines.append(f"the new bot was forfeited in {counted(report.forfeits, 'match', 'matches')}")
    lines += stopped(report.without_result)
    lines.extend(f"worst loss, set {loss.number} ({loss.score:.0%}): {loss.command}" for loss in report.worst)
    return lines


def _sets(number: int) -> str:
    return counted(number, "set", "sets")


def _paired(question: GateQuestion) -> str:
    """How two candidates at a table were tested."""
    seats = f"two seats of every table held the new bot, {question.seats - 2} the old one"
    if question.design.model is not Model.NORMALISED:
        return seats
    most = candidates_ratio(question.seats, 2)
    return f"{seats}; a normalised Elo there is one of a single candidate, or up to {most:.2f} times less"


def _scored(report: GateReport) -> list[str]:
    """How a score other than wins was tested."""
    question, ratio = report.question, report.question.ratio
    lines = [
        f"{question.score} scores: margins of the old bot against itself spread by {report.scale:.1f} points; effects "
        f"are {ratio.value:.2f} ± {ratio.error:.2f} times those of wins, {ratio.safe:.2f} was used"
    ]
    if report.guard_llr is not None:
        guard = question.guard
        lines.append(
            f"guard: {report.guarded} on wins alone, {guard.elo0:+g} against {guard.elo1:+g}, LLR "
            f"{report.guard_llr:+.2f}; a bot at {guard.elo0:+g} passes with a chance of {guard.alpha:g} at most"
        )
        if report.verdict is SprtVerdict.H1 and report.guarded is SprtVerdict.H0:
            lines.append("the new bot gains points and loses games: it is not accepted")
    return lines


def as_json(report: GateReport) -> dict[str, object]:
    """Everything a program may want."""
    question, design, estimate, found = report.question, report.question.design, report.estimate, report.unbiased
    expected = report.forecast
    return {
        "answer": report.answer,
        "new": question.new,
        "old": question.old,
        "game": question.game,
        "seats": question.seats,
        "variant": question.variant,
        "seed": question.seed,
        "duplicate": question.duplicate,
        "pair": question.pair,
        "model": design.model,
        "elo0": design.elo0,
        "elo1": design.elo1,
        "alpha": design.alpha,
        "beta": design.beta,
        "sets": report.sets,
        "dropped": report.dropped,
        "counts": [int(count) for count in report.counts],
        "llr": report.llr,
        "lower": design.lower,
        "upper": design.upper,
        "elo": estimate.elo,
        "elo_low": estimate.elo_low,
        "elo_high": estimate.elo_high,
        "nelo": estimate.nelo,
        "los": estimate.los,
        "unbiased": None if found is None else asdict(found),
        "max_sets": question.max_sets,
        "stop": question.stop,
        "score": question.score,
        "scale": report.scale or None,
        "ratio": {"value": question.ratio.value, "error": question.ratio.error, "used": question.ratio.safe},
        "score_mean": report.moments.mean if report.sets else None,
        "guard": _guard_json(report),
        "verdict": report.verdict,
        "same_answers": report.same and report.sets > 0,
        "seconds": report.seconds,
        "expected": None if expected is None else {**asdict(expected), "seconds_a_set": report.seconds_a_set},
        "resolved_by_budget": None if question.budget is None else resolved_by(report, question.budget),
        "estimate": strength(report),
        "estimate_unbiased": corrected(report),
        "forfeits": report.forfeits,
        "allow_faults": question.allow_faults,
        "limit": question.limit,
        "fault_count": report.faults.count,
        "faults": [found.as_json() for found in report.faults.kept],
        "problems": report.problems,
        **_page_json(report),
    }


def _page_json(report: GateReport) -> dict[str, object]:
    """What the page of a report needs beside the figures of the test."""
    question = report.question
    return {
        "worst": [_shown_json(found) for found in report.worst],
        "best": [_shown_json(found) for found in report.best],
        "games": report.sets * question.seats,
        "mean": report.estimate.mean,
        "without_result": report.without_result,
        "budget": question.budget,
        "unit": unit(question),
        "interval": naive_ends(report),
        "interval_unbiased": corrected_ends(report),
        "looks": [look._asdict() for look in report.looks.kept],
        "command": gate_command(question),
    }


def _shown_json(found: ShownSet) -> dict[str, object]:
    return {"set": found.number, "score": found.score, "specs": found.specs, "command": found.command}


def _guard_json(report: GateReport) -> dict[str, object] | None:
    if report.guard_llr is None:
        return None
    guard = report.question.guard
    return {
        "verdict": report.guarded,
        "llr": report.guard_llr,
        "elo0": guard.elo0,
        "elo1": guard.elo1,
        "alpha": guard.alpha,
        "beta": guard.beta,
        "lower": guard.lower,
        "upper": guard.upper,
    }


def as_junit(report: GateReport) -> str:
    """The answer as one JUnit test case."""
    question = report.question
    failed = report.answer not in (Answer.ACCEPTED, Answer.IDENTICAL)
    suite = ElementTree.Element("testsuite", name="kumite gate", tests="1", failures=str(int(failed)), errors="0")
    case = ElementTree.SubElement(
        suite, "testcase", classname=f"kumite.gate.{question.game}", name=f"{question.new} against {question.old}"
    )
    text = "\n".join(conclusion(report))
    if failed:
        ElementTree.SubElement(case, "failure", message=str(report.answer)).text = text
    else:
        ElementTree.SubElement(case, "system-out").text = text
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
