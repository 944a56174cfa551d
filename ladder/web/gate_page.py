"""The report of a gate as one file that works offline: stylesheet, script and data stand inside it.

A content security policy in the file allows exactly that style and that script, by their digests, and nothing from
elsewhere. The data are a JSON block for programs: what `kumite gate --json` prints, when the report was written and
what the shown games ended with. A reader without script loses copying, tips and the memory of the theme.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from ladder.web.drawing import gate_plots, gate_sentences
from ladder.web.drawing.environment import environment
from ladder.web.drawing.gate_plots import Point
from ladder.web.drawing.plots import Axis
from ladder.web.drawing.words import signed
from ladder.web.reading.match_facts import steps_told
from referee.kernel.errors import BadRecord
from referee.match.record import from_lines

TABLE_ROWS = 40
"""Most looks that the table below a path has; the JSON block has all that were kept."""


def gate_page(
    report: Mapping[str, Any],
    worst: Sequence[str] = (),
    best: Sequence[str] = (),
    *,
    written: str,
    typed: str = "",
) -> str:
    """The report as a page.

    `report` is what `kumite gate --json` prints. `worst` and `best` are the records of the games that stand for
    `report["worst"]` and `report["best"]`, as lines of text; without them the steps are left out. `written` is the
    moment in ISO 8601, `typed` the command line as it was typed, empty if there was none.
    """
    shown = {
        "worst": [_told(*pair) for pair in zip(report["worst"], _filled(worst, report["worst"]), strict=True)],
        "best": [_told(*pair) for pair in zip(report["best"], _filled(best, report["best"]), strict=True)],
    }
    data = {**report, "written": written, "typed": typed, "report_version": 1}
    for name, found in shown.items():
        data[name] = [{key: value for key, value in game.items() if key != "steps"} for game in found]
    style = _static("style.css")
    script = (
        f"{_static('theme.js')}\ndocument.addEventListener('DOMContentLoaded', () => {{\n{_static('pages.js')}}});\n"
    )
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    return (
        environment()
        .get_template("gate.html")
        .render(
            data=data,
            shown=shown,
            say=gate_sentences,
            gate_plots=gate_plots,
            test=_test(report),
            guard=_guard(report),
            axis=_axis(report),
            table_rows=TABLE_ROWS,
            style=Markup(style),
            script=Markup(script),
            policy=policy,
            twin=_json_block(data),
        )
        .strip()
    )


def _static(name: str) -> str:
    return files("ladder.web").joinpath("static", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source of a content security policy that allows this text and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json_block(data: Mapping[str, Any]) -> Markup:
    """Data as JSON that no text in them can end: no sign of markup stands in it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _filled(records: Sequence[str], shown: Sequence[object]) -> Sequence[str]:
    return records or [""] * len(shown)


def _told(found: Mapping[str, Any], record: str) -> dict[str, Any]:
    """A shown set with the points, the places and the steps of its game; `unreadable` says why there are none."""
    game = {**found, "points": None, "places": None, "steps": [], "unreadable": ""}
    if not record:
        return game
    try:
        read = from_lines([line.encode() + b"\n" for line in record.splitlines()])
        game["steps"] = steps_told(read, found["specs"])[0]
    except BadRecord as error:
        return {**game, "unreadable": str(error)}
    if read.final is not None and read.final.result is not None:
        seats = len(found["specs"])
        game["points"] = list(read.final.result.points[:seats])
        game["places"] = list(read.final.result.places[:seats])
    return game


def _axis(report: Mapping[str, Any]) -> Axis | None:
    """The axis of both estimates, which shows the bounds too; None: there is no estimate."""
    found = [ends for ends in (report["interval_unbiased"], report["interval"]) if ends is not None]
    if report["answer"] == "identical" or not found:
        return None
    known = [end for ends in found if gate_sentences.told(ends) for end in ends]
    return Axis.over([report["elo0"], report["elo1"], *known], most=5, zero=0.0, text=signed)


def _test(report: Mapping[str, Any]) -> list[Point]:
    return [Point(look["sets"], look["llr"], look["lower"], look["upper"]) for look in report["looks"]]


def _guard(report: Mapping[str, Any]) -> list[Point]:
    """The path of the guard; empty if wins are tested."""
    found = report["guard"]
    if found is None:
        return []
    return [Point(look["sets"], look["guard_llr"], found["lower"], found["upper"]) for look in report["looks"]]
