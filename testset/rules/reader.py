"""The last reader: does a question read like one that a person asks, and is its answer one?

It reads a question with its answer, and no other text. What a language's questions and answers look
like is data: the section `[reader]` of `languages/xx.toml`.
"""

import re
from collections.abc import Iterator

from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms
from testset.rules.language import UNKNOWN, Reading, languages

_SETTING = re.compile(r"^[^?？:：]{2,120}[:：]\s?(?=\S)")
"""What a question begins with that names its page, as "Fares: what is …?"."""
_PAIRS = {")": "(", "）": "（", "]": "[", "”": "“", "」": "「", "』": "『", "》": "《", "】": "【"}
_MARKUP = re.compile(r"\*\*|\]\(|</?[a-z]+>|\]\[|\|")
_CUT_OFF = re.compile(r"(?:[:：,，、;；(（\[「–—-]|[^.。]\.\.\.)$")
_PICTURE = re.compile(r"(?<!\S)\(\s*\)(?! ?[=:{-])|（\s*）|[:：] ?[,，.。](?=\s|$)|「\s*」")
"""Finds where a picture stood, in brackets or before a comma."""
_LATE_START = re.compile(r"^[,，、;；:：.。)）\]」”?？]")


def fault_of(question: str, answer: str, language: str) -> str:
    """Return what is wrong with a question and its answer; empty if nothing is.

    Args:
        question: The question.
        answer: Its answer, as cut from the document; empty if it has none.
        language: The language of both; one without a table is only read for its form.

    Example:
        >>> fault_of("Which (ports are open?", "80", "en")
        'the question leaves a bracket open'
        >>> fault_of("What are the side effects?", "The side effects are:", "en")
        'the answer is cut off'
    """
    return next(_faults(question, answer, language), "")


def pointer_in(question: str, language: str) -> re.Match[str] | None:
    """Return the first word that refers to something outside; `None` for other languages.

    A pronoun may refer to a name before it.

    Example:
        >>> pointer_in("What does this table show?", "en").group()
        'this'
    """
    reading = _reading(language)
    if match := reading.pointer.search(question):
        return match
    match = reading.pronoun.search(question)
    return None if match is None or entities_of(question[: match.start()]) else match


def about_the_text(question: str, language: str) -> bool:
    """Return whether a question speaks of the text that it comes from.

    Example:
        >>> about_the_text("What is vented, according to the text?", "en")
        True
    """
    return _reading(language).about_the_text.search(question) is not None


def _faults(question: str, answer: str, language: str) -> Iterator[str]:
    reading = _reading(language)
    yield from _faults_of_form(question, answer)
    question = _SETTING.sub("", question)
    if pointer := pointer_in(question, language):
        yield f"{pointer.group().strip()!r} points at something outside the question"
    yield from (row.says for row in reading.question if row.pattern.search(question))
    yield from (row.says for row in reading.answer if row.pattern.search(answer))
    if answer and _repeats(question, answer):
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


def _repeats(question: str, answer: str) -> bool:
    """Return whether an answer has no word, and no character of CJK, that the question lacks."""
    if is_cjk(answer):
        return " ".join(answer.split()) in " ".join(question.split())
    question_terms = {term.key for term in terms(question)}
    said = {term.key for term in terms(answer)}
    return bool(said) and said <= question_terms


def _reading(language: str) -> Reading:
    return languages().get(language, UNKNOWN).reader
