"""The file that outlives a killed bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.resume import STATE_VARIABLE, ResumeFile, default_folder


def test_a_token_is_found_again_by_the_next_process(tmp_path: Path) -> None:
    """What was kept for an address and a name is there for the same two only, and readable by nobody else."""
    with ResumeFile("host:1", "ann", tmp_path) as first:
        before = first.token
        first.keep("a-long-first-token")
        first.keep("second")
    with ResumeFile("host:1", "ann", tmp_path) as again, ResumeFile("host:1", "bob", tmp_path) as other:
        found = (before, again.token, other.token)

    assert found == ("", "second", "")
    assert first.path is not None
    assert first.path.stat().st_mode & 0o777 == 0o600


def test_a_running_bot_keeps_its_token_to_itself(tmp_path: Path) -> None:
    """While one process plays, a second under the same name remembers nothing and disturbs nothing."""
    with ResumeFile("host:1", "ann", tmp_path) as first:
        first.keep("mine")
        with ResumeFile("host:1", "ann", tmp_path) as second:
            second.keep("theirs")
            second.forget()
            seen = second.token
        assert first.path is not None
        kept = first.path.read_text()

    assert (seen, kept) == ("theirs", "mine")


def test_a_finished_bot_leaves_nothing_behind(tmp_path: Path) -> None:
    """Forgetting removes the file."""
    with ResumeFile("host:1", "ann", tmp_path) as file:
        file.keep("mine")
        file.forget()

    assert list(tmp_path.iterdir()) == []


def test_without_a_place_for_files_nothing_is_remembered(tmp_path: Path) -> None:
    """A folder that cannot be made is no reason not to play."""
    (tmp_path / "file").write_text("in the way")

    with ResumeFile("host:1", "ann", tmp_path / "file" / "folder") as file:
        file.keep("mine")

    assert file.token == "mine"


def test_the_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kumite's own variable comes first, then the platform's, then the usual place."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(STATE_VARIABLE, raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    usual = default_folder()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    platform = default_folder()
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "own"))
    own = default_folder()

    assert [usual, platform, own] == [tmp_path / ".local/state/kumite", tmp_path / "xdg/kumite", tmp_path / "own"]
