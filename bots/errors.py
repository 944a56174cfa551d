"""Why a bot's connection to a referee ended, where that was not the plan.

    KumiteError
    ├── Refused         the referee does not accept the bot: version, token, name, TLS, an organiser's word
    ├── Unreachable     no referee answers at the address
    └── BotFailed       the bot itself did something wrong, at a table or in a run for development

Each carries one line that says what would be right.
"""

from __future__ import annotations

from referee.kernel.errors import KumiteError


class Refused(KumiteError):
    """The referee does not accept the bot as it introduced itself."""


class Unreachable(KumiteError):
    """No referee answers."""


class BotFailed(KumiteError):
    """The bot raised, or its answer was a fault, where that is meant to stop it."""
