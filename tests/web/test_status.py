"""Status for organisers: who gets in, what a form may do, and what a referee is told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ladder.store.database import Store
from ladder.store.tokens import ADMIN, hashed
from ladder.web.app import application
from ladder.web.reading.library import Library
from ladder.web.site import Site
from ladder.web.status.acts import ACTS
from ladder.web.status.sessions import IDLE_SECONDS, LOGIN_BURST, LONGEST_SECONDS, Sessions
from tests.ladder.arena import Arena

HIDDEN = re.compile(r'name="csrf" value="([^"]+)"')


class Desk:
    """A database with an admin token, and a browser at its pages."""

    def __init__(self, database: Path) -> None:
        self.database = database
        with Store(database) as store:
            self.token = store.new_token("ann", role=ADMIN)
        self.browser = TestClient(application(Site(Library(database))), follow_redirects=False)

    def csrf(self, address: str = "/status") -> str:
        """The CSRF token of the form at an address."""
        found = HIDDEN.search(self.browser.get(address).text)
        assert found is not None
        return found[1]

    def log_in(self, token: str | None = None):  # type: ignore[no-untyped-def]  # the client's own type
        """Send the form to log in."""
        form = {"csrf": self.csrf(), "token": token or self.token}
        return self.browser.post("/status/login", data=form)

    def act(self, name: str, subject: str = "", **fields: str) -> str:
        """Open the dialog of an act, confirm it, and return what the status page then says."""
        csrf = self.csrf(f"/status/acts/{name}?subject={subject}")
        form = {"csrf": csrf, "subject": subject, **fields}
        assert self.browser.post(f"/status/acts/{name}", data=form).status_code == 303
        found = re.search(r'role="status"><span>([^<]*)<', self.browser.get("/status").text.partition("<main")[2])
        assert found is not None
        return found[1]


@pytest.fixture
def desk(played: Path, tmp_path: Path) -> Desk:
    """The pages of a played season whose referee does not run."""
    shutil.copy(played, tmp_path / "cup.sqlite")
    return Desk(tmp_path / "cup.sqlite")


def test_a_stranger_sees_a_form_and_nothing_else(desk: Desk) -> None:
    """No address below /status tells or does anything without a session, and none is kept by a browser."""
    form = desk.browser.get("/status")
    twin = desk.browser.get("/status.json")
    dialog = desk.browser.get("/status/acts/drain")
    act = desk.browser.post("/status/acts/drain", data={"csrf": "x"})

    assert (form.status_code, twin.status_code, dialog.status_code, act.status_code) == (200, 401, 303, 401)
    assert "Admin token" in form.text
    assert "Audit" not in form.text
    assert {found.headers["cache-control"] for found in (form, twin, dialog, act)} == {"no-store"}


def test_a_login_sets_a_cookie_that_scripts_and_other_sites_do_not_get(desk: Desk) -> None:
    """HttpOnly, SameSite=Strict, Secure where the page came over https; the token is in no answer."""
    done = desk.log_in()
    page = desk.browser.get("/status")
    cookie = next(line for line in done.headers.get_list("set-cookie") if line.startswith("kumite_session="))
    far = TestClient(
        application(Site(Library(desk.database))), base_url="https://kumite.example", follow_redirects=False
    )
    csrf = HIDDEN.search(far.get("/status").text)
    assert csrf is not None
    secure = far.post("/status/login", data={"csrf": csrf[1], "token": desk.token}).headers.get_list("set-cookie")

    assert (done.status_code, done.headers["location"]) == (303, "/status")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert all("Secure" in line for line in secure if "kumite_session=" in line)
    assert page.headers["cache-control"] == "no-store"
    assert "No referee runs on this database" in page.text
    assert "Logged in as <bdi>ann</bdi>" in page.text
    assert desk.token not in page.text + cookie + str(done.headers)


def test_only_admin_tokens_let_in(desk: Desk) -> None:
    """Nonsense, the token of an entrant and a revoked one get the form again, with one line."""
    with Store(desk.database) as store:
        entrant = store.new_token("greedy")
    refused = [desk.log_in(token) for token in ("nonsense", entrant, "ü" * 100)]
    with Store(desk.database) as store:
        store.revoke("ann", ADMIN)
    refused.append(desk.log_in())

    assert [found.status_code for found in refused] == [403] * 4
    assert all("That is no admin token, or it was revoked." in found.text for found in refused)
    assert "kumite_session" not in desk.browser.cookies


def test_guessing_is_slowed_down(desk: Desk) -> None:
    """An address has a few attempts; after them even the right token is refused for a while."""
    codes = [desk.log_in("nonsense").status_code for _ in range(LOGIN_BURST)]

    assert codes == [403] * LOGIN_BURST
    assert desk.log_in().status_code == 429


def test_a_session_ends_with_its_token_and_with_time() -> None:
    """Revoked, idle for too long, or too old: the cookie finds nothing."""
    valid = {hashed("secret"): ("ann", "")}
    now = [0.0]
    sessions = Sessions(lambda: valid, clock=lambda: now[0])
    first, second = sessions.log_in("secret") or "", sessions.log_in("secret") or ""
    for _ in range(LONGEST_SECONDS // IDLE_SECONDS):
        assert sessions.find(first) is not None
        now[0] += IDLE_SECONDS
    too_idle, at_the_end = sessions.find(second), sessions.find(first)
    now[0] += 1
    too_old = sessions.find(first)
    third = sessions.log_in("secret") or ""
    known = sessions.find(third)
    valid.clear()

    assert (too_idle, too_old) == (None, None)
    assert at_the_end is not None
    assert known is not None
    assert sessions.find(third) is None


def test_a_form_of_another_site_does_nothing(desk: Desk) -> None:
    """Without the session's CSRF token, or from another origin, a POST is refused; no act has an effect by GET."""
    desk.log_in()
    csrf = desk.csrf()
    wrong = desk.browser.post("/status/acts/close", data={"csrf": "x" * 43})
    foreign = desk.browser.post("/status/acts/close", data={"csrf": csrf}, headers={"Origin": "https://evil.example"})
    fetched = desk.browser.post("/status/acts/close", data={"csrf": csrf}, headers={"Sec-Fetch-Site": "cross-site"})
    typed = desk.browser.post("/status/acts/close", json={"csrf": csrf})
    long = desk.browser.post("/status/acts/close", data={"csrf": csrf, "reason": "x" * 20_000})

    assert [found.status_code for found in (wrong, foreign, fetched, typed, long)] == [403, 403, 403, 415, 413]
    assert desk.browser.get("/status/logout").status_code == 404
    assert desk.browser.get("/status").text.count("Logged in as") == 1


def test_logging_out_ends_the_session(desk: Desk) -> None:
    """The old cookie finds the form again."""
    desk.log_in()
    old = desk.browser.cookies["kumite_session"]
    desk.browser.post("/status/logout", data={"csrf": desk.csrf()})
    desk.browser.cookies.set("kumite_session", old)

    assert "Admin token" in desk.browser.get("/status").text


def test_an_act_without_a_referee_says_so(desk: Desk) -> None:
    """The status page says that nothing was done, and why."""
    desk.log_in()

    assert "Not done: no referee is running on" in desk.act("pause")


@pytest.mark.parametrize("name", sorted(ACTS))
def test_the_dialog_of_every_act_says_what_happens_and_whether_it_can_be_undone(desk: Desk, name: str) -> None:
    """The page of an act has its effect, the way back and a form that posts."""
    desk.log_in()
    page = desk.browser.get(f"/status/acts/{name}", params={"subject": "<b>x"}).text
    act = ACTS[name]

    assert act.effect.replace("'", "&#39;") in page
    assert act.undo.replace("'", "&#39;") in page
    assert f'method="post" action="/status/acts/{name}"' in page
    assert "<b>x" not in page


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder with processes, which are ended at the end."""
    found = Arena(tmp_path)
    yield found
    found.close()


@pytest.mark.processes
def test_acts_reach_the_referee_and_the_audit_names_the_organiser(arena: Arena) -> None:
    """A real referee: its figures stand on the page, and each act is carried out and noted."""
    arena.serve("--table", "edo_yashiki:2", "--open")
    arena.until(lambda: "referee at" in arena.log())
    desk = Desk(arena.database)
    arena.join("one")
    desk.log_in()
    arena.until(lambda: desk.browser.get("/status.json").json()["bots"] == 1)
    page = desk.browser.get("/status").text
    told = [
        desk.act("pause", reason="lunch"),
        desk.act("resume"),
        desk.act("hide", "one", pseudonym="masked"),
        desk.act("unhide", "one"),
        desk.act("ban", "one", until="1h", reason="<i>rude"),
        desk.act("unban", "one"),
        desk.act("close"),
        desk.act("open"),
        desk.act("void", "0123"),
        desk.act("kick", "nobody"),
        desk.act("drain", within="soon"),
    ]
    acts = desk.browser.get("/status.json").json()["acts"]

    assert "1 bot without a table." in page
    assert ">waiting<" in page
    assert told[0] == "Every pool: paused."
    assert told[2] == "one is shown as masked."
    assert told[4].startswith("one is banned until ")
    assert all(line.startswith("Not done: ") for line in told[8:])
    assert [act["action"] for act in acts] == ["open", "close", "unban", "ban", "unhide", "hide", "resume", "pause"]
    assert {act["actor"] for act in acts} == {"ann"}
    assert "&lt;i&gt;rude" in desk.browser.get("/status").text
