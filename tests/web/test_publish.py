"""The site as files: whole, relative, and only what changed."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from urllib.parse import unquote

import pytest

from ladder.cli import run
from ladder.store.database import Store
from ladder.web.publish import LIST, publish
from ladder.web.reading.library import Library
from ladder.web.site import Site
from tests.web.test_site import read


def test_every_link_of_a_published_page_is_a_file(site: Site, tmp_path: Path) -> None:
    """The folder opens from a disk: links are relative, and their files are there."""
    publish(site, tmp_path)

    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        for link in read(page.read_text()).links:
            target = page.parent / unquote(link.partition("#")[0])
            assert target.is_file(), f"{page}: {link}"


def test_the_second_time_only_what_changed_is_written(played: Path, tmp_path: Path) -> None:
    """Without a change nothing but the list is looked at; a ruling changes the pages that show it."""
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(played) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    folder = tmp_path / "site"
    first = publish(Site(Library(copy)), folder)
    second = publish(Site(Library(copy)), folder)
    with Store(copy) as store:
        store.hide("third", "quiet-heron")
    third = publish(Site(Library(copy)), folder)

    assert first.removed == second.removed == 0
    assert second.written == 0
    assert 0 < third.written < first.written
    assert third.removed > 0
    assert not (folder / "bots" / "third.html").exists()
    assert (folder / "bots" / "quiet-heron.html").exists()


def test_files_of_others_stay_and_a_broken_list_is_no_obstacle(site: Site, tmp_path: Path) -> None:
    """Publish removes what it wrote itself and nothing else."""
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / LIST).write_text("{broken")
    done = publish(site, tmp_path)

    assert done.written > 60
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_command_says_what_it_wrote_and_what_is_wrong(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line each; a file where the folder should be is named."""
    (tmp_path / "file").write_text("")
    shutil.rmtree(tmp_path / "site", ignore_errors=True)

    assert run(["publish", str(played), str(tmp_path / "site")]) == 0
    assert "index.html" in capsys.readouterr().out
    assert run(["publish", str(played), str(tmp_path / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err
    assert run(["publish", str(tmp_path / "none.sqlite"), str(tmp_path / "site")]) == 2
    assert "no such file" in capsys.readouterr().err
