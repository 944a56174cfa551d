"""What an attempt of the drill is: it returns what it got; a denial is an error of the system or a `Denied`.

Walls are tried with the standard library and system calls by their numbers: they must hold against any program. Who the
bot may be is tried over gRPC.
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
    """The attempt got nothing."""


@dataclass(frozen=True)
class Target:
    """What of the host is tried."""

    home: str = "/root"
    host: int = 2**22 - 1
    """A process of the host; by default one that there is not."""
    files: tuple[str, ...] = ()
    """Files that no bot may read: a database, another bot's program, a token."""
    folders: tuple[str, ...] = ()
    """Folders that no bot may list or write to."""
    sockets: tuple[str, ...] = ()
    """Unix sockets of the host."""
    abstract: str = "kumite-drill"
    port: int = 22
    opponent: str = ""
    inherited: tuple[int, ...] = ()
    """The descriptors that were open when the bot began."""
    variables: tuple[str, ...] = ()
    """The names of its variables when it began."""


ATTEMPTS: dict[str, Callable[[Target], object]] = {}


def tried(function: Callable[[Target], object]) -> Callable[[Target], object]:
    """Make a function one of the attempts, under its own name."""
    ATTEMPTS[function.__name__.strip("_")] = function
    return function


def attempt(name: str, target: Target) -> str:
    """Try one thing; `denied` and why, or `GOT` and what."""
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
    """What the first path that gives something gave; raises the last denial."""
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
