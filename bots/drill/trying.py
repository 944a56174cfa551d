"""An attempt of the drill is a function that returns what the bot got, and raises OSError or `Denied` if denied.

Walls are tried with the standard library and with system calls by their numbers, because walls must hold against any
program. The bot's rights at the referee are tried over gRPC.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

_LIBC = ctypes.CDLL(None, use_errno=True)
_COLUMN = 1 if platform.machine() == "aarch64" else 0


class Denied(Exception):
    """The bot got nothing."""


@dataclass(frozen=True)
class Target:
    """The things of the host that the attempts try to reach."""

    home: str = "/root"
    host: int = 2**22 - 1
    """The id of a process of the host; the default is the id of no process."""
    files: tuple[str, ...] = ()
    """Files that no bot may read: a database, another bot's program, a token."""
    folders: tuple[str, ...] = ()
    """Folders that no bot may list or write to."""
    sockets: tuple[str, ...] = ()
    """Unix sockets of the host that no bot may use."""
    abstract: str = "kumite-drill"
    port: int = 22
    opponent: str = ""
    inherited: tuple[int, ...] = ()
    """The descriptors that were open when the bot's process began."""
    variables: tuple[str, ...] = ()
    """The names of the environment variables when the bot's process began."""


ATTEMPTS: dict[str, Callable[[Target], object]] = {}


def tried(function: Callable[[Target], object]) -> Callable[[Target], object]:
    """Add a function to the attempts, under the function's name."""
    ATTEMPTS[function.__name__.strip("_")] = function
    return function


def attempt(name: str, target: Target) -> str:
    """Make one attempt; returns `denied` and the reason, or `GOT` and what the bot got."""
    try:
        got = ATTEMPTS[name](target)
    except Denied as error:
        return f"denied {error}"
    except OSError as error:
        return f"denied {errno.errorcode.get(error.errno or 0, error)}"
    except (ValueError, subprocess.SubprocessError) as error:
        return f"denied {error}"
    return f"GOT {got!r}"


def call(x86: int | None, arm: int | None, *arguments: object) -> int:
    """Make a system call by its number on this machine; raises OSError if it fails."""
    number = arm if _COLUMN else x86
    if number is None:
        raise Denied("this machine has no such call")
    found = int(_LIBC.syscall(ctypes.c_long(number), *[_word(argument) for argument in arguments]))
    if found == -1:
        raise OSError(ctypes.get_errno(), "")
    return found


def _word(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def each(paths: tuple[str, ...], use: Callable[[str], object]) -> object:
    """The result for the first path that is not denied; raises the last denial if all are."""
    denial: Exception = Denied("nothing to try")
    for path in paths:
        try:
            return path, use(path)
        except OSError as error:
            denial = error
    raise denial


def read(path: str) -> bytes:
    """The beginning of a file."""
    with open(path, "rb") as file:
        return file.read(64)


def write(path: str) -> str:
    """Append to a file."""
    with open(path, "ab") as file:
        file.write(b"drill")
    return "written"
