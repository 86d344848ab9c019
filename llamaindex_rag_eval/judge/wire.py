"""What several judgements share on the way to a model and back.

The models that go over the wire, texts numbered for a model, numbers taken back from it, the
checks that every reply must pass, and how an input that is too long for one call is divided.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from llamaindex_rag_eval.data.sample import Context, Image, text_of
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.formulas.answers import words
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans, sentences
from llamaindex_rag_eval.models.request import Reply, ReplyT, Request

EntryT = TypeVar("EntryT")
VoteT = TypeVar("VoteT", bound=Reply)


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


def _with_ids(given: Iterable[object]) -> list[object]:
    return [_with_id(number, entry) for number, entry in enumerate(given, start=1)]


def _with_id(number: int, entry: object) -> object:
    """Return an entry of a request with its number; what comes from a prompt's example has one."""
    if isinstance(entry, str):
        return {"id": number, "text": entry}
    if isinstance(entry, Image):
        return {"id": number, "text": text_of(entry), "kind": "image"}
    if isinstance(entry, Reply):
        return {"id": number, **dict(entry)}
    return entry


FROM_ONE = BeforeValidator(_with_ids)
"""Annotates a list of an input model: the entries of the request's list, numbered from 1."""

NumberedTexts = Annotated[tuple[Numbered, ...], FROM_ONE]
"""Texts and images of a request, numbered from 1; images follow the message in the same order."""


@lru_cache(maxsize=256)
def numbered_sentences(contexts: tuple[Context, ...]) -> tuple[tuple[int, str], ...]:
    """Return the number of its context, from 0, and the text, of every sentence of contexts.

    An image is one sentence. Several judgements on a sample show the same contexts.
    """
    numbered: list[tuple[int, str]] = []
    for number, context in enumerate(contexts):
        whole = isinstance(context, Image)
        texts = (text_of(context),) if whole else sentences(text_of(context))
        numbered += [(number, text) for text in texts]
    return tuple(numbered)


_MARK = re.compile(r"#(?=\d)")


def _shown(contexts: Any) -> Any:
    """Return the contexts of a request as every prompt shows them; those of an example as given."""
    if not isinstance(contexts, tuple):
        return contexts
    shown: list[list[str]] = [[] for _ in contexts]
    for number, (context, text) in enumerate(numbered_sentences(contexts), start=1):
        image = "(image) " if isinstance(contexts[context], Image) else ""
        plain = _MARK.sub("# ", " ".join(text.split()))
        shown[context].append(f"#{number} {image}{plain}".strip())
    return {str(number): " ".join(entries) for number, entries in enumerate(shown, start=1)}


Contexts = Annotated[dict[str, str], BeforeValidator(_shown)]
"""Contexts by their numbers, from 1: each one text, its sentences behind their numbers, which run
over all contexts. All prompts show them alike, so that a provider's cache knows them again. A
number after "#" that is the context's own is set apart, so that no context can pass for another's
sentence. Images follow the message in the same order."""

Question = Annotated[str, Field(validation_alias=AliasChoices("question", "query"))]
"""The question, which some requests call `query`, as samples do."""


def from_zero(ids: Sequence[int], count: int, what: str) -> tuple[int, ...]:
    """Return ids from 1 to `count` as numbers from 0, each once.

    Raises:
        ReplyError: An id does not exist; the message counts from 1, as the model does.
    """
    unknown = [number for number in ids if not 1 <= number <= count]
    if unknown:
        raise ReplyError(f"{what} {unknown[0]} does not exist; ids are 1 to {count}")
    return tuple(number - 1 for number in dict.fromkeys(ids))


def in_order(
    entries: Sequence[EntryT], field: str, count: int, what: str, *, zero: bool = False
) -> tuple[EntryT, ...]:
    """Return the entries of a reply in the order of their ids, 1 to `count`.

    Args:
        entries: In any order.
        field: Which of their fields holds the id.
        count: How many there are to be.
        what: What they are, for the message.
        zero: Take ids that are 0 to `count` - 1, in order, too: nothing else in them is numbered.

    Raises:
        ReplyError: An id is missing, comes twice, or does not exist.
    """
    ids = [getattr(entry, field) for entry in entries]
    expected = range(1, count + 1)
    if zero and ids == list(range(count)):
        return tuple(entries)
    if sorted(ids) != list(expected):
        missing = sorted(set(expected) - set(ids))
        raise ReplyError(
            f"{len(ids)} {what} for {count}; expected exactly one for each id from 1 to {count}"
            + (f", but {missing} is missing" if missing else f", got ids {ids}")
        )
    by_id = dict(zip(ids, entries, strict=True))
    return tuple(by_id[number] for number in expected)


def majority_of(votes: Sequence[VoteT], field: str) -> VoteT:
    """Return the first vote for what most votes say in a field, with the share that agrees."""
    values = [getattr(vote, field) for vote in votes]
    winner, count = Counter(values).most_common(1)[0]
    return votes[values.index(winner)].model_copy(update={"agreement": count / len(votes)})


def check_count(what: str, got: int, of: str, expected: int) -> None:
    """Raise `ReplyError` unless there is one entry for each of the things in the request."""
    if got != expected:
        raise ReplyError(f"{got} {what} for {expected} {of}; expected exactly {expected}")


def check_stands(what: str, quoted: str, texts: Iterable[str], least: float = 0.5) -> None:
    """Raise `ReplyError` if what is to be copied from the texts shown stands in none of them.

    Its numbers must, and most of its words: a model may shorten or inflect what it copies. It does
    not stand there if a share `least` of its words is lacking.
    """
    copied = words(quoted)
    shown = {word for text in texts for word in words(text)}
    forms = shown | {word[:-1] for word in shown} | {f"{word}s" for word in shown}
    lacking = [word for word in copied if word not in (shown if word.isdecimal() else forms)]
    if lacking and (len(lacking) >= least * len(copied) or any(map(str.isdecimal, lacking))):
        raise ReplyError(f"{what} {quoted!r} stands in no text shown; expected a copy of its words")


def check_range(numbers: Iterable[int], count: int, what: str) -> None:
    """Raise `ReplyError` if a number (from 0) names something that does not exist."""
    for number in numbers:
        if not 0 <= number < count:
            raise ReplyError(f"{what} {number} does not exist; {what}s are 0 to {count - 1}")


class Divisible(Request[ReplyT]):
    """A request that can be asked in parts: of one text, or of a list of texts, by `splits_over`.

    Attributes:
        splits_over: The field that is divided.
    """

    splits_over: ClassVar[str]

    def halves(self) -> tuple[Self, ...]:
        """Divide the list, or a text (also the only one of a list) near its middle; no image."""
        whole = getattr(self, self.splits_over)
        if isinstance(whole, str):
            return tuple(map(self._on, text_halves(whole)))
        if len(whole) == 1:
            texts = text_halves(whole[0]) if isinstance(whole[0], str) else ()
            return tuple(self._on((text,)) for text in texts)
        half = len(whole) // 2
        return (self._on(whole[:half]), self._on(whole[half:])) if half else ()

    def starts_of(self, parts: Sequence[Request[ReplyT]]) -> list[int]:
        """Return where in the list each part begins; parts of its only text are that text."""
        if len(getattr(self, self.splits_over)) == 1:
            return [0] * len(parts)
        sizes = [len(getattr(part, self.splits_over)) for part in parts]
        return list(accumulate(sizes[:-1], initial=0))

    def _on(self, part: object) -> Self:
        return type(self)(**{**dict(self), self.splits_over: part})


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
    offsets = starts or [offset for offset in spaces if offset > 0] or ([middle] if middle else [])
    if not offsets:
        return ()
    cut = min(offsets, key=lambda offset: abs(offset - middle))
    return (text[:cut].rstrip(), text[cut:].lstrip())
