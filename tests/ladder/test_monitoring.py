"""The documents and the example of monitoring name what there is: metrics, labels, events and fields."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families as parse

from ladder.cli.logs import FIELDS
from referee.transport.samples import Sample, prometheus
from tests.transport.house import House
from tests.transport.test_metrics import read

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "monitoring"
DOCUMENT = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found() -> list[Sample]:
    """The samples of a referee that has just been started."""
    with House() as house:
        return read(house)


def expressions() -> Iterator[tuple[str, str]]:
    """Every expression of the dashboard, with its legend."""
    dashboard = json.loads((EXAMPLE / "dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield target["expr"], target["legendFormat"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"], ""


def test_every_metric_of_the_dashboard_exists_with_its_labels(found: list[Sample]) -> None:
    """Names, labels by which a panel sums or that its legend shows; a rate is of a counter and of nothing else."""
    labels = {sample.name: set(sample.labels) for sample in found}
    panels = list(expressions())
    names = {name for expression, _ in panels for name in re.findall(r"kumite_\w+", expression)}

    assert len(panels) > 12
    assert names <= set(labels)
    for expression, legend in panels:
        (name,) = re.findall(r"kumite_\w+", expression)
        used = {*re.findall(r"sum by \((\w+)\)", expression), *re.findall(r"{{(\w+)}}", legend)}
        assert used <= labels[name], expression
        assert bool(re.search(r"\b(rate|increase)\(", expression)) == name.endswith("_total"), expression


def test_the_dashboard_shows_what_was_promised() -> None:
    """Matches a minute, tables, bots, faults by kind, refusals by code, lateness of the loop, storage."""
    text = " ".join(expression for expression, _ in expressions())

    for name in ("matches_finished", "tables", "bots_connected", "faults", "refusals", "loop_longest_late", "storing"):
        assert f"kumite_{name}" in text


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    """Each has an id and a place of its own on the grid of 24 columns."""
    panels = json.loads((EXAMPLE / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]

    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_the_document_lists_every_metric_as_it_is(found: list[Sample]) -> None:
    """Name, kind, labels and meaning, each once and in the order of the output."""
    rows = re.findall(r"^\| `(kumite_\w+)` \| (\w+) \| (.*?) ?\| (.*) \|$", DOCUMENT, re.MULTILINE)
    listed = [(name, kind, tuple(re.findall(r"`(\w+)`", labels)), meaning) for name, kind, labels, meaning in rows]
    there = dict.fromkeys((sample.name, sample.kind, tuple(sample.labels), sample.help) for sample in found)

    assert listed == list(there)


def test_the_document_lists_fields_that_are_written() -> None:
    """Every field of an event's row can be in the log, and every field that can be there stands in a row."""
    rows = re.findall(r"^\| `(\w+)` \| (?:info|warning|error)[^|]*\| [^|]*\| (.*) \|$", DOCUMENT, re.MULTILINE)
    named = {field for _, fields in rows for field in re.findall(r"`(\w+)`", fields)}

    assert len(rows) >= 12
    assert named <= set(FIELDS)
    assert set(FIELDS) - named == {"pool", "until", "reason"}


def test_the_figures_are_written_to_a_file_in_one_piece(tmp_path: Path, found: list[Sample]) -> None:
    """What `kumite admin metrics` prints; a referee that is gone leaves the file as it was, and nothing else."""
    figures = tmp_path / "figures"
    figures.write_text(prometheus(found))
    command = tmp_path / "kumite"
    command.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\nexec cat {figures}\n')
    command.chmod(0o755)
    folder = tmp_path / "textfile"
    folder.mkdir()
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    line = [str(EXAMPLE / "write-metrics.sh"), "cup.sqlite", str(folder)]
    subprocess.run(line, env=environment, check=True, timeout=60)
    written = (folder / "kumite.prom").read_text()
    figures.unlink()
    failed = subprocess.run(line, env=environment, capture_output=True, check=False, timeout=60)

    assert (tmp_path / "words").read_text() == "admin metrics --db cup.sqlite\n"
    assert failed.returncode != 0
    assert [path.name for path in folder.iterdir()] == ["kumite.prom"]
    assert (folder / "kumite.prom").read_text() == written
    assert len(list(parse(written))) == len({sample.name for sample in found})


def test_prometheus_and_systemd_get_files_that_fit_together() -> None:
    """One job that scrapes as often as the timer writes; the service runs the script that is there."""
    (job,) = yaml.safe_load((EXAMPLE / "prometheus.yml").read_text())["scrape_configs"]
    timer = (EXAMPLE / "kumite-metrics.timer").read_text()
    service = (EXAMPLE / "kumite-metrics.service").read_text()

    assert f"OnUnitActiveSec={job['scrape_interval']}" in timer
    assert "/examples/monitoring/write-metrics.sh " in service
    assert os.access(EXAMPLE / "write-metrics.sh", os.X_OK)
