"""The type of a metric's sample, and the text of samples for Prometheus; `metrics` reads the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kind of a metric, in Prometheus' words."""

    COUNTER = "counter"
    """A value that only grows, from 0 at the start of the referee."""
    GAUGE = "gauge"
    """A value that goes up and down."""


class Sample(NamedTuple):
    """One value of a metric."""

    name: str
    help: str
    kind: Kind
    labels: Mapping[str, str]
    """The labels that tell samples of one name apart."""
    value: float


def prometheus(figures: Iterable[Sample]) -> str:
    """Samples in Prometheus' text format 0.0.4; samples of one name must follow each other."""
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
