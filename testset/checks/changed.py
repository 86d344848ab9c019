"""Changed: does a text that was edited still say what it said, as far as the item asks for it?

An answer may stand in its evidence word for word although the evidence now denies it: "a function"
stands in "is not a function". So the sentences around the gold spans are compared with what they
were.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from llamaindex_rag_eval.judge.rules.conflicts import Kind, conflicts_between
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.tokens import normalise
from testset.checks.answers import letters_of
from testset.checks.draft import Draft, passed, rejected
from testset.golden.item import Check, GoldSpan
from testset.golden.spans import same_sentences, sentences_around, similarity

VALUES: frozenset[Kind] = frozenset({"number", "unit", "date", "name"})
"""Differences that matter only to an item whose question or answer holds the value."""
ALIKE = 0.6
"""Similarity, in [0, 1], from which a clause is another version of a clause."""
_CLAUSE = re.compile(r"[,;:，；：、]\s*|\s+(?:and|but|und|aber)\s+")


def by_rule(draft: Draft, before: Sequence[Sequence[GoldSpan]]) -> Check:
    """Reject an item whose evidence denies what it said, or says it of another value.

    Args:
        draft: The item, with its gold spans as they are now.
        before: The gold spans that these were, in the same order.
    """
    facts = (fact.text for fact in draft.reference_facts)
    own = letters_of(normalise(" ".join([draft.full_question, draft.reference, *facts])))
    for old, new in _sentence_pairs(before, draft.gold):
        for conflict in conflicts_between(old, new, question=draft.full_question):
            if conflict.kind not in VALUES or letters_of(conflict.claim) in own:
                return rejected(f"it said {old!r}, now {new!r}", score=0.0)
        if _denied(old, new):
            return rejected(f"it said {old!r}, now {new!r}", score=0.0)
    return passed(score=1.0)


def _sentence_pairs(
    before: Sequence[Sequence[GoldSpan]], now: Sequence[Sequence[GoldSpan]]
) -> Iterator[tuple[str, str]]:
    """Yield each sentence of the evidence that changed, as it was and as it is most like it."""
    for old_group, new_group in zip(before, now, strict=True):
        for old, new in zip(old_group, new_group, strict=True):
            if same_sentences(old, new):
                continue
            fresh = sentences_around(new)
            for sentence in sentences_around(old):
                if sentence not in fresh and fresh:
                    yield sentence, max(fresh, key=partial(similarity, sentence))


def _denied(old: str, new: str) -> bool:
    """Return whether a clause of a sentence has a negation more or less than it had."""
    fresh = [clause for clause in _CLAUSE.split(new) if clause]
    for clause in filter(None, _CLAUSE.split(old)):
        nearest = max(fresh, key=partial(similarity, clause), default="")
        alike = similarity(clause, nearest) >= ALIKE
        if alike and bool(count_negations(clause)) != bool(count_negations(nearest)):
            return True
    return False
