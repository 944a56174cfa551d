"""Seats for simulated matches: an honest one, and one for every way of misbehaving."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from referee.match.clock import SECOND
from referee.match.outputs import Asked, Ended, Output, Seated
from tests.match.simulation import Hand


class Honest:
    """Is ready soon, answers each ask once, in time, with a choice that only depends on what it sees."""

    def __init__(self, thinking: int = SECOND // 10) -> None:
        self._thinking = thinking

    def take(self, output: Output, hand: Hand) -> None:
        if isinstance(output, Seated):
            hand.ready(self._thinking)
        elif isinstance(output, Asked):
            self.asked(output, hand)

    def asked(self, asked: Asked, hand: Hand) -> None:
        hand.answer(asked.ask, self.choice(asked), self._thinking)

    def choice(self, asked: Asked) -> int:
        return asked.ask * 7 % len(asked.options)


class Scripted(Honest):
    """Answers its asks with given indices, in order."""

    def __init__(self, indices: list[int], thinking: int = SECOND // 10) -> None:
        super().__init__(thinking)
        self._indices = indices

    def choice(self, asked: Asked) -> int:
        return self._indices[asked.ask - 1]


class Lagging(Honest):
    """Honest, with a slow line."""

    def __init__(self, lag: int, thinking: int = SECOND // 10) -> None:
        super().__init__(thinking)
        self._lag = lag

    def asked(self, asked: Asked, hand: Hand) -> None:
        hand.answer(asked.ask, self.choice(asked), self._thinking + self._lag, lag=self._lag, note=f"ask {asked.ask}")


class Clumsy(Honest):
    """Answers every ask twice: first with an option that is not there."""

    def asked(self, asked: Asked, hand: Hand) -> None:
        hand.answer(asked.ask, len(asked.options), self._thinking // 2)
        super().asked(asked, hand)


class Absent:
    """Never becomes ready."""

    def take(self, output: Output, hand: Hand) -> None:
        """Takes no notice."""


class Silent(Honest):
    """Is ready and never answers."""

    def asked(self, asked: Asked, hand: Hand) -> None:
        """Takes no notice."""


class Late(Honest):
    """Answers after its time, now and then."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def asked(self, asked: Asked, hand: Hand) -> None:
        budget = asked.budget or SECOND
        hand.answer(asked.ask, 0, self._rng.choice([budget // 2, budget + 1, budget + SECOND, 3 * budget + 1]))


class Liar(Honest):
    """Answers with options that are not there, and claims lag that never was."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def asked(self, asked: Asked, hand: Hand) -> None:
        count = len(asked.options)
        for index in self._rng.choices([-1, count, count + 1, 10**30, self.choice(asked)], k=self._rng.randint(1, 3)):
            hand.answer(asked.ask, index, self._rng.randint(0, SECOND), lag=10**9)
        hand.answer(asked.ask, self.choice(asked), 2 * SECOND, lag=10**9)


class Leaver(Honest):
    """Loses its connection; sometimes it comes back."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def take(self, output: Output, hand: Hand) -> None:
        if self._rng.random() < 0.3 and not isinstance(output, Ended):
            hand.gone(self._rng.randint(0, SECOND // 2))
            if self._rng.random() < 0.7:
                hand.back(self._rng.randint(SECOND // 2, 8 * SECOND))
        super().take(output, hand)

    def asked(self, asked: Asked, hand: Hand) -> None:
        if self._rng.random() < 0.7:
            super().asked(asked, hand)
        else:
            hand.gone(0)


class Flooder(Honest):
    """Answers everything many times over, asks that never were among them, with rubbish in between."""

    def __init__(self, rng: Random, rubbish: int = 1) -> None:
        super().__init__()
        self._rng = rng
        self._rubbish = rubbish

    def asked(self, asked: Asked, hand: Hand) -> None:
        for _ in range(self._rubbish):
            hand.malformed(self._rng.randint(0, SECOND))
        for _ in range(20):
            ask = asked.ask + self._rng.randint(-3, 50)
            if ask != asked.ask:
                hand.answer(ask, self._rng.randint(0, 9), self._rng.randint(0, SECOND))
        for _ in range(5):
            hand.answer(asked.ask, self.choice(asked), SECOND, note="again " * 1000)


class Crasher(Honest):
    """Dies over some of its decisions."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def asked(self, asked: Asked, hand: Hand) -> None:
        if self._rng.random() < 0.5:
            hand.crashed(self._rng.randint(0, SECOND))
        else:
            super().asked(asked, hand)


def misbehaving(rng: Random) -> Absent | Honest:
    """Some seat that does not behave."""
    kind = rng.choice(["absent", "silent", "late", "liar", "leaver", "flooder", "crasher"])
    kinds: dict[str, Callable[[], Absent | Honest]] = {
        "absent": Absent,
        "silent": Silent,
        "late": lambda: Late(rng),
        "liar": lambda: Liar(rng),
        "leaver": lambda: Leaver(rng),
        "flooder": lambda: Flooder(rng),
        "crasher": lambda: Crasher(rng),
    }
    return kinds[kind]()
