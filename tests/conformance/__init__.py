"""The conformance kit: one contract, every game.

`tables` finds what to test, `journey` plays it and keeps every moment, `laws` is what must hold on each journey.
Whoever adds a game to the registry adds nothing here. `toy` is a small sound game and `breaches` are its broken
sisters: each shows that one law can fail.
"""
