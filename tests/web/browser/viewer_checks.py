"""What holds for the player of every match, in a real browser."""

from __future__ import annotations

from pathlib import Path

from ladder.viewer.replay_file import ALL, PUBLIC
from tests.ladder.viewer_records import match
from tests.web.browser.conftest import WIDE, Opening
from tests.web.browser.viewing import keys, page_of, walk


def same_pictures(opened: Opening, folder: Path, game: str, seats: int, number: int = 0) -> None:
    """A match steps forwards, backwards and by jumps, with motion and without, to the same pictures."""
    record = match(game, seats, number)
    page_of(record, folder)
    home = folder.as_uri()
    watched = opened(home, width=WIDE)
    watched.page.goto(f"{home}/match.html")
    watched.page.wait_for_selector(".board")
    last = len(record.steps) - 1
    steps = list(range(last + 1))
    jumps = [n * 7 % (last + 1) for n in range(min(last, 40))]
    for viewer in (ALL, PUBLIC, seats - 1):
        forwards = walk(watched.page, viewer, steps)
        assert walk(watched.page, viewer, steps[::-1]) == forwards
        assert all(forwards[step] == text for step, text in walk(watched.page, viewer, jumps).items())
        assert all(forwards[step] == text for step, text in walk(watched.page, viewer, steps[::9], motion=4).items())
        for text in forwards.values():
            found = keys(text)
            assert len(found) == len(set(found))
    assert watched.complaints == []
