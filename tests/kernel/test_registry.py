"""The list of games, the errors about names, and component data."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from referee.kernel import components, errors, registry


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_registered_game_loads_under_its_own_name(name: str) -> None:
    """The package of each line in the registry holds a game of that name, and always the same object."""
    game = registry.game(name)

    assert name == game.name
    assert game is registry.game(name)


def test_games_are_listed_by_name() -> None:
    """The list is sorted, so that help texts and tables do not depend on the order of the registry."""
    assert tuple(sorted(registry.GAMES)) == registry.names()


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    """Whoever mistypes a game is told the nearest name and all others."""
    with pytest.raises(errors.UnknownName, match=r"unknown game 'edo_yashki'; did you mean 'edo_yashiki'\?"):
        registry.game("edo_yashki")


def test_an_unknown_name_far_from_all_others_gets_no_hint() -> None:
    """No guess is better than a wild one; an empty list says so."""
    assert str(errors.UnknownName.of("bot", "zzz", ["b", "a"])) == "unknown bot 'zzz' (there are: a, b)"
    assert str(errors.UnknownName.of("bot", "zzz", [])) == "unknown bot 'zzz' (there are: none)"


def test_a_long_list_of_names_is_cut() -> None:
    """The message stays short enough for an error of gRPC, and still has the nearest name of all."""
    known = [f"entrant-number-{number:05}" for number in range(3000)]

    text = str(errors.UnknownName.of("bot", "entrant-number-2999", known))

    assert "did you mean 'entrant-number-02999'?" in text
    assert text.endswith("entrant-number-00049 and 2950 more)")


def test_the_error_tree_is_the_one_drawn_in_its_module() -> None:
    """Faults of callers are ValueErrors, bugs of ours are not, and one root catches all."""
    drawn = {
        line.strip("│├└─ ").split()[0]
        for line in (errors.__doc__ or "").splitlines()
        if "──" in line or line.strip() == "KumiteError"
    }
    defined = {name for name, thing in vars(errors).items() if isinstance(thing, type) and issubclass(thing, Exception)}

    assert drawn == defined
    assert issubclass(errors.CallerFault, ValueError)
    assert not issubclass(errors.RulesBug, ValueError)
    assert all(issubclass(getattr(errors, name), errors.KumiteError) for name in defined)


def test_components_are_read_with_a_digest_that_ignores_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same tables have the same digest, whether a checkout wrote LF or CRLF."""
    text = b'[cards]\nnames = ["a", "b"]\n'
    for package, data in [("unix_game", text), ("other_game", text.replace(b"\n", b"\r\n"))]:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
        (tmp_path / package / "components.toml").write_bytes(data)
    monkeypatch.syspath_prepend(tmp_path)
    unix, other = components.read("unix_game"), components.read("other_game")
    for package in ("unix_game", "other_game"):
        monkeypatch.delitem(sys.modules, package)

    assert unix.tables == {"cards": {"names": ["a", "b"]}}
    assert hashlib.sha256(text).hexdigest() == unix.digest
    assert unix == other
