"""Positions of Ninjato as its drawing takes them; `python -m tests.web.browser.ninjato_positions` writes the digests.

The digests stand in `ninjato_scenes.txt`: of the whole scene at the first `place`, `fight` and `clan_reward` of an
eager game of two and of four, and at its end, for screens and phones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ladder.viewer.replay_file import event_of, heard, view_of
from ladder.web.drawing.viewer_scripts import CORE, assets
from referee.games.ninjato import GAME
from referee.games.ninjato.board import BOARD
from referee.kernel.board import Part
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Seat
from tests.games.ninjato.journeys import Eager

PATH = Path(__file__).with_name("ninjato_scenes.txt")
FRAMES = ("wide", "narrow")
KINDS = ("place", "fight", "clan_reward", "over")
Run = Callable[[str], Any]
"""Runs a script in a browser."""

SCENES = """JSON.stringify(%s.map((given) => kumiteScenes.ninjato(given)))"""


class Position(NamedTuple):
    """One argument of `scene`, with what it shows."""

    kind: str
    given: dict[str, Any]


def positions(seats: int, seed: int) -> Iterator[Position]:
    """Every moment of an eager game as the asked seat sees it, once for each list of parts that it can click."""
    chance, chooser = Fast(seed), Eager(seed)
    state = GAME.start(seats, {}, chance)
    events: Sequence[Event] = ()
    while asks := GAME.pending(state):
        seat, kind = asks[0]
        options = GAME.options(state, seat)
        view = GAME.view(state, seat)
        stages: dict[tuple[str, ...], dict[str, Part]] = {}
        for choice in BOARD.choices(view, kind, options):
            for at, part in enumerate(choice.path):
                stages.setdefault(tuple(it.key for it in choice.path[:at]), {})[part.key] = part
        for parts in stages.values():
            yield Position(kind, _given(view, seat, events, list(parts.values())))
        events = GAME.apply(state, {seat: chooser.choose(options)}, chance)
    yield Position("over", _given(GAME.view(state, None), None, events, []))


def _given(view: Any, seat: Seat | None, events: Sequence[Event], parts: Sequence[Part]) -> dict[str, Any]:
    told = heard(events, seat)
    return {
        "view": view_of(GAME, view),
        "facts": BOARD.facts(view, told),
        "events": [event_of(GAME, event) for event in told],
        "names": ["Aoi", "Botan", "Cha", "Daichi"][: len(view.order)],
        "seat": seat,
        "views": None,
        "awaited": [],
        "targets": [{"key": part.key, "words": part.words, "place": dict(part.place)} for part in parts],
        "chosen": [],
        "ended": seat is None,
    }


def load(run: Run) -> None:
    """Load the drawing into a browser."""
    run(f"{assets()[CORE]}; 0")
    run(f"{assets()['scene-ninjato.js']}; 0")


def scenes(run: Run, given: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The scenes of positions."""
    found: list[dict[str, Any]] = json.loads(run(SCENES % json.dumps(list(given))))
    return found


def digests(run: Run) -> str:
    """One line for each fixed position and frame."""
    lines = []
    for seats in (2, 4):
        moments = list(positions(seats, 5))
        for kind in KINDS:
            given = next(moment.given for moment in moments if moment.kind == kind)
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
