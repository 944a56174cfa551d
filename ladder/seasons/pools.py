"""The rating pool that a sort of table belongs to."""

from __future__ import annotations

from ladder.config.offers import TableOffer
from ladder.store.database import Store
from ladder.store.records import PoolRow
from referee.kernel import registry


def stored_pool(store: Store, season: int, offer: TableOffer) -> PoolRow:
    """The pool of a season for such tables, under the rules as they are now; stored if it is new."""
    game = registry.game(offer.game)
    clock, rated = str(offer.clock), offer.rated
    return store.pool(
        season, offer.game, offer.seats, offer.variant, clock, game.rules_version, game.digest, rated=rated
    )
