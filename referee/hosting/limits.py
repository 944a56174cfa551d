"""What a hosted bot may use: `bot.toml` asks (`BotLimits`), the host caps (`Hosting`), the smaller figure holds."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

from referee.kernel.errors import BadSetting, UnknownName

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class BotLimits:
    """What one process of a bot, with all processes that it starts, may use."""

    start_seconds: int = 20
    """Seconds from the start of the process to its hello."""
    memory_mib: int = 1024
    """Memory of all processes of the bot together, in MiB."""
    processes: int = 64
    """Processes and threads at a time."""
    cores: int = 2
    """Number of CPU cores."""
    cpu_seconds: int = 36_000
    """CPU time of all processes of the bot together, in seconds."""
    disk_mib: int = 64
    """Size of the private /tmp with the state folder, in MiB; holds behind walls only."""
    output_mib: int = 64
    """Output from the beginning of a match to the beginning of the next, in MiB."""
    log_kib: int = 256
    """The last part of the output, which the text of an error shows, in KiB."""
    open_files: int = 1024
    """Open descriptors of each process of the bot."""

    def capped(self, caps: BotLimits) -> BotLimits:
        """These limits, each at most the host's cap."""
        return BotLimits(*(min(getattr(self, field.name), getattr(caps, field.name)) for field in fields(self)))


DEFAULT = BotLimits()
"""The limits of a bot whose `bot.toml` names none."""
CAPS = BotLimits(
    start_seconds=120,
    memory_mib=4096,
    processes=512,
    cores=64,
    cpu_seconds=360_000,
    disk_mib=1024,
    output_mib=1024,
    log_kib=4096,
    open_files=65_536,
)
"""The caps of a host that names none."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """The host's settings for hosted bots."""

    trust: bool = False
    """Whether bots of folders may run without walls where walls are missing."""
    caps: BotLimits = CAPS
    runtime: tuple[Path, ...] = ()
    """Folders beside the default ones that bots see, read-only; `bot.toml` may ask for folders below these."""
    hidden: tuple[Path, ...] = ()
    """Folders that no bot may see, above all that of the database."""


def read_limits(where: str, table: object, base: BotLimits) -> BotLimits:
    """The limits in a TOML table, the rest from `base`; raises BadSetting or UnknownName that begins with `where`."""
    if not isinstance(table, dict):
        raise BadSetting(f"{where}limits must be a table")
    known = [field.name for field in fields(BotLimits)]
    for key, value in table.items():
        if key not in known:
            raise UnknownName(f"{where}{UnknownName.of('limit', key, known)}")
        if type(value) is not int or value < 1:
            raise BadSetting(f"{where}limits.{key} must be a whole number above 0")
    return replace(base, **table)
