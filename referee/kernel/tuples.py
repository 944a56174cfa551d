"""NamedTuples, made quickly."""

from __future__ import annotations

new_tuple = tuple.__new__
"""`new_tuple(Class, fields)` makes a NamedTuple from all its fields in order, in half the time of a call of the class.

For those that are made with every decision. Nothing is filled in or checked.
"""
