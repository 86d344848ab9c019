"""Variants: one question in the several ways in which people would ask it."""

from collections.abc import Iterator
from dataclasses import replace

from testset.corpus.passages import Passage
from testset.rewording import english, german
from testset.rewording.names import CalledBy
from testset.rules.passage_candidate import Candidate

__all__ = ["SUFFIX", "reworded"]

SUFFIX = ".reworded"
"""Ends the name of the rule of a question that was put in other words."""
_LANGUAGES = {
    "en": (english.in_other_words, english.shorter, english.without_tail),
    "de": (german.in_other_words, german.shorter, german.without_tail),
}
_VERBATIM = ("faq", "glossary")
"""Rules whose questions a person wrote, or which ask for a term."""
_EXACT = ("numeric", "definition", "list")
"""Kinds whose answer may be another without a circumstance."""
LEAST_WORDS = 4
"""Words that a question must keep when a name in it is cut."""


def reworded(candidate: Candidate, passage: Passage, called: CalledBy) -> Iterator[Candidate]:
    """Yield the candidate in other words, shorter, and both; nothing where that changes nothing.

    Names lose at most what the document itself leaves out; quotations are left alone.
    """
    plainly_english = passage.language == "other" and passage.text.isascii()
    language = "en" if plainly_english else passage.language
    known = _LANGUAGES.get(language)
    if known is None or candidate.rule.startswith(_VERBATIM) or candidate.type == "unanswerable":
        return
    in_other_words, shorter, without_tail = known
    plain, doc_id = candidate.question, passage.document.doc_id
    other = in_other_words(shorter(plain))
    cut = plain if candidate.kind in _EXACT else without_tail(plain)
    passive = english.without_doer(plain) if language == "en" else plain
    wordings = (
        in_other_words(shorter(passive)),
        called.shortened(in_other_words(shorter(cut)), doc_id),
        called.shortened(other, doc_id),
        other,
        called.shortened(plain, doc_id),
    )
    for question in dict.fromkeys(wordings):
        if question != plain and len(question.split()) >= LEAST_WORDS:
            yield replace(candidate, question=question, rule=candidate.rule + SUFFIX)
