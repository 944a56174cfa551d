"""Positions of The White Castle as its drawing takes them.

`python -m tests.web.browser.white_castle_positions` writes the digests of `white_castle_scenes.txt`: of the whole scene
at some asks of an eager game of one, two and four, and at its end, for screens and phones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ladder.viewer.replay_file import event_of, heard, view_of
from ladder.web.drawing.viewer_scripts import CORE, assets
from referee.games.white_castle import GAME
from referee.games.white_castle.board import BOARD
from referee.games.white_castle.view import View
from referee.kernel.board import Part
from referee.kernel.game import Event, Seat
from tests.games.white_castle.journeys import moments

PATH = Path(__file__).with_name("white_castle_scenes.txt")
FRAMES = ("wide", "narrow")
FIXED = {1: ("rival_room", "over"), 2: ("choose_start_pair", "place_die", "courtier", "over"), 4: ("take_die", "over")}
"""By seats: the asks of whose first moment the digests stand in the file."""
Run = Callable[[str], Any]
"""Runs a script in a browser."""

SCENES = """JSON.stringify(%s.map((given) => kumiteScenes.white_castle(given)))"""


class Position(NamedTuple):
    """One argument of `scene`, with what it shows."""

    kind: str
    given: dict[str, Any]


def positions(seats: int, seed: int) -> Iterator[Position]:
    """Every moment of an eager game as the asked seat sees it, once for each list of parts that it can click."""
    for state, events in moments(seats, seed):
        asks = GAME.pending(state)
        if not asks:
            yield Position("over", _given(GAME.view(state, None), None, events, (), ()))
            return
        seat, kind = asks[0]
        view = GAME.view(state, seat)
        stages: dict[tuple[str, ...], dict[str, Part]] = {}
        before: dict[tuple[str, ...], Sequence[Part]] = {}
        for choice in BOARD.choices(view, kind, GAME.options(state, seat)):
            keys = tuple(part.key for part in choice.path)
            for at, part in enumerate(choice.path):
                before.setdefault(keys[:at], choice.path[:at])
                stages.setdefault(keys[:at], {})[part.key] = part
        for keys, parts in stages.items():
            yield Position(kind, _given(view, seat, events, tuple(parts.values()), before[keys]))


def _given(
    view: View, seat: Seat | None, events: Sequence[Event], parts: Sequence[Part], chosen: Sequence[Part]
) -> dict[str, Any]:
    told = heard(events, seat)
    return {
        "view": view_of(GAME, view),
        "facts": BOARD.facts(view, told),
        "events": [event_of(GAME, event) for event in told],
        "names": ["Aoi", "Botan", "Cha", "Daichi"][: view.board.seats],
        "seat": seat,
        "views": None,
        "awaited": [] if seat is None else [seat],
        "targets": [_plain(part) for part in parts],
        "chosen": [_plain(part) for part in chosen],
        "ended": seat is None,
    }


def _plain(part: Part) -> dict[str, Any]:
    return {"key": part.key, "words": part.words, "place": dict(part.place)}


def load(run: Run) -> None:
    """Load the drawing into a browser."""
    run(f"{assets()[CORE]}; 0")
    run(f"{assets()['scene-white_castle.js']}; 0")


def scenes(run: Run, given: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The scenes of positions."""
    found: list[dict[str, Any]] = json.loads(run(SCENES % json.dumps(list(given))))
    return found


def digests(run: Run) -> str:
    """One line for each fixed position and frame."""
    lines = []
    for seats, kinds in FIXED.items():
        found = list(positions(seats, 5))
        for kind in kinds:
            given = next(moment.given for moment in found if moment.kind == kind)
            for frame, scene in zip(FRAMES, scenes(run, [{**given, "frame": frame} for frame in FRAMES]), strict=True):
                text = json.dumps(scene, sort_keys=True, ensure_ascii=False)
                digest = hashlib.sha256(text.encode()).hexdigest()[:16]
                size = f"{scene['width']}x{scene['height']}"
                lines.append(f"{seats} {kind} {frame} {size} {len(scene['nodes'])} nodes {digest}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from ladder.web.pictures.chromium import chromium

    with chromium() as browser:
        tab = browser.tab()
        load(tab.run)
        PATH.write_text(digests(tab.run), encoding="utf-8")
