"""`examples/llm`: the bot that asks an endpoint, against a local stand-in; its README, and its patient ladder."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bots.ask import AnyAsk
from bots.in_words import WordedAsk
from ladder.config import ladder_file
from referee.kernel import registry
from tests.bots.test_in_words import asks
from tests.mcp.stand_in import Reply, StandIn, first_option
from tests.test_readme import free_port

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "llm"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PATIENCE = 120.0


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A stand-in for an endpoint, named by the environment."""
    with StandIn() as found:
        monkeypatch.setenv("LLM_URL", found.url)
        monkeypatch.setenv("LLM_MODEL", "parrot")
        monkeypatch.setenv("LLM_KEY", "secret-of-the-account")
        monkeypatch.setenv("LLM_PRICE_IN", "2")
        monkeypatch.setenv("LLM_PRICE_OUT", "10")
        yield found


def example() -> Any:
    """The module of the example."""
    spec = importlib.util.spec_from_file_location("llm_bot", EXAMPLE / "llm_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask_of(kind: str) -> AnyAsk:
    """An ask of Honshu of a kind."""
    return next(ask for ask in asks("honshu") if ask.kind == kind)


def test_the_model_is_told_the_ask_in_words_and_its_answer_is_the_bots(endpoint: StandIn) -> None:
    """Board, question and options go out with the key; the note has tokens, costs and the model's words."""
    ask = ask_of("play2")
    bot = example().LanguageModel()

    assert bot.decide(ask) == 0
    ((headers, content),) = endpoint.requests
    shown = WordedAsk(ask)
    told = content["messages"][-1]["content"]
    assert headers["Authorization"] == "Bearer secret-of-the-account"
    assert content["model"] == "parrot"
    assert "Honshu" in content["messages"][0]["content"]
    assert shown.question in told
    assert set(shown.board()) | set(shown.listed(range(ask.count))) <= set(told.splitlines())
    assert ask.noted.startswith("parrot: 1000 + 10 tokens, cost 0.002100, 0.002100 in the match so far; It comes first")
    bot.decide(ask)
    assert "cost 0.002100, 0.004200 in the match so far" in ask.noted
    assert "secret" not in ask.noted


def test_near_misses_and_searches_go_back_to_the_model(endpoint: StandIn) -> None:
    """Words that fit no option, no verdict at all, and a search are answered; the third message decides."""
    ask = ask_of("place")
    shown = WordedAsk(ask)
    wanted = shown.matching("turned left under row 1")[0]
    said = iter(["Hm.", "ANSWER: the castle", "search: turned left under row 1", f"ANSWER: {shown.words(wanted)}."])
    endpoint.script = lambda messages: Reply(next(said))

    assert example().LanguageModel().decide(ask) == wanted
    told = [message["content"] for message in endpoint.requests[-1][1]["messages"] if message["role"] == "user"]
    assert "They begin with: " in told[0]
    assert "The last line must be" in told[1]
    assert "'the castle' is no option of ask" in told[2]
    assert f"\n{wanted}: {shown.words(wanted)}" in told[3]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply("I would rather not."), "the model gave no option in 4 messages; the last problem: The last line"),
        (Reply(code=401), "answers 401"),
        (Reply(code=302, location="http://127.0.0.1:9/elsewhere"), "answers 302"),
        (Reply(body=b"<html>"), "JSONDecodeError"),
        (Reply(body=b'{"choices": []}'), "IndexError"),
        (Reply(body=b"[]"), "AttributeError"),
    ],
)
def test_an_endpoint_without_a_usable_answer_fails_the_decision(endpoint: StandIn, reply: Reply, why: str) -> None:
    """The bot raises in one line that holds no secret, so that the referee's stand-in plays."""
    endpoint.script = lambda messages: reply
    module = example()

    with pytest.raises(module.Refused) as caught:
        module.LanguageModel().decide(ask_of("play2"))
    assert why in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_busy_endpoint_is_asked_again_while_time_is_left(endpoint: StandIn) -> None:
    """After 429 and 503 the same request succeeds; an endpoint that stays busy ends the decision in time."""
    codes = [429, 503]
    endpoint.script = lambda messages: Reply(code=codes.pop()) if codes else first_option(messages)
    module = example()

    assert module.LanguageModel().decide(ask_of("play2")) == 0
    assert len(endpoint.requests) == 3
    endpoint.script = lambda messages: Reply(code=503)
    started = time.monotonic()
    with pytest.raises(module.Refused, match="the time for this decision is over"):
        module.LanguageModel(seconds=1.0).decide(ask_of("play2"))
    assert time.monotonic() - started < 20.0


@pytest.mark.parametrize("url", ["http://models.example.org/v1", "ftp://localhost/v1", "localhost:8080/v1"])
def test_an_address_that_would_show_the_key_or_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Before the first decision, and without the key in the message."""
    monkeypatch.setenv("LLM_URL", url)
    monkeypatch.setenv("LLM_KEY", "secret-of-the-account")

    with pytest.raises(ValueError, match=r"^LLM_URL: ") as caught:
        example().LanguageModel()
    assert "secret" not in str(caught.value)


def test_the_patient_ladder_gives_minutes_for_a_decision() -> None:
    """Every game, and on every clock a decision may take five minutes."""
    ladder = ladder_file.read(EXAMPLE / "ladder.toml")

    assert {pool.game for pool in ladder.pools} == set(registry.names())
    assert {str(pool.clock).rpartition("/")[2] for pool in ladder.pools} == {"5m"}


@pytest.mark.processes
def test_the_readme_of_the_example_runs_in_an_empty_folder(endpoint: StandIn, tmp_path: Path) -> None:
    """A match in the bot's own process and its replay with notes; then a match at a referee with the patient ladder."""
    shutil.copytree(EXAMPLE, tmp_path / "llm")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "KUMITE_STATE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    address = f"127.0.0.1:{free_port()}"

    def start(block: str) -> subprocess.Popen[str]:
        text = block.replace("http://localhost:8080/v1", endpoint.url).replace("127.0.0.1:7400", address)
        return subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", text.replace("kumite serve", "exec kumite serve")],
            cwd=tmp_path / "llm",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    alone, organiser, entrant = BLOCKS
    said = finished(start(alone))
    assert said.count("tokens, cost 0.002100, ") > 5
    referee = start(organiser)
    try:
        assert "my-model connected" in (said := finished(start(entrant)))
        assert re.search(r"match \w+ \(\w+\) is over: place \d of 2", said)
    finally:
        referee.terminate()
        referee.communicate(timeout=PATIENCE)


def finished(process: subprocess.Popen[str]) -> str:
    """What a process printed that ended well."""
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    return said
