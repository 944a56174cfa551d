"""Hosts the drill bot in a real match, and tells what it tried and what it got."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import tempfile
from contextlib import ExitStack
from pathlib import Path

import bots.drill
from ladder.arena.entrants import find
from ladder.arena.host_settings import replaced
from ladder.arena.play_processes import HostedReferee, play_hosted
from ladder.store.records import Printed
from referee.hosting.limits import Hosting
from referee.hosting.sandbox import Sandbox, best
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan

GAME = "honshu"
CLOCK = TimeControl.parse("60s+1s")
PREFIX = "drill "


def run_drill(sandbox: Sandbox | None = None) -> list[tuple[str, bool, str]]:
    """Every attempt of the drill bot, whether it was denied, and how; raises BadSetting if the match did not end well.

    The host's side of the attempts is real: a file, a folder, sockets and this process.
    """
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kumite-")))
        folder = place / "bot"
        shutil.copytree(Path(bots.drill.__path__[0]), folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "targets.json").write_text(json.dumps(_targets(place, stack)), encoding="utf-8")
        (folder / "out").symlink_to(place / "ladder.sqlite")
        said = Printed()
        chosen = sandbox or best(Hosting(hidden=(place / "secrets",)))
        stack.enter_context(replaced(chosen))
        referee = HostedReferee(1)
        stack.callback(referee.close)
        plan = MatchPlan(GAME, ("drill", "random"), f"drill-{secrets.token_hex(4)}", clock=CLOCK)
        record = play_hosted(plan, [find(str(folder)), find("random")], referee=referee, printed=said)
    printed = said.logs[0].first.decode("utf-8", "replace")
    if record.final is None or any(ending.faults for ending in record.final.endings):
        raise BadSetting(f"the drill bot's match did not end without faults; it printed: {printed}")
    return [_attempt(line) for line in printed.splitlines() if line.startswith(PREFIX)]


def _targets(place: Path, stack: ExitStack) -> dict[str, object]:
    """Things of the host that the bot tries: they are there, and open to every user but for the walls."""
    database = place / "ladder.sqlite"
    database.write_text("the season's secret", encoding="utf-8")
    hidden = place / "secrets"
    hidden.mkdir()
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    abstract = f"kumite-drill-{secrets.token_hex(4)}"
    path = str(place / "admin.sock")
    for address in (path, f"\0{abstract}"):
        opened = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        opened.bind(address)
        opened.listen()
    os.chmod(path, 0o666)
    os.chmod(place, 0o755)
    return {
        "home": str(Path.home()),
        "host": os.getpid(),
        "files": [str(database)],
        "folders": [str(place), str(hidden), os.getcwd()],
        "sockets": [path],
        "abstract": abstract,
        "port": listener.getsockname()[1],
        "opponent": "random",
    }


def _attempt(line: str) -> tuple[str, bool, str]:
    _, name, word, how = [*line.split(" ", 3), ""][:4]
    return name, word == "denied", how
