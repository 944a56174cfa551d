"""Makes a release: `python -m tools.release 0.1.0` (`docs/releasing.md` has the whole way).

The script refuses a working tree with changes or files that are not committed, a version that `referee/__init__.py`
does not name, a changelog without a dated section for the version or with entries left under *Unreleased*, and a
version that is tagged already. Then the script builds the sdist and the wheel into `dist/` and makes the tag `v0.1.0`.
Nothing is pushed or uploaded. `--check` ends before the build.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
HEADING = re.compile(r"^## (?P<version>\S+)(?: - (?P<date>\S+))?\s*$", re.MULTILINE)
SOURCE = Path("referee/__init__.py")
CHANGELOG = Path("CHANGELOG.md")


class ReleaseRefused(Exception):
    """The tree is not fit for a release; the text says why and what would be right."""


def sections(changelog: str) -> Iterator[tuple[str, str | None, str]]:
    """Version, date and text of every section of a changelog, in its order."""
    headings = list(HEADING.finditer(changelog))
    ends = [*(heading.start() for heading in headings[1:]), len(changelog)]
    for heading, end in zip(headings, ends, strict=False):
        yield heading["version"], heading["date"], changelog[heading.end() : end].strip()


def check_changelog(changelog: str, version: str) -> None:
    """Raise ReleaseRefused unless the section below an empty *Unreleased* is that of the version, with its date."""
    found = list(sections(changelog))
    if not found or found[0][0] != "Unreleased":
        raise ReleaseRefused(f"{CHANGELOG} does not begin with the section '## Unreleased'")
    if found[0][2]:
        raise ReleaseRefused(
            f"{CHANGELOG} has entries under 'Unreleased': move them to '## {version} - {date.today()}'"
        )
    if len(found) < 2 or found[1][0] != version:
        raise ReleaseRefused(f"{CHANGELOG} has no section '## {version} - {date.today()}' below 'Unreleased'")
    _, day, text = found[1]
    try:
        date.fromisoformat(day or "")
    except ValueError:
        raise ReleaseRefused(
            f"the section of {version} in {CHANGELOG} has no date: write '## {version} - {date.today()}'"
        ) from None
    if not text:
        raise ReleaseRefused(f"the section of {version} in {CHANGELOG} is empty: say what a user will notice")


def check_version(source: str, version: str) -> None:
    """Raise ReleaseRefused unless a version is well-formed and is the one of the source."""
    if VERSION.fullmatch(version) is None:
        raise ReleaseRefused(f"{version!r} is no version: write 1.2.3 or 1.2.3rc1")
    named = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    if named is None or named[1] != version:
        raise ReleaseRefused(f"{SOURCE} names version {named[1] if named else 'none'}, not {version}")


def check_tree(root: Path, version: str) -> None:
    """Raise ReleaseRefused if something is not committed, or if the version has its tag."""
    changed = git(root, "status", "--porcelain")
    if changed:
        raise ReleaseRefused(f"the working tree is not clean: commit or remove\n{changed}")
    if git(root, "tag", "--list", f"v{version}"):
        raise ReleaseRefused(f"the tag v{version} exists: a version is released once")


def git(root: Path, *arguments: str) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseRefused(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.rstrip()


def build(root: Path) -> None:
    """Build the sdist and the wheel into `dist/`."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", "dist"], cwd=root, check=True)


def release(root: Path, version: str, *, only_check: bool = False, make: Callable[[Path], None] | None = None) -> None:
    """Check the tree, build from it and tag it; raises ReleaseRefused. `make` builds; None: `build` does."""
    check_version((root / SOURCE).read_text(encoding="utf-8"), version)
    check_changelog((root / CHANGELOG).read_text(encoding="utf-8"), version)
    check_tree(root, version)
    if only_check:
        return
    (make or build)(root)
    git(root, "tag", "--annotate", f"v{version}", "--message", f"Kumite {version}")


def main(arguments: list[str] | None = None) -> int:
    """Carry out the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Build and tag a release.")
    parser.add_argument("version", help="the version, as referee/__init__.py names it")
    parser.add_argument("--check", action="store_true", help="look whether the tree is fit for it, and do nothing")
    given = parser.parse_args(arguments)
    try:
        release(ROOT, given.version, only_check=given.check)
    except ReleaseRefused as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    if given.check:
        print(f"the tree is fit for version {given.version}")
    else:
        print(f"dist/ holds version {given.version}; the tag is v{given.version}, to be pushed with `git push --tags`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
