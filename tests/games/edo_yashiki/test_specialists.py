"""The Specialists variant: section 9, vectors E-RB5 and E-SP1 to E-SP8."""

from __future__ import annotations

import pytest

from referee.games.edo_yashiki import GAME, STOP, ScoreLine, ScoringChain, State, lines_made, placement_points
from referee.games.edo_yashiki.components import ALL_TOKENS, KINDS, TOKEN
from referee.games.edo_yashiki.scoring import chain_points, extended, open_lines, opened, scorable
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Verb
from tests.games.edo_yashiki.pictures import face, house, lines
from tests.games.edo_yashiki.tables import SEATS, play_until, start, steps

PLACEMENTS = {
    "E-RB5": ("FP../TPFT/GGTF/..GF", "TP/GG/FT", (0, 2)),
    "E-SP1": ("PP/GG/FT", "PF/GT/TF", (2, 0)),
    "E-SP2": ("FPP/TGF/PPP", "PF/GT/PF", (3, 0)),
    "E-SP3": ("TTPP/TGFG/PPPP", "PF/GT/PF", (4, 0)),
    "E-SP4": ("TPP/FGG/PPP", "PF/GT/PF", (3, 0)),
    "E-SP5": ("TPP/FGF/PFT", "PF/TG/GF", (3, 0)),
    "E-SP6": ("PPPPP/FGFTG/TFTGF", "PF/TG/GF", (5, 0)),
    "E-SP7": ("FF..PP/TT..FT/GG..PF", "FP/TF/GT", (2, 0)),
    "E-SP8": ("FF..PP/TT..FT/GG..PF", "FP/TF/GT", (2, 0)),
}


def tokens(letters: str) -> int:
    """A set of tokens, written as letters."""
    return sum(TOKEN[letter] for letter in letters)


def letters(mask: int) -> str:
    """The letters of a set of tokens."""
    return "".join(kind for kind in KINDS if mask & TOKEN[kind])


def opened_at(name: str, held: str) -> ScoringChain:
    """The chain that a vector begins with."""
    picture, card, anchor = PLACEMENTS[name]
    return opened(lines_made(house(picture), face(card), *anchor), tokens(held))


def run(name: str, held: str, chain: str) -> tuple[int, str, bool]:
    """Points, tokens and whether the chain is over after these steps: line numbers, or `s` for stop."""
    current = opened_at(name, held)
    for step in chain:
        if step != "s":
            assert int(step) in open_lines(current)
        current = extended(current, STOP if step == "s" else ScoreLine(int(step)))
    return chain_points(current), letters(current.tokens), current.ended


SCORABLE = {
    "E-RB5": "H(0,3)x3 G, V(1,0)x3 P",
    "E-SP1": "H(0,0)x3 P, H(0,1)x3 G",
    "E-SP2": "H(1,0)x3 P, H(0,2)x4 P",
    "E-SP3": "H(2,0)x3 P, H(0,2)x5 P",
    "E-SP4": "H(1,0)x3 P, H(1,1)x3 G, H(0,2)x4 P",
    "E-SP5": "H(1,0)x3 P",
    "E-SP6": "",
}


@pytest.mark.parametrize("name", SCORABLE)
def test_scorable_lines_are_numbered_in_canonical_order(name: str) -> None:
    """The made lines of length 3, 4 or 5; longer ones are no lines to score (E-9.2, E-R13)."""
    assert lines(SCORABLE[name]) == opened_at(name, "FTPG").lines


@pytest.mark.parametrize(
    ("name", "held", "chain", "expected"),
    [
        ("E-RB5", "FTP", "1", (1, "FT", True)),
        ("E-SP1", "P", "01", (4, "FTP", True)),
        ("E-SP1", "P", "0s", (1, "FTPG", True)),
        ("E-SP1", "P", "s", (0, "P", True)),
        ("E-SP2", "P", "01", (3, "FTG", True)),
        ("E-SP2", "P", "10", (3, "FTG", True)),
        ("E-SP3", "PG", "1", (4, "G", True)),
        ("E-SP3", "PG", "0", (1, "G", True)),
        ("E-SP4", "PG", "012", (6, "FTG", True)),
        ("E-SP4", "PG", "102", (6, "FTG", True)),
        ("E-SP4", "PG", "210", (6, "FTG", True)),
        ("E-SP4", "PG", "1s", (1, "P", True)),
        ("E-SP5", "FTPG", "s", (0, "FTPG", True)),
        ("E-SP5", "FTPG", "0", (1, "FTG", True)),
        ("E-SP6", "FTPG", "", (0, "FTPG", True)),
        ("E-SP7", "FTPG", "0123", (10, "FTPG", True)),
        ("E-SP7", "FTPG", "3120", (10, "FTPG", True)),
        ("E-SP8", "FT", "0213", (10, "FT", True)),
        ("E-SP8", "FT", "2031", (10, "FT", True)),
        ("E-SP8", "FT", "0s", (1, "T", True)),
    ],
)
def test_a_chain_pays_lines_with_tokens(name: str, held: str, chain: str, expected: tuple[int, str, bool]) -> None:
    """Points, bonus, tokens after a chain; the last token refills the card (E-9.4 to E-9.7, E-R12, E-R16)."""
    assert expected == run(name, held, chain)


@pytest.mark.parametrize(
    ("name", "held", "done", "offered"),
    [
        ("E-RB5", "FTP", "", [1]),
        ("E-SP1", "P", "", [0]),
        ("E-SP1", "P", "0", [1]),
        ("E-SP3", "PG", "", [0, 1]),
        ("E-SP3", "PG", "1", []),
        ("E-SP4", "PG", "0", [1]),
        ("E-SP4", "PG", "01", [2]),
        ("E-SP6", "FTPG", "", []),
        ("E-SP8", "FT", "", [0, 2]),
        ("E-SP8", "FT", "02", [1, 3]),
    ],
)
def test_only_lines_with_a_token_can_be_scored(name: str, held: str, done: str, offered: list[int]) -> None:
    """Lines not yet scored whose kind has a token; without any the chain is over and nothing is asked (E-9.3)."""
    chain = opened_at(name, held)
    for number in done:
        chain = extended(chain, ScoreLine(int(number)))

    assert offered == open_lines(chain)
    assert (offered == []) == chain.ended


def test_a_line_declined_can_be_scored_when_it_is_made_again() -> None:
    """An unscored line is no made line of a later card, unless that card lengthens it (E-9.8, E-R14)."""
    built = house("GGG/FTP/TPF")

    assert scorable(lines_made(built, face("TP/PF/FP"), 0, 3)) == ()
    assert lines("H(0,0)x4 G") == scorable(lines_made(built, face("GP/FT/PF"), 3, 0))


def test_everybody_begins_with_four_tokens() -> None:
    """One token of each kind in the variant, none in the standard game (E-4.6, E-9.1)."""
    assert start(4, "specialists").tokens == (ALL_TOKENS,) * 4
    assert start(4).tokens == ()


@pytest.mark.parametrize("seats", SEATS)
def test_tokens_never_run_out(seats: int) -> None:
    """A seat always has one to four tokens, so those in the box suffice (E-9.10, E-R15)."""
    held = {mask for state, _, _ in steps(start(seats, "specialists"), seats) for mask in state.tokens}

    assert held <= set(range(1, ALL_TOKENS + 1))


def chaining(seats: int = 3, running: int = 2) -> State:
    """A game in which at least so many seats have just begun to score."""
    for seed in range(1000):
        state = start(seats, "specialists", chance=Fast(seed))
        if play_until(state, "score_line", seed) and len(GAME.pending(state)) >= running:
            return state
    raise LookupError("no such game")


def test_options_are_line_numbers_and_stop_last() -> None:
    """Numbers ascending, then `stop` (E-5.5, E-9.3)."""
    state = chaining()
    for ask in GAME.pending(state):
        offered = open_lines(state.chains[ask.seat])

        assert [*map(ScoreLine, offered), STOP] == list(GAME.options(state, ask.seat))


def test_a_line_that_is_not_offered_is_illegal() -> None:
    """The referee takes numbers of open lines and `stop`, nothing else (E-5.2, E-9.3)."""
    state = chaining()
    before = GAME.dump(state)
    for nonsense in (ScoreLine(9), ScoreLine(-2)):
        answers = {ask.seat: STOP for ask in GAME.pending(state)} | {GAME.pending(state)[0].seat: nonsense}
        with pytest.raises(IllegalAnswer):
            GAME.apply(state, answers, Fast(1))

        assert before == GAME.dump(state)


def test_chains_are_published_together_when_the_last_has_ended() -> None:
    """While a chain runs, nothing is told and no view of another seat changes; then everything is told (E-9.9)."""
    for seed in range(400):
        state = start(3, "specialists", chance=Fast(seed))
        if not play_until(state, "score_line", seed) or len(GAME.pending(state)) < 2:
            continue
        asked = [ask.seat for ask in GAME.pending(state)]
        others = {viewer: GAME.view(state, viewer) for viewer in (None, *range(3))}
        answers = dict.fromkeys(asked, STOP) | {asked[0]: GAME.options(state, asked[0])[0]}
        events = GAME.apply(state, answers, Fast(1))
        if GAME.pending(state) and GAME.pending(state)[0].kind == "score_line":
            break

    assert events == []
    assert [asked[0]] == [ask.seat for ask in GAME.pending(state)]
    for viewer, before in others.items():
        after = GAME.view(state, viewer)
        assert before._replace(chain=None) == after._replace(chain=None)
        assert viewer in asked or before == after

    scores, chain = state.scores, state.chains[asked[0]]
    events = GAME.apply(state, {asked[0]: STOP}, Fast(1))
    scored = [event for event in events if event.verb == Verb.SCORED]
    shown = [event for event in events if event.subject == "tokens"]

    assert [(asked[0], "line")] == [(event.seat, event.subject) for event in scored]
    assert [(asked[0], letters(chain.tokens))] == [(event.seat, "".join(map(str, event.items))) for event in shown]
    assert scores[asked[0]] + chain_points(chain) == state.scores[asked[0]]
    assert chain.tokens == state.tokens[asked[0]]
    assert state.chains == ()
    assert chain.scored == state.scored[-1][asked[0]]


def test_a_seat_sees_its_own_chain_only() -> None:
    """Each view holds the chain of its seat, the public one none (E-9.9)."""
    state = chaining(4)

    assert [*state.chains] == [GAME.view(state, seat).chain for seat in range(4)]
    assert GAME.view(state, None).chain is None


def test_nothing_is_asked_when_nobody_can_score() -> None:
    """A round without scorable lines goes straight on to the next (E-9.3)."""
    state = start(2, "specialists")
    play_until(state, "place_card", 1)
    idle = {}
    for seat, built in enumerate(state.houses):
        worth = placement_points(built, state.row[state.got[seat]])
        idle[seat] = GAME.options(state, seat)[worth.index(0)]
    GAME.apply(state, idle, Fast(1))

    assert GAME.pending(state)[0].kind == "rank_cards"
    assert state.scores == (0, 0)
    assert state.round == 2
