"""Names as pages show them: a bot that an organiser has hidden appears under its pseudonym, in addresses too."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.store.database import Store
from ladder.store.shown_names import ShownNames
from ladder.web.reading.page import NoSuchPage


@dataclass(frozen=True, slots=True)
class Names(ShownNames):
    """What every bot of a database is called in pages."""

    @classmethod
    def of(cls, store: Store) -> Names:
        """The names as they are stored now."""
        return cls(store.pseudonyms())

    def stored(self, shown: str, store: Store) -> str:
        """The stored name of a bot that is shown under this one; raises NoSuchPage.

        The stored name of a hidden bot finds nothing: it would tell who hides behind the pseudonym.
        """
        for bot, pseudonym in self.pseudonyms.items():
            if pseudonym == shown:
                return bot
        if shown in self.pseudonyms or not (store.knows_bot(shown) or shown in store.players()):
            raise NoSuchPage(f"No bot is called {shown[:64]}.")
        return shown

    def stored_player(self, shown: str, store: Store) -> str:
        """The stored name of a bot or of an earlier build of it (NAME@NUMBER); raises NoSuchPage."""
        bot, at, build = shown.rpartition("@")
        if at and build.isdecimal():
            return f"{self.stored(bot, store)}@{build}"
        return self.stored(shown, store)
