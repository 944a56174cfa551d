"""Texts for people. Foreign text is made safe to show: what bots say may hold signs that a terminal would obey."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of signs that a terminal obeys or hides: controls, directions, halves of characters, breaks."""


def visible(text: str) -> str:
    """Foreign text as one line that is safe on a terminal: control characters become `\\n`, `\\x1b`, `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign if shows(sign) else sign.encode("unicode_escape").decode() for sign in text)


def counted(number: int, one: str, several: str) -> str:
    """A number of things, in the right grammatical number: `1 match`, `2 matches`."""
    return f"{number} {one if number == 1 else several}"


def shows(sign: str) -> bool:
    """Whether a terminal shows a sign as itself."""
    return sign.isprintable() or unicodedata.category(sign) not in _UNSEEN
