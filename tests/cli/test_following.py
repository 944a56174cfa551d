"""`kumite replay --follow`: a match that runs, told from its database as spectators see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import following, run
from ladder.store.database import Store
from referee.kernel.board import board
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.replay import named, replay

DB = "running.sqlite"
ALREADY = 6
"""Steps that were played before the follower came."""
NOTE = "I hold the seven"


@pytest.fixture(params=["edo_yashiki", "honshu", "ninjato", "white_castle"])
def played(request: pytest.FixtureRequest) -> tuple[Record, bytes]:
    """A whole match with a note in it, to be stored as if it were played now."""
    secret = fresh_secret("followed")
    plan = MatchPlan(request.param, ("a", "b"), fresh_id("followed"), secret)
    return play_match(plan, [resolve("random")] * 2), secret


@pytest.fixture
def running(
    played: tuple[Record, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], None]]:
    """A database in which the match runs; each time that the follower sleeps, the referee stores one step more."""
    record, secret = played
    assert record.final is not None
    final = record.final
    monkeypatch.chdir(tmp_path)
    steps = [step._replace(notes={0: NOTE}) if step.answers else step for step in record.steps]
    with Store(tmp_path / DB) as store:
        store.lock()
        store.begin(record.header, secret)
        rest = iter(steps)
        for _ in range(ALREADY):
            store.step(record.header.match, next(rest))

        def go_on(seconds: float = 0) -> None:
            step = next(rest, None)
            if step is not None:
                store.step(record.header.match, step)
            else:
                store.end(record.header.match, final)

        monkeypatch.setattr(following, "sleep", go_on)
        yield go_on


def test_a_running_match_is_told_to_its_end(
    played: tuple[Record, bytes], running: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """First the board as it stands, then what is told to all of each step, then the board and the result."""
    record, _ = played
    game, words = named(record.header), board(record.header.game)
    public: list[str] = []
    private: list[str] = []
    for position in replay(record, game):
        for event in position.events if position.step.n >= ALREADY else ():
            (public if event.audience is None else private).append(words.event(event))
    code = run(["replay", f"{DB}:{record.header.match[:8]}", "--follow"])
    out, err = capsys.readouterr()
    after = out.split("after step 5:\n")[1]

    assert (code, err) == (0, "")
    assert all(text in after for text in public)
    assert not any(f" {text}\n" in out for text in set(private) - set(public))
    assert out.count("\nresult: 1. ") == 1
    assert NOTE not in out
    assert "answered" not in out


def test_the_words_do_not_hang_on_what_spectators_may_not_know(
    played: tuple[Record, bytes], running: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """The boards that are told are those of the public view, where the follower came and at the end."""
    record, _ = played
    game, words = named(record.header), board(record.header.game)
    boards = {}
    for position in replay(record, game):
        boards[position.step.n] = words.describe(game.view(position.state, None))
    run(["replay", f"{DB}:{record.header.match}", "--follow"])
    out, _ = capsys.readouterr()
    titles = [line.strip() for line in out.splitlines() if line.startswith("  ") and not line.startswith("    ")]
    expected = [part.title for step in (ALREADY - 1, len(record.steps) - 1) for part in boards[step]]

    assert [title for title in titles if title in expected] == expected


def test_without_the_key_nothing_is_told(
    played: tuple[Record, bytes], running: Callable[[], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Steps that are not over are sealed: a database without its key is refused in one line."""
    record, _ = played
    for key in tmp_path.glob("*.key"):
        key.unlink()
    code = run(["replay", f"{DB}:{record.header.match}", "--follow"])
    out, err = capsys.readouterr()

    assert (code, out) == (2, "")
    assert "its key" in err
    assert err.count("\n") == 1


def test_a_match_that_was_stopped_ends_the_telling(
    played: tuple[Record, bytes],
    running: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A match that becomes void has no result: the follower says so and ends."""
    record, _ = played
    store = Store(tmp_path / DB)
    monkeypatch.setattr(following, "sleep", lambda seconds: store.stop(record.header.match, "drained"))
    code = run(["replay", f"{DB}:{record.header.match}", "--follow"])
    out, _ = capsys.readouterr()
    store.close()

    assert code == 0
    assert out.endswith("\nstopped without a result: drained\n")
