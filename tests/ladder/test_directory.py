"""Who may play: tokens of entrants, names of the house, and changes that other processes make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.serving.directory import EntrantDirectory
from ladder.store.database import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The database of a referee."""
    with Store(tmp_path / "cup.sqlite") as opened:
        yield opened


@pytest.fixture
def organiser(tmp_path: Path, store: Store) -> Iterator[Store]:
    """The same database, opened by another program."""
    with Store(tmp_path / "cup.sqlite") as opened:
        yield opened


@pytest.mark.parametrize(
    ("closed", "without", "beside"), [(None, False, True), (True, True, True), (False, False, False)]
)
def test_whether_tokens_are_needed_follows_from_the_command_line_or_from_the_tokens(
    store: Store, closed: bool | None, without: bool, beside: bool
) -> None:
    """--closed: always; --open: never; neither: as soon as there is a token."""
    assert EntrantDirectory(store, closed=closed).needs_token is without

    store.new_token("ann")
    assert EntrantDirectory(store, closed=closed).needs_token is beside


def test_a_token_is_the_name(store: Store) -> None:
    """A valid token tells its entrant; an unknown or an administrator's one tells none."""
    token, admin = store.new_token("ann"), store.new_token("boss", role="admin")
    directory = EntrantDirectory(store)

    assert directory.entrant(token) == "ann"
    assert directory.entrant(token + "x") is None
    assert directory.entrant(admin) is None
    assert directory.entrant("") is None


def test_a_name_with_a_token_and_a_name_of_the_house_are_reserved(store: Store) -> None:
    """Any other name may be claimed without a token where names are open."""
    store.new_token("ann")
    directory = EntrantDirectory(store, closed=False, house=["greedy"])

    assert [directory.reserved(name) for name in ("ann", "greedy", "bob")] == [True, True, False]


def test_a_token_of_an_entrant_does_not_admit_under_a_name_of_the_house(store: Store) -> None:
    """The ladder file's own bot is played by the host's process alone, whatever tokens the database has."""
    token = store.new_token("greedy")
    directory = EntrantDirectory(store, house=["greedy"])

    assert directory.entrant(token) is None
    assert directory.entrant(directory.process_token("greedy")) == "greedy"


def test_a_new_process_token_makes_the_earlier_one_of_its_name_worthless(store: Store) -> None:
    """A process that was started again has a token of its own; those of other names stay good."""
    directory = EntrantDirectory(store, house=["greedy", "random"])
    first, other = directory.process_token("greedy"), directory.process_token("random")
    second = directory.process_token("greedy")

    assert [directory.entrant(token) for token in (first, second, other)] == [None, "greedy", "random"]


def test_a_token_that_another_program_makes_is_seen_at_the_next_refresh(store: Store, organiser: Store) -> None:
    """The name is reserved and tokens are needed from then on; no token is gone."""
    directory = EntrantDirectory(store)
    token = organiser.new_token("ann", owner="club")
    assert directory.entrant(token) is None

    assert directory.refresh() is False
    assert directory.entrant(token) == "ann"
    assert directory.owner("ann") == "club"
    assert directory.reserved("ann")
    assert directory.needs_token


def test_a_token_that_another_program_revokes_is_reported_at_the_next_refresh(store: Store, organiser: Store) -> None:
    """True exactly once: the referee then looks which streams have to be closed."""
    gone, kept = store.new_token("ann"), store.new_token("bob")
    directory = EntrantDirectory(store)
    organiser.revoke("ann")

    assert [directory.refresh(), directory.refresh()] == [True, False]
    assert (directory.entrant(gone), directory.entrant(kept)) == (None, "bob")


def test_a_replaced_token_is_gone_and_the_new_one_admits(store: Store, organiser: Store) -> None:
    """`token new --replace` is both at once, and the owner stays."""
    old = store.new_token("ann", owner="club")
    directory = EntrantDirectory(store)
    new = organiser.new_token("ann", replace=True)

    assert directory.refresh()
    assert (directory.entrant(old), directory.entrant(new), directory.owner("ann")) == (None, "ann", "club")


def test_a_name_stays_reserved_when_its_token_is_revoked(store: Store, organiser: Store) -> None:
    """A revoked bot cannot go on without a token: neither at a referee open to names, nor where it was the only one."""
    store.new_token("ann")
    opened, undecided = EntrantDirectory(store, closed=False), EntrantDirectory(store)
    organiser.revoke("ann")
    for directory in (opened, undecided):
        assert directory.refresh()
        assert directory.reserved("ann")

    assert undecided.needs_token
    assert EntrantDirectory(store).needs_token
