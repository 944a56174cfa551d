"""What holds for the player of every match, in a real browser."""

from __future__ import annotations

from pathlib import Path

from ladder.viewer.replay_file import ALL, PUBLIC
from tests.ladder.viewer_records import match
from tests.web.browser.conftest import WIDE, Opening
from tests.web.browser.viewing import hurry, page_of, repeated_keys, walk


def same_pictures(opened: Opening, folder: Path, game: str, seats: int, number: int = 0, *, stride: int = 1) -> None:
    """A match steps forwards, backwards and by jumps, with motion and without, to the same pictures.

    `stride` leaves steps out, for a quick look; through the eyes of the public and of a seat every fifth is shown.
    """
    record = match(game, seats, number)
    page_of(record, folder)
    home = folder.as_uri()
    watched = opened(home, width=WIDE)
    watched.page.goto(f"{home}/match.html")
    watched.page.wait_for_selector(".board")
    last = len(record.steps) - 1
    steps = [*range(0, last, stride), last]
    for viewer, shown in ((ALL, steps), (PUBLIC, steps[::5]), (seats - 1, steps[::5])):
        assert walk(watched.page, viewer, shown) == []
        assert walk(watched.page, viewer, shown[::-1]) == []
        assert walk(watched.page, viewer, [shown[n * 7 % len(shown)] for n in range(min(len(shown), 40))]) == []
        hurry(watched.page, viewer, shown[:6])
        assert walk(watched.page, viewer, shown[5:12], motion=4) == []
    assert watched.page.evaluate("Object.keys(window.pictures.all).length") == len(steps)
    assert repeated_keys(watched.page) == []
    assert watched.complaints == []
