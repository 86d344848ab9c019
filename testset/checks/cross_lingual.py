"""Cross-lingual drafts: questions in another language than the documents that answer them.

What the two share is values and names, not words: a search for such a question goes by what it
asks in the language of the documents.
"""

from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex


def is_cross_lingual(draft: Draft, index: CorpusIndex) -> bool:
    """Return whether a question is in another language than any of its evidence."""
    return bool(draft.asks or languages_of(draft, index) - {draft.language})


def search_text(draft: Draft, index: CorpusIndex) -> str:
    """Return by what passages are searched for a question: its words in their language.

    Where what it asks is not known in their language, as of an item that is checked again, the
    evidence stands for it.
    """
    languages = languages_of(draft, index)
    abroad = bool(languages) and draft.language not in languages
    return draft.asks or (draft.gold_text if abroad else draft.full_question)


def languages_of(draft: Draft, index: CorpusIndex) -> set[str]:
    """Return the languages of the passages that hold the evidence."""
    numbers = index.passages_at(*(group[0] for group in draft.gold))
    return {index.passages[number].language for number in numbers}
