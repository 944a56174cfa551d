"""The test vectors of RULES.md about payments: 7 and 44 to 49."""

from __future__ import annotations

import pytest

from referee.games.ninjato.market import ENVOY_DEMANDS, RUMOR_DEMANDS, payments
from tests.games.ninjato.stage import ENVOY, RUMOR, heap

FAN_AND_JADE = ENVOY_DEMANDS[ENVOY["taira_19"]]
SAME = ENVOY_DEMANDS[ENVOY["taira_33"]]
ONE_AND_TWO = ENVOY_DEMANDS[ENVOY["taira_40"]]
THREE_DIFFERENT = ENVOY_DEMANDS[ENVOY["taira_47"]]
TWO_AND_TWO = ENVOY_DEMANDS[ENVOY["taira_54"]]
ONE_AND_THREE = ENVOY_DEMANDS[ENVOY["taira_61"]]
JADE = RUMOR_DEMANDS[RUMOR["arts_6"]]
ANY_AND_ANY = RUMOR_DEMANDS[RUMOR["arts_2"]]


def honor(demand: int, paid: str) -> int | None:
    """What a payment brings, written `2 fan + gold`; None if it is illegal."""
    names: list[str] = []
    for part in paid.split(" + "):
        count, _, name = part.rpartition(" ")
        names += [name] * int(count or 1)
    found = [option.honor for option in payments(demand, heap(*names)) if option.treasures == heap(*names)]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("demand", "paid", "expected"),
    [
        (FAN_AND_JADE, "fan + jade", 7),
        (ONE_AND_THREE, "vase + 3 jade", 19),
        (ONE_AND_THREE, "4 fan", 8),
        (ONE_AND_THREE, "scroll + 3 vase", 15),
        (ONE_AND_THREE, "fan + 2 vase + gold", 14),
    ],
)
def test_vector_07_the_payments_of_the_rulebook(demand: int, paid: str, expected: int) -> None:
    """The rulebook's own examples bring the honor it says (N-TV7, N-8.2, N-8.3, N-1.3)."""
    assert expected == honor(demand, paid)


@pytest.mark.parametrize(
    ("paid", "expected"),
    [("gold", 5), ("fan", 2), ("2 fan + gold", 6), ("2 vase + 2 gold", 16), ("4 gold", 20), ("fan + vase", None)],
)
def test_vector_44_one_to_four_of_a_kind(paid: str, expected: int | None) -> None:
    """Identical tokens; gold joins any of them and alone counts as jade (N-TV44, N-8.3, N-8.5)."""
    assert expected == honor(SAME, paid)


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ("4 gold", 20),
        ("2 gold + vase + jade", 19),
        ("gold + 3 vase", 17),
        ("fan + vase + 2 gold", 14),
        ("2 fan + 2 vase", None),
        ("fan + scroll + vase + gold", None),
    ],
)
def test_vector_45_one_and_three(paid: str, expected: int | None) -> None:
    """One token and three identical ones, gold at its best (N-TV45, N-8.3, N-8.5, N-R14)."""
    assert expected == honor(ONE_AND_THREE, paid)


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ("2 fan + 2 jade", 14),
        ("4 fan", 8),
        ("2 fan + 2 gold", 14),
        ("fan + jade + 2 gold", 14),
        ("3 fan + gold", 8),
        ("3 fan + jade", None),
    ],
)
def test_vector_46_two_and_two(paid: str, expected: int | None) -> None:
    """Two pairs, which may be equal (N-TV46, N-8.3, N-R20)."""
    assert expected == honor(TWO_AND_TWO, paid)


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ("fan + scroll + vase", 9),
        ("fan + scroll + gold", 10),
        ("3 gold", 12),
        ("jade + 2 gold", 12),
        ("2 fan + jade", None),
        ("2 fan + gold", None),
    ],
)
def test_vector_47_three_different(paid: str, expected: int | None) -> None:
    """Three types; gold stands for one that is not there yet (N-TV47, N-8.3, N-8.5)."""
    assert expected == honor(THREE_DIFFERENT, paid)


@pytest.mark.parametrize(
    ("paid", "expected"), [("3 fan", 6), ("2 fan + gold", 9), ("fan + jade + gold", 12), ("fan + scroll + vase", None)]
)
def test_vector_48_one_and_two(paid: str, expected: int | None) -> None:
    """One token and a pair (N-TV48, N-8.3)."""
    assert expected == honor(ONE_AND_TWO, paid)


@pytest.mark.parametrize(
    ("demand", "paid", "expected"),
    [
        (FAN_AND_JADE, "gold + fan", 7),
        (FAN_AND_JADE, "2 gold", 7),
        (FAN_AND_JADE, "gold + vase", None),
        (JADE, "gold", 5),
        (JADE, "vase", None),
        (ANY_AND_ANY, "fan + gold", 7),
        (ANY_AND_ANY, "2 jade", 10),
    ],
)
def test_vector_49_fixed_tokens_and_rumors(demand: int, paid: str, expected: int | None) -> None:
    """Gold takes the place of a named type, and counts as jade where any will do (N-TV49, N-8.5, N-9.1)."""
    assert expected == honor(demand, paid)


def test_a_payment_never_exceeds_the_treasures_and_never_pays_extra() -> None:
    """With fan, fan, jade, gold the demand fan and jade has three payments of two tokens each (N-8.1, N-8.3)."""
    found = [option.treasures for option in payments(FAN_AND_JADE, heap("fan", "fan", "jade", "gold"))]
    expected = sorted([heap("fan", "jade"), heap("fan", "gold"), heap("jade", "gold")])

    assert expected == found


def test_no_list_of_payments_is_longer_than_declared() -> None:
    """With plenty of everything the longest list has 47 payments (N-16)."""
    plenty = heap(*["fan", "scroll", "vase", "jade", "gold"] * 5)

    assert max(len(payments(demand, plenty)) for demand in (*ENVOY_DEMANDS, *RUMOR_DEMANDS)) == 47
