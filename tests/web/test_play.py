"""Play in the browser without a browser: whole games over HTTP, invitations, cookies, and what a page is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ladder.config.offers import every_table
from ladder.config.people import PeopleSettings, opponents
from ladder.store.database import Store
from ladder.viewer.replay_file import view_of
from ladder.web.app import application
from ladder.web.limits import WebLimits
from ladder.web.reading.library import Library
from ladder.web.site import Site
from referee.kernel import registry
from referee.match.clock import TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Output, Seen
from referee.match.plan import MatchPlan
from referee.match.record import Record
from referee.match.verify import verify
from tests.ladder.held_bots import eventually
from tests.ladder.test_served import Season
from tests.web.people import Person
from tests.web.test_limits import served

pytestmark = pytest.mark.processes

ALLOWED = PeopleSettings(tables=6, address_tables=4, bots=opponents(["random", "greedy"]))
LIMITS = WebLimits(requests_per_second=10_000, request_burst=10_000)
GAMES = registry.names()
KEYS = {
    "match", "referee", "gone", "notice", "waiting", "game", "title", "seat", "names", "clock", "log", "number",
    "awaited", "bank_ms", "moved", "sight", "events", "ask", "over", "now",
}  # fmt: skip
"""Everything that a page of a seat is ever told."""


class Hall:
    """A referee at which people may play, with its pages."""

    def __init__(self, path: Path, place: tuple[str, int]) -> None:
        self.path = path
        self.place = place
        self._people = 0

    def person(self) -> Person:
        """Somebody with a browser of their own."""
        self._people += 1
        return Person(self.place, self._people)

    def record(self, match: str) -> Record:
        """The record of a match that is over."""
        with Store(self.path) as store:
            eventually(lambda: store.match_row(match).state != "running")
            return store.shown_record(match)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A referee and pages, each in a thread."""
    path = tmp_path_factory.mktemp("hall") / "cup.sqlite"
    offers = every_table(["honshu"], seats=[5], clock=TimeControl.parse("60s"))
    with Season(path, offers, people=ALLOWED), served(application(Site(Library(path)), limits=LIMITS), LIMITS) as place:
        yield Hall(path, place)


def views(record: Record, seat: int) -> dict[int, Any]:
    """By the number of the position: the view of a seat, from the record alone."""
    header = record.header
    assert record.final is not None
    game = registry.game(header.game)
    match = Match(game, MatchPlan.of(header, bytes.fromhex(record.final.secret)), terms=header)
    match.listen(seat, True, watches=True)
    match.begin(0)
    for other in range(len(header.players)):
        match.ready(other, 0)
    outputs: list[Output] = match.drain()
    found: list[Output] = list(outputs)
    for step in record.steps[1:]:
        for output in outputs:
            if isinstance(output, Asked):
                match.answer(output.seat, output.ask, step.answers[output.seat], 1)
        outputs = match.drain()
        found += outputs
    return {output.shown.number: output.shown.view for output in found if isinstance(output, Seen)}


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_over_http(hall: Hall, name: str) -> None:
    """From the form to the end: the record verifies, is not rated, and every page was told its seat's view alone."""
    game = registry.game(name)
    person = hall.person()
    told = person.open(name, "you", "house:random", clock="none", name="ann")
    over = person.play()["over"]
    record = hall.record(person.match)
    verify(record)
    own = views(record, 0)
    states = [json.loads(body) for body in person.bodies]
    shown = {state["number"]: state["sight"]["view"] for state in states if "sight" in state}

    assert told.code == 303
    assert record.final is not None
    assert record.final.result is not None
    assert over["places"] == list(record.final.result.places)
    assert not record.final.rated
    assert record.header.players == ("person:ann", "house:random")
    assert {key for state in states for key in state} <= KEYS
    assert len(shown) > 5
    assert all(view == json.loads(json.dumps(view_of(game, own[number]))) for number, view in shown.items())
    assert f"/matches/{person.match}" in person.get(f"/play/{person.match}").body


def test_a_table_says_every_option_with_its_clicks(hall: Hall) -> None:
    """The keys of the clicks lead to one option each; the question and every option have words."""
    person = hall.person()
    person.open("edo_yashiki", "you", "house:random", clock="none")
    ask = person.until(lambda state: "ask" in state)["ask"]
    person.post(f"/play/{person.match}/leave")
    paths = [tuple(ask["parts"][part]["key"] for part in option["path"]) for option in ask["options"]]

    assert ask["question"]
    assert all(option["words"] for option in ask["options"])
    assert len(set(paths)) == len(paths) > 1


def test_two_people_play_by_invitation(hall: Hall) -> None:
    """The link's secret stands behind the #; each sees their own seat; the second use of a link is refused."""
    host, guest, late = hall.person(), hall.person(), hall.person()
    host.open("honshu", "you", "invited", clock="none", name="ann")
    page = host.get(f"/play/{host.match}").body
    (secret,) = re.findall(r"/play/join#([0-9a-f.]+)", page)
    joined = guest.join(secret, "ben")
    refused = late.join(secret, "eve")
    twice = guest.join(secret, "ben")
    first = host.until(lambda state: "sight" in state)
    second = guest.until(lambda state: "sight" in state)
    after = host.get(f"/play/{host.match}").body
    host.post(f"/play/{host.match}/leave")
    end = guest.until(lambda state: state.get("over") or state["gone"])

    assert joined.code == 200
    assert (refused.code, twice.code) == (409, 409)
    assert "was used already" in refused.json["message"]
    assert "sit at this table already" in twice.json["message"]
    assert (first["seat"], second["seat"]) == (0, 1)
    assert first["names"] == second["names"] == ["ann", "ben"]
    assert secret not in after
    assert end["over"]["places"] is None
    assert "a person left the table" in end["over"]["message"]


def test_a_move_is_seen_before_the_other_person_has_moved(hall: Hall) -> None:
    """Positions come also while another seat decides."""
    host, guest = hall.person(), hall.person()
    host.open("honshu", "you", "invited", clock="none")
    (secret,) = re.findall(r"/play/join#([0-9a-f.]+)", host.get(f"/play/{host.match}").body)
    guest.join(secret)
    people = [host, guest]
    while True:
        states = [person.until(lambda state: "sight" in state) for person in people]
        asked = [seat for seat, state in enumerate(states) if "ask" in state]
        # Both pages are at the same position, and one of them alone is asked: nothing is on its way.
        same = states[0]["number"] == states[1]["number"] and all(state["awaited"] == asked for state in states)
        if same and len(asked) == 1:
            break
        for person, state in zip(people, states, strict=True):
            if "ask" in state:
                person.post(f"/play/{person.match}/answer", ask=state["ask"]["ask"], option=0)
    mover, other = people[asked[0]], people[1 - asked[0]]
    ask = mover.until(lambda state: "ask" in state)["ask"]
    before = other.until(lambda state: "sight" in state)
    mover.post(f"/play/{mover.match}/answer", ask=ask["ask"], option=0)
    after = other.until(lambda state: state.get("number", 0) > before["number"])
    host.post(f"/play/{host.match}/leave")

    assert after["events"]
    assert after["sight"]["view"] != before["sight"]["view"]


def test_the_cookie_of_a_seat_is_out_of_reach(hall: Hall) -> None:
    """HttpOnly, SameSite=Strict, below the table's address alone; the page and its data never hold the token."""
    person = hall.person()
    person.open("honshu", "you", "house:random", clock="none")
    token = person.cookies["kumite_seat"][1]
    page = person.get(f"/play/{person.match}")
    person.until(lambda state: "ask" in state)
    person.post(f"/play/{person.match}/leave")

    assert all("httponly" in flag.lower() and "samesite=strict" in flag.lower() for flag in person.flags)
    assert {path for path, _ in person.cookies.values()} == {f"/play/{person.match}"}
    assert page.headers["cache-control"] == "no-store"
    assert not any(token in text for text in (page.body, *person.bodies))


@pytest.mark.parametrize("cookie", ["", "x", "{}.0." + "0" * 40, "{}.1"])
def test_without_the_right_cookie_there_is_no_seat(hall: Hall, cookie: str) -> None:
    """No page, no events, no answers: one line each, and the seat is told nothing."""
    person, stranger = hall.person(), hall.person()
    person.open("honshu", "you", "house:random", clock="none")
    match = person.match
    if cookie:
        stranger.cookies["kumite_seat"] = ("/", cookie.format(match))
    page = stranger.get(f"/play/{match}")
    answer = stranger.post(f"/play/{match}/answer", ask=1, option=0)
    if cookie.endswith("0" * 40):
        stranger.match = match
        said = list(stranger.states())[-1]["gone"]
    else:
        said = "no seat" if stranger.get(f"/play/{match}/events").code == 401 else ""
    person.post(f"/play/{match}/leave")

    assert page.code == (200 if cookie.endswith("0" * 40) else 404)
    assert answer.code in (401, 409)
    assert "seat" in said


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]
)
def test_another_site_cannot_act(hall: Hall, headers: dict[str, str]) -> None:
    """Opening, joining, answering and leaving are refused with 403, whatever cookies the browser sends along."""
    person = hall.person()
    person.open("honshu", "you", "house:random", clock="none")
    base = f"/play/{person.match}"
    codes = [
        person.ask("POST", "/play", "game=honshu", "application/x-www-form-urlencoded", **headers).code,
        *(
            person.ask("POST", f"{base}/{what}", "{}", "application/json", **headers).code
            for what in ("join", "answer", "hint", "leave")
        ),
    ]
    kinds = [person.ask("POST", f"{base}/{what}", "{}", "text/plain").code for what in ("answer", "leave")]
    alive = person.until(lambda state: "ask" in state)
    person.post(f"{base}/leave")

    assert codes == [403] * 5
    assert kinds == [415] * 2
    assert not alive["gone"]


def test_an_answer_may_be_repeated_and_changes_nothing(hall: Hall) -> None:
    """The same answer again is taken; another one to the same question, to an old one and out of range are refused."""
    person = hall.person()
    person.open("honshu", "you", "house:random", clock="none")
    ask = person.until(lambda state: "ask" in state)["ask"]
    base, number = f"/play/{person.match}/answer", ask["ask"]
    wrong = [
        person.post(base, ask=number, option=len(ask["options"])),
        person.post(base, ask=number, option=-1),
        person.post(base, ask=number + 7, option=0),
        person.post(base, ask="1", option=0),
        person.ask("POST", base, "[" * 9000, "application/json"),
        person.ask("POST", base, "x" * 20_000, "application/json"),
    ]
    taken = [person.post(base, ask=number, option=0) for _ in range(2)]
    other = person.post(base, ask=number, option=1)
    person.post(f"/play/{person.match}/leave")

    assert [told.code for told in wrong] == [409, 409, 409, 400, 400, 413]
    assert [told.code for told in taken] == [200, 200]
    assert other.code == 409
    assert "answered already" in other.json["message"]


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_what_greedy_would_do(hall: Hall, name: str) -> None:
    """The number of an option of the open question; the same question has the same hint."""
    person = hall.person()
    person.open(name, "you", "house:random", clock="none")
    ask = person.until(lambda state: "ask" in state)["ask"]
    first, second = (person.post(f"/play/{person.match}/hint").json for _ in range(2))
    person.post(f"/play/{person.match}/leave")

    assert first == second
    assert first["ask"] == ask["ask"]
    assert 0 <= first["option"] < len(ask["options"])


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\u202egnirts", "x" * 64, "a b"])
def test_a_name_that_could_break_the_page_is_refused_in_words(hall: Hall, name: str) -> None:
    """The form comes again with the reason; what was typed stands there as text."""
    person = hall.person()
    told = person.open("honshu", "you", "house:random", clock="none", name=name)

    assert told.code == 409
    assert "is no name here: use 1 to 32 of the letters" in told.body.replace("Is no name", "is no name")
    assert "<script>alert" not in told.body


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "go", "seat0": "you"}, "Choose a game"),
        ({"game": "honshu", "seat0": "house:random", "seat1": "house:random"}, "Take one seat yourself"),
        ({"game": "honshu", "seat0": "you", "seat1": "you"}, "Take one seat yourself"),
        ({"game": "honshu", "seat0": "you", "seat1": "god"}, "Choose who sits at each seat"),
        ({"game": "honshu", "seat0": "you"}, "2 to 5 seats, not 1"),
        ({"game": "honshu", "seat0": "you", "seat1": "house:nobody"}, "nobody"),
        ({"game": "honshu", "seat0": "you", "seat1": "house:random", "clock": "1y"}, "clock"),
        ({"game": "honshu", "seat0": "you", "seat1": "house:random", "rule:nope": "1"}, "nope"),
    ],
)
def test_a_form_that_cannot_be_carried_out_says_why(hall: Hall, fields: dict[str, str], said: str) -> None:
    """One line above the form; no table is opened."""
    told = hall.person().form("/play", **fields)

    assert 400 <= told.code < 500
    assert said in told.body


def test_the_pages_say_what_can_be_played(hall: Hall) -> None:
    """Games and seats by links, opponents by name, without script; the JSON twin has the same."""
    person = hall.person()
    page = person.get("/play?game=white_castle&seats=3")
    twin = person.get("/play.json?game=white_castle&seats=3").json
    strange = person.get("/play?game=white_castle&seats=99")

    assert page.body.count('<select name="seat') == 3
    assert "random" in page.body
    assert twin["chosen"]["counts"] == [1, 2, 3, 4]
    assert strange.code == 200


def test_addresses_that_are_none_end_in_one_page(hall: Hall) -> None:
    """Strange ids, unknown tables, a join page without its secret."""
    person = hall.person()

    assert person.get("/play/zz").code == 404
    assert person.get(f"/play/{'0' * 32}").code == 404
    assert person.get(f"/play/{'0' * 32}/events").code == 401
    assert person.post(f"/play/{'0' * 32}/join", invitation="x").code == 400
    assert person.post(f"/play/{'0' * 32}/join", invitation=f"{'0' * 32}.0.{'0' * 40}").code == 404
    assert "noscript" in person.get("/play/join").body
