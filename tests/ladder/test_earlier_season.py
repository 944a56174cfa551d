"""A planned season that was begun by earlier rules goes on with the same ladder file, in pools of the present rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bots import source
from ladder.config import ladder_file
from ladder.config.ladder_file import present_identity
from ladder.seasons.season import Season
from ladder.store.database import Store
from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting

SECRET = secret_from_seed("tests/earlier")
FILE = """
season = "cup"
[[bots]]
name = "ann"
spec = "random"
[[bots]]
name = "bob"
spec = "greedy"
[[pools]]
game = "{game}"
seats = 2
variant = {{ {variant} }}
"""
FIRST = {
    "edo_yashiki": "draft=sealed,rules=standard",
    "honshu": "equals_cards=add,layering=free,province_side=A,scoring_card=none",
    "white_castle": "first_game=off,rival=easy",
}
"""The settings of each game in its first edition, as the seasons of that time stored them."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new database."""
    with Store(tmp_path / "cup.sqlite") as found:
        yield found


def began(store: Store, game: str) -> int:
    """Store a season of the first edition of a game; returns the season's number."""
    (edition,) = registry.game(game).earlier
    identity = f"{game}/2/{FIRST[game]}/round_robin/none"
    row = store.season("cup", identity, SECRET, tempo="planned", pairing_version=1)
    settings = dict(setting.split("=") for setting in FIRST[game].split(","))
    store.pool(row.id, game, 2, settings, "none", edition.rules_version, edition.digest)
    return row.id


def go_on(folder: Path, store: Store, game: str, variant: str = "") -> Season:
    """The season that a ladder file goes on with."""
    path = folder / "cup.toml"
    path.write_text(FILE.format(game=game, variant=variant))
    return Season(ladder_file.read(path), store, SECRET, source.digest)


@pytest.mark.parametrize("game", FIRST)
def test_a_season_of_earlier_rules_goes_on_in_a_new_pool(tmp_path: Path, store: Store, game: str) -> None:
    """The file of that time is not refused for settings that the game has got since; the old pool is archived."""
    number = began(store, game)

    season = go_on(tmp_path, store, game)

    old, new = store.pools(number)
    assert season.row.id == number
    assert (old.archived is None, new.archived) == (False, None)
    assert [pool.id for _, pool in season.pools] == [new.id]
    assert new.variant.keys() == registry.game(game).variants.keys()


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("edo_yashiki", 'covering = "all"'),
        ("honshu", 'factories = "3-4-5"'),
        ("white_castle", 'first_cards = "on"'),
    ],
)
def test_a_new_setting_begins_another_season(tmp_path: Path, store: Store, game: str, variant: str) -> None:
    """A file that chooses what the season did not have is refused in one line, as any other change is."""
    began(store, game)

    with pytest.raises(BadSetting, match=r"season 'cup' in .* was begun with other pools or pairings"):
        go_on(tmp_path, store, game, variant)


def test_a_setting_that_was_replaced_stands_for_its_successors() -> None:
    """`first_game=on` is today's `first_cards=on` with `first_tiles=on`; a clock may hold a stroke."""
    stored = "white_castle/2/first_game=on,rival=easy/swiss/1m+500ms/30s"
    present = "white_castle/2/first_cards=on,first_tiles=on,rival=easy/swiss/1m+500ms/30s"
    assert present_identity(f"{stored}\nninjato/3//round_robin/none") == f"{present}\nninjato/3//round_robin/none"


@pytest.mark.parametrize("line", ["go/2/board=19/swiss/none", "honshu/2/factories=9/swiss/none"])
def test_what_is_gone_equals_no_present_line(line: str) -> None:
    """A season of a game or setting that is not installed keeps the line that it was stored with."""
    assert present_identity(line) == line
