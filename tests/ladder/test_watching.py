"""Spectators of a referee with a database: rooms, restarts, pseudonyms, standings, matches and records."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ladder.serving.archive import SeasonArchive
from ladder.serving.sockets import sockets
from ladder.store.database import Store
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played
from referee.kernel.errors import BadSetting, StorageTrouble, UnknownName
from referee.match.record import from_lines
from referee.match.verify import verify
from referee.transport.watch_client import Away, WatchClient
from referee.v1 import watch_pb2 as pb
from tests.ladder.held_bots import HeldBot, eventually, release
from tests.ladder.test_safe_to_show import SEED, played, pool_of
from tests.ladder.test_served import Season
from tests.transport.house import WAIT
from tests.transport.watching import follow, refusal, tables, watching

pytestmark = pytest.mark.processes


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Season]:
    """An open season on a database."""
    with Season(tmp_path / "cup.sqlite") as season:
        yield season


def seated(season: Season) -> list[HeldBot]:
    """Two bots at a table that has started."""
    bots = [HeldBot(season.address, name) for name in ("ann", "ben")]
    assert season.server is not None
    lobby = season.server.lobby
    eventually(lambda: lobby.tables() and lobby.tables()[0].started)
    return bots


def test_the_organisers_socket_serves_spectators_and_the_bots_socket_does_not(season: Season) -> None:
    """At admin.sock tables are listed without a token; at play.sock the service does not exist."""
    place = sockets(season.path)
    with watching(place.admin) as stub:
        assert tables(stub) == []
    with watching(place.play) as stub, pytest.raises(grpc.RpcError) as error:
        tables(stub)

    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_played_match_is_found_in_lists_standings_and_as_a_record(season: Season) -> None:
    """While the match runs its record is refused; afterwards the record verifies and has the hash of the end."""
    bots = seated(season)
    with watching(season.address) as stub:
        (table,) = tables(stub)
        stream = follow(stub, table.match_id)
        next(stream)
        listed = stub.ListMatches(pb.ListMatchesRequest(), timeout=WAIT)
        with pytest.raises(grpc.RpcError) as early:
            stub.GetRecord(pb.GetRecordRequest(match_id=table.match_id), timeout=WAIT)
        release(bots)
        end = list(stream)[-1].end
        for bot in bots:
            bot.close()
        found = stub.ListMatches(pb.ListMatchesRequest(bot="ann", against="ben"), timeout=WAIT).matches
        (match,) = [row for row in found if row.match_id == table.match_id]
        record = stub.GetRecord(pb.GetRecordRequest(match_id=table.match_id), timeout=WAIT).record
        pools = stub.GetStandings(pb.GetStandingsRequest(pool=table.pool), timeout=WAIT).pools
        with pytest.raises(grpc.RpcError) as unknown:
            stub.ListMatches(pb.ListMatchesRequest(bot="nemo"), timeout=WAIT)
        with pytest.raises(grpc.RpcError) as no_pool:
            stub.GetStandings(pb.GetStandingsRequest(pool=99), timeout=WAIT)

    assert [(row.match_id, row.state, row.readable) for row in listed.matches] == [
        (table.match_id, pb.MATCH_STATE_RUNNING, False)
    ]
    assert refusal(early.value)[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert str(season.path) not in refusal(early.value)[1]
    assert (match.state, match.readable, match.pool) == (pb.MATCH_STATE_FINISHED, True, table.pool)
    read = from_lines(record.splitlines(keepends=True))
    verify(read)
    assert read.hashes[-1] == end.record_hash
    assert [(pool.game, pool.seats) for pool in pools] == [("edo_yashiki", 2)]
    assert unknown.value.code() is grpc.StatusCode.NOT_FOUND
    assert no_pool.value.code() is grpc.StatusCode.NOT_FOUND


def test_a_follower_is_told_of_a_restart_and_follows_again(tmp_path: Path) -> None:
    """The stream ends with UNAVAILABLE and one line; at the next run the same match goes on from the same number."""
    path = tmp_path / "cup.sqlite"
    first = Season(path)
    bots = seated(first)
    tokens = [bot.welcome.resume_token for bot in bots]
    with watching(first.address) as stub:
        match = tables(stub)[0].match_id
        stream = follow(stub, match)
        before = next(stream)
        first.stop()
        with pytest.raises(grpc.RpcError) as error:
            list(stream)
    first.join()
    for bot in bots:
        bot.close()
    with Season(path) as second:
        with watching(sockets(path).admin) as stub:
            stream = follow(stub, match)
            again = next(stream)
            again_there = zip(bots, tokens, strict=True)
            back = [HeldBot(second.address, bot.name, resume_token=token) for bot, token in again_there]
            release(back)
            rest = list(stream)
        for bot in back:
            bot.close()

    assert error.value.code() is grpc.StatusCode.UNAVAILABLE
    assert "follow the same match" in refusal(error.value)[1]
    assert (before.number, before.edo_yashiki) == (again.number, again.edo_yashiki)
    assert again.snapshot
    assert [m.number for m in rest[:-1]] == list(range(again.number + 1, again.number + len(rest)))
    assert rest[-1].end.HasField("result")


def test_the_client_follows_through_a_restart_if_it_is_patient(tmp_path: Path) -> None:
    """The client dials the socket again by itself; without patience it says that the referee is away."""
    path = tmp_path / "cup.sqlite"
    seasons = [Season(path)]
    bots = seated(seasons[0])
    tokens = [bot.welcome.resume_token for bot in bots]
    back: list[HeldBot] = []

    def restart() -> None:
        seasons[0].stop()
        seasons[0].join()
        for bot in bots:
            bot.close()
        seasons.append(Season(path))

    async def main() -> list[pb.FollowTableResponse]:
        found = []
        async with WatchClient(sockets(path).admin) as client:
            match = (await client.tables()).tables[0].match_id
            impatient = client.follow(match)
            await anext(impatient)
            restarting = None
            async for message in client.follow(match, patience=WAIT):
                found.append(message)
                if restarting is None:
                    restarting = asyncio.create_task(asyncio.to_thread(restart))
                    with pytest.raises(Away):
                        await anext(impatient)
                elif len(found) == 2:
                    await restarting
                    address, again = seasons[1].address, zip(bots, tokens, strict=True)
                    back.extend(HeldBot(address, bot.name, resume_token=token) for bot, token in again)
                    release(back)
        return found

    found = asyncio.run(main())
    for bot in back:
        bot.close()
    seasons[1].stop()
    seasons[1].join()

    assert [message.snapshot for message in found[:2]] == [True, True]
    assert found[-1].HasField("end")


def test_a_hidden_bot_is_shown_under_its_pseudonym_and_its_records_are_refused(season: Season) -> None:
    """Tables, messages, lists and filters know the pseudonym alone."""
    bots = seated(season)
    server = season.server
    assert server is not None
    control = server.control
    assert control is not None
    server._bridge.loop.call_soon_threadsafe(lambda: control.hide("test", "ann", "mask"))
    with watching(season.address) as stub:
        eventually(lambda: "mask" in tables(stub)[0].players)
        (table,) = tables(stub)
        stream = follow(stub, table.match_id)
        everything = [next(stream)]
        release(bots)
        everything += stream
        for bot in bots:
            bot.close()
        found = stub.ListMatches(pb.ListMatchesRequest(bot="mask"), timeout=WAIT).matches
        (match,) = [row for row in found if row.match_id == table.match_id]
        standings = stub.GetStandings(pb.GetStandingsRequest(), timeout=WAIT)
        with pytest.raises(grpc.RpcError) as record:
            stub.GetRecord(pb.GetRecordRequest(match_id=table.match_id), timeout=WAIT)
        with pytest.raises(grpc.RpcError) as named:
            stub.ListMatches(pb.ListMatchesRequest(bot="ann"), timeout=WAIT)

    assert sorted(table.players) == ["ben", "mask"]
    assert b"ann" not in b"".join(message.SerializeToString() for message in everything)
    assert b"ann" not in match.SerializeToString() + standings.SerializeToString()
    assert not match.readable
    assert refusal(record.value)[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert "pseudonym" in refusal(record.value)[1]
    assert refusal(named.value)[0] is grpc.StatusCode.NOT_FOUND


def test_a_record_of_a_duplicate_set_is_refused_before_the_set_is_over(tmp_path: Path) -> None:
    """The first match of the set has the luck of the second; when the second is stored both records can be read."""
    path = tmp_path / "l.sqlite"
    first, secret = played("dup-0")
    second, _ = played("dup-1", secret)
    request = pb.GetRecordRequest(match_id=first.header.match)
    archive = SeasonArchive(path)
    with Store(path) as store:
        build = store.build("a", "random", "d")
        pool = pool_of(store, store.season("s", "c", SEED, tempo="planned", pairing_version=1).id)
        store.schedule(pool, 0, [("a", "b")], {"a": build, "b": build}, [True])
        group = store.groups(pool)[0].id
        store.save(SeasonPlace(group, 0, 0, (build, build)), secret, Played.of(first), sealed=True)
        with pytest.raises(BadSetting, match="every match of the same deal"):
            archive.record(request)
        (listed,) = archive.matches(pb.ListMatchesRequest()).matches
        store.save(SeasonPlace(group, 1, 0, (build, build)), secret, Played.of(second))
        store.reveal([group])
        record = archive.record(request).record
        readable = [match.readable for match in archive.matches(pb.ListMatchesRequest()).matches]
    archive.close()

    assert not listed.readable
    assert record == b"".join(first.lines())
    assert readable == [True, True]


def test_an_archive_that_cannot_be_read_names_no_file(tmp_path: Path) -> None:
    """Strangers read the answer, so it does not say where the database lies; nor does an unknown id."""
    archive = SeasonArchive(tmp_path / "missing.sqlite")
    with pytest.raises(StorageTrouble) as missing:
        archive.standings(pb.GetStandingsRequest())
    path = tmp_path / "l.sqlite"
    with Store(path):
        pass
    found = SeasonArchive(path)
    with pytest.raises(UnknownName) as unknown:
        found.record(pb.GetRecordRequest(match_id="m" * 500))
    found.close()

    assert str(tmp_path) not in str(missing.value) + str(unknown.value)
    assert len(str(unknown.value)) < 200
