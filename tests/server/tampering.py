"""Faults of content: a good reply, made into one that a model should not have given."""

import json
from copy import deepcopy
from typing import Any, NamedTuple

from tests.server.responder import JsonObject

REFUSAL = "I'm sorry, I can't assist with that request."

# Far beyond any list that a prompt numbers.
OUT_OF_RANGE = 1000


class Content(NamedTuple):
    """What the model says: a text or, where that is None, a refusal."""

    text: str | None
    refusal: str | None = None
    finish_reason: str = "stop"


def tamper(kind: str, reply: JsonObject | str) -> Content | None:
    """Return the reply with a fault of this kind, or None where it offers no place for one.

    The faults of lists need an object with a list that is not empty; `out_of_range` needs an
    integer in the last element of that list.
    """
    if kind in ("missing_item", "extra_item", "out_of_range"):
        changed = _with_list_fault(kind, reply)
        return None if changed is None else Content(json.dumps(changed))
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return _with_text_fault(kind, text)


def _with_text_fault(kind: str, text: str) -> Content:
    match kind:
        case "malformed_json":
            return Content("verdict: supported; sources: the first and the third")
        case "truncated_json":
            return Content(text[: len(text) * 2 // 3], finish_reason="length")
        case "prose_around":
            return Content(f"Certainly! Here it is:\n\n{text}\n\nTell me if you need more.")
        case "code_fence":
            return Content(f"```json\n{text}\n```")
        case "trailing_comma":
            return Content(f"{text[:-1]},{text[-1:]}")
        case "empty_reply":
            return Content("")
        case "refusal":
            return Content(None, refusal=REFUSAL)
        case "refusal_text":
            return Content(REFUSAL)
    raise ValueError(f"{kind!r} is not a fault of content")


def _with_list_fault(kind: str, reply: JsonObject | str) -> JsonObject | None:
    if isinstance(reply, str):
        return None
    reply = deepcopy(reply)
    items = _first_list(reply)
    if items is None:
        return None
    if kind == "missing_item":
        items.pop()
    elif kind == "extra_item":
        items.append(items[-1])
    else:
        raised = _raised(items[-1])
        if raised == items[-1]:
            return None
        items[-1] = raised
    return reply


def _first_list(reply: JsonObject) -> list[Any] | None:
    """Return the first list with an element, the outermost first."""
    level: list[Any] = [reply]
    while level:
        parts = [part for value in level for part in _parts(value)]
        for part in parts:
            if isinstance(part, list) and part:
                return part
        level = parts
    return None


def _parts(value: object) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else []


def _raised(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value + OUT_OF_RANGE
    if isinstance(value, list):
        return [_raised(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _raised(entry) for name, entry in value.items()}
    return value
