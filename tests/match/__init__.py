"""Tests of the match, on virtual time and mostly on a small game of their own."""
