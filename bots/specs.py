"""Bot specs: the text that names a bot on a command line or in a ladder file.

    greedy                     a bundled bot
    random:seed=7              the same with parameters, separated by commas
    py:mybots:Cautious         a class of a Python module, found as `import mybots` from the current directory would
    py:mybots:Cautious:depth=3 its parameters are those of its constructor, converted by their annotations

Every bot takes `seed`, which makes its `ask.rng` reproducible. A folder with a `bot.toml` and `remote:NAME` are specs
of bots in processes of their own: `resolve` refuses them with a line that says where they play.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from bots.bot import Bot, offered
from bots.near_misses import SOURCE, meant
from referee.kernel.errors import BadSetting, UnknownName

Value: typing.TypeAlias = int | float | bool | str


BUNDLED = {
    "greedy": "bots.bundled.greedy:Greedy",
    "ismcts": "bots.bundled.ismcts:Ismcts",
    "random": "bots.bundled.random:Random",
}
"""Name of each bundled bot in a spec, and its module and class; loaded on first use."""
KINDS = (*BUNDLED, "py:module:Class")
"""The beginnings that a spec of a bot in this process can have."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot of which any number of objects can be made."""

    name: str
    """The spec's own text, which is the bot's name in tables and records."""
    games: tuple[str, ...] | None
    """The games that the bot plays; None: all games."""
    factory: Callable[[], Bot]
    """Makes a bot without a seed."""
    seed: str | None = None
    """The seed in the spec; None: the spec has none."""
    remembers: bool = False
    """Whether the bot's objects share memory (`Bot.remembers`)."""

    def make(self, seed: int | str | None = None) -> Bot:
        """A fresh bot. `seed` (of match and seat) and the spec's own seed together fix `ask.rng`."""
        bot = self.factory()
        if self.seed is None:
            bot.seed = seed
        else:
            bot.seed = self.seed if seed is None else f"{self.seed}/{seed}"
        return bot

    def check(self, game: str) -> None:
        """Raise BadSetting if the bot does not play that game."""
        if self.games is not None and game not in self.games:
            raise BadSetting(f"{self.name} does not play {game} (it plays: {', '.join(self.games) or 'nothing'})")


def resolve(spec: str) -> BotSpec:
    """The bot that a spec names; raises UnknownName or BadSetting with one clear line."""
    spec = spec.strip()
    if not spec:
        raise UnknownName.of("bot", spec, KINDS)
    head, _, rest = spec.partition(":")
    if head == "py":
        return _python(spec, rest)
    if head == "remote":
        raise BadSetting(f"{spec}: bots that are connected to a server play there, not in this process")
    if head in BUNDLED:
        module, _, name = BUNDLED[head].partition(":")
        return _spec(spec, head, getattr(import_module(module), name), rest)
    hint = meant(spec)
    if hint:
        raise UnknownName(hint)
    if os.sep in spec or spec.startswith((".", "~")) or Path(spec).is_dir():
        raise BadSetting(
            f"{spec}: a bot in a folder is a process of its own, which joins by itself when it is started with "
            f"KUMITE_ADDRESS; kumite match, gate, ladder and check start a folder that has a bot.toml"
        )
    raise UnknownName.of("bot", head, KINDS)


def _python(spec: str, rest: str) -> BotSpec:
    module_name, _, rest = rest.partition(":")
    class_name, _, parameters = rest.partition(":")
    if not module_name or not class_name or module_name.endswith(SOURCE):
        hint = meant(spec)
        if hint:
            raise UnknownName(hint)
        raise BadSetting(f"{spec}: a bot of your own is written py:module:Class, for example py:mybots:Cautious")
    module = _import(spec, module_name)
    found = getattr(module, class_name, None)
    if not (inspect.isclass(found) and issubclass(found, Bot) and found is not Bot):
        kinds = {name for name, value in vars(module).items() if inspect.isclass(value) and issubclass(value, Bot)}
        raise UnknownName.of(f"Bot class of module {module_name} ({_place(module)})", class_name, kinds - {"Bot"})
    return _spec(spec, class_name, found, parameters)


def _import(spec: str, name: str) -> ModuleType:
    """The module, installed or in the current directory; installed modules come first."""
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise UnknownName(f"{spec}: no module {name!r}, neither installed nor in {here}") from None
        raise BadSetting(f"{spec}: importing {name} failed: {error}") from error
    except (Exception, SystemExit) as error:
        raise BadSetting(f"{spec}: importing {name} failed: {type(error).__name__}: {error}") from error


def _place(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or "built in"


def _spec(spec: str, label: str, kind: type[Bot], text: str) -> BotSpec:
    given = _pairs(spec, text)
    seed = given.pop("seed", None)
    values = _arguments(label, kind, given)
    return BotSpec(spec, offered(kind), partial(kind, **values), seed, remembers=bool(kind.remembers))


def _pairs(spec: str, text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise BadSetting(f"{spec}: {part!r} is no parameter; write name=value, several separated by commas")
        if key in pairs:
            raise BadSetting(f"{spec}: parameter {key!r} is given twice")
        pairs[key] = value.strip()
    return pairs


def _arguments(label: str, kind: type[Bot], given: Mapping[str, str]) -> dict[str, Value]:
    """The arguments of the constructor, converted by their annotations."""
    accepted = {
        name: parameter
        for name, parameter in _signature(label, kind).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    for name in given:
        if name not in accepted:
            raise UnknownName.of(f"parameter of {label}", name, [*accepted, "seed"])
    for name, parameter in accepted.items():
        if parameter.default is parameter.empty and name not in given:
            raise BadSetting(f"{label} needs the parameter {name}: write {name}=VALUE")
    return {name: _convert(label, name, value, accepted[name].annotation) for name, value in given.items()}


def _signature(label: str, kind: type[Bot]) -> inspect.Signature:
    """The signature of the constructor; annotations that cannot be evaluated stay text."""
    try:
        return inspect.signature(kind, eval_str=True)
    except Exception as failure:
        # An annotation may name a type that is imported for type checkers only.
        try:
            return inspect.signature(kind)
        except Exception:
            reason = f"{type(failure).__name__}: {failure}"
            raise BadSetting(f"{label}: the parameters of its constructor cannot be found out: {reason}") from failure


_WRITTEN = {kind.__name__: kind for kind in (int, float, bool, str)}
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _convert(label: str, name: str, text: str, annotation: object) -> Value:
    """The value of a parameter: int, float or bool if the annotation says so, else the text itself."""
    kinds: tuple[object, ...] = (annotation,)
    if isinstance(annotation, types.UnionType):
        kinds = typing.get_args(annotation)
    elif isinstance(annotation, str):
        kinds = tuple(_WRITTEN.get(part.strip()) for part in annotation.split("|"))
    if bool in kinds:
        if text.lower() not in _WORDS:
            raise BadSetting(f"{label}'s {name} is true or false, not {text!r}")
        return _WORDS[text.lower()]
    for kind, words in ((int, "a whole number"), (float, "a number")):
        if kind in kinds:
            try:
                return kind(text)
            except ValueError:
                raise BadSetting(f"{label}'s {name} is {words}, not {text!r}") from None
    return text
