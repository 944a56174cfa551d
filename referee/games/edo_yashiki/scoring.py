"""Points for lines and the result: standard scoring (section 8), Specialists scoring (section 9), ranking (section 10).

Under the Specialists rules every seat runs a private chain of `score_line` decisions. A chain changes nothing that the
seats share, so the state keeps each chain as a value, and no event is emitted before all chains have ended (E-9.9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.edo_yashiki.components import ALL_TOKENS, BONUS, KINDS, LINE_POINTS, SEATS, TOKEN
from referee.games.edo_yashiki.house import HouseLine
from referee.games.edo_yashiki.options import SCORES, STOP, ScoreLine
from referee.games.edo_yashiki.rounds import close, ending
from referee.games.edo_yashiki.state import SCORE_LINE, ScoringChain, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import Event, Option, Pending, Result, Seat, Verb, rank

_LONG = len(LINE_POINTS) - 1
_ASKS = tuple(Pending(seat, SCORE_LINE) for seat in range(max(SEATS)))


def line_points(line: HouseLine) -> int:
    """The base points of a made line by its full length, whatever it paid before (E-8.2)."""
    length = line.length
    return LINE_POINTS[length if length < _LONG else _LONG]


def points(lines: Sequence[HouseLine]) -> int:
    """The points of a placement in the standard game: all the lines it made and the bonus (E-8.1 to E-8.5)."""
    if not lines:
        return 0
    paying = scorable(lines)
    return sum(map(line_points, paying)) + bonus(paying)


def bonus(lines: Sequence[HouseLine]) -> int:
    """The bonus for the number of different kinds among lines that paid (E-8.4, E-9.7)."""
    return BONUS[len({line.kind for line in lines})]


def scorable(made: Sequence[HouseLine]) -> tuple[HouseLine, ...]:
    """The made lines that pay, in canonical order: their places are their numbers (E-9.2).

    Older lines are not among them, scored or not, until a card makes them again (E-9.8).
    """
    return tuple([line for line in made if line_points(line)])


def opened(made: Sequence[HouseLine], tokens: int) -> ScoringChain:
    """The chain of a seat that has just placed a card (E-9.3)."""
    if not made:
        return ScoringChain((), (), tokens, True)
    return _settled(ScoringChain(scorable(made), (), tokens, False))


def extended(chain: ScoringChain, option: ScoreLine) -> ScoringChain:
    """The chain after the line of the player's choice was scored, or after it was stopped (E-9.4, E-9.5, E-9.6)."""
    if option == STOP:
        return chain._replace(ended=True)
    (number,) = option
    tokens = chain.tokens & ~TOKEN[chain.lines[number].kind]
    return _settled(ScoringChain(chain.lines, (*chain.scored, number), tokens or ALL_TOKENS, False))


def open_lines(chain: ScoringChain) -> list[int]:
    """The numbers of the lines that can be scored next: not yet scored and with a token for their kind (E-9.3)."""
    _, scored, tokens, ended = chain
    if ended:
        return []
    return [number for number, line in enumerate(chain.lines) if tokens & TOKEN[line.kind] and number not in scored]


def chain_points(chain: ScoringChain) -> int:
    """What a chain has brought so far, bonus included (E-9.4, E-9.7)."""
    lines = [chain.lines[number] for number in chain.scored]
    return sum(map(line_points, lines)) + bonus(lines)


def score(state: State, events: list[Event]) -> None:
    """Score the placements of a round: at once, or by opening the chains of the seats (state SCORE of section 5)."""
    if state.tokens:
        state.chains = tuple(
            [opened(house.made, tokens) for house, tokens in zip(state.houses, state.tokens, strict=True)]
        )
        _publish_or_ask(state, events)
        return
    scores = []
    for seat, house in enumerate(state.houses):
        total = state.scores[seat]
        if house.made:
            total += _tell(seat, scorable(house.made), events)
        scores.append(total)
    state.scores = tuple(scores)
    close(state, events)


def result(state: State) -> Result | None:
    """Places by points, ties sharing a place (E-10.2, E-10.3); None while the game goes on."""
    reason = ending(state)
    if state.stack or reason is None:
        return None
    return Result(rank([(score,) for score in state.scores]), state.scores, reason)


def _settled(chain: ScoringChain) -> ScoringChain:
    """The chain, ended if no line can be scored: then its seat is not asked (E-9.3)."""
    return chain if open_lines(chain) else chain._replace(ended=True)


def _publish_or_ask(state: State, events: list[Event]) -> None:
    """Publish lines, points and tokens when all chains have ended; until then emit no event (E-9.9)."""
    if not all(chain.ended for chain in state.chains):
        state.stack = [(SCORE_LINE,)]
        return
    scores = list(state.scores)
    for seat, chain in enumerate(state.chains):
        if chain.scored:
            scores[seat] += _tell(seat, [chain.lines[number] for number in chain.scored], events)
            letters = tuple([kind for kind in KINDS if chain.tokens & TOKEN[kind]])
            events.append(Event(Verb.REVEALED, seat, "tokens", letters, len(letters)))
    state.scores = tuple(scores)
    state.tokens = tuple([chain.tokens for chain in state.chains])
    state.scored = (*state.scored, tuple([chain.scored for chain in state.chains]))
    state.chains = ()
    close(state, events)


def _tell(seat: Seat, lines: Sequence[HouseLine], events: list[Event]) -> int:
    """Add the events of the lines that a seat scores and of its bonus; returns the points of the round (E-8.5)."""
    total = 0
    for line in lines:
        worth = line_points(line)
        total += worth
        events.append(Event(Verb.SCORED, seat, "line", (*line,), worth))
    extra = bonus(lines)
    if extra:
        events.append(Event(Verb.SCORED, seat, "bonus", (), extra))
    return total + extra


def _asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    return tuple([_ASKS[seat] for seat, chain in enumerate(state.chains) if not chain.ended])


def _options(state: State, frame: Frame, seat: Seat) -> Sequence[ScoreLine]:
    """Line numbers ascending, `stop` last (E-5.5, E-9.3)."""
    return (*[SCORES[number] for number in open_lines(state.chains[seat])], STOP)


def _apply(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    chains = list(state.chains)
    for seat, option in cast("Mapping[Seat, ScoreLine]", answers).items():
        chains[seat] = extended(chains[seat], option)
    state.chains = tuple(chains)
    _publish_or_ask(state, events)


SCORE: Handler[State] = Handler(_asks, _options, _apply)
