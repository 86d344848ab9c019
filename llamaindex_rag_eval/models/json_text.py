"""JSON in the text of a model: objects and lists with prose, code fences and thoughts around them.

Commas before a closing bracket and raw newlines in strings are forgiven; nothing is completed. The
work grows with the length of the text, whatever it holds.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MOST_VALUES = 100
"""JSON values in one text; a reply has one, and perhaps an example or a draft before it."""

STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.|\\\Z)*"?|,(?=\s*[}\]])', re.DOTALL)
"""A string, if need be to the end of the text, or a comma before a closing bracket."""

THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What reasoning models write before they answer; it may hold drafts of the reply."""

OBJECT = re.compile(r"\{")
OBJECT_OR_LIST = re.compile(r'\{|\[(?=\s*(?:[\[{"]|\][\s`.]*\Z))')
JSON_BEGINS = re.compile(r'\{\s*["}]|\[')
BRACE = re.compile(r"[{}]")
FENCE = "```"
FENCE_FOLLOWS = re.compile(r"\s*```")


class JsonValue(NamedTuple):
    """A JSON value of a text: the text between it and the one before, and whether it is fenced."""

    value: object
    lead: str
    fenced: bool


def json_values(text: str, *, lists: bool = False) -> tuple[JsonValue, ...]:
    """Return the outermost objects of a text in order; with `lists`, its lists too.

    Braces of prose are passed over. A list counts only if it begins with a string, an object or a
    list, or is empty and the end of the text: `[1]` is how people cite.

    Raises:
        ValueError: An object is cut off or no JSON, or there are more than `MOST_VALUES`.
    """
    values = []
    for value in _values(THOUGHTS.sub("", text), OBJECT_OR_LIST if lists else OBJECT):
        values.append(value)
        if len(values) > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} JSON values; expected one object")
    return tuple(values)


def _values(text: str, opening: re.Pattern[str]) -> Iterator[JsonValue]:
    after, fences, forgiven = 0, 0, False
    match = opening.search(text)
    while match is not None:
        at = match.start()
        if JSON_BEGINS.match(text, at) is None:
            match = opening.search(text, _after_prose(text, at))
            continue
        try:
            value, end = DECODER.raw_decode(text, at)
        except RecursionError:
            raise ValueError(TOO_DEEP) from None
        except ValueError:
            if forgiven:
                raise
            whole = STRING_OR_COMMA.sub(lambda m: m[0] if m[0] != "," else "", text[at:])
            text, forgiven = text[:at] + whole, True
            match = opening.match(text, at)
            continue
        lead = text[after:at]
        fences += lead.count(FENCE)
        fenced = fences % 2 == 1 and FENCE_FOLLOWS.match(text, end) is not None
        yield JsonValue(value, lead, fenced)
        after, match = end, opening.search(text, end)


def _after_prose(text: str, at: int) -> int:
    """Return the place after the brace that closes the one at `at`."""
    depth = 0
    for brace in BRACE.finditer(text, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end()
    raise ValueError("a brace is never closed; was the reply cut off?")


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object; a key that comes twice, with two values, is an error."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        for key, value in pairs:
            if fields[key] != value:
                raise ValueError(f"{key!r} comes twice in one object, with different values")
    return fields


TOO_DEEP = "the JSON is nested too deeply"

DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_object, strict=False)
"""Takes raw newlines in strings, which small models write; there is one way to read them."""
