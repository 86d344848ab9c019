"""The last reader: does a question read like one that a person asks, and is its answer one?

It reads a question with its answer and its evidence, and no other text. What a language's questions
and answers look like is data: the section `[reader]` of `languages/xx.toml`.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms
from testset.rules.language import joined, languages

_SETTING = re.compile(r"^[^?？:：]{2,120}[:：]\s?(?=\S)")
"""What a question begins with that names its page, as "Fares: what is …?"."""
_PAIRS = {")": "(", "）": "（", "]": "[", "”": "“", "」": "「", "』": "『", "》": "《", "】": "【"}
_MARKUP = re.compile(r"\*\*|\]\(|</?[a-z]+>|\]\[|\|")
_CUT_OFF = re.compile(r"(?:[:：,，、;；(（\[「–—-]|[^.。]\.\.\.)$")
_PICTURE = re.compile(r"(?<!\S)\(\s*\)(?! ?[=:{-])|（\s*）|[:：] ?[,，.。](?=\s|$)|「\s*」")
"""Finds where a picture stood, in brackets or before a comma."""
_LATE_START = re.compile(r"^[,，、;；:：.。)）\]」”?？]")
_SEPARATOR = re.compile(r"[、,，;；/]")
_BRACKET = re.compile(r"[(（][^()（）]*[)）]")
_LIST_IN_BRACKETS = 2
"""Separators in a bracket from which it is a list, so that one part of it is no name."""


LONG = 20
"""Characters from which an answer is a phrase, which may be cut off; a name is whole."""
LONG_CJK = 8
"""The same in Chinese and Japanese."""


Pattern = Annotated[re.Pattern[str], BeforeValidator(joined)]
"""A pattern, or a list of its parts."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fault(_Table):
    """What finds a fault, and what it says."""

    pattern: Pattern
    says: str


class Wanted(_Table):
    """What a question of one kind wants.

    Attributes:
        question: Finds the question.
        answer: Finds the answer that fits.
        refused: Finds the answer that does not.
        says: What is wrong with an answer that does not fit.
    """

    question: Pattern
    answer: Pattern = re.compile("")
    refused: Pattern | None = None
    says: str


class Reading(_Table):
    """What questions and answers of a language look like: the table `[reader]`.

    Attributes:
        about_the_text: Finds a question that speaks of the text that it comes from.
        pointer: Finds what refers to something outside a question.
        pronoun: Finds what does so unless a name stands before it.
        verb: Finds the verb of a question.
        goes_on: Finds a phrase that goes on, right behind an answer.
        choice: Finds a question that names what to choose from.
        short_form: Finds a question for a long form, and its `short` form.
        question: Faults of a question.
        answer: Faults of an answer.
        evidence: Faults of the evidence.
        wanted: What questions want.
    """

    about_the_text: Pattern | None = None
    pointer: Pattern | None = None
    pronoun: Pattern | None = None
    verb: Pattern | None = None
    goes_on: Pattern | None = None
    choice: Pattern | None = None
    short_form: Pattern | None = None
    question: tuple[Fault, ...] = ()
    answer: tuple[Fault, ...] = ()
    evidence: tuple[Fault, ...] = ()
    wanted: tuple[Wanted, ...] = ()


def fault_of(question: str, answer: str, language: str, *, evidence: str = "") -> str:
    """Return what is wrong with a question and its answer; empty if nothing is.

    Args:
        question: The question.
        answer: Its answer, as cut from the document; empty if it has none.
        language: The language of both; one without a table is only read for its form.
        evidence: The text that the answer was cut from.

    Example:
        >>> fault_of("Which (ports are open?", "80", "en")
        'the question leaves a bracket open'
        >>> fault_of("What are the side effects?", "The side effects are:", "en")
        'the answer is cut off'
    """
    faults = _faults(question, answer, " ".join(evidence.split()), language)
    return next(faults, "")


def pointer_in(question: str, language: str) -> re.Match[str] | None:
    """Return the first word that refers to something outside; `None` for other languages.

    A pronoun may refer to a name before it.

    Example:
        >>> pointer_in("What does this table show?", "en").group()
        'this'
    """
    reading = _reading(language)
    if reading.pointer is not None and (match := reading.pointer.search(question)):
        return match
    match = reading.pronoun.search(question) if reading.pronoun is not None else None
    return None if match is None or entities_of(question[: match.start()]) else match


def about_the_text(question: str, language: str) -> bool:
    """Return whether a question speaks of the text that it comes from.

    Example:
        >>> about_the_text("What is vented, according to the text?", "en")
        True
    """
    pattern = _reading(language).about_the_text
    return pattern is not None and pattern.search(question) is not None


def _faults(question: str, answer: str, evidence: str, language: str) -> Iterator[str]:
    reading = _reading(language)
    yield from _faults_of_form(question, answer)
    question = _SETTING.sub("", question)
    if pointer := pointer_in(question, language):
        yield f"{pointer.group().strip()!r} points at something outside the question"
    if reading.verb is not None and not reading.verb.search(question):
        yield "the question has no verb"
    yield from (row.says for row in reading.question if row.pattern.search(question))
    if not answer:
        return
    yield from (row.says for row in reading.answer if row.pattern.search(answer))
    yield from (row.says for row in reading.evidence if evidence and row.pattern.search(evidence))
    yield from _faults_of_kind(question, answer, reading)
    yield from _fragments(answer, evidence, reading)
    chosen = reading.choice is not None and reading.choice.search(question)
    if not chosen and _repeats(question, answer):
        yield "the answer only repeats the question"


def _faults_of_form(question: str, answer: str) -> Iterator[str]:
    for name, text in (("question", question), ("answer", answer)):
        if "\n" not in text and _MARKUP.search(text):
            yield f"the {name} holds markup"
        if "\n" not in text and _unbalanced(text):
            yield f"the {name} leaves a bracket open"
    if _PICTURE.search(answer):
        yield "the answer lacks a picture"
    if _CUT_OFF.search(answer.rstrip()):
        yield "the answer is cut off"
    if _LATE_START.search(answer):
        yield "the answer begins too late"


def _unbalanced(text: str) -> bool:
    """Return whether a bracket or quotation mark is not closed, or was not opened.

    Example:
        >>> _unbalanced("(a"), _unbalanced("ab)"), _unbalanced("„a“ (b)")
        (True, True, False)
    """
    plain = re.sub(r"„[^“”]*[“”]|“[^”]*”", "", re.sub(r"^\s*\w[)）]", "", text))
    uneven = any(plain.count(opened) != plain.count(closed) for closed, opened in _PAIRS.items())
    return uneven or plain.count('"') % 2 > 0


def _faults_of_kind(question: str, answer: str, reading: Reading) -> Iterator[str]:
    for wanted in reading.wanted:
        if not wanted.question.search(question):
            continue
        if not wanted.answer.search(answer) or (wanted.refused and wanted.refused.search(answer)):
            yield wanted.says
    if reading.short_form is not None and (match := reading.short_form.search(question)):
        short, first = match["short"], answer.lstrip("„“\"'「『 ")[:1]
        if first.isascii() and first.casefold() != short[:1].casefold():
            yield "the long form begins with another letter"


def _fragments(answer: str, evidence: str, reading: Reading) -> Iterator[str]:
    """Yield a fault if the answer's phrase goes on in the evidence, or it is one of a list."""
    said = " ".join(answer.split())
    whole = len(said) >= (LONG_CJK if is_cjk(said) else LONG)
    rest = evidence.split(said)[1:] if whole else []
    if reading.goes_on is not None and rest and all(map(reading.goes_on.match, rest)):
        yield "the answer stops in the middle of a phrase"
    for match in _BRACKET.finditer(evidence):
        parts = [part.strip() for part in _SEPARATOR.split(match.group()[1:-1])]
        if len(parts) > _LIST_IN_BRACKETS and answer.strip() in parts:
            yield "the answer is one of a list"


def _repeats(question: str, answer: str) -> bool:
    """Return whether an answer has no word, and no character of CJK, that the question lacks."""
    if is_cjk(answer):
        return " ".join(answer.split()) in " ".join(question.split())
    question_terms = {term.key for term in terms(question)}
    said = {term.key for term in terms(answer)}
    return bool(said) and said <= question_terms


@cache
def _reading(language: str) -> Reading:
    """Return the table of a language; an empty one if there is none."""
    known = languages().get(language)
    try:
        return Reading.model_validate(known.reader if known is not None else {})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{language}.toml, reader.{field}: {first['msg']}") from error
