"""Every exception Kumite raises on purpose.

    KumiteError
    ├── CallerFault (ValueError)      the caller passed a wrong value; the message says what would be right
    │   ├── UnknownName               no such game, bot, variant, stream...
    │   ├── BadSetting                a seat count, variant, clock or policy that does not fit
    │   ├── IllegalAnswer             an answer that is not among the options
    │   ├── BadPlain                  a dump that is no state of this game
    │   └── BadRecord                 a record that cannot be read
    │       └── BrokenRecord          a record that can be read and does not hold: tampered with, or other rules
    ├── StorageTrouble                the store cannot write now, and may be able to later
    └── RulesBug (RuntimeError)       a state that the rules exclude; always a bug of Kumite

Messages travel to bots and logs: they name seats, asks and what was expected, never anything hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN = 64
"""Characters of an unknown name that are looked at and shown; a name may come from outside and be of any length."""
LISTED = 50
"""Known names that are listed: an error of gRPC carries at most some kilobytes of text."""


class KumiteError(Exception):
    """Root of the tree; catch it at the edge of the program and print its one line."""


class CallerFault(KumiteError, ValueError):
    """The caller passed a wrong value and can pass a right one."""


class UnknownName(CallerFault):
    """A name that no game, bot, setting or stream has."""

    @classmethod
    def of(cls, sort: str, name: str, known: Iterable[str]) -> UnknownName:
        """The error for `name`, with the nearest known name and a list of the first LISTED names."""
        names = sorted(known)
        if len(name) > SHOWN:
            name = f"{name[:SHOWN]}..."
        near = get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        return cls(f"unknown {sort} {name!r}{hint} (there are: {', '.join(names[:LISTED]) or 'none'}{more})")


class BadSetting(CallerFault):
    """A setting whose value does not fit."""


class IllegalAnswer(CallerFault):
    """An answer that the asked seat may not give; nothing was changed."""


class BadPlain(CallerFault):
    """Plain data that does not describe a state of the game."""


class BadRecord(CallerFault):
    """A match record that cannot be read."""


class BrokenRecord(BadRecord):
    """A match record that can be read, but whose parts contradict each other."""


class StorageTrouble(KumiteError):
    """The store cannot write now and may be able to later: the disk is full or fails, or the file is locked."""


class RulesBug(KumiteError, RuntimeError):
    """A state or step that the rules exclude: a bug of Kumite."""
