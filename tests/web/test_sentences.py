"""The sentences that pages begin with: every case of the first page and of a bot has one of its own."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.web.drawing import sentences

Row = dict[str, Any]


def row(player: str, rank: int | None = 1, ranks: tuple[int, int] = (1, 1), elo: float = 1600.0, **more: object) -> Row:
    """A row of standings with an interval of 40 to both sides."""
    about: Row = {"player": player, "rank": rank, "ranks": None if rank is None else list(ranks), "elo": elo}
    about |= {"low": elo - 40, "high": elo + 40, "island": 0, "games": 20, "wins": 12, "draws": 0, "losses": 8}
    return about | {"faults": 0} | more


def pool(title: str, *rows: Row) -> Row:
    """A pool of the first page, or of a bot's."""
    return {"title": title, "standings": list(rows), "bots": 5}


def event(**more: object) -> Row:
    """An event in its second round of three."""
    about = {"event": "cup", "state": "running", "paused": False, "rounds": 3, "rounds_played": 2, "entrants": 8}
    return about | {"tables": 4, "tables_over": 1} | more


SURE = pool("Honshu for three", row("ann"), row("bob", 2, (2, 2), 1531.0))
ALSO = pool("Ninjato for two", row("ann", high=None, losses=0), row("bob", 2, (2, 2), 1400.0))
OPEN = pool("Edo Yashiki for two", row("ann", 1, (1, 2)), row("bob", 2, (1, 2), 1590.0))
APART = pool("Honshu for three", row("ann"), row("bob", 1, (1, 1), 1500.0, island=1))
NEW = pool("Honshu for three", row("ann", None), row("bob", None))


@pytest.mark.parametrize(
    ("pools", "total", "told"),
    [
        ([], 0, "Nothing has been played here yet. The first two bots that join begin."),
        ([NEW], 1, "1 match has been played; no bot has a rank yet."),
        ([NEW], 7, "7 matches have been played; no bot has a rank yet."),
        ([SURE], 40, "Ann leads Honshu for three by 69 Elo."),
        ([ALSO], 40, "Ann leads Ninjato for two unbeaten."),
        ([SURE, ALSO], 40, "Ann leads Honshu for three by 69 Elo and Ninjato for two unbeaten."),
        ([OPEN], 40, "The matches do not tell yet which bot is best at Edo Yashiki for two."),
        (
            [SURE, OPEN],
            40,
            "Ann leads Honshu for three by 69 Elo and the matches do not tell yet which bot is best at "
            "Edo Yashiki for two.",
        ),
        ([APART], 40, "Ann leads Honshu for three."),
    ],
)
def test_the_first_page_says_who_leads_and_by_how_much(pools: list[Row], total: int, told: str) -> None:
    """A margin only between two ratings that have both ends and are comparable; one clause for each leader."""
    found = sentences.plain(sentences.home({"total": total, "pools": pools, "event": None}))

    assert found[:1].upper() + found[1:] == told


@pytest.mark.parametrize(
    ("about", "told"),
    [
        (event(state="waiting", rounds_played=0), "cup has not begun: 8 bots are entered."),
        (event(), "cup is in round 2 of 3, with 1 of 4 tables over; round 3 comes next."),
        (event(paused=True), "cup is paused in round 2 of 3, with 1 of 4 tables over; round 3 comes next."),
        (event(rounds_played=3), "cup is in round 3 of 3, with 1 of 4 tables over."),
        (event(tables_over=4), "Round 3 of 3 in cup comes next."),
        (event(tables_over=4, paused=True), "Round 3 of 3 in cup comes when the event goes on."),
        (event(tables_over=4, rounds_played=3), "All 3 rounds of cup have been played."),
    ],
)
def test_the_first_page_says_which_round_comes_next(about: Row, told: str) -> None:
    """Of an event that goes on; one that is over is not in the sentence."""
    data = {"total": 40, "pools": [SURE], "event": about}
    over = {"total": 40, "pools": [SURE], "event": event(state="over")}

    assert sentences.plain(sentences.home(data)).endswith(f"by 69 Elo. {told}")
    assert sentences.plain(sentences.home(over)).endswith("by 69 Elo.")


@pytest.mark.parametrize(
    ("pools", "coming", "told"),
    [
        ([], [], "It has no rating yet: no set in which it played is complete."),
        ([NEW], [], "It has no rank yet after 20 games: a rank needs ten in a pool."),
        ([SURE], [], "First of five at Honshu for three."),
        (
            [pool("Honshu for three", row("ann", faults=3))],
            [],
            "First of five at Honshu for three. 3 answers were faults in its rated games: the referee's stand-in "
            "chose instead.",
        ),
        (
            [SURE],
            [{"title": "Honshu for three", "season": "autumn", "opponents": ["bob", "eve"], "round": None}],
            "First of five at Honshu for three. Its next match is against bob and eve, at Honshu for three.",
        ),
        (
            [SURE],
            [{"title": "Honshu", "season": "cup", "opponents": ["bob"], "round": 2}],
            "First of five at Honshu for three. Its next match is against bob, in round 2 of cup.",
        ),
    ],
)
def test_a_bot_hears_where_it_stands_and_whom_it_meets_next(pools: list[Row], coming: list[Row], told: str) -> None:
    """Rank, faults and the next match of its schedule."""
    assert sentences.plain(sentences.bot({"pools": pools, "next": coming})) == told


def test_names_in_sentences_are_text() -> None:
    """A name that is markup is shown as its letters."""
    coming = [{"title": "Honshu", "season": "<i>cup", "opponents": ["<b>bob"], "round": 2}]
    found = sentences.bot({"pools": [SURE], "next": coming})
    first = sentences.home({"total": 40, "pools": [SURE], "event": event(event="<i>cup")})

    assert "<i>" not in found + first
    assert "&lt;b&gt;bob" in found
    assert "&lt;i&gt;cup" in found
