"""JSON as models write it: in prose, in code fences, with trailing commas, after thoughts."""

import json
import re
from collections.abc import Iterator

__all__ = ["json_in"]

TRAILING_COMMA = re.compile(r",(\s*[}\]])")
STRING = re.compile(r'("(?:[^"\\]|\\.)*")', re.DOTALL)
FENCE = re.compile(r"```(?:json)?\s*\n?(.*?)```", re.DOTALL | re.IGNORECASE)
THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What reasoning models say before they answer; drafts of the reply stand in it."""

JSON_BEGINS = re.compile(r'\{\s*["}]')
BRACE = re.compile(r"[{}]")


def json_in(text: str) -> object:
    """Return the one JSON object that a model's text holds.

    Prose and code fences around it and commas before a closing bracket are forgiven. Nothing is
    completed and nothing is guessed: a truncated object is an error, and so are two different
    objects, unless just one of them stands in a code fence.

    Raises:
        ValueError: There is not exactly one whole JSON object in the text.

    Example:
        >>> json_in('Sure! {"verdict": true,} Anything else?')
        {'verdict': True}
    """
    text = THOUGHTS.sub("", text)
    found = _distinct(text)
    if len(found) > 1:
        found = [entry for block in FENCE.findall(text) for entry in _distinct(block)]
    if len(found) != 1:
        raise ValueError("expected one whole JSON object and nothing else")
    return found[0]


def _distinct(text: str) -> list[object]:
    """Return the first two different objects, or as many as there are."""
    found: list[object] = []
    for value in _objects(text):
        if value not in found:
            found.append(value)
        if len(found) == 2:
            break
    return found


def _objects(text: str) -> Iterator[object]:
    """Yield the outermost objects of the text in order; braces of prose are passed over."""
    at, forgiven = text.find("{"), False
    while at >= 0:
        if JSON_BEGINS.match(text, at) is None:
            at = text.find("{", _after_prose(text, at))
            continue
        try:
            value, end = DECODER.raw_decode(text, at)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None
        except ValueError:
            if forgiven:
                raise
            text, at, forgiven = _without_trailing_commas(text[at:]), 0, True
            continue
        yield value
        at = text.find("{", end)


def _after_prose(text: str, at: int) -> int:
    """Return the place after the brace that closes the one at `at`."""
    depth = 0
    for brace in BRACE.finditer(text, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end()
    raise ValueError("a brace is never closed; was the reply cut off?")


def _without_trailing_commas(text: str) -> str:
    """Drop commas before a closing bracket, outside of strings."""
    parts = STRING.split(text)
    return "".join(p if i % 2 else TRAILING_COMMA.sub(r"\1", p) for i, p in enumerate(parts))


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


DECODER = json.JSONDecoder(parse_constant=_no_number)
