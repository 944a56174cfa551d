"""Tables: opened as arranged or by the queue, each in a task of its own, on a clock that jumps."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
import trio
import trio.testing

from ladder.config.offers import TableOffer, every_table
from ladder.seasons.open_tables import CasualTables
from referee.kernel import registry
from referee.kernel.errors import BadSetting, StorageTrouble, UnknownName
from referee.match.clock import TimeControl
from referee.match.outputs import Settled
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.policy import EndingKind
from referee.match.protocols import ConnectedBot
from referee.match.record import Final, Header, Step
from referee.match.table import microseconds
from referee.match.terms import Terms
from referee.transport.connections import Connections
from referee.transport.lobby import Lobby, Stopped
from referee.transport.session import BotSession
from referee.transport.share import CROWD
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

TWO = every_table(["edo_yashiki"], seats=[2], clock=TimeControl.parse("10s"))


class Shelf:
    """A recorder in memory."""

    def __init__(self) -> None:
        self.headers: list[Header] = []
        self.steps: dict[str, int] = {}
        self.finals: dict[str, Final] = {}

    def begin(self, header: Header, secret: bytes) -> None:
        self.headers.append(header)

    def step(self, match: str, step: Step) -> None:
        self.steps[match] = step.n

    def end(self, match: str, final: Final) -> Settled:
        self.finals[match] = final
        return Settled()


class Place:
    """Connections, a lobby, and bots that answer 0 to everything unless they are mute."""

    def __init__(self, wanted: tuple[TableOffer, ...] = (), matches: int | None = None) -> None:
        self.ended: list[tuple[Terms, Final]] = []
        self.shelf = Shelf()
        pairing = CasualTables(wanted) if wanted else None
        self.connections = Connections(PlayTime(microseconds), pairing=pairing, changed=lambda: self.lobby.changed())
        self.lobby = Lobby(
            self.connections,
            self.shelf,
            pairing=pairing,
            matches=matches,
            ended=lambda *end: self.ended.append(end),
        )
        self.most = 0

    async def bot(self, name: str, tables: int = 1, mute: bool = False, offers: tuple[pb.Offer, ...] = ()) -> None:
        """Play until cancelled."""
        woken = trio.Event()

        def wake() -> None:
            woken.set()

        stream = self.connections.open("", microseconds(), wake)
        hello = pb.Hello(protocol_version=1, name=name, tables=tables, offers=offers)
        self._send(stream, pb.PlayRequest(hello=hello))
        while True:
            data = stream.take(microseconds())
            if data is None:
                woken = trio.Event()
                await woken.wait()
                continue
            self.most = max(self.most, self.session(name).tables)
            message = pb.PlayResponse.FromString(data)
            reply = pb.PlayRequest()
            for seated in message.seated:
                reply.ready.add(match_id=seated.match_id, seat=seated.seat)
            for ask in message.asks:
                if not mute:
                    reply.answers.add(match_id=ask.match_id, ask=ask.ask, seat=ask.seat)
            self._send(stream, reply)

    def session(self, name: str) -> BotSession:
        """The session of a bot that is connected or remembered."""
        session = self.connections.session(name)
        assert session is not None
        return session

    def _send(self, stream: BotStream, message: pb.PlayRequest) -> None:
        self.connections.receive(stream, message.SerializeToString(), microseconds())


@asynccontextmanager
async def running(place: Place, *names: str, tables: int = 1, mute: bool = False) -> AsyncIterator[trio.Nursery]:
    """The lobby at work with some bots."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.run)
        for name in names:
            nursery.start_soon(place.bot, name, tables, mute)
        yield nursery
        nursery.cancel_scope.cancel()


def on_trio(test: Callable[[], Awaitable[object]]) -> Callable[[], None]:
    """Run a test on a clock that jumps whenever nobody has anything to do; it ends within a virtual hour."""

    def wrapped() -> None:
        async def main() -> None:
            with trio.fail_after(3600):
                await test()

        trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))

    wrapped.__name__, wrapped.__doc__ = test.__name__, test.__doc__
    return wrapped


@on_trio
async def test_free_bots_are_matched_until_enough_matches_were_played() -> None:
    """The lobby is done after the wanted number of matches, all recorded."""
    place = Place(TWO, matches=3)

    async with running(place, "ann", "bob"):
        await place.lobby.done.wait()

    assert place.lobby.finished == 3
    assert len(place.ended) == len(place.shelf.finals) == 3
    assert {tuple(sorted(terms.players)) for terms, _ in place.ended} == {("ann", "bob")}


@on_trio
async def test_bots_play_no_more_tables_than_they_want() -> None:
    """With two tables each, two matches run side by side and never a third."""
    place = Place(TWO, matches=6)

    async with running(place, "ann", "bob", tables=2):
        await place.lobby.done.wait()

    assert place.most == 2
    assert place.lobby.finished == 6


@on_trio
async def test_an_arranged_match_has_its_players_in_their_seats() -> None:
    """The plan's names are the seats, its id and secret are used, and the final comes back."""
    place = Place()
    plan = MatchPlan("edo_yashiki", ("bob", "ann"), "cafe", bytes(32), {"draft": "turn_order"})

    async with running(place, "ann", "bob"):
        final = await place.lobby.arrange(plan)

    (header,) = place.shelf.headers
    assert (header.match, header.players, header.variant["draft"]) == ("cafe", ("bob", "ann"), "turn_order")
    assert final == place.shelf.finals["cafe"]
    assert final.secret == "00" * 32


@on_trio
async def test_an_arranged_match_waits_for_its_bots() -> None:
    """Who is not there yet is waited for."""
    place = Place()

    async with running(place, "ann") as nursery:
        nursery.start_soon(place.bot, "bob")
        final = await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "bob")))

    assert final.rated


@on_trio
async def test_a_bot_may_be_asked_to_play_against_itself() -> None:
    """A name that stands twice in a plan plays both seats, at one table."""
    place = Place()

    async with running(place, "ann"):
        final = await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "ann")))

    assert final.result is not None
    assert place.most == 1


@on_trio
async def test_many_plans_are_all_played_within_the_limits_of_the_bots() -> None:
    """A tournament hands in everything at once; one table at a time for each bot is respected."""
    place = Place()
    finals: list[Final] = []

    async def play(plan: MatchPlan) -> None:
        finals.append(await place.lobby.arrange(plan))

    names = ("ann", "bob", "cid")
    async with running(place, *names), trio.open_nursery() as nursery:
        for first in names:
            for second in names:
                nursery.start_soon(play, MatchPlan("edo_yashiki", (first, second)))

    assert len(finals) == 9
    assert place.most == 1


@on_trio
async def test_a_mute_bot_loses_its_seat_and_nobody_else_notices() -> None:
    """Its match ends by the clock; another match at the same referee goes on without a fault."""
    place = Place()

    async with running(place, "ann", "bob", "cid") as nursery:
        nursery.start_soon(lambda: place.bot("mute", mute=True))
        results: dict[str, Final] = {}

        async def play(name: str, plan: MatchPlan) -> None:
            results[name] = await place.lobby.arrange(plan)

        async with trio.open_nursery() as matches:
            clock = TimeControl.parse("5s")
            matches.start_soon(play, "with", MatchPlan("edo_yashiki", ("mute", "cid"), clock=clock))
            matches.start_soon(play, "without", MatchPlan("edo_yashiki", ("ann", "bob"), clock=clock))

    assert [ending.kind for ending in results["with"].endings] == [EndingKind.FORFEITED, EndingKind.FINISHED]
    assert [ending.faults for ending in results["without"].endings] == [0, 0]


@on_trio
async def test_a_plan_that_cannot_be_played_is_refused_at_once() -> None:
    """Unknown games, settings and seat counts are the caller's to mend."""
    place = Place()

    with pytest.raises(UnknownName, match="chess"):
        await place.lobby.arrange(MatchPlan("chess", ("ann", "bob")))
    with pytest.raises(BadSetting, match="seats"):
        await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann",)))
    with pytest.raises(UnknownName, match="draft"):
        await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "bob"), variant={"draft": "x"}))


@on_trio
async def test_when_the_lobby_closes_those_who_wait_are_told() -> None:
    """Plans that wait or are being played raise Stopped, and new ones are refused."""
    place = Place()
    stopped: list[str] = []

    async def play(*names: str) -> None:
        with pytest.raises(Stopped) as caught:
            await place.lobby.arrange(MatchPlan("edo_yashiki", names))
        stopped.append(str(caught.value))

    async with trio.open_nursery() as waiting, running(place, "ann", mute=True) as nursery:
        nursery.start_soon(place.bot, "bob")
        waiting.start_soon(play, "ann", "bob")
        waiting.start_soon(play, "ann", "nobody")
        await trio.testing.wait_all_tasks_blocked()

    with pytest.raises(Stopped, match="closed"):
        await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "bob")))
    assert len(stopped) == 2
    assert len(place.shelf.headers) == 1
    assert place.shelf.finals == {}


@on_trio
async def test_a_bot_that_does_not_offer_a_game_is_not_seated_for_it() -> None:
    """Pairing respects offers; here only two of three bots play at tables for two."""
    both = every_table(["edo_yashiki"], seats=[2, 4], clock=TimeControl.parse("10s"))
    place = Place(both, matches=4)
    four = (pb.Offer(game="edo_yashiki", seat_counts=[4]),)

    async with running(place, "ann", "bob") as nursery:
        nursery.start_soon(lambda: place.bot("cid", offers=four))
        await place.lobby.done.wait()

    assert len(place.ended) == 4
    assert all("cid" not in terms.players for terms, _ in place.ended)


@on_trio
async def test_seats_are_shared_evenly() -> None:
    """Two bots that meet again and again sit in each seat equally often."""
    place = Place(TWO, matches=6)

    async with running(place, "ann", "bob"):
        await place.lobby.done.wait()

    firsts = [terms.players[0] for terms, _ in place.ended]
    assert (firsts.count("ann"), firsts.count("bob")) == (3, 3)


@on_trio
async def test_a_plan_with_a_bot_that_does_not_play_that_is_refused() -> None:
    """Otherwise a tournament would wait for ever."""
    place = Place()
    three = (pb.Offer(game="edo_yashiki", seat_counts=[3]),)

    async with running(place, "ann") as nursery:
        nursery.start_soon(lambda: place.bot("cid", offers=three))
        with pytest.raises(BadSetting, match="cid does not play edo_yashiki with 2 seats"):
            await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "cid")))


@on_trio
async def test_one_match_id_is_not_played_twice_at_once() -> None:
    """The second plan under the same id is refused while the first is there."""
    place = Place()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.arrange, MatchPlan("edo_yashiki", ("ann", "bob"), match="cafe"))
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(BadSetting, match="cafe"):
            await place.lobby.arrange(MatchPlan("edo_yashiki", ("cid", "dan"), match="cafe"))
        nursery.cancel_scope.cancel()


@on_trio
async def test_no_plan_starves() -> None:
    """While others arrange matches for two without end, a match for three of the same bots gets its turn."""
    place = Place()
    pairs = 0

    async def without_end(*names: str) -> None:
        nonlocal pairs
        while True:
            await place.lobby.arrange(MatchPlan("edo_yashiki", names))
            pairs += 1

    async with running(place, "ann", "bob", "cid", "dan") as nursery:
        for names in (("ann", "bob"), ("cid", "dan"), ("bob", "cid")):
            nursery.start_soon(without_end, *names)
        while pairs < 6:
            await trio.lowlevel.checkpoint()
        final = await place.lobby.arrange(MatchPlan("edo_yashiki", ("ann", "bob", "cid")))

    assert final.result is not None
    assert pairs < 100


def test_no_table_is_opened_while_nothing_can_be_stored() -> None:
    """The pairing is not even asked; afterwards the match that could not begin is played, and then the next ones."""

    async def main() -> None:
        place = Place(every_table(["edo_yashiki"], seats=[2]), matches=6)
        asked: list[float] = []
        pairing = place.lobby._pairing
        assert pairing is not None
        find = pairing.next

        def find_and_note(bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
            asked.append(trio.current_time())
            return find(bots, at)

        pairing.next = find_and_note  # type: ignore[method-assign]
        begin = place.shelf.begin

        def fail(header: Header, secret: bytes) -> None:
            if trio.current_time() < 100:
                raise StorageTrouble("no room")
            begin(header, secret)

        place.shelf.begin = fail  # type: ignore[method-assign]
        async with running(place, "ann", "bob", "cid", "dan"):
            await trio.sleep(50)
            early = len(asked)
            await trio.sleep(45)

            assert len(asked) == early < 10
            assert place.lobby.running == 1
            assert not place.ended
            await trio.sleep(10)
            assert len(place.shelf.finals) == 6

    on_trio(main)()


@on_trio
async def test_a_referee_that_fails_at_every_table_opens_few() -> None:
    """A bug of the recorder ends each match; the pauses between tables double up to a minute, and end with the bug."""
    place = Place(TWO)
    begin = place.shelf.begin
    tried: list[float] = []

    def fail(header: Header, secret: bytes) -> None:
        tried.append(trio.current_time())
        raise LookupError("a bug")

    place.shelf.begin = fail  # type: ignore[method-assign]
    async with running(place, "ann", "bob"):
        await trio.sleep(600)
        assert 10 <= len(tried) <= 20
        assert max(later - earlier for earlier, later in pairwise(tried)) <= 61
        works = trio.Event()

        def succeed(header: Header, secret: bytes) -> None:
            begin(header, secret)
            works.set()

        place.shelf.begin = succeed  # type: ignore[method-assign]
        with trio.fail_after(61):
            await works.wait()


@on_trio
async def test_while_many_streams_arrive_tables_are_opened_more_slowly_and_are_opened() -> None:
    """Every bot that arrives causes a look for a table; the streams behind it get most of the loop meanwhile."""
    place = Place(TWO)
    began: list[float] = []
    clock = trio.current_time
    place.shelf.begin = lambda header, secret: began.append(clock())  # type: ignore[method-assign]
    names = [f"bot-{number}" for number in range(2 * CROWD)]

    async with running(place, *names, mute=True):
        while len(began) < len(names) // 2:
            place.connections.arrivals.stream(microseconds())
            await trio.sleep(0.001)

    assert began[0] == 0
    assert began[-1] > 0


@pytest.mark.parametrize("game", registry.names())
def test_a_match_that_is_over_is_freed_at_once(game: str) -> None:
    """Nothing of it waits for the cycle collector, which runs seldom while many bots play."""

    @on_trio
    async def played() -> None:
        """Three matches."""
        place = Place(wanted=every_table([game], seats=[2]), matches=3)
        async with running(place, "ann", "bob"):
            await place.lobby.done.wait()
            await trio.testing.wait_all_tasks_blocked()
            found.extend(_cycles())

    found: list[str] = []
    gc.collect()
    gc.disable()
    try:
        played()
    finally:
        gc.enable()

    assert found == []


def _cycles() -> list[str]:
    """The types of ours that only the cycle collector would free."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    names = sorted({type(entry).__qualname__ for entry in gc.garbage if type(entry).__module__.startswith("referee.")})
    gc.garbage.clear()
    return names
