"""The template engine as every page has it: strict, escaping, with figures in words and plots at hand."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from ladder.web.drawing import plots, sentences, words
from referee import __version__


def environment() -> Environment:
    """A template engine that escapes what is no markup, and fails on a name that is not given."""
    made = Environment(
        loader=PackageLoader("ladder.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(words=words, plots=plots, sentences=sentences, version=__version__)
    made.filters.update(
        signed=words.signed,
        grouped=words.grouped,
        when=words.when,
        day=words.day,
        lasting=words.lasting,
        foreign=plots.foreign,
    )
    return made
