"""The rounds of events: Swiss, round robin and knockout, as pure functions of entrants, results and nothing else.

A round is a set of tables that are played at the same time; entrants that sit at none of them have a bye. The order of
the bots at a table says who sits in which seat (`seating`).
"""

from __future__ import annotations
