"""The queue: fair, without starvation, without a bot twice at one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from referee.transport.matchmaking import Matchmaker, Wanted

TWO = Wanted("tiles", 2)
THREE = Wanted("tiles", 3)
FOUR = Wanted("cards", 4)


@dataclass
class Bot:
    """A bot with so many tables, that plays these games (all if none are named)."""

    name: str
    room: int = 1
    games: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    present: bool = field(default=True)

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        return (not self.games or game in self.games) and (not self.seats or seats in self.seats)


def names(*bots: Bot) -> tuple[str, ...]:
    return tuple(bot.name for bot in bots)


def test_there_is_no_table_without_enough_bots() -> None:
    """One bot is no company, and neither are two that play different games."""
    ann, bob = Bot("ann"), Bot("bob", games=("cards",))

    assert Matchmaker([TWO]).next([ann]) is None
    assert Matchmaker([TWO, FOUR]).next([Bot("ann", games=("tiles",)), bob]) is None
    assert Matchmaker([]).next([ann, ann]) is None


def test_the_first_to_come_are_the_first_to_play() -> None:
    """Of three bots the two that wait longest get the table; next time the third one is first."""
    ann, bob, cid = Bot("ann", 2), Bot("bob", 2), Bot("cid", 2)
    maker = Matchmaker([TWO])

    first = maker.next([ann, bob, cid])
    second = maker.next([ann, bob, cid])

    assert first.names == ("ann", "bob")
    assert second.names == ("cid", "ann")


def test_a_bot_without_a_free_table_is_passed_over() -> None:
    """Room is respected."""
    ann, bob, cid = Bot("ann", 0), Bot("bob"), Bot("cid")

    assert Matchmaker([TWO]).next([ann, bob, cid]).names == names(bob, cid)


def test_a_bot_is_never_twice_at_one_table() -> None:
    """However many tables it would play."""
    assert Matchmaker([TWO]).next([Bot("ann", 10)]) is None


def test_sorts_of_tables_take_turns() -> None:
    """Everything that is offered gets its turn when everybody plays everything."""
    bots = [Bot(name, 100) for name in "abcd"]
    maker = Matchmaker([TWO, THREE, FOUR])

    sorts = [maker.next(bots).wanted for _ in range(6)]

    assert sorts == [TWO, THREE, FOUR, TWO, THREE, FOUR]


def test_the_longest_wait_decides_even_if_its_table_is_rare() -> None:
    """A bot that plays one game only comes first when it waits longest."""
    ann, bob, cid, dan = Bot("ann", games=("cards",)), Bot("bob"), Bot("cid"), Bot("dan")

    assert Matchmaker([TWO, FOUR]).next([ann, bob, cid, dan]).wanted == FOUR


def test_nobody_starves_who_needs_many_partners() -> None:
    """While pairs come and go, four are never free at once by chance; so in the end they are held."""
    maker = Matchmaker([TWO, FOUR], patience=3)
    rare = Bot("rare", seats=(4,))
    crowd = [Bot(f"bot{number}") for number in range(4)]
    playing: list[tuple[str, ...]] = []
    by_name = {bot.name: bot for bot in [rare, *crowd]}

    company = None
    for _ in range(30):
        company = maker.next([rare, *crowd])
        if company is not None and "rare" in company.names:
            break
        if company is not None:
            playing.append(company.names)
            for name in company.names:
                by_name[name].room = 0
        elif playing:
            for name in playing.pop(0):
                by_name[name].room = 1

    assert company is not None
    assert "rare" in company.names
    assert company.wanted == FOUR


def test_nobody_is_held_for_a_table_that_can_never_be_full() -> None:
    """One who waits for partners that are not there does not stop the others."""
    maker = Matchmaker([TWO, FOUR], patience=1)
    lonely = Bot("lonely", seats=(4,))
    ann, bob = Bot("ann", 100), Bot("bob", 100)

    companies = [maker.next([lonely, ann, bob]) for _ in range(5)]

    assert [set(company.names) for company in companies] == [{"ann", "bob"}] * 5


def test_those_who_left_are_forgotten() -> None:
    """A bot that comes back has no older claim than one that is new."""
    maker = Matchmaker([TWO])
    ann, bob, cid = Bot("ann", 9), Bot("bob", 9), Bot("cid", 9)
    maker.next([ann, bob, cid])
    maker.next([ann, bob])

    assert maker.next([Bot("new"), ann, bob, cid]).names == ("new", "cid")


@given(st.data())
def test_everybody_plays_about_equally_often(data: st.DataObject) -> None:
    """With equal bots of one table each nobody gets two games more than anybody else."""
    count = data.draw(st.integers(2, 7))
    bots = {f"bot{number}": Bot(f"bot{number}") for number in range(count)}
    maker = Matchmaker([TWO])
    running: list[tuple[str, ...]] = []
    games: Counter[str] = Counter(dict.fromkeys(bots, 0))

    for _ in range(60):
        while (company := maker.next(list(bots.values()))) is not None:
            running.append(company.names)
            for name in company.names:
                bots[name].room = 0
                games[name] += 1
        ended = running.pop(0)
        for name in ended:
            bots[name].room = 1

    assert max(games.values()) - min(games.values()) <= 2
