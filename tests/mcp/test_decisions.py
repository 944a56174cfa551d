"""What a client is told of wrong answers, late answers, referees that are gone, and its own seat alone."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import anyio
import pytest

import bots.redial
import ladder.mcp.seat
from bots import Bot, run
from bots.ask import AnyAsk
from bots.resume import STATE_VARIABLE
from referee.kernel.game import Option
from referee.match import files
from referee.match.policy import EndingKind
from referee.transport.auth import Tokens
from tests.mcp.room import WAIT, Model, near, opponent, referee
from tests.transport.house import House, Settings

SHORT = "60s/1s"
"""A clock on which a decision is over after a second."""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))


@pytest.fixture
def house() -> Iterator[House]:
    """A referee for two seats of every game, with a patient clock."""
    with referee() as found:
        yield found


def test_wrong_answers_are_explained_and_nothing_is_sent(house: House) -> None:
    """A number that is no option, part of an option's words, another ask, no ask: the open ask stays open."""

    async def main() -> None:
        async with near(house.address) as (model, _):
            assert (await model.call("wait")).text == "you are not at the referee: call join first"
            unknown = await model.call("join", game="honshuu")
            assert unknown.refused
            assert "did you mean 'honshu'?" in unknown.text
            assert not (await model.call("join", game="honshu")).refused
            twice = await model.call("join", game="honshu")
            assert twice.refused
            assert "already, for a match of honshu: call wait, or leave" in twice.text
            said = await model.asked()
            number, words = next(iter(said.options.items()))
            for ask, option, why in [
                (said.ask, 999, "there is no option 999: the options have the numbers 0 to 5"),
                (said.ask, "the best card", "give the number of an option, or its words"),
                (said.ask, words[:4], f"did you mean {number}: {words}"),
                (7, number, "ask 7 is not open: the open ask is 1: Which card do you play?"),
            ]:
                refused = await model.call("answer", ask=ask, option=option)
                assert refused.refused
                assert why in refused.text
                assert "\n" not in refused.text
            assert (await model.call("look")).ask == said.ask
            assert "is answered" in (await model.call("answer", ask=said.ask, option=words)).text
            again = await model.call("answer", ask=said.ask, option=number)
            assert again.refused
            assert again.text == f"ask 1 is answered already, with option {number}: {words}: call wait"
            await model.play(Random(1))

    with opponent(house.address, "honshu"):
        anyio.run(main)
    assert not house.final()[1].faults


def test_options_are_paged_and_searched(house: House) -> None:
    """Every option stands on one of the pages; a search keeps the numbers; the first parts are counted."""

    async def main() -> None:
        async with near(house.address) as (model, _):
            await model.call("join", game="honshu")
            said = await model.asked()
            while "Where do you lay" not in said.text:
                await model.call("answer", ask=said.ask, option=0)
                said = await model.asked()
            count, pages = map(int, re.findall(r"Options \((\d+), page 1 of (\d+)\)", said.text)[0])
            found: dict[int, str] = {}
            for page in range(1, pages + 1):
                found |= (await model.call("look", page=page, board=False)).options
            assert list(found) == list(range(count))
            assert "They begin with: " in said.text
            turned = await model.call("look", filter="turned left row 1", board=False)
            assert turned.options
            assert all(found[number] == words and "turned left" in words for number, words in turned.options.items())
            none = await model.call("look", filter="castle")
            assert f"No option of {count} holds all of the words 'castle'" in none.text
            assert "Domain of seat" in (await model.call("look")).text
            assert "Domain of seat" not in turned.text
            await model.play(Random(2))

    with opponent(house.address, "honshu"):
        anyio.run(main)


def test_a_late_answer_is_told_so_and_the_referee_plays(tmp_path: Path) -> None:
    """The ask is over when its time is, the fault stands in the record as lateness, and the next ask is open."""

    async def main(address: str) -> None:
        async with near(address) as (model, _):
            await model.call("join", game="honshu")
            said = await model.asked()
            assert "Time: 1 s for this decision" in said.text
            await anyio.sleep(1.5)
            late = await model.call("answer", ask=said.ask, option=0)
            assert late.refused
            assert f"ask {said.ask} is over" in late.text
            after = await model.asked()
            assert after.ask is not None
            assert said.ask is not None
            assert after.ask > said.ask
            assert "(you) played card" in after.text
            await model.play(Random(3))

    with referee(games=("honshu",), clock=SHORT) as house:
        with opponent(house.address, "honshu"):
            anyio.run(main, house.address)
        terms, final = house.final()

    seat = terms.players.index("model")
    assert [(ending.faults, ending.kind) for ending in final.endings][seat] == (1, EndingKind.FINISHED)


def test_a_client_is_told_nothing_of_the_other_hand(house: House) -> None:
    """Two clients at one table of Honshu: texts show the client's own hand, and no card of the other's."""
    hands: dict[str, set[str]] = {}
    texts: dict[str, list[str]] = {"a": [], "b": []}

    async def play(who: str) -> None:
        async with near(house.address, name=who) as (model, _):
            await model.call("join", game="honshu")
            said = await model.asked()
            hands[who] = cards(said.text.partition("Your hand")[2].partition("Points")[0])
            texts[who] += [said.text, (await model.call("look")).text]
            while len(hands) < 2:
                await anyio.sleep(0.01)
            await model.play(Random(who))

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(play, "a")
            group.start_soon(play, "b")

    anyio.run(main)

    assert len(hands["a"] | hands["b"]) == 12
    for who, other in (("a", "b"), ("b", "a")):
        for text in texts[who]:
            assert hands[who] & cards(text) == hands[who]
            assert hands[other] & cards(text) == set()
            numbers = {card.partition(" ")[0] for card in hands[other]}
            assert numbers & set(re.findall(r"card (\d+)", text)) == set()


def cards(text: str) -> set[str]:
    """The cards that a text shows with their faces."""
    return {" ".join(line.split()) for line in re.findall(r"^  \d+ +\S.* / .*$", text, re.MULTILINE)}


def test_a_referee_that_never_answers_is_named(tmp_path: Path) -> None:
    """`join` says that no referee is there, `wait` that the bot gave it up; a later `join` begins anew."""
    address = f"unix:{tmp_path}/nothing.sock"

    async def main() -> None:
        async with near(address) as (model, _):
            joined = await model.call("join", game="honshu")
            assert f"no referee answers at {address}" in joined.text
            assert "gave up after 1 s" in joined.text
            assert "Call join to enter again" in (await model.call("wait")).text
            assert not (await model.call("join", game="honshu")).refused

    anyio.run(main)


def test_a_referee_that_goes_in_mid_match_is_told_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the referee is away `wait` says so; the answer given meanwhile is refused by nothing."""
    monkeypatch.setattr(bots.redial, "AWAY", 3.0)

    async def main() -> None:
        async with near(f"unix:{tmp_path}/house.sock", wait=0.5) as (model, _):
            with referee(f"unix:{tmp_path}/house.sock") as house:
                other = threading.Thread(
                    target=lambda: run(Still, house.address, name="other", quiet=True, patience=1.0), daemon=True
                )
                other.start()
                await model.call("join", game="honshu")
                said = await model.asked()
            assert not (await model.call("answer", ask=said.ask, option=0)).refused
            told = ""
            deadline = time.monotonic() + WAIT
            while "not at the referee" not in told and "has no result" not in told:
                assert time.monotonic() < deadline
                told += (await model.call("wait")).text
            assert "Note: " in told

    class Still(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            return 0

    anyio.run(main)


def test_one_token_seats_one_client(tmp_path: Path) -> None:
    """The name is the token's; a second client at the same server is refused in one line until the first has left."""
    directory = Tokens.of([("alice", "secret-of-alice"), ("other", "secret-of-other")])

    async def main(address: str) -> None:
        async with near(address, token="secret-of-alice") as (model, seats):
            joined = await model.call("join", game="edo_yashiki")
            assert "Note: alice connected" in joined.text
            assert "secret-of-alice" not in joined.text
            with pytest.raises(Exception, match="a token seats one bot at a time"):
                seats.join("edo_yashiki", "another client")
            with opponent(address, "edo_yashiki", token="secret-of-other"):
                await model.play(Random(4))
            assert "alice" not in (await model.call("result")).text

    with referee(settings={"directory": directory}) as house:
        anyio.run(main, house.address)


@pytest.mark.slow
def test_a_client_that_leaves_or_stays_silent_leaves_the_referee(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """`leave` ends the bot, and so does a long time without a call; `join` works afterwards."""

    async def main() -> None:
        async with near(house.address, wait=0.2) as (model, seats):
            await model.call("join", game="honshu")
            assert "has not seated you yet" in (await model.call("wait")).text
            assert (await model.call("leave")).text == "You have left the referee."
            await gone(model)
            monkeypatch.setattr(ladder.mcp.seat, "IDLE", 0.5)
            await model.call("join", game="honshu")
            await anyio.sleep(1.0)
            assert "no tool was called for" in await gone(model)
            assert all(seat.over for seat in seats._seats.values())

    anyio.run(main)


async def gone(model: Model) -> str:
    """Wait until the bot has left; what was said."""
    told = ""
    while "not at the referee" not in told:
        told += (await model.call("wait")).text
    return told


def test_rules_are_told_chapter_by_chapter() -> None:
    """By number or words, or all of them; a chapter that is not there is answered with those that are."""

    async def main() -> None:
        async with near("unix:/nowhere") as (model, _):
            intro = await model.call("rules", game="ninjato")
            assert "N-7 Raiding a house" in intro.text
            seventh = await model.call("rules", game="ninjato", chapter="7")
            assert seventh.text.startswith("## N-7 Raiding a house")
            assert (await model.call("rules", game="ninjato", chapter="N-7")).text == seventh.text
            assert (await model.call("rules", game="ninjato", chapter="raiding")).text == seventh.text
            assert seventh.text in (await model.call("rules", game="ninjato", chapter="all")).text
            wrong = await model.call("rules", game="ninjato", chapter="knighting")
            assert wrong.refused
            assert "unknown chapter of the rules of" in wrong.text

    anyio.run(main)


def test_a_note_is_the_note_of_the_decision(tmp_path: Path) -> None:
    """What `answer` gets as its note is stored with the seat's step."""
    journal = files.Journal(tmp_path)

    async def main() -> None:
        async with near(f"unix:{tmp_path}/house.sock") as (model, _):
            await model.call("join", game="edo_yashiki")
            said = await model.asked()
            await model.call("answer", ask=said.ask, option=0, note="the widest card")
            await model.play(Random(5))

    settings: Settings = {"recorder": journal}
    with referee(f"unix:{tmp_path}/house.sock", settings=settings) as house, opponent(house.address, "edo_yashiki"):
        anyio.run(main)
        terms, _ = house.final()
    journal.close()

    record = files.read(journal.path(terms.match))
    notes = [step.notes[seat] for step in record.steps for seat in step.notes]
    assert notes[0] == "the widest card"
    assert all(note.startswith("picked ") for note in notes[1:])
    assert len(notes) > 5
