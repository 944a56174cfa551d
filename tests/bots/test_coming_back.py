"""What a bot does when the referee closes its stream or is gone: gRPC streams to a referee that follows a script."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import grpc
import pytest

import bots.client
from bots import Bot, run
from bots.ask import AnyAsk
from referee.kernel.game import Option
from referee.v1 import play_pb2
from tests.bots.scripted import (
    First,
    Requests,
    Responses,
    Script,
    ScriptedReferee,
    answer,
    asked,
    closing,
    over,
    script,
    seated,
    welcome,
)

Pauses = Callable[[Callable[[int], None]], list[float]]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """Replaces the client's pauses by a call that gets their number; returns their lengths in seconds."""

    def replace(during: Callable[[int], None]) -> list[float]:
        lengths: list[float] = []

        def sleep(seconds: float) -> None:
            lengths.append(seconds)
            during(len(lengths))

        monkeypatch.setattr(bots.client, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
        return lengths

    return replace


def table_until(end: play_pb2.PlayResponse) -> Script:
    """A table at which the bot answers one ask, and then the stream ends with that message."""

    def follow(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        answer(requests)
        yield end

    return follow


def resumed(got: list[int]) -> Script:
    """The table given back: the lost answer is asked for again, and the match ends."""

    def follow(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome(resumed=True)
        yield seated(is_ready=True)
        for number in (1, 2):
            yield asked(number)
            got.append(answer(requests).ask)
        yield over()

    return follow


@pytest.mark.parametrize("code", ["RESTARTING", "FULL", "RATE", "BACKLOG", "SILENT", 99])
def test_after_a_fault_that_lets_it_come_back_a_bot_resumes_its_tables(referee: ScriptedReferee, code: str) -> None:
    """A restart, a limit, or a code of a later version: the bot dials again and plays on, without any patience."""
    got: list[int] = []
    referee.scripts = [table_until(closing(code, "come back")), script(closing(code, "not yet")), resumed(got)]

    run(First, referee.address, matches=1, quiet=True, patience=0.0)

    assert got == [1, 2]
    assert [hello.resume_token for hello in referee.hellos] == ["", "t1", "t1"]


def test_a_referee_that_is_gone_without_a_word_is_waited_for(
    referee: ScriptedReferee, pauses: Pauses, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed and started again much later, it finds the bot back at its table; the bot reports its absence once."""
    got: list[int] = []

    def during(number: int) -> None:
        if number == 1:
            referee.stop()
        if number == 8:
            referee.start()

    def killed(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield from table_until(welcome())(requests, context)
        context.abort(grpc.StatusCode.UNAVAILABLE, "killed")

    lengths = pauses(during)
    referee.scripts = [killed, resumed(got)]

    run(First, referee.address, matches=1, patience=0.0)

    shown = capsys.readouterr().err
    assert got == [1, 2]
    assert len(lengths) == 8
    assert shown.count("no referee answers") == 1


def test_a_bot_that_was_never_welcome_has_no_more_than_its_patience(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is known of a referee that was never heard."""
    referee.stop()

    with pytest.raises(SystemExit) as caught:
        run(First, referee.address, patience=0.0)

    assert caught.value.code == 2
    assert "gave up after 0 s" in capsys.readouterr().err


def test_the_referee_says_how_long_to_wait(referee: ScriptedReferee, pauses: Pauses) -> None:
    """The pause before the next stream is as long as the fault wants."""
    lengths = pauses(lambda number: None)
    referee.scripts = [
        script(closing("FULL", "no room", retry_after_us=42_000_000)),
        script(closing("RATE", "too fast")),
        script(closing("SHUTDOWN", "good night")),
    ]

    run(First, referee.address, quiet=True)

    assert lengths == [42.0, 0.0]


def test_a_redirected_bot_plays_on_elsewhere(
    referee: ScriptedReferee, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It dials the address in the fault and resumes there with its token."""
    got: list[int] = []
    with ScriptedReferee(f"unix:{tmp_path}/second.sock") as second:
        referee.scripts = [table_until(closing("REDIRECTED", "over there", address=second.address))]
        second.scripts = [resumed(got)]

        run(First, referee.address, matches=1)

    assert got == [1, 2]
    assert [hello.resume_token for hello in second.hellos] == ["t1"]
    assert f"over there; trying again at {second.address}" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["unix:/nowhere/at.all", "no address", ""])
def test_a_bot_that_is_redirected_to_nowhere_dials_its_first_address_again(
    referee: ScriptedReferee, address: str
) -> None:
    """An address that does not answer, or is none, does not cost the bot its tables."""
    got: list[int] = []
    referee.scripts = [table_until(closing("REDIRECTED", "over there", address=address)), resumed(got)]

    run(First, referee.address, matches=1, quiet=True)

    assert got == [1, 2]


def test_a_redirection_to_a_server_that_is_no_referee_leads_back(referee: ScriptedReferee, tmp_path: Path) -> None:
    """At the bot's own address that would be a refusal."""
    got: list[int] = []

    class NoReferee(ScriptedReferee):
        def Play(self, requests: Requests, context: grpc.ServicerContext) -> Responses:  # noqa: N802
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "what is Play?")

    with NoReferee(f"unix:{tmp_path}/second.sock") as second:
        referee.scripts = [table_until(closing("REDIRECTED", "over there", address=second.address)), resumed(got)]

        run(First, referee.address, matches=1, quiet=True)

    assert got == [1, 2]


@pytest.mark.parametrize("code", ["REVOKED", "KICKED", "NO_GAME"])
def test_a_bot_that_is_sent_away_ends_with_one_line_and_code_2(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    """In mid-match too; the line has the referee's reason."""
    referee.scripts = [table_until(closing(code, "here is\nwhy"))]

    with pytest.raises(SystemExit) as caught:
        run(First, referee.address, quiet=True)

    assert caught.value.code == 2
    assert capsys.readouterr().err == f"kumite: the referee at {referee.address} refuses this bot: here is why\n"
    assert len(referee.hellos) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_bot_that_waits_for_its_referee(
    referee: ScriptedReferee, pauses: Pauses, capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    """In the middle of a long pause, at once and in an orderly way."""

    def during(count: int) -> None:
        os.kill(os.getpid(), number)
        time.sleep(60.0)

    pauses(during)
    referee.scripts = [script(welcome(), closing("RESTARTING", "back soon", retry_after_us=600_000_000))]
    begun = time.monotonic()
    # Started in the background by a script, this process would ignore SIGINT, and so would the bot.
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run(First, referee.address)
    finally:
        signal.signal(signal.SIGINT, inherited)

    assert time.monotonic() - begun < 30.0
    assert capsys.readouterr().err.endswith("kumite: back soon; trying again\nkumite: stopped\n")


def test_an_answer_thought_of_while_the_referee_was_gone_is_given_when_it_is_back(referee: ScriptedReferee) -> None:
    """The stream breaks in the middle of a decision; the bot decides once, and its answer is not lost."""
    decided: list[int] = []
    got: list[int] = []

    class Slow(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            decided.append(ask.number)
            if len(decided) == 1:
                referee.stop()
                referee.start()
            return 0

    def asks(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        list(requests)

    referee.scripts = [asks, resumed(got)]

    run(Slow, referee.address, matches=1, quiet=True)

    assert (decided, got) == ([1, 2], [1, 2])


def test_with_a_token_no_name_is_sent_unless_the_author_insists(
    referee: ScriptedReferee, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The token says who the bot is, as an argument or from the environment; the welcome tells the name."""
    goodbye = script(welcome(), closing("SHUTDOWN", "good night"))
    referee.scripts = [goodbye] * 5

    run(First, referee.address, name="mine")
    run(First, referee.address, name="mine", token="t")
    run(First, referee.address, token="t")
    monkeypatch.setenv(bots.client.TOKEN_VARIABLE, "t")
    run(First, referee.address, name="mine")
    run(First, referee.address, name="mine", insist=True)

    assert [hello.name for hello in referee.hellos] == ["mine", "", "", "", "mine"]
    assert capsys.readouterr().err.count("kumite: first connected") == 5


def test_an_open_referee_that_misses_the_name_is_explained(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token left in the environment keeps the name from being sent; the line says so."""
    referee.scripts = [script(closing("BAD_HELLO", "'' is no name for a bot"))]

    with pytest.raises(SystemExit):
        run(First, referee.address, name="mine", token="t")

    assert "a token was given, so no name was sent" in capsys.readouterr().err


def test_a_hello_names_the_build_and_whether_people_are_welcome(referee: ScriptedReferee) -> None:
    """By default a digest of the source, and no people; class and arguments may say otherwise."""

    class Sociable(First):
        plays_people = True

    goodbye = script(closing("SHUTDOWN", "good night"))
    referee.scripts = [goodbye] * 5

    run(First, referee.address, quiet=True)
    run(First(), referee.address, quiet=True, software="first 2", plays_people=True)
    run(Sociable, referee.address, quiet=True)
    run(Sociable, referee.address, quiet=True, plays_people=False)
    run(First, referee.address, quiet=True)
    texts = [hello.software for hello in referee.hellos]

    assert texts[0] == texts[4] == bots.source.software(First)
    assert texts[0].startswith("tests.bots.scripted.First sha256:")
    assert texts[1] == "first 2"
    assert [hello.plays_people for hello in referee.hellos] == [False, True, True, False, False]


@pytest.mark.parametrize("software", ["x" * 257, "two\nlines", "\udcff"])
def test_software_that_is_no_line_is_refused_at_once(capsys: pytest.CaptureFixture[str], software: str) -> None:
    """It would come back from the referee, or not even leave."""
    with pytest.raises(SystemExit) as caught:
        run(First, software=software)

    assert caught.value.code == 2
    assert "software is a line of at most 256 characters" in capsys.readouterr().err
