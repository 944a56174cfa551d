"""Spans of time as people write them."""

from __future__ import annotations

import re


def seconds(text: str) -> float | None:
    """A time such as 90s, 30m or 8h in seconds; None: the text is none."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(s|m|h)", text, re.ASCII)
    return None if found is None else float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]
