"""Files without end, binary files and signs that no program can take: one line, and memory stays as it was."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.check.outcomes import DrillOutcome, DrillStatus
from ladder.cli import check, run
from referee.kernel.bounded import LARGEST, LONGEST_LINE, lines, read_bytes
from referee.kernel.errors import BadSetting

Kumite = Callable[..., tuple[int, str, str]]

GROWTH_KIB = 100_000
"""What a command may add to the largest size that this process ever had."""


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize(
    "line",
    [
        ("verify", "{}"),
        ("replay", "{}"),
        ("rate", "{}"),
        ("serve", "--bind", "unix:here", "--tokens", "{}"),
        ("serve", "--bind", "unix:here", "--tls-cert", "{}", "--tls-key", "{}"),
        ("ladder", "run", "ladder.toml"),
        ("match", "edo_yashiki", "./bot", "random"),
        ("join", "random", "--tls-ca", "{}"),
        ("join", "random", "--address", "nowhere", "--token-file", "{}"),
        ("backup", "{}", "copies"),
    ],
)
def test_an_endless_file_is_one_line(kumite: Kumite, tmp_path: Path, line: tuple[str, ...], device: str) -> None:
    """Whatever the command reads it for."""
    (tmp_path / "bot").mkdir()
    for name in ("bot/bot.toml", "ladder.toml"):
        (tmp_path / name).symlink_to(device)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        code, out, err = kumite(*(word.format(device) for word in line))
    except SystemExit as error:  # the bot kit ends the program itself
        code, out, err = int(error.code or 0), "", kumite()[2].splitlines(keepends=True)[0]

    assert code in (1, 2)
    assert out == ""
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    assert err.rstrip("\n").isprintable()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < GROWTH_KIB


def test_a_line_or_file_that_is_too_long_is_not_read_on(tmp_path: Path) -> None:
    """Exactly as much as is allowed is read; one byte more is refused."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * (LONGEST_LINE - 1) + b"\n" + b"y" * LONGEST_LINE)
    with path.open("rb") as file:
        assert [len(line) for line in lines(file)] == [LONGEST_LINE] * 2
    with path.open("ab") as file:
        file.write(b"y")
    with path.open("rb") as file, pytest.raises(BadSetting, match="line 2 has more than 1048576 bytes"):
        list(lines(file))
    path.write_bytes(b"x" * LARGEST)
    assert len(read_bytes(path)) == LARGEST
    path.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(BadSetting, match="more than 4194304 bytes"):
        read_bytes(path)


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (r'command = ["./bot", "a\u0000b"]', "command has a NUL in it"),
        ('command = ["./bot"]\nbuild = ["make", "\\u0000"]', "build has a NUL in it"),
        ('name = "a\\u0000"\ncommand = ["./bot"]', "name must be a text without NUL"),
    ],
)
@pytest.mark.parametrize("command", ["match", "check"])
def test_nul_in_a_manifest_is_one_line(kumite: Kumite, tmp_path: Path, manifest: str, words: str, command: str) -> None:
    """No system starts a program with it; the line names the key."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(manifest)
    code, _, err = kumite(*{"match": ("match", "edo_yashiki", "./bot", "random"), "check": ("check", "./bot")}[command])

    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_one_seed_has_another_match_id_in_every_game(kumite: Kumite) -> None:
    """Records of two games under one seed do not meet under one name."""
    found = []
    for game in ("honshu", "ninjato", "honshu"):
        assert kumite("match", game, "random", "random", "--seed", "X", "--record", "m.jsonl")[0] == 0
        found.append(Path("m.jsonl").read_text().partition('"match":"')[2][:32])

    assert found[0] == found[2]
    assert found[0] != found[1]
    assert all(len(match) == 32 for match in found)


def test_what_a_bot_wrote_is_escaped_for_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Colours, titles, cursor jumps and turned directions are shown, not obeyed."""
    evil = "\x1b]0;owned\x07\x1b[2J\u202eok"
    check._tell(
        DrillOutcome(1, "resume", "comes back", DrillStatus.FAILED, evil, messages=(evil,), output=f"{evil}\nsecond")
    )
    out = capsys.readouterr().out

    assert [line for line in out.splitlines() if not line.isprintable()] == []
    assert out.count("\\x1b]0;owned\\x07\\x1b[2J\\u202eok") == 3
    assert "      | second" in out


@pytest.mark.processes
def test_the_output_of_a_real_bot_is_escaped_in_report_and_transcript(kumite: Kumite, tmp_path: Path) -> None:
    """A process that writes control characters and ends."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text('command = ["sh", "-c", "printf \'\\\\033[31mred\\\\033[0m\'; exit 3"]')
    code, out, _ = kumite("check", "./bot", "--patience", "5", "--transcript", "said.txt")

    assert code == 1
    assert "\\x1b[31mred" in out
    assert "\x1b" not in out
    assert "\x1b" not in Path("said.txt").read_text()
