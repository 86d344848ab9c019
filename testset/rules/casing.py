"""Casing: titles, headings and labels as a sentence writes them."""

import re
from collections import Counter

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.rules.language import Language
from testset.rules.titles import named

_SLOGAN = re.compile(r"\w\w[.!。！](?:\s|$)|[?？]$|^v?[\d.]+$")
"""Finds the end of a sentence, which no name of a page has, and a version."""
_CAPITAL = re.compile(r"(?<![\w.-])[^\W\d_a-z][a-zäöüßéèà]*(?![\w(.-])")


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


def plainly_cased(text: str, words: Counter[str], language: Language) -> str:
    """Return a heading without the capitals that only its place gives it.

    A word loses its capital if the document writes it without one, or nowhere with one; in
    languages whose nouns have capitals, only the first word does, if the document writes it so.

    Args:
        text: The heading.
        words: How often each word stands inside sentences of the document, as it is written.
        language: The language of both.
    """

    def whispered(match: re.Match[str]) -> str:
        word, plain, name = match[0], match[0].lower(), match[0].capitalize()
        return max((plain, name, word), key=lambda form: words[form])

    def lower(match: re.Match[str]) -> str:
        word = match[0]
        if not language.small:
            plain = words[word.lower()] > words[word]
            return word.lower() if plain and not match.start() else word
        common = word.lower() in language.common or words[word.lower()] >= words[word]
        return word.lower() if common and (len(word) > 1 or word == "A") else word

    if text.isupper() and " " in text and language.script == "latin":
        return re.sub(r"(?<![\w-])[^\W\d_]+(?![\w-])", whispered, text)
    return _CAPITAL.sub(lower, text)
