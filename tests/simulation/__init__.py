"""Whole referees and bots on virtual time, with every fault that a network, a disk or a process can have.

A `play(seed)` makes a small world: connections, a lobby and its tables, bots of several sorts, a network between them
and a store that outlives the referee. Everything random comes from the seed, so a failure is reproduced by its number:

    python -m tests.simulation --seed 123 --trace
"""
