"""Input that no command can use: one clear line, exit code 2, no trace, and nothing left behind."""

from __future__ import annotations

import gc
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bots import Bot
from bots import run as play_bot
from ladder.arena.play import play as really_play
from ladder.cli import gate, live_count, match, run
from referee.match import files
from referee.match.record import Header, Record
from tests.certificates import certificate

Kumite = Callable[..., tuple[int, str, str]]

NOWHERE = Path("/proc/kumite")
"""A place where nothing can be made, not even by an administrator."""
NINES = "9" * 5000

BOTS = """
from __future__ import annotations

from typing import TYPE_CHECKING

from bots import Bot

if TYPE_CHECKING:
    from nowhere import Model


class First(Bot):
    def decide(self, ask):
        return 0


class Typed(First):
    def __init__(self, depth: int | None = 3, model: Model = None):
        self.depth = depth + 1


class Unmade(First):
    def __init__(self):
        raise RuntimeError("no model\\nanywhere")


class Letters(First):
    games = "edo_yashiki"
"""

LADDER = """
[[bots]]
spec = "greedy"
[[bots]]
spec = "random"
[[pools]]
game = "edo_yashiki"
rounds = 2
"""


@pytest.fixture
def kumite(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors, those of gRPC among them."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capfd.readouterr()
        return code, out, err

    return command


@pytest.fixture
def taken() -> Iterator[str]:
    """An address at which somebody else listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def junk(tmp_path: Path) -> str:
    """A file of bytes that mean nothing."""
    path = tmp_path / "junk"
    path.write_bytes(bytes(range(256)))
    return str(path)


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of bots that can be named in unlucky ways."""
    (tmp_path / "unlucky.py").write_text(BOTS)
    monkeypatch.syspath_prepend(tmp_path)


def refused(answer: tuple[int, str, str], words: str) -> None:
    """Assert that a command was refused with one line that has these words, and left nothing in its folder."""
    code, out, err = answer

    assert (code, out) == (2, ""), err
    assert err.startswith("kumite: ")
    assert err.count("\n") == 1, err
    assert words in err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("option", [("--records", "new/records"), ("--db", "new.sqlite"), ()])
def test_a_referee_that_cannot_listen_leaves_nothing_behind(
    kumite: Kumite, taken: str, option: tuple[str, ...]
) -> None:
    """Neither a folder nor a database is made before the address is known to be free."""
    refused(kumite("serve", "--bind", taken, *option), "in use")


def test_options_that_exclude_each_other_are_refused_before_anything_is_made(kumite: Kumite) -> None:
    """A combination that cannot be leaves neither folder nor database."""
    refused(kumite("serve", "--db", "new.sqlite", "--records", "records"), "leave --records and --tokens out")


def test_two_addresses_that_are_one_are_refused(kumite: Kumite) -> None:
    """The second would take the first one's place, or fail when the first is already served."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    refused(kumite("serve", "--bind", f"127.0.0.1:{port}", "--bind", f"0.0.0.0:{port}", "--db", "new.sqlite"), "in use")
    refused(kumite("serve", "--bind", "unix:twice", "--bind", "unix:twice"), "twice")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--faults", "4294967296"], "4294967295"),
        (["--table", f"edo_yashiki:{NINES}"], "GAME:SEATS"),
        (["--table", "edo_yashiki:٣"], "GAME:SEATS"),
        (["--bind", f"127.0.0.1:{NINES}"], "host:port"),
        (["--bind", "127.0.0.1:7٣00"], "host:port"),
        (["--bind", "unix:/tmp/\udcff"], "UTF-8"),
        (["--bind", "\udcff:7400"], "no name of a host"),
        (["--bind", f"{'a' * 70}.example:7400"], "no name of a host"),
        (["--bind", f"unix:{NOWHERE}.sock"], "choose another path"),
        (["--records", str(NOWHERE)], "--records"),
        (["--records", str(NOWHERE.parent)], "no file can be created"),
    ],
)
def test_a_referee_refuses_what_it_cannot_use(kumite: Kumite, line: list[str], words: str) -> None:
    """Numbers, addresses and folders are tried out before the first bot is let in."""
    refused(kumite("serve", *line), words)


def test_a_certificate_that_is_none_is_named(kumite: Kumite, junk: str, tmp_path: Path) -> None:
    """Files that are no PEM, and a key that belongs to another certificate, are not taken for a bad address."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    chain, key = str(certificate(ours).chain), str(certificate(theirs).key)

    refused(kumite("serve", "--tls-cert", junk, "--tls-key", junk), "PEM")
    refused(kumite("serve", "--tls-cert", chain, "--tls-key", key), "KEY_VALUES_MISMATCH")


class First(Bot):
    """Takes the first option."""

    def decide(self, ask: Any) -> int:
        """The first."""
        return 0


def test_a_referee_that_lost_matches_by_its_own_failure_says_so(
    kumite: Kumite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in mid-match is no success: the exit code is 3."""

    def begin(self: files.Journal, header: Header, secret: bytes) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(files.Journal, "begin", begin)
    monkeypatch.setenv("KUMITE_STATE", str(tmp_path))
    address = f"unix:{tmp_path / 'referee'}"
    bots = [
        threading.Thread(target=play_bot, args=(First, address), kwargs={"name": name, "matches": 1, "quiet": True})
        for name in ("ann", "bob")
    ]
    for bot in bots:
        bot.start()
    code, _, err = kumite(
        "serve", "--bind", address, "--table", "edo_yashiki:2", "--matches", "1", "--records", "records"
    )
    for bot in bots:
        bot.join(timeout=30)

    assert code == 3
    assert "lost because the referee failed" in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--address", ""], "host:port"),
        (["--address", "localhost"], "host:port"),
        (["--address", "127.0.0.1:99999"], "host:port"),
        (["--address", f"127.0.0.1:{NINES}"], "host:port"),
        (["--address", "unix:"], "1 to 100 bytes"),
        (["--address", "unix:\udcff"], "UTF-8"),
        (["--token", "ü"], "the token has signs"),
        (["--token", "a\nb"], "the token has signs"),
    ],
)
def test_a_bot_does_not_knock_where_nobody_can_be(kumite: Kumite, line: list[str], words: str) -> None:
    """An address or a token that cannot be one is refused at once instead of tried again and again."""
    with pytest.raises(SystemExit) as caught:
        kumite("join", "random", *line)
    out_and_err = kumite()[2]

    assert caught.value.code == 2
    assert out_and_err.startswith("kumite: ")
    assert words in out_and_err.splitlines()[0]
    assert "trying again" not in out_and_err


def test_an_authority_that_is_none_is_named(kumite: Kumite, junk: str) -> None:
    """A file without a certificate would make every connection fail without a word about it."""
    refused(kumite("join", "random", "--tls-ca", junk), "must be PEM")


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("py:unlucky:Unmade", "failed before its first move: RuntimeError: no model anywhere"),
        ("py:unlucky:Letters", "Letters.games must be a tuple of names"),
    ],
)
def test_a_bot_that_cannot_be_made_joins_no_referee(kumite: Kumite, spec: str, words: str) -> None:
    """The same clear line from join as from match."""
    refused(kumite("match", "edo_yashiki", spec, "random"), words)
    try:
        joined = kumite("join", spec, "--address", "unix:nowhere")
    except SystemExit as error:
        joined = (int(error.code or 0), "", kumite()[2])

    assert joined[0] == 2
    assert words in joined[2].splitlines()[0]


@pytest.mark.usefixtures("modules")
def test_annotations_for_a_type_checker_alone_do_no_harm(kumite: Kumite) -> None:
    """A constructor may be annotated with what is not there at run time; the other parameters are converted."""
    code, out, err = kumite("match", "edo_yashiki", "py:unlucky:Typed:depth=4", "random", "--json")

    assert code == 0, err
    assert json.loads(out)["players"][0] == "py:unlucky:Typed:depth=4"
    refused(kumite("match", "edo_yashiki", "py:unlucky:Typed:depth=deep", "random"), "whole number")


def test_an_unforeseen_error_is_no_verdict_of_the_gate(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the gate 1 means rejected, so a bug is 3, with its trace."""

    def fail(*arguments: object, **rest: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(gate, "decide", fail)
    code, _, err = kumite("gate", "greedy", "random", "--game", "edo_yashiki", "--workers", "0")

    assert code == 3
    assert "LookupError: a bug" in err


@pytest.mark.parametrize("spec", [".", "..", "folder", "./folder"])
def test_a_folder_without_a_manifest_is_no_bot(kumite: Kumite, tmp_path: Path, spec: str) -> None:
    """However it is written, what is missing is named."""
    (tmp_path / "elsewhere" / "folder").mkdir(parents=True)
    os.chdir(tmp_path / "elsewhere")
    code, _, err = kumite("match", "edo_yashiki", spec, "random")

    assert code == 2
    assert "is no bot: it has no bot.toml" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["match", "edo_yashiki", "", "random"], "unknown bot ''"),
        (["match", "edo_yashiki", "~nobody-of-that-name", "random"], "no such home folder"),
        (["match", "edo_yashiki", "random", "random", "--record", str(NOWHERE)], "--record"),
        (["check", "random", "--transcript", "."], "that is a folder"),
        (["check", "random", "--transcript", str(NOWHERE)], "--transcript"),
        (["games", ""], "unknown game ''"),
        (["bench", ""], "unknown game ''"),
        (["sprt", "--counts", f"1,2,3,4,{'9' * 400}"], "digits"),
        (["sprt", "--counts", "1,2,3,4,٣"], "whole numbers"),
        (["sprt", "--counts", "1,2,3,4,5", "--elo0=-1e308", "--elo1", "1e308"], "within"),
        (["sprt", "--counts", "1,2,3,4,5", "--elo0", "0", "--elo1", "1e-300"], "apart"),
        (["sprt", "--counts", "1,2,3,4,5", "--elo0", "0", "--elo1", "5", "--alpha", "1e-300"], "at least"),
    ],
)
def test_bad_input_is_refused_before_any_work(kumite: Kumite, line: list[str], words: str) -> None:
    """Names, places and numbers are looked at first."""
    refused(kumite(*line), words)


def test_join_says_that_a_folder_is_a_process_of_its_own(kumite: Kumite) -> None:
    """The line tells how such a bot plays, and which commands start it."""
    refused(kumite("join", "./folder"), "kumite match, gate, ladder and check start a folder")


def test_results_without_end_are_one_clear_line(kumite: Kumite, tmp_path: Path) -> None:
    """Brackets that no reader can follow are named with their line."""
    (tmp_path / "deep").write_text("[" * 100_000)

    refused(kumite("rate", str(tmp_path / "deep")), "line 1")


@pytest.mark.parametrize("group", ["token", "ladder"])
def test_a_group_without_a_command_shows_its_help(kumite: Kumite, group: str) -> None:
    """The help has its lines, and the code is that of a wrong command line."""
    code, _, err = kumite(group)

    assert code == 2
    assert err.startswith(f"Usage: kumite {group}")
    assert err.count("\n") > 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("rounds = 2", "variant = 3"), "pools.variant: variant must be a table"),
        (("rounds = 2", "clock = 3"), "line 8, pools.clock: clock must be a text"),
        (("rounds = 2", "[watch]\ndrop = nan"), "watch.drop: drop must be a number"),
        (("rounds = 2", "[watch]\ndrop = inf"), "watch.drop: drop must be a number"),
        (("rounds = 2", f"rounds = {NINES}"), "digits"),
        (("rounds = 2", f"rounds = {'[' * 100_000}"), "brackets"),
    ],
)
def test_a_bad_ladder_file_is_one_clear_line(
    kumite: Kumite, tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    """Every mistake is named with its place, once."""
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER.replace(*change))
    answer = kumite("ladder", "run", str(path))

    refused(answer, words)
    assert answer[2].count("ladder.toml") == 1
    assert not (tmp_path / "ladder.sqlite").exists()


def test_a_cluster_without_an_address_is_refused_at_once(kumite: Kumite, tmp_path: Path) -> None:
    """An empty address would be waited for."""
    (tmp_path / "ladder.toml").write_text(LADDER)

    refused(kumite("ladder", "run", str(tmp_path / "ladder.toml"), "--cluster", ""), "--cluster")
    assert not (tmp_path / "ladder.sqlite").exists()


def test_a_bot_may_be_renamed_while_a_set_is_unfinished(kumite: Kumite) -> None:
    """What was meant for the old name stays unplayed; the new one has its own matches."""
    path = Path("ladder.toml")
    path.write_text(LADDER)
    first = kumite("ladder", "run", "ladder.toml", "--workers", "0", "--matches", "1", "--json")
    path.write_text(LADDER.replace('spec = "greedy"', 'spec = "greedy"\nname = "renamed"'))
    code, out, err = kumite("ladder", "run", "ladder.toml", "--workers", "0", "--json")

    assert (first[0], code) == (0, 0), err
    assert json.loads(out)["complete"]
    assert {player["player"] for player in json.loads(out)["pools"][0]["players"]} == {"renamed", "random"}


def interrupted_after(count: int) -> Callable[..., Record]:
    """Plays so many matches as they are meant to be, and is then interrupted as by Ctrl-C."""
    played = iter(range(count))

    def play(*arguments: Any, **rest: Any) -> Record:
        if next(played, None) is None:
            raise KeyboardInterrupt
        return really_play(*arguments, **rest)

    return play


def test_games_that_are_interrupted_are_not_lost(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C prints the table of the games so far, for people and for programs, and the code tells."""
    line = ("match", "edo_yashiki", "random", "greedy", "--games", "50")
    with monkeypatch.context() as patch:
        patch.setattr(match, "play", interrupted_after(3))
        code, out, err = kumite(*line)
    with monkeypatch.context() as patch:
        patch.setattr(match, "play", interrupted_after(2))
        json_code, listed, _ = kumite(*line, "--json")

    assert (code, json_code) == (130, 130)
    assert out.startswith("3 games\n")
    assert err == "stopped after 3 of 50 games\n"
    assert len(json.loads(listed)) == 2


def test_many_games_keep_no_records(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is let go when its game has been counted."""
    alive: list[int] = []

    def play(*arguments: Any, **rest: Any) -> Record:
        alive.append(sum(isinstance(thing, Record) for thing in gc.get_objects()))
        return really_play(*arguments, **rest)

    monkeypatch.setattr(match, "play", play)
    code, out, _ = kumite("match", "edo_yashiki", "random", "random", "--games", "6")

    assert (code, out[:7]) == (0, "6 games")
    assert max(alive) - alive[0] <= 1


def test_a_terminal_is_shown_how_many_games_are_over(kumite: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress goes to standard error, and a program's pipe gets none of it."""
    quiet = kumite("match", "edo_yashiki", "random", "random", "--games", "2")
    monkeypatch.setattr(
        live_count, "Console", lambda stderr: Console(stderr=stderr, force_terminal=True, color_system=None)
    )
    shown = kumite("match", "edo_yashiki", "random", "random", "--games", "2")

    assert quiet[2] == ""
    assert "2 of 2 games" in shown[2]
    assert "of 2 games" not in shown[1]


@pytest.mark.parametrize("command", [("token", "list", "--db"), ("ladder", "standings"), ("ladder", "metadata")])
def test_an_empty_file_is_no_database_to_read(kumite: Kumite, command: tuple[str, ...]) -> None:
    """A command that only looks makes no tables."""
    Path("none.sqlite").touch()

    code, out, err = kumite(*command, "none.sqlite")

    assert (code, out) == (2, "")
    assert "no database" in err
    assert err.count("\n") == 1
    assert Path("none.sqlite").stat().st_size == 0
