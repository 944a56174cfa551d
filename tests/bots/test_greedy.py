"""The greedy bot: it beats random wherever it plays, and does what its policy says."""

from __future__ import annotations

import pytest

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.bundled.greedy import POLICIES, Greedy, policy
from bots.bundled.greedy.edo_yashiki import prospects
from bots.specs import BotSpec, resolve
from referee.games.edo_yashiki import house
from referee.games.edo_yashiki.options import RankCards
from referee.games.edo_yashiki.placement_points import placement_points
from referee.kernel import registry
from referee.kernel.errors import UnknownName
from referee.kernel.game import Option
from tests.bots.duel import duel, field


class Plain(Bot):
    """The greedy policy of the rules document (section 16.8): most points, of equals the first."""

    def decide(self, ask: AnyAsk) -> Option:
        view = ask.view
        own = view.houses[ask.seat]
        if ask.kind == "place_card":
            points = placement_points(own, view.card)
            return points.index(max(points))
        values = [max(placement_points(own, card)) for card in view.row]
        return RankCards(tuple(sorted(range(len(values)), key=lambda index: -values[index])))


@pytest.mark.parametrize("rules", ["standard", "specialists"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_comes_first_among_random_bots_at_edo_yashiki(seats: int, rules: str) -> None:
    """One greedy bot against random ones wins every game from every seat."""
    score = field("edo_yashiki", "greedy", "random", 3, seats=seats, variant={"rules": rules})

    assert score.place == 1.0
    assert score.other_place > 2.0 - 1e-9


def test_greedy_picks_in_turn_too() -> None:
    """The open draft is another decision; the bot wins with it as well."""
    score = duel("edo_yashiki", "greedy", "random", 5, variant={"draft": "turn_order"})

    assert score.games.won == 10


def test_looking_at_open_ends_pays() -> None:
    """Against the plain policy of the rules document the bundled one wins clearly more than half."""
    score = duel("edo_yashiki", "greedy", BotSpec("plain", None, Plain), 60)

    assert score.games.share > 0.6
    assert score.pairs.won > 2 * score.pairs.lost


def test_greedy_needs_no_luck() -> None:
    """Two greedy bots on duplicate deals tie every one of them: the policy is deterministic."""
    score = duel("edo_yashiki", "greedy", "greedy", 5)

    assert score.pairs.tied == 5


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (["FT", "TP", "GF"], 0),
        (["FF", "TP", "GT"], 2),
        (["FFF", "TPT", "GTP"], 4),
        (["FFFF", "TPTP", "GTPG"], 8),
        (["FFFFF", "TPTPT", "GTPGP"], 0),
        (["FFTTT", "PTPGP"], 5),
    ],
)
def test_open_ends_count_what_the_next_cell_would_make(picture: list[str], expected: int) -> None:
    """A run of two has 1 point at each end, of three 2, of four 4, of five none; a cell of a line closes an end."""
    actual = prospects(house.drawn(picture, 0, 0))

    assert expected == actual


def test_greedy_names_the_games_it_can_play() -> None:
    """Its games are those that have a policy; each exists, and for others there is a clear word."""
    assert Greedy.games == tuple(POLICIES) == resolve("greedy").games
    assert set(POLICIES) <= set(registry.names())
    assert all(callable(policy(game)) for game in POLICIES)
    with pytest.raises(UnknownName, match="unknown game of the greedy bot 'go'"):
        policy("go")
