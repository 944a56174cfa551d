"""The script that makes a release: what it refuses, and what it does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import referee
from tools import release
from tools.release import ReleaseRefused

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
PAGE = "releasing.md"
CHANGELOG = """# Changelog

## Unreleased

## 1.2.0 - 2026-11-18

### Added

- Something.

## 1.1.0 - 2026-10-01

- Less.
"""


def git(root: Path, *arguments: str) -> str:
    """A git command in a repository of its own, with a name to commit under."""
    named = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *named, *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed tree that is fit for version 1.2.0."""
    for variable in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(variable, "Test")
    for variable in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(variable, "test@example.org")
    (tmp_path / "referee").mkdir()
    (tmp_path / "referee" / "__init__.py").write_text('"""The referee."""\n\n__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def test_a_clean_tree_is_built_and_then_tagged(tree: Path) -> None:
    """The tag names the commit that was built from."""
    tags_when_built = []
    release.release(tree, "1.2.0", make=lambda root: tags_when_built.append(git(root, "tag")))

    assert tags_when_built == [""]
    assert git(tree, "tag", "--points-at", "HEAD") == "v1.2.0"


def test_a_check_builds_and_tags_nothing(tree: Path) -> None:
    """`--check` is for looking."""
    release.release(tree, "1.2.0", only_check=True, make=lambda root: pytest.fail("built"))

    assert git(tree, "tag") == ""


@pytest.mark.parametrize("name", ["CHANGELOG.md", "new.py"])
def test_a_tree_with_changes_or_new_files_is_refused(tree: Path, name: str) -> None:
    """What is released is what is committed; the text names the file."""
    with (tree / name).open("a") as file:
        file.write("\n")

    with pytest.raises(ReleaseRefused, match=rf"the working tree is not clean: commit or remove\n.*{name}"):
        release.release(tree, "1.2.0", make=lambda root: pytest.fail("built"))


def test_a_version_that_is_tagged_is_refused(tree: Path) -> None:
    """A version is released once."""
    release.release(tree, "1.2.0", make=lambda root: None)

    with pytest.raises(ReleaseRefused, match=r"the tag v1\.2\.0 exists"):
        release.release(tree, "1.2.0", make=lambda root: pytest.fail("built"))


def test_a_failed_build_leaves_no_tag(tree: Path) -> None:
    """The next attempt is not refused."""

    def failing(root: Path) -> None:
        raise subprocess.CalledProcessError(1, "build")

    with pytest.raises(subprocess.CalledProcessError):
        release.release(tree, "1.2.0", make=failing)

    assert git(tree, "tag") == ""


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("1.3.0", r"referee/__init__.py names version 1\.2\.0, not 1\.3\.0"),
        ("v1.2.0", r"'v1\.2\.0' is no version: write 1\.2\.3"),
        ("1.2", r"'1\.2' is no version"),
    ],
)
def test_another_version_than_the_sources_is_refused(tree: Path, version: str, text: str) -> None:
    """The source says which version it is."""
    with pytest.raises(ReleaseRefused, match=text):
        release.release(tree, version)


@pytest.mark.parametrize(
    ("changelog", "text"),
    [
        ("# Changelog\n", "does not begin with the section '## Unreleased'"),
        ("## 1.2.0 - 2026-11-18\n\n- All.\n", "does not begin with the section '## Unreleased'"),
        ("## Unreleased\n\n## 1.1.0 - 2026-10-01\n\n- Less.\n", r"no section '## 1\.2\.0 - \d{4}-\d\d-\d\d' below"),
        ("## Unreleased\n\n- New.\n\n## 1.2.0 - 2026-11-18\n\n- All.\n", "has entries under 'Unreleased'"),
        ("## Unreleased\n\n## 1.2.0\n\n- All.\n", "has no date"),
        ("## Unreleased\n\n## 1.2.0 - soon\n\n- All.\n", "has no date"),
        ("## Unreleased\n\n## 1.2.0 - 2026-11-18\n", "is empty"),
    ],
)
def test_a_changelog_without_the_version_is_refused(changelog: str, text: str) -> None:
    """It has a dated section with text right below an empty 'Unreleased'."""
    with pytest.raises(ReleaseRefused, match=text):
        release.check_changelog(changelog, "1.2.0")


def test_our_own_changelog_has_a_section_for_every_version_up_to_the_present_one() -> None:
    """'Unreleased' stands on top, and the first section below it is that of the source."""
    found = list(release.sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))

    assert [found[0][0], found[1][0]] == ["Unreleased", referee.__version__]


def test_a_refusal_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    """As every command of Kumite ends."""
    assert release.main(["nonsense", "--check"]) == 2
    assert capsys.readouterr().err == "error: 'nonsense' is no version: write 1.2.3 or 1.2.3rc1\n"


def test_the_commands_of_the_page_on_releasing_check_and_then_release(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they stand there, in their order, for a tree of their version; what is built is left out."""
    page = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    shown = [line.split() for line in re.findall(r"^ *```sh\n *(.*)$", page, re.MULTILINE)]
    version = shown[0][3]
    for name in ("referee/__init__.py", "CHANGELOG.md"):
        (tree / name).write_text((tree / name).read_text().replace("1.2.0", version))
    git(tree, "commit", "--quiet", "--all", "--message", f"release: {version}")
    monkeypatch.setattr(release, "ROOT", tree)
    monkeypatch.setattr(release, "build", lambda root: None)

    assert [words[:3] for words in shown] == [["python", "-m", "tools.release"]] * 2
    assert [release.main(words[3:]) for words in shown] == [0, 0]
    assert git(tree, "tag") == f"v{version}"
    assert capsys.readouterr().out.startswith(f"the tree is fit for version {version}\ndist/ holds version {version};")
