"""What comes next in an event: the next round, further matches of a knockout's ties, or the end.

`next_step` is a pure function of what is stored, of who is there, and of the withdrawals in the ladder file. What it
returns is stored whole before anything of it is played, so a referee that is killed goes on with the same round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ladder.config.event_rules import FORFEITS, EventFormat
from ladder.events.ranking import met, points, ranked_names
from ladder.events.state import EventRound, Tournament
from ladder.events.ties import decided, final_order
from ladder.pairing.rounds import knockout, round_robin
from ladder.pairing.rounds.cost import RoundEntrant
from ladder.pairing.rounds.seating import Seating
from ladder.pairing.rounds.swiss import swiss_round

WITHDRAWN = "withdrawn"


class NewGame(NamedTuple):
    """A match that is to be played, or is forfeited from the start because a bot of it is out."""

    table: int
    players: tuple[str, ...]
    """Bots by seat."""
    absent: tuple[str, ...] | None = None


class NewTable(NamedTuple):
    """A table of a round that is to be played."""

    number: int
    bots: tuple[str, ...]


class Out(NamedTuple):
    """A bot that is out from the round on that comes next."""

    name: str
    reason: str


class NewRound(NamedTuple):
    """The next round."""

    number: int
    tables: tuple[NewTable, ...]
    games: tuple[NewGame, ...]
    byes: tuple[NewTable, ...] = ()
    """Each with the one bot that has it, and its slot."""
    missed: tuple[str, ...] = ()
    outs: tuple[Out, ...] = ()


class NewGames(NamedTuple):
    """Further matches of ties that are not decided."""

    games: tuple[NewGame, ...]


class EventOver(NamedTuple):
    """The event is over."""

    outs: tuple[Out, ...] = ()


NextStep: TypeAlias = NewRound | NewGames | EventOver


def next_step(event: Tournament, here: frozenset[str], leaving: Mapping[str, int]) -> NextStep | None:
    """What comes next, when all games so far are over; None: no bot is here, so nothing.

    `here` are the bots that are there or are not waited for any longer; only a Swiss round asks. `leaving` are
    withdrawals that the ladder file names, each with the first round that the bot does not play.
    """
    if event.rules.bracket and event.rounds:
        open_ties = [table for table in event.rounds[-1].tables if not decided(event, table)]
        if open_ties:
            return NewGames(_games(event, [NewTable(tie.number, tie.bots) for tie in open_ties], (), 1))
    number = len(event.rounds) + 1
    outs = tuple(_outs(event, number, here, leaving))
    gone = {out.name for out in outs}
    left = [entrant.name for entrant in event.active if entrant.name not in gone]
    if event.rules.format is EventFormat.SWISS:
        return _swiss(event, number, left, here, outs)
    if event.rules.format is EventFormat.ROUND_ROBIN:
        return _round_robin(event, number, left, outs)
    return _bracket(event, number, left, outs) if event.rules.bracket else _groups(event, number, left, outs)


def round_count(event: Tournament) -> int:
    """How many rounds an event has if no bot leaves; 0: not known before it begins."""
    rules = event.rules
    if rules.format is EventFormat.SWISS:
        return rules.rounds
    field = [entrant.name for entrant in event.entrants if entrant.entered is not None]
    if len(field) < rules.seats:
        return 0
    if rules.format is EventFormat.ROUND_ROBIN:
        return rules.rounds * len(round_robin.rounds_of(field, rules.seats))
    if rules.bracket:
        return (len(field) - 1).bit_length()
    rounds, left = 1, len(field)
    while left > rules.seats:
        found = knockout.stage([""] * left, rules.seats, rules.advance)
        left = len(found.byes) + found.advance * len(found.tables)
        rounds += 1
    return rounds


def _outs(event: Tournament, number: int, here: frozenset[str], leaving: Mapping[str, int]) -> list[Out]:
    """Who is out from this round on."""
    found = []
    late = event.rules.late_entry
    for entrant in event.active:
        name = entrant.name
        if leaving.get(name, number + 1) <= number:
            found.append(Out(name, WITHDRAWN))
        elif entrant.entered is None and late is not None:
            if number > late and name not in here:
                found.append(Out(name, f"did not come by round {late}"))
        else:
            missed = _missed_in_a_row(event.rounds, name)
            if len(missed) >= FORFEITS:
                rounds = " and ".join(str(one) for one in reversed(missed[:FORFEITS]))
                found.append(Out(name, f"missed rounds {rounds}"))
    return found


def _missed_in_a_row(rounds: Sequence[EventRound], name: str) -> list[int]:
    """The rounds that a bot missed last, latest first; rounds in which it had nothing to play are passed over."""
    missed = []
    for found in reversed(rounds):
        misses = found.misses(name)
        if misses is False:
            break
        if misses:
            missed.append(found.number)
    return missed


def _swiss(
    event: Tournament, number: int, left: list[str], here: frozenset[str], outs: tuple[Out, ...]
) -> NextStep | None:
    rules = event.rules
    if number > rules.rounds or len(left) < rules.seats:
        return EventOver(outs)
    playing = ranked_names(event, [name for name in left if name in here])
    if not playing:
        return None
    awaited = {entrant.name for entrant in event.entrants if entrant.entered is None and rules.late_entry is not None}
    missed = tuple(name for name in left if name not in here and name not in awaited)
    if len(playing) < rules.seats:
        byes = tuple(NewTable(slot, (name,)) for slot, name in enumerate(playing))
        return NewRound(number, (), (), byes, missed, outs)
    total = points(event)
    rested = [name for found in event.rounds for name in found.byes]
    contenders = [RoundEntrant(name, total[name], rested.count(name)) for name in playing]
    paired = swiss_round(contenders, met(event.rounds), rules.seats)
    tables = [NewTable(slot, bots) for slot, bots in enumerate(paired.tables)]
    byes = tuple(NewTable(slot, (name,)) for slot, name in enumerate(paired.byes, len(tables)))
    return NewRound(number, tuple(tables), _games(event, tables, outs, rules.games), byes, missed, outs)


def _round_robin(event: Tournament, number: int, left: list[str], outs: tuple[Out, ...]) -> NextStep:
    rules = event.rules
    field = [entrant.name for entrant in event.entrants if entrant.entered is not None]
    rounds = round_robin.rounds_of(field, rules.seats)
    if number > rules.rounds * len(rounds) or len(left) < rules.seats:
        return EventOver(outs)
    chosen = rounds[(number - 1) % len(rounds)]
    tables = [NewTable(slot, bots) for slot, bots in enumerate(chosen)]
    seated = {name for bots in chosen for name in bots}
    resting = [name for name in left if name not in seated]
    byes = tuple(NewTable(slot, (name,)) for slot, name in enumerate(resting, len(tables)))
    return NewRound(number, tuple(tables), _games(event, tables, outs, rules.games), byes, (), outs)


def _bracket(event: Tournament, number: int, left: list[str], outs: tuple[Out, ...]) -> NextStep:
    if not event.rounds:
        ties = knockout.first_ties(left)
    else:
        last = event.rounds[-1]
        if len(last.tables) == 1 and not last.byes:
            return EventOver(outs)
        winners = {table.number: final_order(event, table)[0] for table in last.tables}
        winners |= dict(zip(last.bye_slots, last.byes, strict=True))
        ties = knockout.next_ties([winners[slot] for slot in sorted(winners)])
    tables = [NewTable(slot, tie) for slot, tie in enumerate(ties) if len(tie) == 2]
    byes = tuple(NewTable(slot, tie) for slot, tie in enumerate(ties) if len(tie) == 1)
    return NewRound(number, tuple(tables), _games(event, tables, outs, 1), byes, (), outs)


def _groups(event: Tournament, number: int, left: list[str], outs: tuple[Out, ...]) -> NextStep:
    rules = event.rules
    field = left if not event.rounds else _advancing(event, left)
    final = bool(event.rounds) and len(event.rounds[-1].tables) == 1 and not event.rounds[-1].byes
    if final or len(field) < rules.seats:
        return EventOver(outs)
    stage = knockout.stage(field, rules.seats, rules.advance)
    tables = [NewTable(slot, bots) for slot, bots in enumerate(stage.tables)]
    byes = tuple(NewTable(slot, (name,)) for slot, name in enumerate(stage.byes, len(tables)))
    return NewRound(number, tuple(tables), _games(event, tables, outs, rules.games), byes, (), outs)


def _advancing(event: Tournament, left: Sequence[str]) -> list[str]:
    """The bots of the next round of groups, by seed: byes, the best of each table that are in, more if too few are."""
    last = event.rounds[-1]
    orders = [[name for name in final_order(event, table) if name in left] for table in last.tables]
    field = sum(len(table.bots) for table in last.tables) + len(last.byes)
    advance = knockout.stage([""] * field, event.rules.seats, event.rules.advance).advance
    names = [name for name in last.byes if name in left] + [name for order in orders for name in order[:advance]]
    seeds = event.seeds
    rest = sorted((place, seeds[name], name) for order in orders for place, name in enumerate(order[advance:]))
    while len(names) < event.rules.seats and rest:
        names.append(rest.pop(0)[2])
    return sorted(names, key=lambda name: seeds[name])


def _games(event: Tournament, tables: Sequence[NewTable], outs: Sequence[Out], each: int) -> tuple[NewGame, ...]:
    """The matches of some tables, seats balanced; those of a bot that is out are forfeited from the start."""
    gone = {entrant.name for entrant in event.entrants if entrant.out_before is not None}.union(
        out.name for out in outs
    )
    seating = Seating(game.players for game in event.games() if game.absent is None)
    seeds = event.seeds
    games = []
    for table in tables:
        absent = tuple(name for name in table.bots if name in gone) or None
        for _ in range(each):
            order = seating.order(sorted(table.bots, key=lambda name: seeds[name]))
            if absent is None:
                seating.add(order)
            games.append(NewGame(table.number, order, absent))
    return tuple(games)
