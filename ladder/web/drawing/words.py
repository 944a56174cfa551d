"""Numbers, times and counts as pages write them: a true minus, thin spaces between thousands, one unit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

MINUS, THIN, EN_DASH = "\u2212", "\u2009", "\u2013"
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
GAME_TITLES = {
    "edo_yashiki": "Edo Yashiki",
    "honshu": "Honshu",
    "ninjato": "Ninjato",
    "white_castle": "The White Castle",
}
SEAT_MARKS = ("circle", "square", "triangle", "diamond", "hexagon")
"""The shape that tells a seat beside its colour."""


def grouped(value: float, digits: int = 0) -> str:
    """A number with a true minus and, from 10,000 on, thin spaces between thousands."""
    text = f"{abs(value):,.{digits}f}".replace(",", THIN if abs(value) >= 9_999.5 else "")
    return f"{MINUS}{text}" if value < 0 and text.strip("0.") else text


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign; 0 has none."""
    text = grouped(value, digits)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def counted(count: int, word: str, words: str | None = None) -> str:
    """A count with its noun: 1 match, 2 matches, 3 sets."""
    return f"{grouped(count)} {word if count == 1 else words or f'{word}s'}"


def spelled(count: int) -> str:
    """A small number as a word, a larger one in figures."""
    return COUNTS[count] if 0 <= count < len(COUNTS) else grouped(count)


def game_title(game: str) -> str:
    """The name of a game as its box has it."""
    return GAME_TITLES.get(game, game.replace("_", " ").title())


def pool_title(game: str, seats: int) -> str:
    """A pool in a few words: the game and for how many."""
    return f"{game_title(game)} {'solo' if seats == 1 else f'for {spelled(seats)}'}"


def settings(variant: Mapping[str, str]) -> str:
    """The settings of a variant in one line."""
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in sorted(variant.items())) or "standard"


def asked(query: Mapping[str, object], **changes: object) -> dict[str, object]:
    """The settings of an address with some changed; those without a value are left out."""
    return {key: value for key, value in {**query, **changes}.items() if value not in ("", None)}


def figure(value: float) -> str:
    """Points of an event: at most two decimals, none that are 0."""
    return f"{round(value, 2):g}"


def rank(ranks: tuple[int, int] | list[int] | None) -> str:
    """A rank, or the range that the intervals allow; an en dash stands for a bot without a rank."""
    if ranks is None:
        return EN_DASH
    return f"{ranks[0]}" if ranks[0] == ranks[1] else f"{ranks[0]}{EN_DASH}{ranks[1]}"


def clock_time(moment: str) -> str:
    """Hours and minutes of a stored moment, in UTC."""
    return moment[11:16]


def day(moment: str) -> str:
    """The day of a stored moment, as in 18 Nov 2026."""
    found = datetime.fromisoformat(moment)
    return f"{found.day} {found:%b %Y}"


def when(moment: str, now: datetime | None = None) -> str:
    """A stored moment as a reader needs it: the time if it is of the last 24 hours, else the day."""
    age = (now or datetime.now(UTC)) - datetime.fromisoformat(moment)
    return clock_time(moment) if age.total_seconds() < 86_400 else day(moment)


def lasting(micros: float | None) -> str:
    """How long something took, from microseconds: 350 ms, 2.4 s, 3 min 20 s, 2 h 5 min."""
    if micros is None:
        return EN_DASH
    seconds = micros / 1e6
    if seconds < 0.0995:
        return f"{seconds * 1e3:.1f} ms" if seconds < 0.00995 else f"{seconds * 1e3:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def clock_face(micros: float) -> str:
    """A clock as m:ss.t."""
    tenths = max(0, round(micros / 1e5))
    return f"{tenths // 600}:{tenths % 600 // 10:02d}.{tenths % 10}"


def share(value: float) -> str:
    """A share in per cent."""
    return f"{100 * value:.0f}%"
