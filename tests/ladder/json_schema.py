"""Checks JSON against a schema, by the keywords that our schemas use; a keyword that is not known is an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_SILENT = {"$schema", "title", "description", "$defs"}


def findings(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, place: str = "$") -> Iterator[str]:
    """What a value has that the schema does not allow, each with its place."""
    root = schema if root is None else root
    for keyword, rule in schema.items():
        if keyword in _SILENT:
            continue
        if keyword == "$ref":
            yield from findings(value, root["$defs"][rule.rpartition("/")[2]], root, place)
        elif keyword == "anyOf":
            if not any(not list(findings(value, one, root, place)) for one in rule):
                yield f"{place}: fits none of the alternatives"
        else:
            yield from _keyword(value, keyword, rule, schema, root, place)


def _keyword(
    value: Any, keyword: str, rule: Any, schema: dict[str, Any], root: dict[str, Any], place: str
) -> Iterator[str]:
    if keyword == "type":
        kinds = [rule] if isinstance(rule, str) else rule
        fits = any(isinstance(value, _TYPES[kind]) and (kind == "boolean" or value is not True) for kind in kinds)
        if not fits or (isinstance(value, bool) and "boolean" not in kinds):
            yield f"{place}: is no {' or '.join(kinds)}"
    elif keyword == "const":
        if value != rule:
            yield f"{place}: is not {rule!r}"
    elif keyword == "enum":
        if value not in rule:
            yield f"{place}: {value!r} is none of {rule}"
    elif keyword == "minimum":
        if isinstance(value, int) and value < rule:
            yield f"{place}: {value} is below {rule}"
    elif keyword == "minItems":
        if isinstance(value, list) and len(value) < rule:
            yield f"{place}: has fewer than {rule} items"
    elif keyword == "required":
        yield from (f"{place}: lacks {name}" for name in rule if isinstance(value, dict) and name not in value)
    elif keyword == "properties":
        if isinstance(value, dict):
            for name, inner in rule.items():
                if name in value:
                    yield from findings(value[name], inner, root, f"{place}.{name}")
    elif keyword == "additionalProperties":
        if isinstance(value, dict):
            for name in sorted(value.keys() - schema.get("properties", {}).keys()):
                if rule is False:
                    yield f"{place}: may not have {name}"
                else:
                    yield from findings(value[name], rule, root, f"{place}.{name}")
    elif keyword == "items":
        if isinstance(value, list):
            for at, item in enumerate(value):
                yield from findings(item, rule, root, f"{place}[{at}]")
    else:
        raise ValueError(f"the schema has the keyword {keyword}, which this check does not know")
