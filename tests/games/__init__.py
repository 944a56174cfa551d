"""Tests of the games: one folder each, where the numbers of the rules are proved."""
