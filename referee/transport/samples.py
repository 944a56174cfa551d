"""Figures of a referee, and their text for Prometheus; `metrics` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a metric does over time."""

    COUNTER = "counter"
    """It only grows, and begins at 0 when the referee is started."""
    GAUGE = "gauge"
    """It goes up and down."""


class Sample(NamedTuple):
    """One figure of a referee."""

    name: str
    help: str
    kind: Kind
    labels: Mapping[str, str]
    """What tells it apart from others of its name."""
    value: float


def prometheus(figures: Iterable[Sample]) -> str:
    """Samples in Prometheus' text format 0.0.4; those of one name must stand side by side."""
    lines: list[str] = []
    last = ""
    for name, meaning, kind, labels, value in figures:
        if name != last:
            last = name
            lines.append(f"# HELP {name} {_escaped(meaning)}")
            lines.append(f"# TYPE {name} {kind}")
        pairs = ",".join(f'{label}="{_escaped(text, quotes=True)}"' for label, text in labels.items())
        lines.append(f"{name}{{{pairs}}} {_number(value)}" if pairs else f"{name} {_number(value)}")
    return "".join(f"{line}\n" for line in lines)


def _escaped(text: str, *, quotes: bool = False) -> str:
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quotes else text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
