"""The client on a real gRPC stream, against a referee that follows a script."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import grpc
import pytest

import bots.client
import bots.redial
from bots import Bot, run
from bots.ask import AnyAsk
from bots.resume import STATE_VARIABLE, ResumeFile
from bots.session import Profile
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


def test_a_match_is_played_from_hello_to_over(referee: ScriptedReferee) -> None:
    """The bot is seated, says ready, answers each ask, and leaves after the match it wanted."""
    got: list[str | int] = []

    def table(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        got.append(next(requests).ready[0].match_id)
        for number in (1, 2, 3):
            yield asked(number)
            got.append(answer(requests).ask)
        yield over()

    referee.scripts = [table]

    run(First, referee.address, matches=1, quiet=True)

    assert got == ["m1", 1, 2, 3]
    assert [(hello.name, hello.tables) for hello in referee.hellos] == [("first", 1)]


def test_a_broken_stream_is_resumed_and_the_match_goes_on(referee: ScriptedReferee) -> None:
    """After a break the bot says hello with its resume token and answers what it is asked again."""
    got = []

    def breaks(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        answer(requests)
        context.abort(grpc.StatusCode.UNAVAILABLE, "gone fishing")

    def goes_on(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome(resumed=True)
        yield seated(is_ready=True)
        yield asked(1)
        got.append(answer(requests).ask)
        yield asked(2)
        got.append(answer(requests).ask)
        yield over()

    referee.scripts = [breaks, goes_on]

    run(First(), referee.address, name="first", matches=1, quiet=True)

    assert got == [1, 2]
    assert [hello.resume_token for hello in referee.hellos] == ["", "t1"]


def test_a_forgotten_resume_token_is_dropped(referee: ScriptedReferee) -> None:
    """If the referee knows nothing of an earlier stream, the bot starts afresh."""
    referee.scripts = [
        script(welcome()),
        script(closing("UNKNOWN_RESUME", "nothing to resume")),
        script(welcome(), closing("SHUTDOWN", "good night")),
    ]

    run(First, referee.address, quiet=True)

    assert [hello.resume_token for hello in referee.hellos] == ["", "t1", ""]


def test_a_new_process_takes_up_what_a_killed_one_left(referee: ScriptedReferee) -> None:
    """The resume token outlives the process that got it, until the wanted matches are played."""
    with ResumeFile(referee.address, "first") as left:
        left.keep("t1")

    def goes_on(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome(resumed=True)
        yield seated(is_ready=True)
        yield asked(9)
        answer(requests)
        yield over()

    referee.scripts = [goes_on]

    run(First, referee.address, matches=1, quiet=True)

    assert [hello.resume_token for hello in referee.hellos] == ["t1"]
    assert left.path is not None
    assert not left.path.exists()


@pytest.mark.parametrize("running", [False, True])
def test_what_can_be_resumed_is_remembered_and_nothing_else(referee: ScriptedReferee, running: bool) -> None:
    """A bot that leaves in mid-match finds its way back; one without a match leaves no file behind."""
    table = [seated()] if running else []
    referee.scripts = [script(welcome(), *table, closing("SHUTDOWN", "good night"))]

    run(First, referee.address, quiet=True)

    with ResumeFile(referee.address, "first") as left:
        assert left.token == ("t1" if running else "")


def test_pings_are_returned_while_the_bot_thinks(referee: ScriptedReferee) -> None:
    """A bot in the middle of a decision is alive: here it decides only after the referee got the pong."""
    returned = threading.Event()

    class Slow(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            return 1 if returned.wait(timeout=30) else 0

    answers = []

    def impatient(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        yield play_pb2.PlayResponse(ping=play_pb2.Ping(nonce=77))
        assert next(requests).pong.nonce == 77
        returned.set()
        answers.append(answer(requests).option)
        yield over()

    referee.scripts = [impatient]

    run(Slow, referee.address, matches=1, quiet=True)

    assert answers == [1]


def test_a_failure_is_sent_before_the_next_ask_is_decided(
    referee: ScriptedReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long answers may wait for each other, the table of a failure does not wait for a long thought."""
    monkeypatch.setattr(bots.client, "TOGETHER", 60.0)
    came = threading.Event()
    got: list[play_pb2.PlayRequest] = []

    class Fails(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            if ask.match == "m1":
                raise ValueError("no such card")
            return int(came.wait(5))

    def table(requests: Requests, context: grpc.ServicerContext) -> Responses:
        message = play_pb2.PlayResponse()
        for match in ("m1", "m2"):
            message.seated.add(match_id=match, game="some_game", players=["first", "other"], is_ready=True)
            message.asks.add(match_id=match, ask=1, option_count=3, kind="choose")
        yield welcome()
        yield message
        while not got or not got[-1].answers:
            got.append(next(requests))
            came.set()
        yield closing("SHUTDOWN", "goodbye")

    referee.scripts = [table]

    run(Fails(), referee.address, tables=2, quiet=True)

    told = [([failure.match_id for failure in it.failures], [answer.option for answer in it.answers]) for it in got]
    assert told == [(["m1"], []), ([], [1])]


def test_the_token_travels_in_the_metadata(referee: ScriptedReferee, monkeypatch: pytest.MonkeyPatch) -> None:
    """An explicit token comes before the environment's; without either nothing is sent."""
    goodbye = script(closing("SHUTDOWN", "good night"))
    referee.scripts = [goodbye, goodbye, goodbye]

    run(First, referee.address, quiet=True)
    monkeypatch.setenv(bots.client.TOKEN_VARIABLE, "from-outside")
    run(First, referee.address, quiet=True)
    run(First, referee.address, quiet=True, token="given")

    assert referee.tokens == [None, "Bearer from-outside", "Bearer given"]


def abort(code: grpc.StatusCode, details: str) -> Script:
    def aborting(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield from ()
        context.abort(code, details)

    return aborting


@pytest.mark.parametrize(
    ("end", "line"),
    [
        (script(closing("VERSION", "I speak 2, you speak 1")), "I speak 2, you speak 1"),
        (script(closing("UNAUTHENTICATED", "no such token")), "no such token"),
        (abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?"), "bad token: who are you?"),
        (abort(grpc.StatusCode.UNIMPLEMENTED, "what is Play?"), "it is no Kumite referee"),
    ],
)
def test_a_refusal_is_one_line_and_exit_code_2(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str], end: Script, line: str
) -> None:
    """A wrong version or token will not get better: the bot says why and ends."""
    referee.scripts = [end]

    with pytest.raises(SystemExit) as caught:
        run(First, referee.address, quiet=True)

    shown = capsys.readouterr().err
    assert caught.value.code == 2
    assert shown.startswith(f"kumite: the referee at {referee.address} refuses this bot: ")
    assert line in shown
    assert shown.count("\n") == 1


def test_an_absent_referee_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody at the address for as long as the bot's patience: it says so, ends, and leaves nothing behind."""
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))

    with pytest.raises(SystemExit) as caught:
        run(First, f"unix:{tmp_path}/nobody.sock", patience=0.0, quiet=True)

    shown = capsys.readouterr().err
    assert caught.value.code == 2
    assert shown.startswith(f"kumite: no referee answers at unix:{tmp_path}/nobody.sock (")
    assert shown.endswith("); gave up after 0 s\n")
    assert shown.count("\n") == 1
    assert list((tmp_path / "state").iterdir()) == []


def test_a_goodbye_is_a_good_end(referee: ScriptedReferee, capsys: pytest.CaptureFixture[str]) -> None:
    """When the referee shuts down or another stream took over, the bot says what the referee said and returns."""
    referee.scripts = [script(welcome(), closing("TAKEN_OVER", "a new stream of yours took over"))]

    run(First, referee.address)

    assert "kumite: a new stream of yours took over\n" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_bot_even_while_it_thinks(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    """Ctrl-C and SIGTERM end `run` in an orderly way, in the middle of a decision too, and restore the handler."""

    class Doomed(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            os.kill(os.getpid(), number)
            return threading.Event().wait(timeout=30)

    def table(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        list(requests)

    referee.scripts = [table]
    before = signal.getsignal(signal.SIGTERM)
    # Started in the background by a script, this process would ignore SIGINT, and so would the bot.
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run(Doomed, referee.address)
    finally:
        signal.signal(signal.SIGINT, inherited)

    assert capsys.readouterr().err.endswith("kumite: stopped\n")
    assert signal.getsignal(signal.SIGTERM) is before


def test_in_development_an_exception_shows_its_trace_and_ends_with_code_1(
    referee: ScriptedReferee, capsys: pytest.CaptureFixture[str]
) -> None:
    """An author sees at once where the bot went wrong and at which ask."""

    class Broken(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            raise KeyError("pond")

    def table(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        yield seated()
        next(requests)
        yield asked(1)
        list(requests)

    referee.scripts = [table]

    with pytest.raises(SystemExit) as caught:
        run(Broken, referee.address, development=True, quiet=True)

    shown = capsys.readouterr().err
    assert caught.value.code == 1
    assert 'raise KeyError("pond")' in shown
    assert "kumite: the bot raised in decide, at <ask 1 of some_game: choose" in shown.splitlines()[-1]


@pytest.mark.parametrize(("tables", "matches"), [(0, None), (1, 0)])
def test_a_bot_without_a_table_or_match_is_refused_at_once(
    tables: int, matches: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers that make no sense never reach the referee."""
    with pytest.raises(SystemExit):
        run(First, tables=tables, matches=matches)

    assert "a bot plays at least one table and one match" in capsys.readouterr().err


def test_another_thread_can_end_a_bot_that_waits(referee: ScriptedReferee) -> None:
    """`Departure.leave` ends a bot that waits for a match, for a referee, or that has not begun."""
    greeted = threading.Event()

    def waiting(requests: Requests, context: grpc.ServicerContext) -> Responses:
        yield welcome()
        for _ in requests:
            pass

    def heard(line: str) -> None:
        greeted.set()

    profile = Profile(name="guest", matches=1)
    referee.scripts = [waiting]
    for address in (referee.address, f"{referee.address}.gone"):
        greeted.clear()
        departure = bots.client.Departure()
        thread = threading.Thread(
            target=lambda at, leaving: bots.client.sit_down(profile, First, at, report=heard, departure=leaving),
            args=(address, departure),
        )
        thread.start()
        assert greeted.wait(30.0)
        departure.leave()
        thread.join(30.0)
        assert not thread.is_alive()

    bots.client.sit_down(profile, First, referee.address, report=heard, departure=departure)
    assert len(referee.hellos) == 1
