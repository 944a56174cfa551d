"""The calls of `AdminService`: one function for each call takes the request, acts and returns the response."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from google.protobuf.message import Message

import referee
from referee.kernel.errors import BadSetting, UnknownName
from referee.match.policy import clean
from referee.transport.control import LONGEST_REASON, BadRequest, Ban, RefereeControl
from referee.transport.event_desk import EventDesk, described
from referee.transport.lobby import OpenTable
from referee.transport.metrics import Sources, samples
from referee.transport.overview import Overview
from referee.transport.people_desk import PeopleDesk, WantedTable, table_message
from referee.transport.samples import Kind
from referee.v1 import admin_pb2 as pb

NO_EVENT = "this referee plays no event; start it with a ladder file that has a table [event]"
NO_PEOPLE = (
    "people do not play at this referee; its organiser allows it with kumite serve --people, or a table [people]"
)
ACTS, MOST_ACTS = 50, 1000
"""Number of acts that are listed if the request names none, and the largest number."""
KINDS = {Kind.COUNTER: pb.METRIC_KIND_COUNTER, Kind.GAUGE: pb.METRIC_KIND_GAUGE}
LONGEST_DRAIN = 7 * 24 * 3600.0
"""Most seconds after which a draining referee ends."""


class Desks(NamedTuple):
    """The parts of a referee that the calls act on."""

    control: RefereeControl
    overview: Overview
    sources: Sources
    event: EventDesk | None
    people: PeopleDesk | None = None


def _desk(desks: Desks) -> EventDesk:
    if desks.event is None:
        raise BadSetting(NO_EVENT)
    return desks.event


def _get_event(desks: Desks, actor: str, request: pb.GetEventRequest) -> pb.GetEventResponse:
    return pb.GetEventResponse(event=described(_desk(desks).status()))


def _changed_event(
    desks: Desks, actor: str, action: str, act: Callable[[EventDesk], None], detail: str = ""
) -> pb.EventStatus:
    """Act on the event, log and count the act, and return the event's status; a pause is told to its bots."""
    desk = _desk(desks)
    act(desk)
    status = desk.status()
    bots = [entrant.name for entrant in status.entrants] if action == "pause" else []
    desks.control.event(action, actor, status.name, detail, bots)
    return described(status)


def _start_event(desks: Desks, actor: str, request: pb.StartEventRequest) -> pb.StartEventResponse:
    return pb.StartEventResponse(event=_changed_event(desks, actor, "start", lambda desk: desk.start(actor)))


def _pause_event(desks: Desks, actor: str, request: pb.PauseEventRequest) -> pb.PauseEventResponse:
    return pb.PauseEventResponse(event=_changed_event(desks, actor, "pause", lambda desk: desk.pause(actor)))


def _resume_event(desks: Desks, actor: str, request: pb.ResumeEventRequest) -> pb.ResumeEventResponse:
    return pb.ResumeEventResponse(event=_changed_event(desks, actor, "resume", lambda desk: desk.resume(actor)))


def _withdraw_entrant(desks: Desks, actor: str, request: pb.WithdrawEntrantRequest) -> pb.WithdrawEntrantResponse:
    name = request.name
    event = _changed_event(desks, actor, "withdraw", lambda desk: desk.withdraw(actor, name), name)
    return pb.WithdrawEntrantResponse(event=event)


def _get_status(desks: Desks, actor: str, request: pb.GetStatusRequest) -> pb.GetStatusResponse:
    figures = desks.overview.figures()
    return pb.GetStatusResponse(
        version=referee.__version__,
        pools=_pools(desks),
        bans=[_ban(ban) for ban in desks.control.rulings.bans()],
        draining=desks.sources.connections.draining,
        open=desks.control.rulings.is_open,
        storage_bytes=desks.control.rulings.storage_bytes(),
        **figures._asdict(),
    )


def _list_tables(desks: Desks, actor: str, request: pb.ListTablesRequest) -> pb.ListTablesResponse:
    return pb.ListTablesResponse(tables=[_table(table) for table in desks.sources.lobby.tables()])


def _get_bot(desks: Desks, actor: str, request: pb.GetBotRequest) -> pb.GetBotResponse:
    rulings = desks.control.rulings
    stored = rulings.bot(request.name)
    here = desks.overview.bot(request.name)
    if stored is None and here is None:
        raise UnknownName.of("bot", request.name, rulings.names())
    response = pb.GetBotResponse(name=request.name) if here is None else pb.GetBotResponse(**here._asdict())
    if stored is not None:
        response.owner, response.pseudonym = stored.owner, stored.pseudonym
        response.played, response.faults = stored.played, stored.faults
        if stored.ban is not None:
            response.ban.CopyFrom(_ban(stored.ban))
    return response


def _get_metrics(desks: Desks, actor: str, request: pb.GetMetricsRequest) -> pb.GetMetricsResponse:
    return pb.GetMetricsResponse(
        metrics=[
            pb.Metric(
                name=sample.name, help=sample.help, kind=KINDS[sample.kind], labels=sample.labels, value=sample.value
            )
            for sample in samples(desks.sources)
        ]
    )


def _list_acts(desks: Desks, actor: str, request: pb.ListActsRequest) -> pb.ListActsResponse:
    acts = desks.control.rulings.acts(min(request.limit or ACTS, MOST_ACTS))
    return pb.ListActsResponse(acts=[pb.Act(**act._asdict()) for act in acts])


def _kick_bot(desks: Desks, actor: str, request: pb.KickBotRequest) -> pb.KickBotResponse:
    return pb.KickBotResponse(forfeited=desks.control.kick(actor, request.name, request.reason))


def _ban_bot(desks: Desks, actor: str, request: pb.BanBotRequest) -> pb.BanBotResponse:
    ban, forfeited = desks.control.ban(actor, request.name, request.until, request.reason)
    return pb.BanBotResponse(ban=_ban(ban), forfeited=forfeited)


def _unban_bot(desks: Desks, actor: str, request: pb.UnbanBotRequest) -> pb.UnbanBotResponse:
    desks.control.unban(actor, request.name)
    return pb.UnbanBotResponse()


def _pause_pools(desks: Desks, actor: str, request: pb.PausePoolsRequest) -> pb.PausePoolsResponse:
    desks.control.pause(actor, request.pool, request.reason)
    return pb.PausePoolsResponse(pools=_pools(desks))


def _resume_pools(desks: Desks, actor: str, request: pb.ResumePoolsRequest) -> pb.ResumePoolsResponse:
    desks.control.resume(actor, request.pool)
    return pb.ResumePoolsResponse(pools=_pools(desks))


def _drain(desks: Desks, actor: str, request: pb.DrainRequest) -> pb.DrainResponse:
    within = request.within_seconds
    if not 0.0 <= within <= LONGEST_DRAIN:
        raise BadRequest(f"a referee drains within 0 to {LONGEST_DRAIN:g} seconds, not {within:g}")
    return pb.DrainResponse(tables=desks.control.drain(actor, within, request.reason))


def _abort_match(desks: Desks, actor: str, request: pb.AbortMatchRequest) -> pb.AbortMatchResponse:
    return pb.AbortMatchResponse(match_id=desks.control.void(actor, "abort", request.match_id, request.reason))


def _void_match(desks: Desks, actor: str, request: pb.VoidMatchRequest) -> pb.VoidMatchResponse:
    return pb.VoidMatchResponse(match_id=desks.control.void(actor, "void", request.match_id, request.reason))


def _requeue_match(desks: Desks, actor: str, request: pb.RequeueMatchRequest) -> pb.RequeueMatchResponse:
    return pb.RequeueMatchResponse(match_id=desks.control.void(actor, "requeue", request.match_id, request.reason))


def _close_admission(desks: Desks, actor: str, request: pb.CloseAdmissionRequest) -> pb.CloseAdmissionResponse:
    desks.control.close(actor, True)
    return pb.CloseAdmissionResponse()


def _open_admission(desks: Desks, actor: str, request: pb.OpenAdmissionRequest) -> pb.OpenAdmissionResponse:
    desks.control.close(actor, False)
    return pb.OpenAdmissionResponse()


def _hide_bot(desks: Desks, actor: str, request: pb.HideBotRequest) -> pb.HideBotResponse:
    return pb.HideBotResponse(pseudonym=desks.control.hide(actor, request.name, request.pseudonym))


def _unhide_bot(desks: Desks, actor: str, request: pb.UnhideBotRequest) -> pb.UnhideBotResponse:
    desks.control.unhide(actor, request.name)
    return pb.UnhideBotResponse()


def _people(desks: Desks) -> PeopleDesk:
    if desks.people is None:
        raise BadSetting(NO_PEOPLE)
    return desks.people


def _get_people_rules(desks: Desks, actor: str, request: pb.GetPeopleRulesRequest) -> pb.GetPeopleRulesResponse:
    if desks.people is None:
        return pb.GetPeopleRulesResponse()
    return desks.people.rules().message()


def _open_people_table(desks: Desks, actor: str, request: pb.OpenPeopleTableRequest) -> pb.OpenPeopleTableResponse:
    opened = _people(desks).open(WantedTable.of(request))
    return pb.OpenPeopleTableResponse(table=table_message(opened.table), invitations=opened.invitations)


def _join_people_table(desks: Desks, actor: str, request: pb.JoinPeopleTableRequest) -> pb.JoinPeopleTableResponse:
    return pb.JoinPeopleTableResponse(**_people(desks).join(request.invitation, request.name)._asdict())


def _get_people_table(desks: Desks, actor: str, request: pb.GetPeopleTableRequest) -> pb.GetPeopleTableResponse:
    return pb.GetPeopleTableResponse(table=table_message(_people(desks).table(request.match_id)))


def _close_people_table(desks: Desks, actor: str, request: pb.ClosePeopleTableRequest) -> pb.ClosePeopleTableResponse:
    _people(desks).close(request.match_id, clean(request.reason, LONGEST_REASON).strip())
    return pb.ClosePeopleTableResponse()


def _pools(desks: Desks) -> list[pb.PoolStatus]:
    pools = desks.control.rulings.pools(desks.sources.connections.sessions)
    return [pb.PoolStatus(**pool._asdict()) for pool in pools]


def _ban(ban: Ban) -> pb.Ban:
    return pb.Ban(**ban._asdict())


def _table(table: OpenTable) -> pb.OpenTable:
    return pb.OpenTable(
        match_id=table.match,
        game=table.game,
        bots=table.players,
        started=table.started,
        steps=table.steps,
        awaited=table.awaited,
        forfeited=table.forfeited,
        seconds=table.seconds,
        rated=table.rated,
    )


Call = tuple[type[Message], Callable[[Desks, str, Message], Message]]


def _calls(*acts: Callable[..., Message]) -> dict[str, Call]:
    """The request type and the function of each call, by the name of the call."""
    methods = pb.DESCRIPTOR.services_by_name["AdminService"].methods
    found: dict[str, Call] = {}
    for method, act in zip(methods, acts, strict=True):
        found[method.name] = (getattr(pb, method.input_type.name), act)
    return found


CALLS: dict[str, Call] = _calls(
    _get_event,
    _start_event,
    _pause_event,
    _resume_event,
    _withdraw_entrant,
    _get_status,
    _list_tables,
    _get_bot,
    _get_metrics,
    _list_acts,
    _kick_bot,
    _ban_bot,
    _unban_bot,
    _pause_pools,
    _resume_pools,
    _drain,
    _abort_match,
    _void_match,
    _requeue_match,
    _close_admission,
    _open_admission,
    _hide_bot,
    _unhide_bot,
    _get_people_rules,
    _open_people_table,
    _join_people_table,
    _get_people_table,
    _close_people_table,
)
"""The calls in the order of the service's methods."""
