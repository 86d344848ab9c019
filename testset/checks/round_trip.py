"""Round trip: read from the evidence alone, is the answer the reference?

By rule: where the kind of answer has a form (a date, a number), the value of the evidence that
stands nearest to the question's words must be the reference's; of numbers, only those that count
the same thing are compared. Elsewhere, most of the question's words, or words that say the same,
must stand in the evidence.
"""

from testset.checks.answers import best_answer, values_of
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex, keys_of
from testset.golden.item import Check
from testset.rewording.tables import same_as

__all__ = ["round_trip"]

COVERED = 0.6
"""Share of the question's rare words that the evidence must hold to be about the question."""


WHOLE = 0.9
"""An answer that is the whole evidence leaves nothing else to read from it."""
_ASKING = frozenset(
    keys_of(
        "what which who whom whose when where why how many much long does did do year in is are "
        "was were the a an of to steps meant by mean called stand for full "
        "was welche welcher welches welchem wer wann wo warum wie viele jahr im "
        "wofür steht abkürzung heißt hieß "
        "読み方 略称 "
        "何年 何ですか いつですか とは何ですか のは何年ですか ましたか の は に が を た です "
        "是什么 哪一年 什么时候 多少 是谁 位于哪里 由什么组成 被称为什么 在哪一年 于哪一年"
    )
)
"""Words of questions, which say nothing of what is asked about."""


def round_trip(draft: Draft, index: CorpusIndex) -> Check:
    """Reject an item whose evidence, read with the question in hand, gives another answer."""
    if not draft.gold:
        return passed("nothing to answer from")
    covered = coverage(draft.question, draft.gold_text, index)
    whole = len(draft.reference) >= WHOLE * len(draft.gold_text)
    if covered < COVERED and draft.type == "single_hop" and not whole:
        return rejected("the evidence is about something else", score=covered)
    values = values_of(draft.gold_text, draft.kind, like=draft.reference)
    if len(values) < 2:
        return passed(score=covered)
    read = best_answer(draft.question, draft.gold_text, draft.kind, reference=draft.reference)
    if read in draft.reference or draft.reference in read:
        return passed(f"read {read!r}", score=covered)
    return rejected(f"read {read!r} from the evidence", score=covered)


def coverage(question: str, text: str, index: CorpusIndex, *, literal: bool = False) -> float:
    """Return the share of the question's words, weighted by rarity, that a text holds.

    Args:
        question: The question.
        text: The text.
        index: Tells how rare a word is.
        literal: Whether only the word itself counts, and not one that the tables of rewording
            put for it.

    Returns:
        A share in [0, 1]; 0 for a question without words. Words that no document holds (those
        that ask) do not count.
    """
    held = set(keys_of(text))
    asked = [key for key in keys_of(question) if key not in _ASKING]
    weights = {key: index.bm25.idf(key) for key in asked if index.bm25.known(key)}
    whole = sum(weights.values())
    found = [
        key for key in weights if key in held or not (literal or same_as(key).isdisjoint(held))
    ]
    return sum(weights[key] for key in found) / whole if whole else 0.0
