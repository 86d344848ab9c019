"""Casing: titles, headings and questions as a sentence writes them."""

import re
from collections import Counter

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.rules.language import Language
from testset.rules.structure.titles import named

_ADJECTIVE = re.compile(r"[^\W\d_]+e[nrsm]? [A-ZÄÖÜ]")
"""An adjective before a noun, where nouns have a capital."""
_SLOGAN = re.compile(r"\w\w[.!。！](?:\s|$)|[?？]$|^v?[\d.]+$")
"""Finds the end of a sentence, which no name of a page has, and a version."""


def _in_name(match: re.Match[str], text: str, words: Counter[str]) -> bool:
    """Return whether a word is one of two that sentences write with capitals, side by side."""
    before, after = text[: match.start()].split(" ")[-2:], text[match.end() :].split(" ")[:2]
    pairs = (f"{before[0]} {match[0]}", f"{match[0]} {after[-1]}")
    return any(pair.istitle() and words[pair] > words[pair.lower()] for pair in pairs)


def titled(text: str, language: Language) -> str:
    """Return a title as a name of its page; empty for a sentence, which is none."""

    def lower(match: re.Match[str]) -> str:
        word = match[0].lower()
        return word if word in language.common else word.capitalize()

    title = named(text)
    if title.isupper() and " " in title and language.script == "latin":
        title = re.sub(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])", lower, title)
        title = title[:1].upper() + title[1:]
    foreign = is_cjk(title) and language.script == "latin"
    return "" if foreign or _SLOGAN.search(title) else re.sub(r"\s*[:：]\s+", " – ", title)


def spoken(question: str, words: Counter[str], language: Language) -> str:
    """Return a question without the capitals of a line that has no other letters."""
    said = plainly_cased(question, words, language) if question.isupper() else question
    return said[:1].upper() + said[1:]


def plainly_cased(
    text: str, words: Counter[str], language: Language, *, sentence: bool = False
) -> str:
    """Return a heading without the capitals that only its place gives it.

    The first word loses it if the document also writes it without one; in languages whose
    common nouns have none, so does every word, and, but in a `sentence`, those that no
    sentence has with one.

    Args:
        text: The heading.
        words: How often each word stands in the document, as it is written.
        language: The language of both.
        sentence: Whether the text begins a sentence.
    """
    small = language.structure.small

    def whispered(match: re.Match[str]) -> str:
        word, plain, name = match[0], match[0].lower(), match[0].capitalize()
        if len(word) == 1 and plain not in language.common:
            return word
        return max((plain, name, word), key=lambda form: words[form])

    def lower(match: re.Match[str]) -> str:
        word = match[0]
        adjective = not match.start() and _ADJECTIVE.match(text) and not small
        if adjective and (words[word.lower()] or not words[word]):
            return word.lower()
        inside = words[word.lower()] > 0 and (small or not words[word])
        known = inside or word.lower() in language.common
        known = known or (small and not sentence and not words[word])
        known = known and len(word) > 1 and not (small and _in_name(match, text, words))
        return word.lower() if known and (small or not match.start()) else word

    if text.isupper() and " " in text and language.script == "latin":
        return re.sub(r"(?<![\w-])[^\W\d_]+(?![\w-])", whispered, text)
    return re.sub(r"(?<![\w.-])[^\W\d_a-z][a-zäöüßéèà]*(?![\w(.-])", lower, text)
