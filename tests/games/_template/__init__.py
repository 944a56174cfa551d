"""Lanterns, the template of a game."""
