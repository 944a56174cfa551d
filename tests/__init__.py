"""The tests: one folder per package, and three that hold for all of it.

`conformance` runs every registered game against one contract, `golden` compares committed playthroughs, and `vectors`
holds what a verifier in another language must reproduce.
"""
