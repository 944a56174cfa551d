"""Ninjato through a match: faults, stand-in moves and notes tell no hand (N-14, N-14.2)."""

from __future__ import annotations

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE
from referee.games.ninjato.state import State
from referee.games.ninjato.view import View
from referee.kernel.chance import secret_from_seed
from referee.kernel.frames import FrameGame
from referee.match.match import Match
from referee.match.outputs import Asked, Faulted, Output, Shown, Skipped, Told, Verdict
from referee.match.plan import MatchPlan
from tests.games.ninjato.stage import Stage


def staged(state: State) -> FrameGame[State, View]:
    """Ninjato from a given state on."""
    return FrameGame(
        name=GAME.name,
        title=GAME.title,
        rules_version=GAME.rules_version,
        digest=GAME.digest,
        seats=GAME.seats,
        variants=GAME.variants,
        bounds=GAME.bounds,
        hidden=GAME.hidden,
        handlers=GAME.handlers,
        start=lambda seats, variant, chance: state.clone(),
        result=GAME.result,
        view=GAME.view,
        determinise=GAME.determinise,
        clone=GAME.clone,
        dump=GAME.dump,
        load=GAME.load,
        secret_choices=GAME.secret_choices,
    )


def before_a_sentinel(hand: list[int]) -> State:
    """Seat 0 of three in front of a Sentinel 3 in force."""
    stage = Stage(3).order(0, 1, 2).hands(hand, [1, 1], [2, 2]).house(0, 3, ["fan", "jade"]).bag("vase")
    return stage.raiding(0, FORCE).state


def begun(hand: list[int], seed: str = "match") -> Match:
    """A match in which seat 0 is asked how to fight."""
    game, secret = staged(before_a_sentinel(hand)), secret_from_seed(seed)
    match = Match(game, MatchPlan(game.name, ("a", "b", "c"), "m", secret), spectators=True)
    match.begin(0)
    for seat in range(3):
        match.ready(seat, 0)
    return match


def others(outputs: list[Output]) -> list[Output]:
    """What goes to seats 1 and 2 and to the public."""
    return [
        output
        for output in outputs
        if isinstance(output, Shown) or (isinstance(output, Asked | Told) and output.seat != 0)
    ]


def asked(outputs: list[Output], seat: int) -> Asked:
    """The ask of a seat."""
    return next(output for output in outputs if isinstance(output, Asked) and output.seat == seat)


@pytest.mark.parametrize(("hand", "skipped"), [([3], [(0,)]), ([5], [])])
def test_a_raid_that_could_only_be_given_up_is_delayed_like_one_that_was(
    hand: list[int], skipped: list[tuple[int, ...]]
) -> None:
    """With [3] against a Sentinel 3 seat 0 is not asked, and the driver hears of it before the next ask (N-14.3)."""
    match = begun(hand)
    outputs = match.drain()
    before = outputs[: outputs.index(next(output for output in outputs if isinstance(output, Asked)))]

    assert [output.seats for output in before if isinstance(output, Skipped)] == skipped


def test_giving_up_in_a_match_is_told_alike_for_every_hand() -> None:
    """Asked or not, with a note or without: the public positions and the next seat's ask are the same (N-2.4)."""
    heard = []
    for hand, note in (([3], ""), ([5], "I hold a 5"), ([4], "I hold a 4")):
        match = begun(hand)
        outputs = match.drain()
        if hand != [3]:
            ask = asked(outputs, 0)
            index = [option.do for option in ask.options].index("give_up")  # type: ignore[attr-defined]
            verdict = match.answer(0, ask.ask, index, 0, note=note)

            assert verdict is Verdict.ACCEPTED

            outputs += match.drain()
        public = [output for output in outputs if isinstance(output, Shown)]
        heard.append((public, asked(outputs, 1)))

    assert heard[0] == heard[1] == heard[2]


@pytest.mark.parametrize("fault", ["crashed", "illegal", "gone"])
def test_a_fault_and_its_stand_in_move_tell_no_hand(fault: str) -> None:
    """Two hands with as many options: the same words to the seat, the same to all others when the stand-in gives up."""
    words, heard = [], []
    for hand in ([4], [5]):
        match = begun(hand, gives_up())
        ask = asked(match.drain(), 0)
        if fault == "illegal":
            match.answer(0, ask.ask, 99, 0)
        if fault != "gone":
            match.crashed(0, 1, "it fell over")
        else:
            match.gone(0, 1)
            match.tick(10**12)
        outputs = match.drain()
        words.append([output for output in outputs if isinstance(output, Faulted)])
        heard.append(
            [output._replace(deadline=None) if isinstance(output, Asked) else output for output in others(outputs)]
        )

    assert words[0] == words[1]
    assert words[0]
    assert heard[0] == heard[1]
    assert heard[0]


def gives_up() -> str:
    """A seed with which the stand-in's first move is to give up."""
    for number in range(50):
        match = begun([4], str(number))
        match.drain()
        match.crashed(0, 1, "it fell over")
        told = [event.subject for output in match.drain() if isinstance(output, Shown) for event in output.events]
        if "give_up" in told:
            return str(number)
    raise AssertionError("no seed gives up")
