"""What a bot in any language must do when the referee closes its stream, restarts, moves or is not there.

A script server stands in for the referee: it says what a real one says only when an organiser or a crash makes it.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

from referee.hosting.manifest import Manifest
from referee.transport.auth import Tokens
from referee.v1 import play_pb2 as pb
from tests.certificates import certificate
from tests.languages.examiner import MATCH, RESUME_TOKEN, UNKNOWN_CODE, Closer, closing
from tests.languages.harness import BotProcess, Referee, until

NAME = "guest"
TOKEN = "token-of-guest"
STRANGER_PATIENCE = 30.0
"""Seconds for which a bot dials that was never welcomed."""
RETRY_AFTER = 2.0
"""Seconds; longer than any first pause of a bot."""
RESTARTING = closing(pb.FAULT_CODE_RESTARTING)


def dead_port() -> int:
    """A port on which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def resume_tokens(server: Closer) -> list[str]:
    """The resume tokens of the hellos that came."""
    return [hello.resume_token for hello in server.hellos]


class ClosingDrills:
    """The drills; `folder` and `heuristic` say which bot."""

    folder: ClassVar[str]
    heuristic: ClassVar[str]

    @pytest.mark.parametrize("code", [pb.FAULT_CODE_RESTARTING, pb.FAULT_CODE_RATE, UNKNOWN_CODE])
    def test_a_code_that_lets_it_come_back_is_followed_by_a_resume(
        self, manifest: Manifest, place: Path, code: pb.FaultCode
    ) -> None:
        """After RESTARTING, RATE and a code of a later protocol it dials again with its resume token."""
        with Closer(closing(code)) as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait() == 0

        assert resume_tokens(server) == ["", RESUME_TOKEN]

    def test_it_waits_for_a_referee_that_restarts_and_for_one_that_was_killed(
        self, manifest: Manifest, place: Path
    ) -> None:
        """Once welcomed, it dials for longer than a stranger would, whether the referee announced its end or not."""
        ends: tuple[tuple[str, pb.Fault | None, str], ...] = (
            ("told", RESTARTING, f"closed with code {pb.FAULT_CODE_RESTARTING}"),
            ("untold", None, "connected"),
        )
        with ExitStack() as stack:
            bots, ports = [], []
            for name, end, sign in ends:
                with Closer(*[end] * 20) as server:
                    bot = stack.enter_context(BotProcess(manifest, server.address, place, name=name))
                    until(partial(bot.wrote, sign), f"the welcome of the bot {name}")
                bots.append(bot)
                ports.append(server.port)
            threading.Event().wait(STRANGER_PATIENCE + 3.0)
            returned = [stack.enter_context(Closer(port=port)) for port in ports]

            assert [bot.wait() for bot in bots] == [0, 0]
        assert [resume_tokens(server) for server in returned] == [[RESUME_TOKEN], [RESUME_TOKEN]]

    @pytest.mark.parametrize("code", [pb.FAULT_CODE_REVOKED, pb.FAULT_CODE_KICKED, pb.FAULT_CODE_NO_GAME])
    def test_a_code_that_ends_its_play_is_code_2_and_one_line(
        self, manifest: Manifest, place: Path, code: pb.FaultCode
    ) -> None:
        """After REVOKED, KICKED and NO_GAME it leaves with the referee's words, and does not dial again."""
        with Closer(closing(code)) as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait(2) == 2

        assert len(server.hellos) == 1
        assert f"no play at {server.address}: closed with code {code}" in bot.output

    def test_a_stream_that_another_took_over_ends_it_with_code_0(self, manifest: Manifest, place: Path) -> None:
        """After TAKEN_OVER it leaves in good order."""
        taken_over = closing(pb.FAULT_CODE_TAKEN_OVER)
        with Closer(taken_over) as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait() == 0

        assert len(server.hellos) == 1

    def test_a_redirection_is_followed(self, manifest: Manifest, place: Path) -> None:
        """After REDIRECTED it resumes at the address that it was told."""
        with (
            Closer() as second,
            Closer(closing(pb.FAULT_CODE_REDIRECTED, address=second.address)) as first,
            BotProcess(manifest, first.address, place, name=NAME) as bot,
        ):
            assert bot.wait() == 0

        assert (resume_tokens(first), resume_tokens(second)) == ([""], [RESUME_TOKEN])

    @pytest.mark.parametrize("address", ["127.0.0.1:{port}", "no address at all"])
    def test_a_redirection_that_leads_nowhere_leads_back(self, manifest: Manifest, place: Path, address: str) -> None:
        """If the other address does not answer, it resumes at the first one."""
        redirection = closing(pb.FAULT_CODE_REDIRECTED, address=address.format(port=dead_port()))
        with Closer(redirection) as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait() == 0

        assert resume_tokens(server) == ["", RESUME_TOKEN]

    def test_it_waits_as_long_as_the_referee_says(self, manifest: Manifest, place: Path) -> None:
        """With `retry_after_us` in the closing fault it does not dial earlier."""
        full = closing(pb.FAULT_CODE_FULL, retry_after=RETRY_AFTER)
        with Closer(full) as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait() == 0

        first, second = server.times
        assert second - first >= RETRY_AFTER

    def test_what_an_organiser_does_is_logged_and_play_goes_on(self, manifest: Manifest, place: Path) -> None:
        """SET_ASIDE, PAUSED and VOIDED do not end the stream, and their messages are in the log."""
        faults = [
            pb.Fault(code=pb.FAULT_CODE_SET_ASIDE, message="set aside until noon"),
            pb.Fault(code=pb.FAULT_CODE_PAUSED, match_id=MATCH, message="paused by the organiser"),
            pb.Fault(code=pb.FAULT_CODE_VOIDED, match_id=MATCH, message="voided by the organiser"),
        ]
        with (
            Closer(after_welcome=pb.PlayResponse(faults=faults)) as server,
            BotProcess(manifest, server.address, place, name=NAME) as bot,
        ):
            assert bot.wait() == 0

        assert len(server.hellos) == 1
        assert [fault.message for fault in faults if fault.message not in bot.output] == []

    def test_a_rated_match_ends_with_the_rating_before_and_after(self, manifest: Manifest, place: Path) -> None:
        """The ratings of an over are in the log line of the match, those of the bot's own seat."""
        ratings = [pb.SeatRating(rating_before=900, rating_after=800)]
        ratings += [pb.SeatRating(rating_before=1500.4, rating_after=1512.3, deviation=80, games=7, rank=2)]
        seated = pb.Seated(match_id=MATCH, game="new_game", seat=1, players=["other", "guest"], is_ready=True)
        message = pb.PlayResponse(seated=[seated], over=[pb.Over(match_id=MATCH, seat=1, rated=True, ratings=ratings)])
        with (
            Closer(after_welcome=message) as server,
            BotProcess(manifest, server.address, place, name=NAME) as bot,
        ):
            assert bot.wait() == 0

        assert "rating 1500 -> 1512" in bot.output

    def test_with_a_token_its_hello_has_no_name_unless_the_command_line_insists(
        self, manifest: Manifest, place: Path
    ) -> None:
        """KUMITE_NAME is left out of a hello with a token; `--name` is not. Without a token KUMITE_NAME is the name."""
        runs = (((), TOKEN), (("--name", "insisting"), TOKEN), ((), ""))
        server = Closer()
        with server:
            for options, token in runs:
                with BotProcess(manifest, server.address, place, *options, name=NAME, KUMITE_TOKEN=token) as bot:
                    assert bot.wait() == 0

        assert [hello.name for hello in server.hellos] == ["", "insisting", NAME]
        assert server.tokens == [TOKEN, TOKEN, ""]

    def test_its_software_is_program_bot_and_version(self, manifest: Manifest, place: Path) -> None:
        """The hello names all three, so that a changed bot is a new build on a ladder."""
        with Closer() as server, BotProcess(manifest, server.address, place, name=NAME) as bot:
            assert bot.wait() == 0

        assert re.fullmatch(rf"kumite-{self.folder} {self.heuristic} \d+\.\d+", server.hellos[0].software)

    def test_tls_on_one_side_only_ends_in_a_line_that_mentions_tls(self, manifest: Manifest, place: Path) -> None:
        """Without TLS at a port that speaks it, and the reverse, it gives up after its patience and names the cause."""
        files = certificate(place)
        tokens = Tokens.of([(NAME, TOKEN)])
        began = time.monotonic()
        with (
            Referee(
                "localhost:0",
                games=[self.heuristic],
                matches=None,
                directory=tokens,
                tls_cert=files.chain,
                tls_key=files.key,
            ) as secure,
            Referee("localhost:0", games=[self.heuristic], matches=None) as plain,
            BotProcess(manifest, secure.address, place, name="plain") as without,
            BotProcess(manifest, plain.address, place, "--tls-ca", str(files.roots), name="secure") as with_tls,
        ):
            assert (without.wait(2), with_tls.wait(2)) == (2, 2)

        assert time.monotonic() - began >= STRANGER_PATIENCE
        assert "it may speak TLS: try --tls-ca FILE" in without.output.splitlines()[-1]
        assert "it may speak without TLS: try without --tls-ca" in with_tls.output.splitlines()[-1]
