"""`kumite build`: runs the `build` line of a bot's folder."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from referee.hosting.manifest import FILE, read
from referee.kernel.errors import BadSetting


def build(
    folder: Annotated[Path, typer.Argument(help="A folder with a bot.toml.")],
    quiet: Annotated[bool, typer.Option(help="Show what the build prints only if it fails.")] = False,
) -> None:
    """Build a bot by the `build` line of its bot.toml, in its folder, as you: build only what you trust."""
    manifest = read(folder)
    if not manifest.build:
        raise BadSetting(f'{folder / FILE} has no build line; write it as a list, build = ["go", "build", "."]')
    line = shlex.join(manifest.build)
    if not quiet:
        typer.echo(f"{manifest.folder}: {line}", err=True)
    try:
        done = subprocess.run(manifest.build, cwd=manifest.folder, capture_output=quiet, text=True, errors="replace")
    except OSError as error:
        raise BadSetting(f"{manifest.folder}: cannot run {manifest.build[0]}: {error.strerror}") from None
    if done.returncode != 0:
        if quiet:
            typer.echo(f"{done.stdout}{done.stderr}".rstrip(), err=True)
        raise BadSetting(f"{manifest.folder}: the build ended with code {done.returncode}: {line}")
    if not quiet:
        typer.echo(f"{manifest.name} is built", err=True)
