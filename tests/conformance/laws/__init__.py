"""What every game must hold to, as functions of a journey: a law returns, or raises `Broken` with what it found.

`LAWS` lists them all by name. A law's docstring is the promise that it proves.
"""

from __future__ import annotations

from tests.conformance.laws import boards, options, play, secrets, states, telling
from tests.conformance.laws.law import Broken, Law

LAWS: dict[str, Law] = {
    law.__name__: law for module in (play, options, states, secrets, telling, boards) for law in module.LAWS
}

__all__ = ["LAWS", "Broken", "Law"]
