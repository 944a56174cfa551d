"""What a bot in any language must stand, as a class of tests that each language's test file makes its own.

    @pytest.mark.slow
    class TestGo(LanguageDrills):
        folder = "go"
        tools = ("go",)
        heuristic = "honshu"
        failing = pb.Ask(match_id=MATCH, ask=7, seat=1, option_count=0, kind="choose")

The bot is started as `bot.toml` says, with what every language bot takes: KUMITE_ADDRESS, KUMITE_NAME, KUMITE_TOKEN and
KUMITE_STATE, `--bot`, `--tables`, `--tls-ca`.
"""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from bots.resume import STATE_VARIABLE
from ladder.check.examination import Options, examine, subject
from ladder.check.outcomes import DrillStatus
from ladder.check.transcript import Transcript
from referee.hosting.manifest import Manifest
from referee.kernel import registry
from referee.transport.auth import Tokens
from tests.certificates import certificate
from tests.languages.closing_drills import NAME, ClosingDrills
from tests.languages.examiner import MATCH, NONCE, OPTIONS, Examiner
from tests.languages.failure_drills import FailureDrills
from tests.languages.harness import WAIT, BotProcess, Gated, Referee, Wire, build, opponent, until

MIDDLE = 4
"""The ask of the opponent's at which matches are disturbed."""
GAMES = registry.names()


class LanguageDrills(ClosingDrills, FailureDrills):
    """The drills; `folder`, `tools` and `heuristic` say which bot, `failing` at what it fails."""

    folder: ClassVar[str]
    """Of the bot, in bots/."""
    tools: ClassVar[tuple[str, ...]]
    """Commands without which it cannot be built."""
    heuristic: ClassVar[str]
    """The game that it plays by judgement with `--bot GAME`."""
    share: ClassVar[float] = 0.8
    """The share of games against a random bot that its heuristic wins at least."""

    @pytest.fixture
    def manifest(self) -> Manifest:
        """The built bot."""
        return build(self.folder, self.tools)

    @pytest.fixture
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A folder for sockets, logs and tokens; bots of the Python kit keep theirs there too."""
        monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
        return tmp_path

    def chosen(self, manifest: Manifest, bot: str, address: str, folder: Path, *options: str) -> BotProcess:
        """The program with another bot than its manifest chooses."""
        command = manifest.command
        if "--bot" in command:
            command = command[: command.index("--bot")]
        return BotProcess(replace(manifest, command=command), address, folder, "--bot", bot, *options, name=NAME)

    @pytest.mark.parametrize("game", GAMES)
    def test_it_plays_every_game_and_leaves_when_the_referee_says_goodbye(
        self, manifest: Manifest, place: Path, game: str
    ) -> None:
        """Two matches against a random bot end without a fault; after the goodbye the exit code is 0."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=[game], matches=2) as referee,
            BotProcess(manifest, address, place, name=NAME) as bot,
            opponent(address, matches=2),
        ):
            code = bot.wait()

        assert (len(referee.ended), referee.faultless) == (2, True), (referee.endings, bot.output)
        assert code == 0

    @pytest.mark.parametrize("game", GAMES)
    def test_a_bot_killed_in_mid_match_and_started_again_plays_on(
        self, manifest: Manifest, place: Path, game: str
    ) -> None:
        """Killed while a question to it is open, and started again, it finishes the same match without a fault."""
        address = f"unix:{place}/socket"
        other = Gated(at=MIDDLE)
        with Referee(address, games=[game], matches=1) as referee, opponent(address, other, matches=1):
            with BotProcess(manifest, address, place, name=NAME) as first:
                other.wait()
                first.signal(signal.SIGSTOP)  # so that it is killed before it can answer
                other.open.set()
                until(lambda: referee.owes(NAME), "a question to the stopped bot")
                first.kill()
            with BotProcess(manifest, address, place, name=NAME) as second:
                code = second.wait()

        assert (len(referee.ended), referee.faultless) == (1, True), (referee.endings, second.output)
        assert code == 0

    def test_a_broken_connection_is_resumed_by_the_running_process(self, manifest: Manifest, place: Path) -> None:
        """When the connection breaks in mid-match, the same process dials again and plays on without a fault."""
        other = Gated(at=MIDDLE)
        with (
            Referee(f"unix:{place}/socket", games=[self.heuristic], matches=1) as referee,
            Wire(place / "socket") as wire,
            BotProcess(manifest, wire.address, place, name=NAME) as bot,
            opponent(referee.address, other, matches=1),
        ):
            other.wait()
            broken = referee.stream(NAME)
            wire.cut()
            until(lambda: referee.stream(NAME) not in (None, broken), "the return of the bot")
            other.open.set()
            code = bot.wait()

        assert (len(referee.ended), referee.faultless) == (1, True), (referee.endings, bot.output)
        assert code == 0

    def test_a_resume_token_that_means_nothing_any_more_is_forgotten(self, manifest: Manifest, place: Path) -> None:
        """Killed in mid-match and started again at a new referee, which knows nothing of it, the bot plays afresh."""
        address = f"unix:{place}/socket"
        other = Gated(at=MIDDLE)
        with Referee(address, games=[self.heuristic], matches=1) as gone, opponent(address, other, matches=1):
            with BotProcess(manifest, address, place, name=NAME) as first:
                other.wait()
                first.kill()
            gone.server.stop()
            other.open.set()
        with (
            Referee(address, games=[self.heuristic], matches=1) as referee,
            BotProcess(manifest, address, place, name=NAME) as second,
            opponent(address, matches=1),
        ):
            code = second.wait()

        assert gone.ended == []
        assert (len(referee.ended), referee.faultless) == (1, True), (referee.endings, second.output)
        assert code == 0

    def test_it_plays_several_tables_at_once(self, manifest: Manifest, place: Path) -> None:
        """With four tables it plays eight matches of all games on one stream, without a fault."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=GAMES, matches=8) as referee,
            BotProcess(manifest, address, place, "--tables", "4", name=NAME) as bot,
            opponent(address, matches=8, tables=4),
        ):
            code = bot.wait()

        assert (len(referee.ended), referee.faultless) == (8, True), (referee.endings, bot.output)
        assert code == 0

    def test_a_token_lets_it_in_over_tls(self, manifest: Manifest, place: Path) -> None:
        """Two of them meet at a referee with TLS and tokens: they trust its certificate, and their tokens name them."""
        files = certificate(place)
        tokens = Tokens.of([("left", "token-of-left"), ("right", "token-of-right")])
        options = ("--tls-ca", str(files.roots))
        with Referee(
            "localhost:0",
            games=[self.heuristic],
            matches=1,
            directory=tokens,
            tls_cert=files.chain,
            tls_key=files.key,
        ) as referee:
            where = referee.address
            with (
                BotProcess(manifest, where, place, *options, name="left", KUMITE_TOKEN="token-of-left") as left,
                BotProcess(manifest, where, place, *options, name="right", KUMITE_TOKEN="token-of-right") as right,
            ):
                codes = (left.wait(), right.wait())

        assert codes == (0, 0)
        assert [sorted(terms.players) for terms, _ in referee.ended] == [["left", "right"]]
        assert referee.faultless, referee.endings

    def test_a_refusal_is_code_2_and_a_line_that_says_why(self, manifest: Manifest, place: Path) -> None:
        """A wrong token and a bad name each end the program with code 2 and the referee's own words."""
        closed, opened = f"unix:{place}/closed", f"unix:{place}/open"
        with (
            Referee(closed, games=GAMES, matches=None, directory=Tokens.of([(NAME, "right")])),
            BotProcess(manifest, closed, place, name=NAME, KUMITE_TOKEN="wrong") as stranger,
        ):
            stranger_code = stranger.wait(2)
        with (
            Referee(opened, games=GAMES, matches=None),
            BotProcess(manifest, opened, place, "--name", "no name", name="nameless") as nameless,
        ):
            nameless_code = nameless.wait(2)

        assert (stranger_code, nameless_code) == (2, 2)
        assert "the token is unknown or revoked" in stranger.output
        assert "is no name for a bot" in nameless.output

    def test_sigterm_ends_it_with_code_0(self, manifest: Manifest, place: Path) -> None:
        """Asked to end while it waits for a table, it leaves at once and in good order."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=GAMES, matches=None) as referee,
            BotProcess(manifest, address, place, name=NAME) as bot,
        ):
            until(lambda: referee.stream(NAME) is not None, "the arrival of the bot")
            bot.signal(signal.SIGTERM)
            code = bot.wait()

        assert code == 0

    def test_a_ping_is_returned_while_it_thinks_and_an_unknown_game_is_played(
        self, manifest: Manifest, place: Path
    ) -> None:
        """A pong overtakes answers to the questions before its ping; an unknown game gets answers in range."""
        with Examiner() as examiner, BotProcess(manifest, examiner.address, place, name=NAME) as bot:
            code = bot.wait()

        assert code == 0
        assert (examiner.hello.protocol_version, examiner.hello.name) == (1, NAME)
        assert [ready.match_id for ready in examiner.readied] == [MATCH]
        assert examiner.nonces == [NONCE - number for number in range(examiner.rounds)]
        assert examiner.overtook
        assert [answer.ask for answer in examiner.answers] == list(range(1, examiner.asked + 1))
        assert {answer.option for answer in examiner.answers} == set(range(OPTIONS))

    def test_it_passes_the_check_for_authors(self, manifest: Manifest) -> None:
        """`kumite check` finds nothing to say against it, and has no step to skip."""
        options = Options(patience=WAIT, arguments=("--tables", "4"))
        report = examine(subject(str(manifest.folder), options), options, Transcript())

        assert [outcome for outcome in report.outcomes if outcome.status is not DrillStatus.PASSED] == []
        assert report.outcomes[-1].key == "refusal"

    def test_its_random_bot_plays_too(self, manifest: Manifest, place: Path) -> None:
        """`--bot random` finishes a match of every game."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=GAMES, matches=len(GAMES)) as referee,
            self.chosen(manifest, "random", address, place) as bot,
            opponent(address, matches=len(GAMES)),
        ):
            code = bot.wait()

        assert {terms.game for terms, _ in referee.ended} == set(GAMES)
        assert referee.faultless, (referee.endings, bot.output)
        assert code == 0

    def test_its_heuristic_bot_beats_a_random_one(self, manifest: Manifest, place: Path) -> None:
        """Over twenty games of two it wins by far the most."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=[self.heuristic], matches=20) as referee,
            self.chosen(manifest, self.heuristic, address, place, "--tables", "4") as bot,
            opponent(address, matches=20, tables=4),
        ):
            code = bot.wait()

        assert code == 0
        assert referee.faultless, (referee.endings, bot.output)
        assert referee.wins(NAME) >= self.share
