"""What the public and every seat sees, step by step, as patches.

The public sight of a step stands in a file as a patch over the public sight of the step before; at the first step, over
an empty object. A seat's sight is a patch over the public sight of the same step, and this patch changes little from
step to step: it stands in the file as a patch over the seat's patch of the step before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from ladder.viewer.patch import NOTHING, Json, Patch, apply, diff

Sight = dict[str, Json]
"""What the public or one seat sees at a step."""


class Track:
    """Writes the sights of the public and of some seats, step by step."""

    def __init__(self, seats: int) -> None:
        self._public: Sight = {}
        self._over: list[Patch] = [NOTHING] * seats

    def step(self, public: Sight, seats: Sequence[Sight]) -> dict[str, Json]:
        """The members `public` and `seats` of a step; what has not changed is left out."""
        over = [diff(public, own) for own in seats]
        changes = [
            cast(Json, diff(cast(Json, old), cast(Json, new))) for old, new in zip(self._over, over, strict=True)
        ]
        change = cast(Json, diff(self._public, public))
        self._public, self._over = public, over
        return {
            **({"public": change} if change else {}),
            **({"seats": changes} if any(changes) else {}),
        }


def sights(steps: Iterable[Mapping[str, Json]], seats: int) -> Iterator[tuple[Sight, list[Sight]]]:
    """What a file's steps say: the public sight of each, and that of every seat."""
    public: Json = {}
    over: list[Json] = [cast(Json, NOTHING)] * seats
    for step in steps:
        public = apply(public, cast(Patch, step.get("public", NOTHING)))
        changes = cast("list[Patch]", step.get("seats", [NOTHING] * seats))
        over = [apply(old, change) for old, change in zip(over, changes, strict=True)]
        yield cast(Sight, public), [cast(Sight, apply(public, cast(Patch, patch))) for patch in over]
