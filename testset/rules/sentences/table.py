"""The table of a language for the rules that read sentences: `[clause]` of `languages/xx.toml`."""

import re
from functools import cache
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from llamaindex_rag_eval.errors import InputError
from testset.rules.candidate import Kind
from testset.rules.language import languages

_PART = re.compile(r"%(\w+)%")
_DEEPEST = 5
"""How deep parts may stand in parts."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Form(_Table):
    """How a phrase is put into another form: substitutions, each a pattern and what replaces it.

    Attributes:
        first: Only the first one that fits counts.
        every: All of them are made, in order, after that.
    """

    first: tuple[tuple[re.Pattern[str], str], ...] = ()
    every: tuple[tuple[re.Pattern[str], str], ...] = ()

    def of(self, phrase: str) -> str:
        """Return the phrase in this form."""
        for pattern, replacement in self.first:
            if pattern.search(phrase):
                phrase = pattern.sub(replacement, phrase, count=1)
                break
        for pattern, replacement in self.every:
            phrase = pattern.sub(replacement, phrase)
        return phrase


class SentenceRule(NamedTuple):
    """A rule: what it reads off a sentence, and what it asks."""

    name: str
    """Its name; several rows may share one."""
    kind: Kind
    """What is asked for."""
    question: str
    """The question, with parts in braces: "{subject}", or "{verb|base}" in a form."""
    answer: str
    """The part that answers it, or "sentence"."""
    reads: str
    """Reads a sentence; "%np%" stands for the part of that name."""
    cue: str = ""
    """What a sentence must have; a quick look before the pattern is tried."""
    unless: str = ""
    """Where it finds something in the sentence, the rule does not apply."""


class ClauseTable(_Table):
    """What the rules know of the sentences of a language.

    Attributes:
        parts: Name -> a piece of patterns.
        forms: Name -> a form that phrases are put into.
        opening: What may stand before a sentence and says nothing.
        unreadable: Finds a sentence that rules are not to read.
        bad: Part -> finds a phrase that this part cannot be.
        named: Reads a sentence whose `name` a pronoun at the start of the next one stands for.
        pronouns: Such a pronoun, and what is said for it, with `{name}`.
        lowered: Finds a first word that is small inside a sentence.
        names: Finds a first word that keeps its capital there.
        next_step: Reads the beginning of a sentence that tells the next step of a task.
        supposed: Finds a sentence that begins an example, which the rest of its paragraph tells.
        capital_nouns: Whether nouns begin with a capital, so that a subject of one word must be
            seen with one inside a sentence.
        longest_answer: Characters of an answer at most.
        rules: The rules.
    """

    parts: dict[str, str] = {}
    forms: dict[str, Form] = {}
    opening: re.Pattern[str] | None = None
    unreadable: re.Pattern[str] | None = None
    bad: dict[str, re.Pattern[str]] = {}
    named: str = ""
    pronouns: tuple[tuple[re.Pattern[str], str], ...] = ()
    lowered: re.Pattern[str] | None = None
    names: re.Pattern[str] = re.compile("(?!)")
    next_step: re.Pattern[str] = re.compile("(?!)")
    supposed: re.Pattern[str] = re.compile("(?!)")
    capital_nouns: bool = False
    longest_answer: int = 240
    rules: tuple[SentenceRule, ...] = ()


@cache
def clause_table(code: str) -> ClauseTable:
    """Return the table of a language; an empty one if there is none.

    Raises:
        InputError: The table has a key or value that it may not have; says where.
    """
    known = languages().get(code)
    try:
        return ClauseTable.model_validate(known.clause if known is not None else {})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{code}.toml, clause.{field}: {first['msg']}") from error


@cache
def pattern_of(code: str, pattern: str) -> re.Pattern[str]:
    """Return a pattern of a language with its parts filled in.

    Raises:
        InputError: It is no regular expression, or names a part that there is not.
    """
    parts = clause_table(code).parts
    try:
        for _ in range(_DEEPEST):
            pattern = _PART.sub(lambda match: f"(?:{parts[match[1]]})", pattern)
        return re.compile(pattern)
    except (KeyError, re.error) as error:
        raise InputError(f"{code}.toml, pattern {pattern!r}: {error}") from error
