"""The names under which bots are shown: a bot that an organiser has hidden appears under its pseudonym."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownNames:
    """What every bot of a database is called where readers see it."""

    pseudonyms: dict[str, str]
    """By the stored name of each hidden bot (`RulingTable.pseudonyms`)."""

    def shown(self, player: str) -> str:
        """The name under which a bot, or an earlier build of it (NAME@NUMBER), is shown."""
        bot, at, build = player.partition("@")
        return f"{self.pseudonyms.get(bot, bot)}{at}{build}"

    def masked(self, text: str) -> str:
        """A text of the referee or of a bot, with the stored names of hidden bots replaced by their pseudonyms."""
        for bot in sorted(self.pseudonyms, key=len, reverse=True):
            text = text.replace(bot, self.pseudonyms[bot])
        return text
