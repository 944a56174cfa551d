"""The luck of a match: its construction against vectors and a second implementation, its fairness, its relatives."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.kernel.chance import (
    Chance,
    Fast,
    Outcome,
    Recording,
    Replayed,
    Scripted,
    Sealed,
    commitment,
    secret_from_seed,
)
from referee.kernel.errors import BadSetting, BrokenRecord, RulesBug
from tests.kernel import reference_chance as reference

VECTORS: reference.Vectors = json.loads(
    (Path(__file__).parents[1] / "vectors" / "chance.json").read_text(encoding="utf-8")
)
COUNTING = bytes(range(32))
WORD = 2**64

Question = Callable[[Chance], object]

secrets = st.binary(min_size=32, max_size=32)
names = st.text(max_size=12)
sizes = st.one_of(st.integers(1, 100), st.integers(1, WORD))


def test_the_committed_vectors_are_what_the_written_construction_gives() -> None:
    """A second implementation, made from the text alone, computes exactly the vectors in the file."""
    assert reference.vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda v: f"{v['stream']!r}-{v['secret'][:4]}")
def test_the_words_of_a_stream_are_those_of_the_vectors(vector: reference.StreamVector) -> None:
    """Picking one of 2^64 shows the bare words: ten of them, so that the second block is reached."""
    chance = Sealed(bytes.fromhex(vector["secret"]))

    assert vector["words"] == [f"{chance.pick(vector['stream'], WORD):016x}" for _ in range(10)]


@pytest.mark.parametrize("vector", VECTORS["picks"], ids=lambda v: v["stream"])
def test_the_picks_of_a_stream_are_those_of_the_vectors(vector: reference.PickVector) -> None:
    """One stream, asked for numbers below many sizes in a row, refuses and divides as the vectors say."""
    chance = Sealed(bytes.fromhex(vector["secret"]))

    assert [int(outcome["value"]) for outcome in vector["picks"]] == [
        chance.pick(vector["stream"], int(outcome["n"])) for outcome in vector["picks"]
    ]


@pytest.mark.parametrize("vector", VECTORS["orders"], ids=lambda v: v["stream"])
def test_the_orders_of_a_stream_are_those_of_the_vectors(vector: reference.OrderVector) -> None:
    """One stream, asked for permutations in a row, swaps as the vectors say."""
    chance = Sealed(bytes.fromhex(vector["secret"]))

    assert [outcome["value"] for outcome in vector["orders"]] == [
        chance.order(vector["stream"], outcome["n"]) for outcome in vector["orders"]
    ]


@pytest.mark.parametrize("vector", VECTORS["commitments"], ids=lambda v: v["match"] or "empty")
def test_a_commitment_is_that_of_the_vectors(vector: reference.CommitmentVector) -> None:
    """The published promise is the hash of tag, match id and secret."""
    assert vector["commitment"] == commitment(bytes.fromhex(vector["secret"]), vector["match"])


def test_the_literal_values_of_one_secret_never_change() -> None:
    """Values pinned by hand: whoever changes them changes every record that was ever written."""
    chance = Sealed(COUNTING)

    assert chance.pick("deck", WORD) == 0xD5961E7AE7FE8544
    assert chance.pick("deck", 6) == 0x7A2F60AD3AA8F3E8 % 6
    assert chance.pick("dice/round-2", WORD) == 0x8DA29BC018433BE3
    assert commitment(COUNTING, "m-1") == "e61b0b43382e3b79298177e506dfff6a3310fac30f98e8b038ec46a5424c5632"
    assert secret_from_seed("7").hex() == "d8010b6d83b3fb7db22ef21d33ea1abd38ce33437071160a2c01d47121c0d6ca"


@given(secrets, names, st.lists(sizes, min_size=1, max_size=30))
def test_any_stream_picks_as_the_second_implementation_does(secret: bytes, name: str, asked: list[int]) -> None:
    """For all secrets, names and sizes the two implementations agree, pick by pick."""
    chance, source = Sealed(secret), reference.words(secret, name)

    assert [reference.pick(source, n) for n in asked] == [chance.pick(name, n) for n in asked]


@given(secrets, names, st.lists(st.integers(0, 70), min_size=1, max_size=4))
def test_any_stream_orders_as_the_second_implementation_does(secret: bytes, name: str, asked: list[int]) -> None:
    """For all secrets, names and lengths the two implementations agree, permutation by permutation."""
    chance, source = Sealed(secret), reference.words(secret, name)

    assert [reference.order(source, n) for n in asked] == [chance.order(name, n) for n in asked]


@given(secrets, st.lists(st.tuples(st.sampled_from(["a", "b", "deck/1", "deck/2"]), st.integers(1, 50)), max_size=40))
def test_a_stream_is_not_disturbed_by_the_others(secret: bytes, asked: list[tuple[str, int]]) -> None:
    """Interleaved with other streams, each stream yields what it yields alone."""
    together = Sealed(secret)
    mixed = [(name, together.pick(name, n)) for name, n in asked]

    for name in {name for name, _ in asked}:
        alone = Sealed(secret)
        assert [alone.pick(name, n) for own, n in asked if own == name] == [v for own, v in mixed if own == name]


@given(secrets, secrets, names, names)
def test_another_secret_or_name_is_another_stream(one: bytes, two: bytes, name: str, other: str) -> None:
    """Streams agree on four words exactly when both the secret and the name are the same."""
    chance, rival = Sealed(one), Sealed(two)
    first = [chance.pick(name, WORD) for _ in range(4)]
    second = [rival.pick(other, WORD) for _ in range(4)]

    assert (first == second) == (one == two and name == other)


@settings(max_examples=25)
@given(secrets, st.integers(2, 24))
def test_picks_are_uniform_within_six_standard_deviations(secret: bytes, n: int) -> None:
    """Every outcome of a pick comes up as often as chance allows: more than six deviations never happen honestly."""
    rounds = 150 * n
    chance = Sealed(secret)
    counts = Counter(chance.pick("dice", n) for _ in range(rounds))
    deviation = (rounds * (1 / n) * (1 - 1 / n)) ** 0.5

    assert set(counts) <= set(range(n))
    assert all(abs(counts[value] - rounds / n) < 6 * deviation for value in range(n))


@settings(max_examples=10)
@given(secrets)
def test_orders_are_uniform_over_all_permutations(secret: bytes) -> None:
    """All 24 orders of four items come up equally often, within six standard deviations."""
    rounds = 4800
    chance = Sealed(secret)
    counts = Counter(tuple(chance.order("deck", 4)) for _ in range(rounds))
    deviation = (rounds * (1 / 24) * (23 / 24)) ** 0.5

    assert len(counts) == 24
    assert all(abs(count - rounds / 24) < 6 * deviation for count in counts.values())


@settings(max_examples=10)
@given(secrets)
def test_two_streams_of_one_secret_are_independent(secret: bytes) -> None:
    """The 36 pairs of two dice from two streams come up equally often, within six standard deviations."""
    rounds = 7200
    chance = Sealed(secret)
    counts = Counter((chance.pick("dice/1", 6), chance.pick("dice/2", 6)) for _ in range(rounds))
    deviation = (rounds * (1 / 36) * (35 / 36)) ** 0.5

    assert all(abs(counts[i, j] - rounds / 36) < 6 * deviation for i in range(6) for j in range(6))


@pytest.mark.parametrize("make", [lambda: Sealed(COUNTING), lambda: Fast(1), lambda: Recording(Sealed(COUNTING))])
@given(items=st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_every_item_and_leaves_the_given_list_alone(
    make: Callable[[], Chance], items: list[int]
) -> None:
    """A shuffle is a rearrangement in a new list."""
    before = list(items)
    result = make().shuffled("deck", items)

    assert sorted(before) == sorted(result)
    assert before == items


def test_shuffled_follows_order() -> None:
    """Item k of a shuffle is the item that the permutation names at k, so element 0 is the top of the deck."""
    items = ["a", "b", "c", "d", "e"]
    order = Sealed(COUNTING).order("deck", 5)

    assert [items[i] for i in order] == Sealed(COUNTING).shuffled("deck", items)


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    """Only 32 bytes are a secret, and the message says so without showing them."""
    with pytest.raises(BadSetting, match=f"32 bytes, not {length}"):
        Sealed(bytes(length))


@pytest.mark.parametrize("n", [0, -1])
def test_picking_one_of_nothing_is_a_bug_of_the_rules(n: int) -> None:
    """No number lies below zero, so a game that asks for one is wrong."""
    with pytest.raises(RulesBug, match=f"one of {n}"):
        Sealed(COUNTING).pick("dice", n)


def test_a_sealed_source_does_not_show_its_secret() -> None:
    """Neither text form of the source holds the secret, so a log or a trace cannot carry it away."""
    chance = Sealed(COUNTING)
    shown = repr(chance) + str(chance)

    assert COUNTING.hex() not in shown
    assert repr(COUNTING) not in shown


def test_picking_the_only_number_takes_no_word() -> None:
    """A pick of one out of one leaves the stream where it was."""
    chance, fresh = Sealed(COUNTING), Sealed(COUNTING)
    chance.pick("dice", 1)

    assert fresh.pick("dice", WORD) == chance.pick("dice", WORD)


def ask(chance: Chance) -> list[object]:
    """A few questions of every sort."""
    return [
        chance.pick("dice", 6),
        chance.order("deck", 5),
        chance.pick("dice", 1),
        chance.shuffled("row", ["x", "y", "z"]),
        chance.pick("dice", 6),
    ]


def test_a_recording_changes_nothing_and_keeps_all_outcomes() -> None:
    """What passes through a recording is what the source alone gives, and `take` hands it over once."""
    recording = Recording(Sealed(COUNTING))
    answers = ask(recording)
    outcomes = recording.take()

    assert ask(Sealed(COUNTING)) == answers
    assert [(o.stream, o.n) for o in outcomes] == [("dice", 6), ("deck", 5), ("dice", 1), ("row", 3), ("dice", 6)]
    order = answers[1]
    assert isinstance(order, list)
    assert tuple(order) == outcomes[1].value
    assert recording.take() == []


def test_a_replay_gives_the_recorded_luck_again() -> None:
    """The outcomes of a recording, fed in two parts, answer the same questions alike and are used up."""
    recording = Recording(Sealed(COUNTING))
    answers = ask(recording)
    outcomes = recording.take()
    replayed = Replayed(outcomes[:2])
    replayed.feed(outcomes[2:])

    assert answers == ask(replayed)
    assert replayed.drained()


def test_a_replay_is_not_drained_before_its_last_outcome_is_used() -> None:
    """Outcomes that nobody asked for show up."""
    replayed = Replayed([Outcome("dice", 6, 3)])

    assert not replayed.drained()
    assert replayed.pick("dice", 6) == 3
    assert replayed.drained()


@pytest.mark.parametrize(
    ("outcome", "question"),
    [
        (Outcome("dice", 6, 3), lambda chance: chance.pick("deck", 6)),
        (Outcome("dice", 6, 3), lambda chance: chance.pick("dice", 5)),
        (Outcome("dice", 6, 6), lambda chance: chance.pick("dice", 6)),
        (Outcome("dice", 6, -1), lambda chance: chance.pick("dice", 6)),
        (Outcome("dice", 3, (0, 1, 2)), lambda chance: chance.pick("dice", 3)),
        (Outcome("deck", 3, 2), lambda chance: chance.order("deck", 3)),
        (Outcome("deck", 3, (0, 1, 1)), lambda chance: chance.order("deck", 3)),
        (Outcome("deck", 3, (0, 1)), lambda chance: chance.order("deck", 3)),
        (Outcome("deck", 4, (0, 1, 2)), lambda chance: chance.shuffled("deck", "xyz")),
    ],
)
def test_a_replay_complains_when_question_and_record_differ(outcome: Outcome, question: Question) -> None:
    """Another stream, another size, or a value that is no answer to the question breaks the record."""
    with pytest.raises(BrokenRecord):
        question(Replayed([outcome]))


def test_a_replay_complains_when_the_record_is_at_its_end() -> None:
    """Rules that want more luck than was recorded are other rules."""
    with pytest.raises(BrokenRecord, match="no outcome left for stream 'dice'"):
        Replayed().pick("dice", 6)


def test_a_script_answers_each_stream_in_its_own_order() -> None:
    """Scripted outcomes come stream by stream; `shuffled` follows the scripted permutation."""
    chance = Scripted({"dice": [3, 5], "deck": [[2, 0, 1]]})

    assert chance.pick("dice", 6) == 3
    assert chance.shuffled("deck", "abc") == ["c", "a", "b"]
    assert chance.pick("dice", 6) == 5


def test_a_script_may_leave_other_streams_to_another_source() -> None:
    """Streams that the script does not name come from `otherwise`; a named stream never does."""
    chance = Scripted({"dice": [3]}, otherwise=Sealed(COUNTING))

    assert Sealed(COUNTING).order("deck", 9) == chance.order("deck", 9)
    assert Sealed(COUNTING).pick("row", 9) == chance.pick("row", 9)
    assert chance.pick("dice", 6) == 3
    with pytest.raises(BadSetting, match="no outcome"):
        chance.pick("dice", 6)


@pytest.mark.parametrize(
    ("script", "question"),
    [
        ({}, lambda chance: chance.pick("dice", 6)),
        ({"dice": [6]}, lambda chance: chance.pick("dice", 6)),
        ({"dice": [[0, 1]]}, lambda chance: chance.pick("dice", 2)),
        ({"deck": [1]}, lambda chance: chance.order("deck", 2)),
        ({"deck": [[0, 0]]}, lambda chance: chance.order("deck", 2)),
        ({"deck": [[0, 1]]}, lambda chance: chance.order("deck", 3)),
    ],
)
def test_a_script_refuses_questions_it_does_not_fit(
    script: dict[str, list[int | list[int]]], question: Question
) -> None:
    """A test whose script is wrong hears about it instead of playing on."""
    with pytest.raises(BadSetting):
        question(Scripted(script))


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_fast_luck_is_in_range_and_repeats_with_its_seed(seed: int, n: int) -> None:
    """The luck of searches stays below n, permutes properly, and is the same for the same seed."""
    one, two = Fast(seed), Fast(seed)
    picks = [one.pick("dice", n) for _ in range(20)]
    orders = [one.order("deck", n) for _ in range(3)]

    assert all(0 <= value < n for value in picks)
    assert all(sorted(order) == list(range(n)) for order in orders)
    assert (picks, orders) == ([two.pick("x", n) for _ in range(20)], [two.order("y", n) for _ in range(3)])
