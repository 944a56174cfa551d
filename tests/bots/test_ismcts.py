"""The search: what it plays, what it knows, and that it keeps to its budget."""

from __future__ import annotations

import time
from random import Random

import pytest

from bots.ask import AnyAsk, Ask, Given, Table
from bots.bundled.ismcts import ITERATIONS, Ismcts
from bots.bundled.ismcts.contest import Contender, SearchBudget
from bots.bundled.ismcts.guide import GUIDES, Blind, Candidate, guide_of
from bots.bundled.ismcts.luck import Paired
from bots.bundled.ismcts.search import Search, Settings
from bots.bundled.ismcts.tree import Known, Plans
from bots.clock import AskClock
from bots.specs import BotSpec, resolve
from referee.kernel import registry
from referee.kernel.chance import Chance, Fast
from referee.kernel.errors import BadSetting
from referee.kernel.game import Event, Option, Verb, settle_variant
from referee.kernel.turns import advance, settle
from tests.bots import toys
from tests.bots.duel import duel, play_game
from tests.bots.toys import PLAYS, View

TABLES = [(name, seats) for name in sorted(GUIDES) for seats in registry.game(name).seats]
VARIANTS = [
    (name, setting, value)
    for name in sorted(GUIDES)
    for setting, choices in registry.game(name).variants.items()
    for value in choices.values
    if value != choices.default
]


class Sometimes(Ismcts):
    """Searches for every fifth answer and gives the others at random, so that a whole game takes no time."""

    def decide(self, ask: AnyAsk) -> Option:
        return super().decide(ask) if ask.number % 5 == 1 else ask.rng.randrange(ask.count)


SOMETIMES = BotSpec("sometimes", None, lambda: Sometimes(iterations=3))


def question(name: str, seed: int = 1, decisions: int = 0, seats: int = 2) -> AnyAsk:
    """The first ask of a game after so many turns of random play."""
    game = registry.game(name)
    rng, chance = Random(seed), Fast(seed)
    state = game.start(seats, settle_variant(game, seats, {}), chance)
    turn = settle(game, state, chance, [])
    for _ in range(decisions):
        turn = advance(game, state, turn, {seat: rng.choice(turn.options[seat]) for seat, _ in turn.asks}, chance, [])
    seat, kind = turn.asks[0]
    options = turn.options[seat]
    return Ask(Table("m", name, seat), 1, kind, len(options), Given(game.view(state, seat), options), rng=rng)


@pytest.mark.parametrize(("name", "seats"), TABLES, ids=lambda value: str(value))
def test_it_plays_every_game_at_every_table_to_its_end(name: str, seats: int) -> None:
    """It gives legal answers throughout, beside others who answer at random."""
    game = registry.game(name)
    specs = [SOMETIMES, *[resolve("random")] * (seats - 1)]

    result, decisions = play_game(game, specs, b"s" * 32, settle_variant(game, seats, {}), "m")

    assert len(result.places) >= seats
    assert decisions > 0


@pytest.mark.parametrize(("name", "setting", "value"), VARIANTS, ids=lambda value: str(value))
def test_it_plays_every_variant(name: str, setting: str, value: str) -> None:
    """Every setting that differs from the default can be played, at the smallest table that has it."""
    game = registry.game(name)
    seats = min(game.variants[setting].seats or game.seats)
    specs = [SOMETIMES, *[resolve("random")] * (seats - 1)]

    result, _ = play_game(game, specs, b"s" * 32, settle_variant(game, seats, {setting: value}), "m")

    assert len(result.places) >= seats


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_with_a_seed_its_answers_are_reproducible(name: str) -> None:
    """Equal seeds give equal answers, after thinking about the same worlds."""
    answers = [[Ismcts(iterations=12).decide(question(name, seed, 5)) for seed in range(4)] for _ in range(2)]

    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_it_sees_nothing_but_the_view(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state that it ever works on was imagined from the view or cloned from such a one."""
    game = registry.game(name)
    ask = question(name, 3, 9)
    worlds: list[object] = []
    imagined = game.determinise

    def determinise(view: object, chance: Chance) -> object:
        assert view is ask.view
        worlds.append(imagined(view, chance))
        return worlds[-1]

    monkeypatch.setattr(game, "determinise", determinise)
    before = game.view(game.determinise(ask.view, Fast(0)), ask.seat)

    Ismcts(iterations=20).decide(ask)

    assert len(worlds) > 1
    assert all(game.view(world, ask.seat) == before for world in worlds)


def test_a_game_without_a_guide_is_searched_blind(tricks: str) -> None:
    """Random playouts to the end stand in for what is not known about the game."""
    score = duel(tricks, "ismcts:iterations=6", "random", 3)

    assert score.games.total == 6
    assert isinstance(guide_of(registry.game(tricks)), Blind)


def test_a_few_iterations_beat_random_play() -> None:
    """At Edo Yashiki it does not lose a game."""
    score = duel("edo_yashiki", "ismcts:iterations=16", "random", 2)

    assert (score.games.won, score.games.lost) == (4, 0)


@pytest.mark.parametrize(("iterations", "expected"), [(1, 1), (7, 7), (64, 64)])
def test_it_makes_no_more_iterations_than_it_was_told(tricks: str, iterations: int, expected: int) -> None:
    """The budget is counted in iterations, not in sweeps."""
    view = View(0, (3, 8, 12), (0, 0), ())
    ask: AnyAsk = Ask(
        Table("m", tricks, 0), 1, "play_card", 3, Given(view, [PLAYS[card] for card in view.hand]), rng=Random(1)
    )
    search = Search(toys.GAME, Blind(), 0, Settings(1.0, 1, 16), ask.rng)

    search.run(ask.worlds(1000), SearchBudget(iterations, 0.0, None))

    assert search.iterations <= expected


class Ticking:
    """A clock that moves on by itself whenever it is read."""

    def __init__(self, tick: float) -> None:
        self.now = 100.0
        self.tick = tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.mark.parametrize(
    ("spec", "clock", "longest"),
    [
        ("ismcts:ms=50", AskClock(), 0.05),
        ("ismcts:ms=5000", AskClock(10.0, 0.2, 100.0, ahead=1), 0.2),
        ("ismcts:iterations=1000000", AskClock(1.0, 0.5, 100.0, ahead=10), 0.1),
    ],
)
def test_it_stops_by_the_clock(monkeypatch: pytest.MonkeyPatch, spec: str, clock: AskClock, longest: float) -> None:
    """In time, whether told so itself, or by a budget or by a share of the bank that is smaller."""
    ticking = Ticking(0.001)
    monkeypatch.setattr(time, "monotonic", ticking)
    ask = question("edo_yashiki", 2, 2)
    ask.clock = clock

    resolve(spec).make(1).decide(ask)

    assert ticking.now - 100.0 <= longest + 5 * ticking.tick


def test_without_any_time_it_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ask that came too late to think about gets the guide's favourite."""
    monkeypatch.setattr(time, "monotonic", Ticking(0.001))
    ask = question("edo_yashiki", 2, 2)
    ask.clock = AskClock(0.01, 0.01, 50.0)

    assert Ismcts(ms=1).decide(ask) in ask.options


@pytest.mark.parametrize("setting", ["iterations", "ms", "depth", "width"])
def test_settings_that_make_no_sense_are_refused(setting: str) -> None:
    """A search of nothing is one clear line."""
    with pytest.raises(BadSetting, match=f"ismcts: {setting} is at least 1, not 0"):
        resolve(f"ismcts:{setting}=0").make()


def test_without_parameters_it_counts_iterations() -> None:
    """So that a plain `ismcts` is reproducible; with a time given, only the time counts."""
    ask = question("edo_yashiki", 2, 2)

    assert Ismcts()._budget(ask).iterations == ITERATIONS
    assert Ismcts(ms=5)._budget(ask).iterations is None


def test_a_plan_is_followed_as_long_as_it_was_foreseen() -> None:
    """A line of several answers is thought out once; the next asks are answered from it without a search."""
    ask = question("white_castle", 4, 4)
    bot = Ismcts(iterations=4)
    bot._plans["m", ask.seat] = 1, (ask.options[1], ask.options[0])

    first = bot.decide(ask)
    ask.number = 2
    second = bot.decide(ask)

    assert (first, second) == (ask.options[1], ask.options[0])
    assert bot._plans == {}


def told(subject: str, *audience: int) -> Event:
    return Event(Verb.DREW, 0, subject, audience=audience or None)


def test_seats_are_told_apart_by_what_they_know() -> None:
    """What one seat learned alone changes its place in its own tree and nobody else's."""
    before, after = Known(), Known()
    before.add({0: "a"}, [told("card")])
    after.add({0: "a"}, [told("card"), told("seven", 1)])

    assert before.key(0) == after.key(0)
    assert before.key(1) != after.key(1)


def test_a_hidden_answer_is_known_to_its_own_seat_only() -> None:
    """Two answers that nobody was told of lead to two nodes of the seat that gave them, and one of the other."""
    one, other = Known(), Known()
    one.add({0: "a", 1: "x"}, [told("sealed")])
    other.add({0: "b", 1: "x"}, [told("sealed")])

    assert one.key(0) != other.key(0)
    assert one.key(1) == other.key(1)


def test_luck_is_the_same_for_all_who_ask_the_same_stream() -> None:
    """Equal seeds and names give equal luck, whatever other streams were asked for."""
    one, other = Paired(7), Paired(7)
    other.pick("dice", 6)
    other.order("deck", 9)

    assert one.shuffled("cards", range(20)) == other.shuffled("cards", range(20))
    assert sorted(one.order("more", 20)) == list(range(20))
    assert Paired(8).shuffled("cards", range(20)) != Paired(7).shuffled("cards", range(20))


def test_a_plan_ends_where_luck_crosses_it() -> None:
    """An answer that is not there any more takes the rest of the plan with it."""
    plans = Plans()
    first = plans.make(0, ("a", "b", "c"))

    assert first == "a"
    assert plans.next(1, "xyz") is None
    assert plans.next(0, "xyz") is None
    assert plans.next(0, "bc") is None


def contender(*outcomes: float, worth: float = 0.0) -> Contender:
    made = Contender(Candidate(("a",), worth), 0.0)
    made.outcomes += outcomes
    return made


def test_a_contender_is_out_when_it_does_worse_on_the_same_worlds() -> None:
    """The worlds differ much and the contenders little: what counts is the difference on each."""
    good = contender(0.9, 0.1, 0.6, 0.4, 0.8, 0.2)
    worse = contender(0.88, 0.07, 0.58, 0.37, 0.78, 0.17)
    noisy = contender(0.1, 0.9, 0.2, 0.8, 0.3, 0.6)

    assert worse.beaten_by(good)
    assert not noisy.beaten_by(good)
    assert not good.beaten_by(worse)


def test_a_guides_opinion_decides_until_there_are_outcomes() -> None:
    """What the guide prefers leads at first, and loses to what turned out better."""
    favourite, other = contender(), contender(worth=-1.0)
    early = favourite.score > other.score
    favourite.outcomes += [0.4] * 40
    other.outcomes += [0.6] * 40

    assert early
    assert favourite.score < other.score


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_stages_rise_to_the_end(name: str) -> None:
    """A guide's stage never falls during a game, and there are many moments to take stock."""
    game, guide = registry.game(name), guide_of(registry.game(name))
    rng, chance = Random(5), Fast(5)
    state = game.start(2, settle_variant(game, 2, {}), chance)
    turn = settle(game, state, chance, [])
    stages = [guide.stage(state)]
    while turn.asks:
        turn = advance(game, state, turn, {seat: rng.choice(turn.options[seat]) for seat, _ in turn.asks}, chance, [])
        stages.append(guide.stage(state))

    assert stages == sorted(stages)
    assert len(set(stages)) > 10


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_a_guide_names_legal_answers_the_best_first(name: str) -> None:
    """At every question of a game both judgements are sorted, and begin with answers that can be given."""
    game, guide = registry.game(name), guide_of(registry.game(name))
    rng, chance = Random(6), Fast(6)
    state = game.start(2, settle_variant(game, 2, {}), chance)
    turn = settle(game, state, chance, [])
    kinds: set[str] = set()
    orders, legal = [], []
    while turn.asks:
        for seat, kind in turn.asks:
            options = turn.options[seat]
            for judge in (guide.lines, guide.answers) if kind not in kinds else ():
                found = judge(state, seat, kind, options)
                orders.append([candidate.worth for candidate in found])
                legal.append(bool(found) and all(candidate.line[0] in options for candidate in found))
        kinds |= {kind for _, kind in turn.asks}
        turn = advance(game, state, turn, {seat: rng.choice(turn.options[seat]) for seat, _ in turn.asks}, chance, [])

    assert [sorted(worths, reverse=True) for worths in orders] == orders
    assert all(legal)


def test_at_ninjato_a_lead_counts_for_more_and_an_envoy_for_less_as_the_end_comes_near() -> None:
    """Ten points of honor are safer late in a game; an envoy has scoring phases before it early on."""
    game, guide = registry.game("ninjato"), guide_of(registry.game("ninjato"))
    state = game.start(2, settle_variant(game, 2, {}), Fast(1))
    leads: dict[str, list[float]] = {"honor": [], "envoy": []}
    for number in (1, 4, 7):
        for what, honor, envoys in (("honor", 10, ()), ("envoy", 0, (0,))):
            ahead = game.clone(state)
            ahead.round, ahead.honor[0], ahead.envoys[0] = number, honor, envoys
            before = game.clone(state)
            before.round = number
            leads[what].append(guide.standing(ahead)[0] - guide.standing(before)[0])

    assert leads["honor"] == sorted(leads["honor"])
    assert min(leads["envoy"]) > 0
    assert leads["envoy"][0] / leads["honor"][0] > leads["envoy"][-1] / leads["honor"][-1]
