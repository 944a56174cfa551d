"""Bots in other languages, built as their authors would and played against the real referee."""

import pytest

pytest.register_assert_rewrite("tests.languages.drills", "tests.languages.closing_drills")
