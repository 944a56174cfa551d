"""Tests of Honshu; the vectors of RULES.md carry their numbers in the test names."""
