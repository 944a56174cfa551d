"""The gate: is the new bot better than the old one?

`question` says what is asked, `sets` lays out the games of a duplicate set as jobs, `set_scores` turns a set's results
into one score, `faults` counts what went wrong, `sequential_test` plays sets until the test stops, and `report` writes
the answer as text, JSON and JUnit XML. `pytest_plugin` brings the gate to pytest: the fixture `arena`.
"""
