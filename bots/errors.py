"""The errors that end a bot's connection to a referee.

Each message says in one line what would be right.

    KumiteError
    ├── BotRefused      the referee does not admit the bot: version, token, name, TLS, or an organiser's decision
    ├── Unreachable     no referee answers at the address
    └── BotFailed       the bot raised or answered wrongly, at a table or in a run for development
"""

from __future__ import annotations

from referee.kernel.errors import KumiteError


class BotRefused(KumiteError):
    """The referee does not admit the bot with this hello."""


class Unreachable(KumiteError):
    """No referee answers at the address."""


class BotFailed(KumiteError):
    """The bot raised or answered wrongly, in a run that stops at the first such failure."""
