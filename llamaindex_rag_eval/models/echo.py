"""Replies that keep to their form and cannot be meant: echoes, placeholders, quotes of nothing.

Small models copy an example of the prompt where they do not understand the input. Such a reply
would be read as a judgement. Numbers and verdicts alone tell nothing: they may be meant. Nor is
what the input itself says ever objected to.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from llamaindex_rag_eval.models.lenient import AROUND, FLAGS, NOTES, OPTIONAL, alike

COPIED = 5
"""Words that no two texts have in common by chance."""

Words = tuple[str, ...]

_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3]|[^\W\u2e80-\u9fff\uac00-\ud7a3]+")
"""A run of letters and digits; a character of a script that writes without spaces."""


Text = tuple[Any, str, str]
"""A model, its field in which a text stands, alone or in a list, and the text."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one example shows.

    Attributes:
        texts: Of its output, in order, each with its words.
        given: The words of its input.
        own: Those of them that the instruction does not use.
    """

    texts: Mapping[Words, str]
    given: frozenset[str]
    own: frozenset[str]

    @classmethod
    def of(cls, given: BaseModel, output: BaseModel, instruction: str) -> "Shown":
        """Return what an example below an instruction shows."""
        words = words_of(given)
        return cls(_by_words(output), words, words - frozenset(words_in(instruction)))

    def repeated_in(self, output: BaseModel, given: Callable[[], BaseModel]) -> str:
        """Return a text of an output that is the example's, and not about the input; else "".

        All texts are the example's, or one is but for a word, and has a word of the example's input
        that this input lacks; or one of some length is, and replaces none of those words. An input
        that holds all of the example's input is that of the example.
        """
        said = _by_words(output)
        whole = list(said) == list(self.texts) and any(len(text) > 1 for text in said)
        alike = [text for text in said if any(_but_for_one(text, mine) for mine in self.texts)]
        if not whole and not alike:
            return ""
        here = words_of(given())
        if self.given <= here:
            return ""
        foreign = (said[text] for text in alike if self._copied(text, here))
        return next(iter(said.values())) if whole else next(foreign, "")

    def _copied(self, text: Words, here: frozenset[str]) -> bool:
        """Return whether a text has words of the example's input, or replaces none of them."""
        long = [mine for mine in self.texts if len(mine) >= COPIED and _but_for_one(text, mine)]
        same = any(self.own.isdisjoint({*mine} - {*text}) for mine in long)
        return bool(self.own.intersection(text) - here) or (same and not here.issuperset(text))


def words_of(value: BaseModel) -> frozenset[str]:
    """Return the words of all texts of a model."""
    return frozenset(word for *_, text in texts_in(value) for word in words_in(text))


def _by_words(output: BaseModel) -> dict[Words, str]:
    texts = {words_in(text): text for *_, text in texts_in(output)}
    texts.pop((), None)
    return texts


def words_in(text: str) -> Words:
    """Return the words of a text in small letters, in order."""
    return tuple(_WORD.findall(text.casefold()))


def _but_for_one(text: Words, other: Words) -> bool:
    """Return whether two texts have the same words, but for one of each at most."""
    return len({*text} - {*other}) <= 1 and len({*other} - {*text}) <= 1


def texts_in(value: object, model: Any = None, name: str = "") -> Iterator[Text]:
    """Yield the texts of a value, without the words of closed sets."""
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            if get_origin(field.annotation) is not Literal:
                yield from texts_in(getattr(value, name), value, name)
    elif isinstance(value, Mapping):
        yield from texts_in(list(value.values()), model, name)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from texts_in(entry, model, name)
    elif isinstance(value, str) and not isinstance(value, Enum):
        yield model, name, value


_THING = "(?:claim|statement|fact|entity|entitie|question|reason|word)s?"
PLACEHOLDER = re.compile(
    rf"(?=.*(?:\.\.|…))\W+|\W*(?:string|placeholder|{_THING}\W*\d+)\W*|<.+>|[\[{{](?:insert|your)\b.+",
    re.IGNORECASE,
)
NO_ENTRY = re.compile(
    r"\W*(?:none|null|n/?a)\W*|(?:(?:there are|the text \w+) )?no (?:\w+ )?"
    rf"{_THING}\b.{{0,40}}|i(?:['’]m| am) (?:sorry|unable)\b.*",
    re.IGNORECASE,
)
"""What is written into a list of texts that should be empty."""

QUOTED = re.compile(r'["“”„«]([^"“”„«»]+)["“”»]')

NO = ("not useful", "nothing", "nichts", "なし", "无")
SAYS = {**FLAGS, "useful": True, **dict.fromkeys(NO, False)}
"""Reasons that are verdicts: the prompts ask for "nothing" where a context is not useful."""


def objection_to(output: BaseModel, given: BaseModel, instruction: str) -> str:
    """Return what speaks against an output, for a model to act on; "" if nothing does."""
    shown = "\n".join(text for *_, text in texts_in(given))
    here = words_in(shown)
    for model, name, text in texts_in(output):
        listed = isinstance(getattr(model, name), tuple) and name not in OPTIONAL
        hollow = PLACEHOLDER.fullmatch(text) or (listed and NO_ENTRY.fullmatch(text))
        there = text in shown or f" {' '.join(words_in(text))} " in f" {' '.join(here)} "
        if hollow and not there:
            return f"{text!r} stands in place of a text; where there is none, leave it out"
        bare, explains = text.strip(AROUND), name in OPTIONAL - NOTES
        for field, info in type(model).model_fields.items() if explains else ():
            kind = info.annotation
            meant = SAYS.get(bare.lower()) if kind is bool else alike(bare, get_args(kind))
            if meant not in (None, getattr(model, field)):
                return f"the reason {text!r} is another {field!r}"
        for quote in QUOTED.findall(text) if explains else ():
            quoted = {*words_in(quote)}
            lacking = quoted.difference(here, words_in(instruction))
            if len(quoted) > 1 and 2 * len(lacking) >= len(quoted):
                return f"{quote!r} is quoted, and stands in no text shown"
    return ""
