"""Settings for all tests: hypothesis draws the same examples in every run, and no example is judged by the clock.

The quick suite must give the same answer on every machine, so its examples are derived from the test itself. The slow
suite looks further afield: `--hypothesis-profile=explore` draws new examples each time.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
