"""A record in a notebook: the viewer in a frame that needs nothing from elsewhere, so a saved notebook shows it too.

The frame has an origin of its own (`sandbox`), so that no text of a match can reach the notebook.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape

from ladder.viewer.patch import Json
from ladder.viewer.replay_file import as_script, replay_file, words_file
from ladder.web.drawing.viewer_scripts import CORE, STYLE, assets, drawing
from referee.kernel.errors import BadRecord
from referee.match.record import Record

HEIGHT = 860
"""Pixels of the frame: a wide board with its player."""


def as_html(record: Record) -> str:
    """The viewer of a match as HTML for a notebook; a record that cannot be played again says why."""
    try:
        page = _page(record)
    except BadRecord as error:
        return f"<p>{escape(str(error))}</p>"
    inside = escape(page, quote=True).encode("ascii", "xmlcharrefreplace").decode()  # whatever the notebook's encoding
    title = escape(f"match {record.header.match}", quote=True)
    return (
        f'<iframe srcdoc="{inside}" title="{title}" width="100%" height="{HEIGHT}" '
        'sandbox="allow-scripts" allow="fullscreen" frameborder="0"></iframe>'
    )


def _page(record: Record) -> str:
    game = drawing(record.header.game)
    style = assets()[STYLE] + assets()[f"scene-{game}.css"]
    script = "".join(
        [assets()[CORE], assets()[f"scene-{game}.js"], *map(_inline, (replay_file(record), words_file(record)))]
    )
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>A match of Kumite</title><style>{style}</style><script>{script}</script></head>"
        f'<body class="embed"><main><div class="viewer-host" data-viewer="{escape(record.header.match, quote=True)}" '
        f'data-game="{game}"></div></main></body></html>'
    )


def _inline(file: dict[str, Json]) -> str:
    """A file as a script in a page: no text in it can end the script."""
    return as_script(file).replace("<", "\\u003c")


def _digest(text: str) -> str:
    """The source of a content security policy that allows this text and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
