"""Fingerprints of bots: a bot whose code changed is another build."""

from __future__ import annotations

from bots.source import digest

__all__ = ["digest"]
