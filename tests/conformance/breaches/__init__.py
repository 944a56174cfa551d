"""Broken sisters of the toy game: each breaks one promise of the contract, and names the law that must notice.

A law that no breach can break proves nothing, so every law has at least one here.
"""

from __future__ import annotations

from tests.conformance.breaches import of_boards, of_options, of_play, of_secrets, of_states
from tests.conformance.breaches.breach import Breach

BREACHES: tuple[Breach, ...] = tuple(
    breach for module in (of_play, of_options, of_states, of_secrets, of_boards) for breach in module.BREACHES
)

__all__ = ["BREACHES", "Breach"]
