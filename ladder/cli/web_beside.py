"""`--web` of commands that run a referee: the pages of its season, from a child process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ladder.cli.serve_output import announce, say
from ladder.web.child import WebChild
from ladder.web.listening import listening, shown_address
from referee.kernel.errors import BadSetting
from referee.transport.server import Server
from referee.transport.unix import UNIX

WebOption = Annotated[
    str | None,
    typer.Option("--web", metavar="HOST:PORT", help="Serve the pages of the season there, from a process of its own."),
]


WebTrustProxyOption = Annotated[
    bool, typer.Option("--web-trust-proxy", help="A proxy stands before the pages: as --trust-proxy of kumite web.")
]
WebMetricsOption = Annotated[
    bool, typer.Option("--web-metrics", help="Serve figures of the pages at /metrics: as --metrics of kumite web.")
]


class WebChoice(NamedTuple):
    """What a command line says of the pages."""

    bind: str | None = None
    """HOST:PORT; None: no pages."""
    trust_proxy: bool = False
    metrics: bool = False
    people: bool = False
    """Whether people play in the browser."""

    def check(self) -> None:
        """Raise BadSetting for options of pages that are not served."""
        if self.bind is None and (self.trust_proxy or self.metrics):
            raise BadSetting("--web-trust-proxy and --web-metrics are for the pages: say where with --web HOST:PORT")
        if self.bind is None and self.people:
            raise BadSetting("--people is for the pages, where people play: say where with --web HOST:PORT")

    @property
    def words(self) -> list[str]:
        """The options of `kumite web` for this choice."""
        return ["--trust-proxy"] * self.trust_proxy + ["--metrics"] * self.metrics


@contextmanager
def pages_beside(database: Path, web: WebChoice, *, tls: bool) -> Iterator[Callable[[Server], None]]:
    """What to do when the referee listens: say where, and start the pages if there shall be some.

    Raises BadSetting if the pages cannot listen there. The pages end with the block.
    """
    web.check()
    if web.bind is None:
        yield announce
        return
    place = listening(web.bind)
    child = WebChild(database, place, web.words)

    def begin(server: Server) -> None:
        announce(server)
        say(f"pages at {shown_address(place)}", err=True)
        child.start("--address", join_address(server.addresses, tls=tls))

    try:
        yield begin
    finally:
        child.stop()


def join_address(addresses: tuple[str, ...], *, tls: bool) -> str:
    """The address of a referee as newcomers write it behind `kumite join BOT --address`; empty: none but unix sockets.

    A referee that listens at every address of its machine does not know which name others use: HOST stands for it.
    """
    for address in addresses:
        if not address.startswith(UNIX):
            host, _, port = address.rpartition(":")
            name = "HOST" if host in ("0.0.0.0", "[::]", "") else host
            return f"{name}:{port}{' --tls' if tls else ''}"
    return ""
