"""Values of spans: attributes as a tree, texts in JSON of unknown form, times, numbers."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

DEEPEST = 6
"""Levels of objects in objects that are searched for a text."""

QUESTION = ("query", "question", "user_msg", "query_str", "input", "message", "prompt", "text")
ANSWER = ("response", "answer", "output", "result", "message", "content", "text")
WRAPPERS = ("kwargs", "inputs", "query_bundle", "data", "choices", "blocks", "parts")
"""Names that applications and frameworks give a question, an answer, and what is around them."""

NAMES = {"question": QUESTION, "answer": ANSWER}

REPR = re.compile(r"<?\w+\((\w+=|[\[({<'\"])|<\w[\w.]* object at 0x")
"""How Python prints objects: what instrumentations record where they have no JSON of something."""

UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""A time since 1970 above this number -> what of it is a second: nano, micro or milliseconds."""


def decoded(value: Any) -> Any:
    """Return the value in a text of JSON; any other value as it is.

    Example:
        >>> decoded('{"a": 1}'), decoded("[not JSON"), decoded("5")
        ({'a': 1}, '[not JSON', '5')
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def tree_of(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes with dots in their names as a tree.

    Example:
        >>> tree_of({"a.0.b": 1, "a.1": {"b.c": 2}, "d": [{"e.f": 3}]})
        {'a': {'0': {'b': 1}, '1': {'b': {'c': 2}}}, 'd': [{'e': {'f': 3}}]}
    """
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        *parents, last = str(name).split(".")
        branch: Any = tree
        for parent in parents:
            branch = branch.setdefault(parent, {}) if isinstance(branch, dict) else None
        if not isinstance(branch, dict) or value is None:
            continue
        new = _tree(value)
        if isinstance(new, dict) and isinstance(branch.get(last), dict):
            branch[last].update(new)
        else:
            branch.setdefault(last, new)
    return tree


def _tree(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tree_of(value)
    if isinstance(value, list | tuple):
        return [_tree(entry) for entry in value]
    return value


def at(tree: Any, path: str) -> Any:
    """Return what stands at a path of names; `None` if nothing does.

    Example:
        >>> at({"a": {"b": 1}}, "a.b"), at({"a": 2}, "a.b")
        (1, None)
    """
    for name in path.split("."):
        tree = decoded(tree)
        if not isinstance(tree, Mapping):
            return None
        tree = tree.get(name)
    return tree


def entries(value: Any) -> Sequence[Any]:
    """Return the entries of a list, or of a tree that numbers them."""
    value = decoded(value)
    if isinstance(value, Mapping) and value and all(str(key).isdigit() for key in value):
        return [value[key] for key in sorted(value, key=int)]
    return value if isinstance(value, list) else []


def messages_in(value: Any) -> Sequence[Mapping[str, Any]]:
    """Return the messages that a value is or holds under `messages`, each with a role."""
    value = decoded(value)
    if isinstance(value, Mapping) and "messages" in value:
        value = value["messages"]
    messages = [
        entry.get("message", entry) for entry in entries(value) if isinstance(entry, Mapping)
    ]
    return [entry for entry in messages if isinstance(entry, Mapping) and "role" in entry]


def message_text(message: Mapping[str, Any]) -> str:
    """Return the text of a message, whose content is a text or parts of several kinds."""
    for name in ("content", "contents", "parts", "blocks"):
        content = decoded(message.get(name))
        if isinstance(content, str):
            return content
        parts = [_part_text(part) for part in entries(content)]
        if any(parts):
            return "\n".join(part for part in parts if part)
    return ""


def _part_text(part: Any) -> str:
    if isinstance(part, Mapping):
        part = part.get("message_content", part)
    if isinstance(part, Mapping):
        part = part.get("text") or (part.get("content") if part.get("type") == "text" else "")
    return part if isinstance(part, str) else ""


def text_at(value: Any, kind: str) -> str:
    """Return the question or the answer in a value: a text, or JSON that holds one.

    Of messages it is the last one of the user, or of the assistant.

    Args:
        value: A text, messages, or an object with one of the usual names.
        kind: "question" or "answer".

    Example:
        >>> text_at('{"inputs": {"question": "Who?", "k": 3}}', "question")
        'Who?'
        >>> text_at('{"choices": [{"message": {"role": "assistant", "content": "He."}}]}', "answer")
        'He.'
    """
    return next((text for text in _texts(value, kind, DEEPEST) if text.strip()), "")


def _texts(value: Any, kind: str, levels: int) -> Iterator[str]:
    value = decoded(value)
    if isinstance(value, str):
        yield value
    role = "user" if kind == "question" else "assistant"
    for message in reversed(messages_in(value)):
        if message.get("role") in (role, "human" if role == "user" else "ai"):
            yield message_text(message)
    if levels and isinstance(value, Mapping):
        if value.get("role") == role:
            yield message_text(value)
        for name in (*NAMES[kind], *WRAPPERS):
            if name in value:
                yield from _texts(value[name], kind, levels - 1)
    elif levels and isinstance(value, list) and not messages_in(value):
        for entry in value:
            yield from _texts(entry, kind, levels - 1)


def is_repr(text: str) -> bool:
    """Return whether a text is how Python prints an object, which nobody said.

    Example:
        >>> is_repr("StopEvent(result=AgentOutput(...))"), is_repr("Ask f(x) = 2.")
        (True, False)
    """
    return REPR.match(text) is not None


def amount(value: Any) -> float | None:
    """Return a number that is not below 0, also from a text; `None` for anything else."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and number >= 0 else None


def seconds(value: Any) -> float | None:
    """Return a time as seconds since 1970; `None` if there is none.

    Args:
        value: A number of seconds, or of milli-, micro- or nanoseconds, also as a text; an ISO 8601
            text; or a datetime, in UTC if it names no zone.

    Example:
        >>> seconds("1700000000000000000") == seconds("2023-11-14T22:13:20Z") == 1700000000.0
        True
    """
    if isinstance(value, str) and not value.isdigit():
        try:
            value = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return aware.timestamp()
    number = amount(value)
    if number is None:
        return None
    return next((number / unit for least, unit in UNITS if number > least), number)
