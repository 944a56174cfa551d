"""The files that guide contributors and machines: hooks, workflow and templates are well-formed and say what is so."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.kernel import registry
from tests.languages.harness import installing

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]


def read(path: Path) -> Any:
    """What a YAML file holds."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs() -> dict[str, Any]:
    """The jobs of the workflow, by name."""
    found: dict[str, Any] = read(WORKFLOW)["jobs"]
    return found


def recipe(target: str) -> list[str]:
    """The commands of a target, as the Makefile has them."""
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return found[1].replace("$(BIN)", ".venv/bin").replace("\t", "").splitlines() if found else []


def test_the_hooks_run_before_a_commit_what_make_lint_runs() -> None:
    """The same commands in the same order, all of them from the checkout's own environment."""
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]

    assert repository["repo"] == "local"
    assert [hook["entry"] for hook in repository["hooks"]] == recipe("lint")
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}
    assert not any(hook["pass_filenames"] for hook in repository["hooks"])


@pytest.mark.processes
def test_every_target_that_the_workflow_makes_exists() -> None:
    """`make --dry-run` knows it; the quick suite, the compiled build, the languages and the wheel are among them."""
    runs = [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]
    targets = {target for run in runs for target in re.findall(r"\bmake ([\w-]+)", run)}

    assert targets == {"test", "test-compiled", "test-languages", "wheel"}
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize("job", ["quick", "installed"])
def test_every_python_is_tested_from_the_oldest_that_the_package_names(job: str) -> None:
    """The suite, and the wheel alone."""
    assert jobs()[job]["strategy"]["matrix"]["python"] == VERSIONS
    assert f'requires-python = ">={VERSIONS[0]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_foreign_action_is_pinned_by_its_hash() -> None:
    """A tag can be moved; behind the hash stands the version that it had."""
    used = re.findall(r"uses: (\S+)(.*)", WORKFLOW.read_text(encoding="utf-8"))

    assert len(used) >= 10
    for action, comment in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_the_workflow_has_no_rights_beyond_reading_and_every_job_ends() -> None:
    """A test needs no token that can write, and no runner waits for ever."""
    assert read(WORKFLOW)["permissions"] == {"contents": "read"}
    assert all(0 < job["timeout-minutes"] <= 90 for job in jobs().values())


def test_the_workflow_installs_what_the_manual_of_the_cpp_bot_names() -> None:
    """The same packages, so that its drills are not skipped there."""
    packages = installing("cpp").partition("apt install ")[2].split()
    installed = " ".join(step.get("run", "") for step in jobs()["languages"]["steps"]).split()

    assert len(packages) > 5
    assert [package for package in packages if package not in installed] == []


def test_the_rest_of_the_workflow_plays_from_the_wheel_alone() -> None:
    """That job has no checkout: what the wheel lacks is missing there."""
    steps = jobs()["installed"]["steps"]

    assert jobs()["installed"]["needs"] == "wheel"
    assert not [step for step in steps if "checkout" in step.get("uses", "")]
    assert "kumite verify match.jsonl" in steps[-1]["run"]


@pytest.mark.parametrize("path", [path for path in TEMPLATES if path.name != "config.yml"], ids=lambda path: path.stem)
def test_a_template_asks_for_something_and_names_each_field_once(path: Path) -> None:
    """Name, description and fields, of which at least one is needed."""
    template = read(path)
    fields = [field for field in template["body"] if field["type"] != "markdown"]

    assert template["name"]
    assert template["description"]
    assert len({field["id"] for field in fields}) == len(fields) > 0
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_there_are_templates_for_bugs_rules_and_ideas_and_one_for_pull_requests() -> None:
    """The list of games in the template of rules is not stale."""
    rules = read(ROOT / ".github" / "ISSUE_TEMPLATE" / "rules.yml")
    (game,) = (field for field in rules["body"] if field.get("id") == "game")

    assert {path.stem for path in TEMPLATES} == {"bug", "config", "idea", "rules"}
    assert game["attributes"]["options"] == sorted(registry.names())
    assert "`make test` passes" in (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
