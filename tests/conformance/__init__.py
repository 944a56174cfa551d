"""The conformance kit: one contract, every game.

`tables` finds what to test, `journey` plays it and keeps every moment, `laws` is what must hold on each journey. A game
in the registry is tested without a line here, and so is the template that new games are copied from. `toy` is a small
sound game and `breaches` are its broken sisters: each shows that one law can fail.
"""
