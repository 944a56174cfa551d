"""The component data: counts and facts of the rules, read from the compiled tables (W-2, W-5)."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from referee.games.white_castle import GAME, components
from referee.games.white_castle.census import census
from referee.games.white_castle.components import CARDS, DIE_SPACES, DOMAIN_VALUE, EFFECTS, YARDS
from tests.games.white_castle.situations import Situation


def raw() -> dict[str, list[dict[str, object]]]:
    """The TOML as it stands in the file."""
    return tomllib.loads(files("referee.games.white_castle").joinpath("components.toml").read_text())


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("die_tile", 15),
        ("steward", 15),
        ("diplomat", 12),
        ("daimyo", 9),
        ("garden", 10),
        ("yard_tile", 8),
        ("starting_resource", 9),
        ("starting_action", 6),
        ("decree", 3),
        ("solo_card", 9),
        ("die_space", 8),
    ],
)
def test_the_box_is_complete(table: str, count: int) -> None:
    """The counts of W-2, with different ids."""
    entries = raw()[table]

    assert count == len(entries)
    assert count == len({entry["id"] for entry in entries})


def test_every_table_names_its_source() -> None:
    """Each entry says whether it is from the rulebook, public or reconstructed."""
    tables = raw()
    entries = [entry for table in tables.values() for entry in (table if isinstance(table, list) else [table])]

    assert {"rulebook", "public", "reconstructed"} == {entry["source"] for entry in entries}


def test_die_spaces_have_their_values() -> None:
    """Steward 3, diplomat 4, outside 5, well 1, domain 6 (W-9.1)."""
    assert [space.value for space in DIE_SPACES] == [3, 3, 3, 4, 4, 5, 5, 1]
    assert DOMAIN_VALUE == (6, 6, 6)


def test_starting_actions_come_in_pairs() -> None:
    """The same action in all three rows, two copies of each; the lantern side is a step (W-5.6)."""
    actions = [(EFFECTS[CARDS[card].rows[0]].op, CARDS[card].lantern) for card in components.STARTING_ACTIONS]

    assert [op for op, _ in actions] == ["courtier", "courtier", "warrior", "warrior", "gardener", "gardener"]
    assert {(components.INFLUENCE, 1)} == {lantern for _, lantern in actions}


def test_no_batch_can_meet_two_gates() -> None:
    """At most two seals and two steps stand in one row, as W-6.1 and W-11.4 rely on."""
    for effect in EFFECTS:
        totals = dict.fromkeys(range(8), 0)
        for good, amount in effect.gains:
            totals[good] += amount
        assert totals[components.INFLUENCE] <= 2
        assert totals[components.SEAL] <= 2


def test_light_rows_are_instant() -> None:
    """A light row never leads to an action, so recursion ends (W-18.1)."""
    for card in CARDS:
        for row in card.light:
            assert EFFECTS[card.rows[row]].op == "batch"


def test_effects_never_lead_back_to_themselves() -> None:
    """A bought effect is a main action, a castle row or a domain row, never another payment (W-18.1)."""
    for effect in EFFECTS:
        if effect.op == "pay":
            assert EFFECTS[effect.then].op in ("courtier", "gardener", "warrior", "castle", "domain")


def test_yards_cost_iron_and_multiply() -> None:
    """Five, three and one iron; values 2, 1, 1 (W-13.3)."""
    assert [(yard.iron, yard.value) for yard in YARDS] == [(5, 2), (3, 1), (1, 1)]


def test_the_digest_is_that_of_the_file() -> None:
    """A record is tied to the components it was played with."""
    assert GAME.digest == components.DIGEST


@pytest.mark.parametrize(("seats", "cards"), [(1, (9, 9)), (2, (9, 9)), (3, (15, 12)), (4, (15, 12))])
def test_the_census_counts_what_lies_on_the_table(seats: int, cards: tuple[int, int]) -> None:
    """Cards by player count, fifteen members per clan, all dice (W-2)."""
    counted = census(Situation.new(seats).state)
    clans = max(2, seats)

    assert cards == (counted["steward cards"], counted["diplomat cards"])
    assert [5 * clans] * 3 == [counted[name] for name in ("courtiers", "gardeners", "warriors")]
    assert 3 * (seats + 1 if seats > 1 else 3) == counted["dice"]
