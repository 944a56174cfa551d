"""The fixture `arena`, run by pytest inside pytest."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.processes

pytest_plugins = ["pytester"]


def test_a_stronger_bot_passes_and_a_weaker_one_fails_with_an_explanation(pytester: pytest.Pytester) -> None:
    """The failure shows the estimate, the sets and how to replay the worst losses."""
    pytester.makepyfile(
        """
        def test_better(arena):
            arena.assert_stronger("greedy", "random", game="edo_yashiki", elo0=0, elo1=60)

        def test_worse(arena):
            arena.assert_not_weaker("random", "greedy", game="edo_yashiki", elo0=-60, elo1=0)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*it is not shown that random is not weaker than greedy: rejected*",
            "*sets (*games)*LLR*",
            "*worst loss, set *kumite match edo_yashiki*--seed arena/*",
            "*the whole report, for a browser: *test_worse-*.html",
        ]
    )
    assert "ladder/arena/gate/sequential_test.py" not in result.stdout.str()


def test_a_failing_test_writes_its_report_and_says_where(pytester: pytest.Pytester) -> None:
    """The page of a failing assertion is in the folder that was named, and the message ends with its path."""
    pytester.makepyfile(
        """
        def test_worse(arena):
            arena.assert_not_weaker("random", "greedy", game="edo_yashiki", elo0=-60, elo1=0)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--arena-html", "reports/of/gates")
    (written,) = (pytester.path / "reports/of/gates").iterdir()
    text = written.read_text(encoding="utf-8")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*the whole report, for a browser: {written}"])
    assert "<h1>" in text
    assert "Rejected" in text
    assert "steps as text" in text
    assert "kumite gate random greedy --game edo_yashiki" in text


def test_a_folder_of_reports_that_is_a_file_is_refused_in_one_line(pytester: pytest.Pytester) -> None:
    """pytest names the option and what is wrong before a test runs."""
    pytester.makepyfile("def test_nothing():\n    pass\n")
    pytester.path.joinpath("taken").write_text("")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--arena-html", "taken")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == ["ERROR: --arena-html taken: that is a file; name a folder"]


def test_a_report_that_cannot_be_written_does_not_hide_the_answer(pytester: pytest.Pytester) -> None:
    """The failure still tells why the bot failed, and one line says that there is no page."""
    pytester.makepyfile(
        """
        from pathlib import Path

        def test_worse(arena):
            Path("taken").write_text("")
            arena.assert_not_weaker("random", "greedy", game="edo_yashiki", elo0=-60, elo1=0)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--arena-html", "taken/below")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*greedy: rejected*", "*the report could not be written: *taken*"])


def test_identical_bots_are_not_weaker_but_not_stronger(pytester: pytest.Pytester) -> None:
    """A refactoring that changes nothing passes the one assertion and fails the other, and the report says why."""
    pytester.makepyfile(
        """
        def test_refactored(arena):
            arena.assert_not_weaker("greedy", "greedy", game="edo_yashiki")

        def test_improved(arena):
            arena.assert_stronger("greedy", "greedy", game="edo_yashiki")
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*every answer of both was the same in all*"])


@pytest.mark.slow
def test_the_seed_makes_a_test_reproducible(pytester: pytest.Pytester) -> None:
    """The same seed gives the same report, another seed another one."""
    pytester.makepyfile(
        """
        def test_counts(arena):
            report = arena.assert_not_weaker(
                "greedy", "random:seed=4", game="edo_yashiki", elo0=-60, elo1=0
            )
            print("counts", list(report.counts), report.question.seed)
        """
    )
    runs = [
        [line for line in pytester.runpytest_subprocess("-s", *seed).outlines if " counts " in line]
        for seed in ((), (), ("--arena-seed", "other"))
    ]

    assert runs[0] == runs[1]
    assert "other" in runs[2][0]
