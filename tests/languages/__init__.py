"""Bots in other languages, built as their authors would and played against the real referee."""

import pytest

pytest.register_assert_rewrite(*(f"tests.languages.{name}" for name in ("drills", "closing_drills", "failure_drills")))
