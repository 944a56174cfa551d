"""A gate's report in words, as JSON and as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from ladder.gate import Answer, Report


def bar(report: Report, width: int = 30) -> str:
    """The log-likelihood ratio between its bounds, as a line of text."""
    design = report.question.design
    if report.llr is None:
        return "[" + "?" * width + "]"
    share = (report.llr - design.lower) / (design.upper - design.lower)
    at = min(width - 1, max(0, round(share * (width - 1))))
    return "[" + "-" * at + "|" + "-" * (width - 1 - at) + "]"


def progress(report: Report) -> str:
    """One line: sets, the bar, the ratio, the estimate so far."""
    return f"{report.sets:5} sets  H0 {bar(report)} H1  LLR {_ratio(report)}  {strength(report)}"


def _ratio(report: Report) -> str:
    return "none" if report.llr is None else f"{report.llr:+.2f}"


def strength(report: Report) -> str:
    """The estimate with its interval, or that there is none."""
    estimate = report.estimate
    if estimate.elo is None or estimate.elo_low is None or estimate.elo_high is None:
        score = "no score yet" if estimate.mean is None else f"score {estimate.mean:.1%}"
        return f"Elo none ({score})"
    return f"Elo {estimate.elo:+.1f} [{estimate.elo_low:+.1f}, {estimate.elo_high:+.1f}]"


def conclusion(report: Report) -> list[str]:
    """The whole answer, line by line."""
    question, design = report.question, report.question.design
    unit = "" if design.model == "logistic" else "normalised "
    where = f"{question.game}, {question.seats} seats"
    lines = [f"{question.new} against {question.old} at {where}: {report.answer}"]
    if report.answer is Answer.IDENTICAL:
        lines.append(f"all {report.sets} sets are level: the two bots play alike, and no test can tell them apart")
    else:
        lines.append(
            f"H0 {design.elo0:+g} against H1 {design.elo1:+g} {unit}Elo, "
            f"{report.sets} sets ({report.sets * question.seats} games), "
            f"LLR {_ratio(report)} in [{design.lower:.2f}, {design.upper:.2f}]"
        )
        lines.append(f"estimate (naive, biased by the stop): {strength(report)}")
        corrected = report.unbiased
        if corrected is not None and None not in (corrected.elo, corrected.low, corrected.high):
            lines.append(
                f"estimate (median-unbiased): Elo {corrected.elo:+.1f} [{corrected.low:+.1f}, {corrected.high:+.1f}]"
            )
        lines.append(
            f"sets by score of the new bot, worst first: {' '.join(f'{count:.0f}' for count in report.counts)}"
        )
    if not question.duplicate:
        lines.append("every game had a deal of its own, since a bot is a process that could remember the last one's")
    if report.faults:
        lines.append(f"the new bot was forfeited in {report.faults} matches")
    lines.extend(report.problems[:3])
    lines.extend(f"worst loss, set {loss.number} ({loss.score:.0%}): {loss.command}" for loss in report.worst)
    return lines


def as_json(report: Report) -> dict[str, object]:
    """Everything a program may want."""
    question, design, estimate, corrected = (
        report.question,
        report.question.design,
        report.estimate,
        report.unbiased,
    )
    return {
        "answer": report.answer,
        "new": question.new,
        "old": question.old,
        "game": question.game,
        "seats": question.seats,
        "variant": question.variant,
        "seed": question.seed,
        "duplicate": question.duplicate,
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
        "unbiased": None if corrected is None else {"elo": corrected.elo, "low": corrected.low, "high": corrected.high},
        "forfeits": report.faults,
        "problems": report.problems,
        "worst": [{"set": loss.number, "score": loss.score, "command": loss.command} for loss in report.worst],
    }


def as_junit(report: Report) -> str:
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
