"""Cross tables: who met whom with what result, the same read from both sides."""

from __future__ import annotations

import numpy as np

from ladder.cli.table_formats import Sheet, TableFormat, _csv, _html, _markdown, cross_sheets, wants_json
from ladder.ratings.meetings import meetings
from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import FinishedGame, collect
from ladder.seasons.cross_table import cross_table_of

GAMES = [
    FinishedGame(("a", "b", "c"), (1, 2, 2)),
    FinishedGame(("c", "a", "b"), (1, 2, 3)),
    FinishedGame(("a", "a", "b"), (1, 2, 3)),
    FinishedGame(("x", "y"), (1, 2)),
    FinishedGame(("y", "x"), (1, 2)),
]


def test_meetings_count_every_pair_once_a_game() -> None:
    """Two seats of one player meet others twice and each other never; wins of one are losses of the other."""
    met = meetings(collect(GAMES))

    assert met.wins[0, 1] == 4
    assert met.wins[1, 0] == 0
    assert (met.wins[0, 2], met.wins[2, 0]) == (1, 1)
    assert met.draws[1, 2] == met.draws[2, 1] == 1
    assert met.tally(1) == (0, 1, 5)
    assert np.all(np.diag(met.wins) == 0)
    assert np.array_equal(met.losses, met.wins.T)


def test_a_cross_table_compares_nothing_across_islands() -> None:
    """Players who never met have no likelihood of superiority; results of a pair are read from both sides."""
    results = collect(GAMES)
    table = cross_table_of(fit(results), results)
    at = {name: index for index, name in enumerate(table.players)}

    assert set(table.players) == {"a", "b", "c", "x", "y"}
    assert table.superiority[at["a"]][at["x"]] is None
    assert table.superiority[at["a"]][at["a"]] is None
    assert table.results[at["a"]][at["b"]] == (4, 0, 0)
    assert table.results[at["b"]][at["a"]] == (0, 0, 4)
    chances = table.superiority[at["a"]][at["b"]], table.superiority[at["b"]][at["a"]]
    assert sum(chance or 0.0 for chance in chances) == 1.0


def test_foreign_names_cannot_break_a_form() -> None:
    """Bars in Markdown, commas and quotes in CSV and angle brackets in HTML are escaped."""
    sheet = Sheet("pool", ("rank", "bot"), [("1", 'a|b,"<script>')])

    assert "a\\|b" in _markdown(sheet)
    assert '"a|b,""<script>"' in _csv(sheet)
    assert "<script>" not in _html([sheet], [])


def test_cross_sheets_have_a_column_for_every_player() -> None:
    """Results, superiority or both."""
    results = collect(GAMES)
    table = cross_table_of(fit(results), results)

    assert [len(sheet.rows) for sheet in cross_sheets("p", table, cross=True, los=True)] == [5, 5]
    assert cross_sheets("p", table, cross=False, los=False) == []
    assert wants_json(TableFormat.JSON, False)
    assert wants_json(TableFormat.TEXT, True)
