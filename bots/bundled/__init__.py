"""The opponents that come with Kumite: `BUNDLED` says where each one lives."""

from __future__ import annotations

BUNDLED = {
    "greedy": "bots.bundled.greedy:Greedy",
    "ismcts": "bots.bundled.ismcts:Ismcts",
    "random": "bots.bundled.random:Random",
}
"""Name of each bot in a spec, and its module and class; loaded on first use."""
