"""Open pairing: each rule by a small case, and the promises that every table keeps by random ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.pairing.memory import ABSENCE, FIRST_LENGTH, LONGEST_WAIT, OpenMemory
from ladder.pairing.open import Hold, NextTable, OpenPool, Present, next_tables
from tests.ladder.pairing_simulation import next_table

L = FIRST_LENGTH
"""A match length in a pool where no match has ended yet."""
PAIR = [OpenPool(0, 2)]
THREE = [OpenPool(0, 3)]
ONE = frozenset({0})
BOTH = frozenset({0, 1})


def free(names: str, pools: frozenset[int] = ONE, **fields: str | bool) -> list[Present]:
    """Bots of one letter each that want one table and have none."""
    owner, fill = str(fields.get("owner", "")), bool(fields.get("fill", False))
    return [Present(name, 1, 0, pools, owner, fill) for name in names]


def busy(names: str, pools: frozenset[int] = ONE) -> list[Present]:
    """Bots of one letter each that sit at the one table that they want."""
    return [Present(name, 1, 1, pools) for name in names]


def met(counts: dict[str, int], pool: int = 0) -> OpenMemory:
    """A memory in which these tables were played so often before a restart, the players by seat."""
    memory = OpenMemory()
    for players, times in counts.items():
        for _ in range(times):
            memory.count(pool, list(players))
    return memory


def players(answer: NextTable | Hold) -> set[str]:
    """The bots of the table that was to be opened."""
    assert isinstance(answer, NextTable)

    return set(answer.players)


def test_two_free_bots_get_a_table_at_once() -> None:
    """Where no better opponent is present, there is no reason to wait."""
    assert players(next_table(PAIR, free("ab"), OpenMemory(), 0)) == {"a", "b"}


def test_a_bot_alone_waits_until_something_changes() -> None:
    """No moment is given at which to ask again."""
    assert next_table(PAIR, free("a"), OpenMemory(), 0) == Hold(None)


def test_the_bot_with_the_smallest_share_of_its_tables_comes_first() -> None:
    """a, with one of two tables running, would take c; b, with none, comes before it and takes d."""
    bots = [Present("a", 2, 1, ONE), *free("bcd")]

    memory = met({"ab": 1, "ad": 1, "bc": 1, "cx": 1, "dx": 1})

    assert players(next_table(PAIR, bots, memory, 0)) == {"b", "d"}


def test_the_bot_seated_longest_ago_comes_first() -> None:
    """a, which sat down last, would take b; c, which sat down first, comes before it and takes d."""
    memory = met({"ac": 1, "ad": 1, "bc": 1})
    for at, names in enumerate(("cx", "by", "dz", "av")):
        memory.began(0, list(names), at)
        memory.ended(0, list(names), 10, 10)

    assert players(next_table(PAIR, free("abcd"), memory, 10)) == {"c", "d"}


def test_of_bots_that_sat_down_together_the_one_with_the_fewest_matches_comes_first() -> None:
    """a and c end their match; a would play c again, but c, which is new, seeks first and waits for d."""
    memory = met({"ab": 8, "ac": 3, "bc": 3, "ad": 3, "bd": 3})
    for names in ("bd", "ac"):
        memory.began(0, list(names), 10)
    memory.ended(0, ["a", "c"], 10 + L, L)

    assert isinstance(next_table(PAIR, [*free("ac"), *busy("bd")], memory, 10 + L), Hold)


def staggered(seed: int, count: int, gap: float) -> int:
    """Matches that are opened from the moment at which the last bot has come until every pair has met.

    Two bots are there at first, the others come one after the other, every `gap` match lengths.
    """
    rng = Random(seed)
    memory = OpenMemory()
    coming = [(round(max(0, number - 1) * gap * L), f"bot {number}") for number in range(count)]
    here: list[str] = []
    ends: list[tuple[int, tuple[str, ...], int]] = []
    pairs: set[frozenset[str]] = set()
    at = opened = 0
    while True:
        while coming and coming[0][0] <= at:
            here.append(coming.pop(0)[1])
            memory.arrived(here[-1], at)
        while ends and ends[0][0] <= at:
            _, table, began = ends.pop(0)
            memory.ended(0, table, at, at - began)
        seated = {name for _, table, _ in ends for name in table}
        found = next_table(PAIR, [Present(name, 1, int(name in seated), ONE) for name in here], memory, at)
        if isinstance(found, NextTable):
            memory.began(0, found.players, at)
            ends = sorted([*ends, (at + round(rng.uniform(0.3, 1.7) * L), found.players, at)])
            opened += not coming
            pairs.add(frozenset(found.players))
            if len(pairs) == count * (count - 1) // 2:
                return opened
            continue
        moments = [moment for moment, _ in coming[:1]] + [moment for moment, _, _ in ends[:1]]
        at = min([*moments, *([found.until] if found.until is not None and found.until > at else [])])


@pytest.mark.parametrize("gap", [0, 2, 5, 12])
@pytest.mark.parametrize("count", [4, 6, 8])
def test_bots_that_come_one_after_the_other_meet_within_three_times_the_ideal_number(count: int, gap: float) -> None:
    """Processes do not start at one moment: the pairs of those that came last meet, too, in nearly every season."""
    ideal = count * (count - 1) // 2
    late = [seed for seed in range(40) if staggered(seed, count, gap) > 3 * ideal]

    assert len(late) <= 1


def test_a_bot_met_too_often_is_not_taken_while_a_better_one_is_free() -> None:
    """a met b three times and c never: a plays c."""
    assert players(next_table(PAIR, free("abc"), met({"ab": 3}), 0)) == {"a", "c"}


def test_a_seeker_is_held_a_match_length_if_only_surfeit_is_free() -> None:
    """c and d are present but busy, so a and b wait for them, and play each other when the time is over."""
    memory = met({"ab": 3})
    bots = [*free("ab"), *busy("cd")]

    assert next_table(PAIR, bots, memory, 0) == Hold(L)
    assert next_table(PAIR, bots, memory, L - 1) == Hold(L)
    assert players(next_table(PAIR, bots, memory, L)) == {"a", "b"}


def test_surfeit_is_no_reason_to_wait_if_nothing_better_is_present() -> None:
    """Two bots alone play each other again and again."""
    assert players(next_table(PAIR, free("ab"), met({"ab": 30}), 0)) == {"a", "b"}


def test_the_last_line_up_waits_for_another_while_it_was_met_more_often_than_others() -> None:
    """a and b come from their first table: they wait for c and d, which are busy."""
    memory = OpenMemory()
    memory.began(0, ["a", "b"], 0)
    memory.ended(0, ["a", "b"], L, L)

    assert next_table(PAIR, [*free("ab"), *busy("cd")], memory, L) == Hold(2 * L)


def test_the_last_line_up_may_come_again_when_all_pairs_met_about_as_often() -> None:
    """After ten meetings of each pair an eleventh is no reason to stand still."""
    memory = met({a + b: 10 for a, b in combinations("abcd", 2)})
    memory.began(0, ["a", "b"], 0)
    memory.ended(0, ["a", "b"], L, L)

    assert players(next_table(PAIR, [*free("ab"), *busy("cd")], memory, L)) == {"a", "b"}


def test_a_seeker_is_held_for_a_busy_bot_that_it_is_owed_while_its_credit_lasts() -> None:
    """All pairs met twice but those of d: the first hold takes a match length, the next what one match earns."""
    memory = met({"ab": 2, "ac": 2, "bc": 2, "dx": 4})
    bots = [*free("ab"), *busy("cd")]

    assert next_table(PAIR, bots, memory, 0) == Hold(L)
    assert players(next_table(PAIR, bots, memory, L)) == {"a", "b"}
    for one, other in ("ax", "by"):
        memory.began(0, [one, other], L)
        memory.ended(0, [one, other], 2 * L, L)
    assert next_table(PAIR, bots, memory, 2 * L) == Hold(2 * L + L // 4)


def test_no_bot_is_held_for_a_newcomer_that_is_busy() -> None:
    """d has not played yet, so it owes no bot a meeting; when it is free it is chosen first."""
    memory = met({"ab": 2, "ac": 2, "bc": 2})

    assert players(next_table(PAIR, [*free("ab"), *busy("cd")], memory, 0)) == {"a", "b"}
    assert players(next_table(PAIR, [*free("abd"), *busy("c")], memory, 0)) == {"a", "d"}


def test_no_hold_is_longer_than_a_minute() -> None:
    """A match of an hour does not make bots wait an hour."""
    memory = met({"ab": 3})
    memory.ended(0, [], 0, 3_600_000_000)

    assert next_table(PAIR, [*free("ab"), *busy("cd")], memory, 0) == Hold(LONGEST_WAIT)


def test_a_hold_follows_the_mean_of_the_match_lengths() -> None:
    """Two matches of one and three seconds: two seconds."""
    memory = met({"ab": 3})
    memory.ended(0, [], 0, 1_000_000)
    memory.ended(0, [], 0, 3_000_000)
    memory.ended(0, [], 0, 0)

    assert next_table(PAIR, [*free("ab"), *busy("cd")], memory, 7) == Hold(2_000_007)


def test_the_pool_is_the_one_played_least_for_its_weight() -> None:
    """Three matches at weight three are less than two at weight one."""
    memory = met({"ab": 3})
    memory.count(1, ["a", "b"])
    memory.count(1, ["a", "b"])
    answer = next_table([OpenPool(0, 2, 3.0), OpenPool(1, 2, 1.0)], free("ab", BOTH), memory, 0)

    assert isinstance(answer, NextTable)
    assert answer.pool == 0


def test_a_seeker_is_held_for_a_full_table_and_then_gets_its_next_pool() -> None:
    """Three bots are present, two of them free: two match lengths for the three-seat pool, then the other."""
    pools = [OpenPool(0, 3), OpenPool(1, 2)]
    bots = [*free("ab", BOTH), *busy("c", BOTH)]
    memory = OpenMemory()

    assert next_table(pools, bots, memory, 0) == Hold(2 * L)
    answer = next_table(pools, bots, memory, 2 * L)
    assert isinstance(answer, NextTable)
    assert answer.pool == 1


def test_an_opponent_that_is_ahead_in_a_pool_is_chosen_last() -> None:
    """b has played pool 0 alone of its two, c both: a, which met both as often, gets c."""
    memory = met({"bx": 9, "cx": 5, "ab": 1, "ac": 1})
    for _ in range(5):
        memory.count(1, ["c", "x"])
    memory.began(0, ["b", "x"], 1)
    memory.began(0, ["c", "y"], 1)
    bots = [*free("a"), *free("bc", BOTH)]

    assert players(next_table([OpenPool(0, 2), OpenPool(1, 2)], bots, memory, 2)) == {"a", "c"}


def test_a_bot_that_is_owed_to_most_of_the_table_joins_it() -> None:
    """a takes b, which it never met; c and d met a equally often, but d is new to b."""
    memory = met({"acx": 4, "adx": 4, "bcx": 4})

    assert players(next_table(THREE, free("abcd"), memory, 0)) == {"a", "b", "d"}


def test_bots_of_one_owner_share_no_table_of_three() -> None:
    """With two bots of one owner and one other no table can be made; with one more it can."""
    bots = [*free("ab", owner="o"), *free("c")]

    assert next_table(THREE, bots, OpenMemory(), 0) == Hold(None)
    assert players(next_table(THREE, [*bots, *free("d")], OpenMemory(), 0)) == {"a", "c", "d"}


def test_bots_of_one_owner_may_share_a_table_of_two() -> None:
    """A third player could be harmed by the two, and there is none."""
    assert players(next_table(PAIR, free("ab", owner="o"), OpenMemory(), 0)) == {"a", "b"}


def test_a_table_is_found_although_one_owner_has_most_of_the_longest_waiting_bots() -> None:
    """More bots of one owner wait than there are candidates, and bots of others behind them."""
    crowd = [Present(f"o{number:03}", 1, 0, ONE, "o") for number in range(300)]
    memory = OpenMemory()
    for bot in crowd:
        memory.arrived(bot.name, 0)

    assert len(players(next_table(THREE, [*crowd, *free("xy")], memory, 1))) == 3


@pytest.mark.parametrize(
    ("ratings", "chosen"),
    [
        ({"b": (400.0, 1.0), "c": (0.0, 1.0)}, "c"),
        ({"b": (0.0, 1.0), "c": (0.0, 9.0)}, "c"),
        ({"b": (0.0, 9.0), "c": (1e9, 9.0)}, "b"),
    ],
)
def test_of_equals_the_one_whose_result_teaches_most_is_chosen(
    ratings: dict[str, tuple[float, float]], chosen: str
) -> None:
    """A close match and uncertain ratings teach more."""
    answer = next_table(PAIR, free("abc"), OpenMemory(), 0, lambda pool, name: ratings.get(name, (0.0, 1.0)))

    assert players(answer) == {"a", chosen}


def test_of_equals_that_teach_as_much_the_longest_waiting_is_chosen() -> None:
    """c came before b."""
    memory = OpenMemory()
    memory.arrived("c", 0)
    memory.arrived("b", 1)

    assert players(next_table(PAIR, free("abc"), memory, 2)) == {"a", "c"}


def test_seats_go_to_those_who_had_them_least() -> None:
    """a sat in seat 0 twice, so it gets seat 1; with three seats each gets the one it never had."""
    assert next_table(PAIR, free("ab"), met({"ax": 2}), 0) == NextTable(0, ("b", "a"))
    memory = met({"axy": 1, "xay": 1, "bxy": 1, "xyb": 1, "xcy": 1, "xyc": 1})
    assert next_table(THREE, free("abc"), memory, 0) == NextTable(0, ("c", "b", "a"))


def test_a_lone_bot_gets_a_fill_bot_after_a_quarter_of_a_match_length() -> None:
    """The short hold prefers a bot that is about to arrive."""
    memory = OpenMemory()
    bots = [*free("a"), *free("f", fill=True)]

    assert next_table(PAIR, bots, memory, 0) == Hold(L // 4)
    assert players(next_table(PAIR, [*bots, *free("b")], memory, 1)) == {"a", "b"}
    assert players(next_table(PAIR, bots, memory, L // 4)) == {"a", "f"}


def test_a_fill_bot_completes_a_table_when_busy_bots_do_not_come_within_the_hold() -> None:
    """b is present, so a waits for it two match lengths before it plays the house bot."""
    memory = OpenMemory()
    bots = [*free("a"), *busy("b"), *free("f", fill=True)]

    assert next_table(PAIR, bots, memory, 0) == Hold(2 * L)
    assert players(next_table(PAIR, bots, memory, 2 * L)) == {"a", "f"}


def test_fill_bots_never_play_among_themselves() -> None:
    """They complete tables of others."""
    assert next_table(PAIR, free("fgh", fill=True), OpenMemory(), 0) == Hold(None)


def test_a_short_absence_does_not_make_the_last_line_up_new() -> None:
    """A bot that reconnects has the same last line-up; after a long absence it has none."""

    def after(absence: int) -> NextTable | Hold:
        memory = met({a + b: 1 for a, b in combinations("abcd", 2) if a + b != "ab"})
        memory.began(0, ["a", "b"], 0)
        memory.ended(0, ["a", "b"], L, L)
        for name in "ab":
            memory.left(name, L)
        memory.left("z", L + absence)
        for name in "ab":
            memory.arrived(name, L + absence)
        memory.count(0, ["a", "b"])
        return next_table(PAIR, [*free("ab"), *busy("cd")], memory, L + absence)

    assert after(1) == Hold(2 * L + 1)
    assert players(after(ABSENCE + 1)) == {"a", "b"}


def test_a_bot_that_left_does_not_wait() -> None:
    """Its match ends after it went; when it comes back its wait begins anew."""
    memory = met({"ab": 3})
    memory.began(0, ["a", "b"], 0)
    memory.left("a", 1)
    memory.left("b", 1)
    memory.ended(0, ["a", "b"], L, L)
    memory.arrived("a", 9 * L)
    memory.arrived("b", 9 * L)

    assert next_table(PAIR, [*free("ab"), *busy("c")], memory, 9 * L) == Hold(10 * L)


def test_bad_input_is_refused_with_what_was_wrong() -> None:
    """Each message names the value."""
    with pytest.raises(ValueError, match="pool 7 has 1 seats; a table needs at least 2"):
        OpenPool(7, 1)
    with pytest.raises(ValueError, match=r"pool 7 has weight 0\.0; a weight is a number above 0"):
        OpenPool(7, 2, 0.0)
    with pytest.raises(ValueError, match="a bot sits at a table once; the players are a, a"):
        OpenMemory().began(0, ["a", "a"], 0)
    with pytest.raises(ValueError, match="a bot sits at a table once"):
        OpenMemory().count(0, ["a", "a"])
    with pytest.raises(ValueError, match="a match cannot last -1 microseconds"):
        OpenMemory().ended(0, ["a", "b"], 0, -1)


@st.composite
def rooms(draw: st.DrawFn) -> tuple[list[OpenPool], list[Present]]:
    """Pools and bots of all sorts."""
    pools = [OpenPool(key, draw(st.integers(2, 5)), draw(st.sampled_from([0.5, 1.0, 3.0]))) for key in range(3)]
    bots = [
        Present(
            f"b{number}",
            draw(st.integers(1, 3)),
            draw(st.integers(0, 3)),
            draw(st.frozensets(st.integers(0, 3))),
            draw(st.sampled_from(["", "", "o", "p"])),
            draw(st.sampled_from([False, False, False, True])),
        )
        for number in range(draw(st.integers(0, 14)))
    ]
    return pools, bots


def check(pools: Sequence[OpenPool], bots: Sequence[Present], table: NextTable) -> None:
    """A table keeps the promises that hold for every table."""
    seats = {pool.key: pool.seats for pool in pools}[table.pool]
    by_name = {bot.name: bot for bot in bots}
    sitting = [by_name[name] for name in table.players]
    owners = [bot.owner for bot in sitting if bot.owner]

    assert len(set(table.players)) == len(table.players) == seats
    assert all(bot.running < bot.tables and table.pool in bot.pools for bot in sitting)
    assert seats == 2 or len(set(owners)) == len(owners)
    assert not all(bot.fill for bot in sitting)


@given(rooms(), st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_every_table_keeps_the_promises(room: tuple[list[OpenPool], list[Present]], seed: int) -> None:
    """No bot twice, room at each, its pool, its owner, not of fill bots alone; holds end, and order does not matter."""
    pools, bots = room
    rng = Random(seed)
    memory = OpenMemory()
    running: list[NextTable] = []
    at = 0
    for _ in range(25):
        mixed = rng.sample(bots, len(bots))
        answer = next_table(pools, mixed, memory, at)
        assert answer == next_table(pools, bots, memory, at)
        if isinstance(answer, NextTable):
            check(pools, bots, answer)
            memory.began(answer.pool, answer.players, at)
            bots = [bot._replace(running=bot.running + (bot.name in answer.players)) for bot in bots]
            running.append(answer)
            continue
        assert answer.until is None or at < answer.until <= at + LONGEST_WAIT
        if answer.until is not None and (rng.random() < 0.5 or not running):
            at = answer.until
        elif running:
            over = running.pop(rng.randrange(len(running)))
            at += rng.randrange(1, 5_000_000)
            memory.ended(over.pool, over.players, at, rng.randrange(5_000_000))
            bots = [bot._replace(running=bot.running - (bot.name in over.players)) for bot in bots]


def test_a_bot_that_is_forgotten_leaves_nothing_behind() -> None:
    """Neither its own counts nor its name in those of others; a bot that was never there is no trouble."""
    memory = OpenMemory()
    memory.arrived("a", 0)
    memory.began(0, ("a", "b"), 1)
    memory.began(0, ("a", "c"), 2)
    memory.ended(0, ("a", "b"), 3, 2)
    memory.forget("a")
    memory.forget("nemo")
    counts = memory.pool(0)

    assert "a" not in counts.met
    assert counts.met == {"b": {}, "c": {}}
    assert set(counts.matches) == set(counts.sat) == {"b", "c"}
    assert "a" not in counts.last


@given(seed=st.integers(0, 2**32), count=st.integers(2, 40), seats=st.integers(2, 5), most=st.integers(1, 20))
@settings(max_examples=60, deadline=None)
def test_several_tables_at_once_share_no_bot_and_begin_with_the_next_one(
    seed: int, count: int, seats: int, most: int
) -> None:
    """Each of them is a table of free bots of the pool; with none there is the same hold as for a single one."""
    luck = Random(seed)
    pools = [OpenPool(0, seats), OpenPool(1, 2)]
    bots = [
        Present(f"bot-{number}", tables := luck.randint(1, 3), luck.randint(0, tables), luck.choice((ONE, BOTH)))
        for number in range(count)
    ]
    first, several = OpenMemory(), OpenMemory()
    for _ in range(luck.randint(0, 30)):
        if count >= seats:
            lineup = [bot.name for bot in luck.sample(bots, seats)]
            first.count(0, lineup)
            several.count(0, lineup)

    one = next_table(pools, bots, first, 5)
    found = next_tables(pools, bots, several, 5, most=most)

    if isinstance(found, Hold):
        assert found == one
        return
    seated = [name for table in found for name in table.players]
    free_bots = {bot.name: bot.pools for bot in bots if bot.running < bot.tables}
    assert found[0] == one
    assert len(found) <= most
    assert len(seated) == len(set(seated))
    for table in found:
        assert len(table.players) == (seats if table.pool == 0 else 2)
        assert all(table.pool in free_bots[name] for name in table.players)
