"""Golden playthroughs: one whole game for each sort of table, written down to be read and compared.

`playthrough` writes them, `test_golden` compares them with the committed files. When rules change on purpose:

    python -m tests.golden

rewrites the files; the difference is then reviewed like any other, and `rules_version` goes up.
"""
