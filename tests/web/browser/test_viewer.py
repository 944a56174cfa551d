"""The player in a real browser, in the quick suite: one small match, every way to use it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from ladder.cli import run
from ladder.viewer.patch import diff
from referee.kernel.registry import game as game_named
from referee.kernel.registry import names
from referee.match import files
from tests.ladder.viewer_records import match
from tests.web.browser.axe import grave_findings
from tests.web.browser.conftest import NARROW, WIDE, Opening, Watched
from tests.web.browser.viewer_checks import same_pictures
from tests.web.browser.viewing import page_of, picture, where

pytestmark = pytest.mark.processes


@pytest.fixture
def watched(opened: Opening, tmp_path: Path) -> Watched:
    """The player of a small match, opened from the disk."""
    page_of(match("edo_yashiki", 2), tmp_path)
    found = opened(tmp_path.as_uri(), width=WIDE)
    found.page.goto(f"{tmp_path.as_uri()}/match.html")
    found.page.wait_for_selector(".board")
    return found


@pytest.mark.parametrize(("game", "seats"), [(name, game_named(name).seats[0]) for name in names()])
def test_a_match_steps_every_way_to_the_same_pictures(opened: Opening, tmp_path: Path, game: str, seats: int) -> None:
    """Forwards, backwards, by jumps, with motion; keys are unique, and the console stays empty."""
    same_pictures(opened, tmp_path, game, seats, stride=9)


def test_the_keyboard_does_what_the_help_says(watched: Watched) -> None:
    """Steps, ends, rounds, eyes, play and help; the address follows, and leads back to the same place."""
    page = watched.page
    last = len(match("edo_yashiki", 2).steps) - 1
    told = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "]", "2", "0", "a"):
        page.keyboard.press(key)
        told.append(where(watched.page))
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="hidden")
    page.keyboard.press(" ")
    page.wait_for_function("document.querySelector('[data-viewer]').player.step > 3")
    page.keyboard.press(" ")

    assert [step for step, _, _ in told[:5]] == [1, 2, 1, last, 0]
    second = told[5][0]
    assert told[6:] == [
        [second, 1, f"#step={second}&seat=2"],
        [second, "public", f"#step={second}&seat=0"],
        [second, "all", f"#step={second}"],
    ]
    assert where(watched.page)[2] == f"#step={where(watched.page)[0]}"
    assert watched.complaints == []


def test_an_address_leads_to_its_step_and_seat(watched: Watched) -> None:
    """`#step=5&seat=1` is the fifth step as the first seat saw it; beyond the end is the end; nonsense is harmless."""
    page = watched.page
    found = []
    for mark in ("step=5&seat=1", "step=9999", "step=x&seat=-3", "seat=7&step=2"):
        page.evaluate(f"location.hash = {json.dumps(mark)}")
        page.wait_for_timeout(50)
        found.append(where(watched.page)[:2])

    assert found == [[5, 0], [len(match("edo_yashiki", 2).steps) - 1, "all"], [0, "all"], [2, "all"]]


def test_buttons_the_scrubber_and_the_log_lead_to_steps(watched: Watched) -> None:
    """By pointer: a step on, a scrub, a line of the log; the line of the present step is marked and in view."""
    page = watched.page
    page.get_by_role("button", name="A step on").click()
    page.get_by_role("slider", name="Step").fill("7")
    assert where(watched.page)[0] == 7
    page.get_by_role("button", name="Step 9", exact=True).click()
    assert where(watched.page)[0] == 9
    page.get_by_role("radio", name="public").check()
    marked = page.locator('[aria-current="step"]')

    assert where(watched.page)[1] == "public"
    assert marked.count() == 1
    assert "9" in marked.inner_text()
    assert page.get_by_role("status").inner_text().startswith("Step 9.")
    assert watched.complaints == []


def test_a_viewer_is_told_no_more_than_it_was(watched: Watched) -> None:
    """Answers and notes of other seats, and events that were told to some, are hidden in the log."""
    page = watched.page
    page.keyboard.press("0")
    assert page.locator(".viewer-log .viewer-answer:visible").count() == 0
    page.keyboard.press("1")
    own = page.locator(".viewer-log .viewer-answer:visible").count()
    page.keyboard.press("a")
    every = page.locator(".viewer-log .viewer-answer:visible").count()

    assert 0 < own < every


def test_the_board_in_words_is_loaded_when_it_is_opened(watched: Watched) -> None:
    """Tables with captions, from a file of its own, also from the disk; they follow the step."""
    page = watched.page
    page.locator(".viewer-words summary").click()
    page.wait_for_selector(".viewer-twin :is(table, section)")
    first = page.locator(".viewer-twin").inner_text()
    page.keyboard.press("End")

    assert page.locator(".viewer-twin").inner_text() != first
    assert watched.complaints == []


def test_the_player_fits_a_phone_and_has_no_grave_finding(watched: Watched) -> None:
    """Narrow and wide, by all rules of axe; the board changes its frame with the width."""
    page = watched.page
    wide = picture(page)
    assert grave_findings(page) == []
    page.set_viewport_size({"width": NARROW, "height": 700})
    page.wait_for_function("document.querySelector('[data-viewer]').player.board.frame === 'narrow'")

    assert picture(page) != wide
    assert watched.width_beyond() == 0
    assert grave_findings(page) == []


def test_the_browser_applies_patches_as_python_makes_them(watched: Watched) -> None:
    """Some hundred pairs of JSON values: the browser makes of each first value and its patch the second."""
    rng = random.Random(23)

    def value(depth: int = 3) -> Any:
        kind = rng.randrange(8)
        if depth and kind == 0:
            return {rng.choice("abcd"): value(depth - 1) for _ in range(rng.randrange(4))}
        if depth and kind < 3:
            return [value(depth - 1) for _ in range(rng.randrange(9))]
        return rng.choice([None, True, False, 0, 1, 2, "", "x"])

    pairs = [(value(), value()) for _ in range(400)]
    pairs += [([*range(20)], [n for n in range(20) if rng.random() < 0.8]) for _ in range(100)]
    made = watched.page.evaluate(
        "(cases) => cases.map(([before, patch]) => kumiteModules['patch.js'].apply(before, patch))",
        [[before, diff(before, after)] for before, after in pairs],
    )

    assert json.dumps(made, sort_keys=True) == json.dumps([after for _, after in pairs], sort_keys=True)


def test_targets_are_chosen_by_pointer_and_by_keyboard(watched: Watched) -> None:
    """A target is a button with a name: a click, Enter and Space choose it, and arrows go from target to target."""
    page = watched.page
    page.evaluate(
        """() => {
          window.chosen = [];
          const host = document.createElement("div");
          host.id = "asked";
          document.body.prepend(host);
          const { Board } = kumiteModules["board.js"];
          const { player } = document.querySelector("[data-viewer]");
          const board = new Board(host, (input) => ({
            width: 300, height: 100, label: "two places", defs: [],
            nodes: input.targets.map(({ key, words }, at) => ({
              key, x: 20 + 100 * at, y: 20, label: words, target: key, parts: [["rect", { width: 60, height: 40 }]],
            })),
          }));
          board.show(player.replay.position(0, "public"));
          board.ask([{ key: "a", words: "left" }, { key: "b", words: "right" }], [], (key) => window.chosen.push(key));
        }"""
    )
    page.get_by_role("button", name="left").click()
    page.get_by_role("button", name="left").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")

    assert page.evaluate("window.chosen") == ["a", "a", "b"]
    assert page.evaluate("document.querySelectorAll('#asked [tabindex=\"0\"]').length") == 1
    assert where(watched.page)[0] == 0


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_is_taken_by_the_same_modules(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`kumite picture` writes the board as the player draws it; an SVG needs no stylesheet and has no script."""
    files.write(match("edo_yashiki", 2), tmp_path / "m.jsonl")
    out = tmp_path / f"m.{ending}"

    assert run(["picture", str(tmp_path / "m.jsonl"), str(out), "--step", "5", "--all", "--theme", "dark"]) == 0
    assert "step 5 of" in capsys.readouterr().out
    content = out.read_bytes()
    if ending == "png":
        assert content.startswith(b"\x89PNG")
    else:
        text = content.decode()
        assert text.startswith("<svg ")
        assert [mark for mark in ("var(", "light-dark", "color-mix", "class=", "<script") if mark in text] == []


def test_what_was_seen_through_other_eyes_leaves_no_trace_on_the_board(watched: Watched) -> None:
    """The board of the public, or of one seat, is the same to the byte before and after every other view of it."""
    page = watched.page
    for key, mark in (("0", "step=21&seat=0"), ("2", "step=21&seat=2")):
        page.goto(page.url.partition("#")[0] + f"#{mark}")
        page.reload()
        page.wait_for_selector(".board")
        fresh = picture(page)
        for other in ("a", "1", "2", "0", "a", key):
            page.keyboard.press(other)

        assert where(watched.page)[2] == f"#{mark}"
        assert picture(page) == fresh
