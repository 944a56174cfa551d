"""The games whose folder and rules document have the form that every game has, each with the letter of its rules."""

from __future__ import annotations

LETTERS = {
    "_template": "T",
    "edo_yashiki": "E",
    "honshu": "H",
    "white_castle": "W",
}
"""By name of the folder in `referee/games`; the tests of a game stand in the folder of that name here."""
OUTSTANDING = frozenset({"ninjato"})
"""Registered games that do not have the form yet: a game moves from here to LETTERS by one line."""
