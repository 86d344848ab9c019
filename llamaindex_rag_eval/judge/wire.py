"""What several judgements share on the way to a model and back.

The models that go over the wire, texts numbered for a model, numbers taken back from it, the
checks that every reply must pass, and how an input that is too long for one call is divided.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from llamaindex_rag_eval.data.sample import Context, Image, text_of
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans


class Wire(BaseModel):
    """A model that goes over the wire: short names, every field of a reply required."""

    model_config = ConfigDict(frozen=True)


class Numbered(Wire):
    """A text with its number, from 1; of an image, the caption."""

    id: int
    text: str
    kind: Literal["", "image"] = ""

    @field_validator("kind", mode="before")
    @classmethod
    def _texts_are_not_marked(cls, kind: object) -> object:
        return "" if kind == "text" else kind


class Line(Wire):
    """One message of a conversation."""

    role: Literal["user", "assistant", "tool", "system"]
    text: str


def numbered_texts(texts: Iterable[str]) -> tuple[Numbered, ...]:
    """Return texts numbered from 1."""
    return tuple(Numbered(id=number, text=text) for number, text in enumerate(texts, start=1))


def numbered_contexts(contexts: Sequence[Context]) -> tuple[Numbered, ...]:
    """Return contexts numbered from 1; images follow the message in the same order."""
    return tuple(
        Numbered(
            id=number,
            text=text_of(context),
            kind="image" if isinstance(context, Image) else "",
        )
        for number, context in enumerate(contexts, start=1)
    )


def images_among(contexts: Sequence[Context]) -> tuple[Image, ...]:
    """Return the images among the contexts, in order."""
    return tuple(context for context in contexts if isinstance(context, Image))


def from_zero(ids: Sequence[int], count: int, what: str) -> tuple[int, ...]:
    """Return ids from 1 to `count` as numbers from 0, each once.

    Raises:
        ReplyError: An id does not exist; the message counts from 1, as the model does.
    """
    unknown = [number for number in ids if not 1 <= number <= count]
    if unknown:
        raise ReplyError(f"{what} {unknown[0]} does not exist; ids are 1 to {count}")
    return tuple(number - 1 for number in dict.fromkeys(ids))


MOST_LISTED = 20
"""Entries that a schema lists one by one; a server samples more slowly by a longer one."""

MOST_COUNTED = 1000
"""Characters or entries that a schema counts; llama.cpp refuses to count beyond 2000."""

SHORTEST_PART = 3
"""Characters of a list's shortest entry, with its comma."""


def parts_of(text: str) -> dict[str, Any]:
    """Return the bounds of a list of what a text says."""
    most = len(text) // SHORTEST_PART + 1
    return {"maxItems": most} if most <= MOST_COUNTED else {}


def some_of(count: int) -> dict[str, Any]:
    """Return the bounds of a list of ids, from 1 to `count`, none of which need come twice."""
    if not 0 < count <= MOST_LISTED:
        return {"maxItems": count} if 0 < count <= MOST_COUNTED else {}
    return {"maxItems": count, "items": {"enum": list(range(1, count + 1))}}


def one_each(field: str, count: int) -> dict[str, Any]:
    """Return the bounds of a list with one entry for each id in order, which stands in `field`."""
    if not 0 < count <= MOST_LISTED:
        return {"minItems": count, "maxItems": count} if 0 < count <= MOST_COUNTED else {}
    ids = range(1, count + 1)
    return {"prefixItems": [{"properties": {field: {"enum": [number]}}} for number in ids]}


def places_in_order(ids: Sequence[int], count: int, what: str) -> tuple[int, ...]:
    """Return where in a reply the ids 1 to `count` stand, in order of the ids.

    Raises:
        ReplyError: An id is missing, comes twice, or does not exist.
    """
    expected = range(1, count + 1)
    if sorted(ids) != list(expected):
        missing = sorted(set(expected) - set(ids))
        raise ReplyError(
            f"{len(ids)} {what} for {count}; expected exactly one for each id from 1 to {count}"
            + (f", but {missing} is missing" if missing else f", got ids {list(ids)}")
        )
    places = {number: place for place, number in enumerate(ids)}
    return tuple(places[number] for number in expected)


def check_count(what: str, got: int, of: str, expected: int) -> None:
    """Raise `ReplyError` unless there is one entry for each of the things in the request."""
    if got != expected:
        raise ReplyError(f"{got} {what} for {expected} {of}; expected exactly {expected}")


def check_range(numbers: Iterable[int], count: int, what: str) -> None:
    """Raise `ReplyError` if a number (from 0) names something that does not exist."""
    for number in numbers:
        if not 0 <= number < count:
            raise ReplyError(f"{what} {number} does not exist; {what}s are 0 to {count - 1}")


def context_halves(contexts: Sequence[Context]) -> tuple[tuple[Context, ...], ...]:
    """Return contexts in two groups; a single text is cut by `text_halves`, an image not at all."""
    if len(contexts) > 1:
        half = len(contexts) // 2
        return (tuple(contexts[:half]), tuple(contexts[half:]))
    return tuple(
        (part,) for text in contexts if isinstance(text, str) for part in text_halves(text)
    )


def text_halves(text: str) -> tuple[str, ...]:
    """Return a text in two halves, cut between sentences or, within one, between words.

    Nothing is lost but white space at the cut. A text of one character cannot be
    divided: the result is empty.

    Example:
        >>> text_halves("One is here. Two is there.")
        ('One is here.', 'Two is there.')
    """
    middle = len(text) // 2
    starts = [start for start, _ in sentence_spans(text)][1:]
    spaces = (text.rfind(" ", 1, middle + 1), text.find(" ", middle))
    places = starts or [place for place in spaces if place > 0] or ([middle] if middle else [])
    if not places:
        return ()
    cut = min(places, key=lambda place: abs(place - middle))
    return (text[:cut].rstrip(), text[cut:].lstrip())
