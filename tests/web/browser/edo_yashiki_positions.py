"""Positions of Edo Yashiki as its drawing takes them.

`python -m tests.web.browser.edo_yashiki_positions` writes the digests that stand in `edo_yashiki_scenes.txt`: of the
whole scene at the first ask of each kind after the second round of a greedy game of two and of five, and at its end,
for screens and phones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from ladder.viewer.replay_file import event_of, heard, view_of
from ladder.web.drawing.viewer_scripts import CORE, assets
from referee.games.edo_yashiki import GAME
from referee.games.edo_yashiki.board import BOARD
from referee.kernel.board import Part
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Option, Seat
from tests.games.edo_yashiki.greedy import answer
from tests.games.edo_yashiki.tables import start

PATH = Path(__file__).with_name("edo_yashiki_scenes.txt")
FRAMES = ("wide", "narrow")
FIXED = ((2, "specialists", "sealed"), (5, "standard", "sealed"))
"""Seats, rules and draft of the games whose scenes have digests."""
Run = Callable[[str], Any]
"""Runs a script in a browser."""

SCENES = """JSON.stringify(%s.map((given) => kumiteScenes.edo_yashiki(given)))"""


class Position(NamedTuple):
    """One argument of `scene`, with what it shows."""

    kind: str
    given: dict[str, Any]


def positions(seats: int, rules: str, draft: str) -> Iterator[Position]:
    """Every moment of a greedy game as each asked seat sees it, once for each list of parts that it can click.

    Of places, which are many, only those of the first way up are listed. The last moment is that of the public.
    """
    chance, state = Fast(seats), start(seats, rules, draft)
    events: Sequence[Event] = ()
    while asks := GAME.pending(state):
        answers: dict[Seat, Option] = {}
        for seat, kind in asks:
            view, options = GAME.view(state, seat), GAME.options(state, seat)
            stages: dict[tuple[str, ...], tuple[Sequence[Part], dict[str, Part]]] = {}
            for choice in BOARD.choices(view, kind, options):
                for at, part in enumerate(choice.path):
                    keys = tuple(it.key for it in choice.path[:at])
                    stages.setdefault(keys, (choice.path[:at], {}))[1][part.key] = part
            for chosen, parts in [*stages.values()][:3]:
                yield Position(kind, _given(view, seat, events, chosen, [*parts.values()]))
            answers[seat] = answer(view, options)
        events = GAME.apply(state, answers, chance)
    yield Position("over", _given(GAME.view(state, None), None, events, (), ()))


def _given(
    view: Any, seat: Seat | None, events: Sequence[Event], chosen: Sequence[Part], parts: Sequence[Part]
) -> dict[str, Any]:
    told = heard(events, seat)
    return {
        "view": view_of(GAME, view),
        "facts": BOARD.facts(view, told),
        "events": [event_of(GAME, event) for event in told],
        "names": ["Aoi", "Botan", "Cha", "Daichi", "a player whose name is long"][: len(view.houses)],
        "seat": seat,
        "views": None,
        "awaited": [] if seat is None else [seat],
        "targets": [_part(part) for part in parts],
        "chosen": [_part(part) for part in chosen],
        "ended": seat is None,
    }


def _part(part: Part) -> dict[str, Any]:
    return {"key": part.key, "words": part.words, "place": dict(part.place)}


def load(run: Run) -> None:
    """Load the drawing into a browser."""
    run(f"{assets()[CORE]}; 0")
    run(f"{assets()['scene-edo_yashiki.js']}; 0")


def scenes(run: Run, given: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The scenes of positions."""
    return cast("list[dict[str, Any]]", json.loads(run(SCENES % json.dumps(list(given)))))


def digests(run: Run) -> str:
    """One line for each fixed position and frame."""
    lines = []
    for game in FIXED:
        first: dict[str, dict[str, Any]] = {}
        for moment in positions(*game):
            if moment.kind == "over" or moment.given["view"]["round"] > 2:
                first.setdefault(moment.kind, moment.given)
        for kind, given in first.items():
            for frame, scene in zip(FRAMES, scenes(run, [{**given, "frame": frame} for frame in FRAMES]), strict=True):
                text = json.dumps(scene, sort_keys=True, ensure_ascii=False)
                digest = hashlib.sha256(text.encode()).hexdigest()[:16]
                size = f"{scene['width']}x{scene['height']}"
                lines.append(f"{game[0]} {kind} {frame} {size} {len(scene['nodes'])} nodes {digest}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from ladder.web.pictures.chromium import chromium

    with chromium() as browser:
        tab = browser.tab()
        load(tab.run)
        PATH.write_text(digests(tab.run), encoding="utf-8")
