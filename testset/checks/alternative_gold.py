"""Alternative gold: do other passages answer the question too, or answer it differently?"""

import re
import unicodedata

from testset.checks.answers import values_of
from testset.checks.draft import Draft, passed, rejected
from testset.checks.round_trip import coverage
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Sentence
from testset.golden.item import Check, GoldSpan

__all__ = ["alternative_gold"]

NEIGHBOURS = 10
MOST = 5
"""With more passages than this that answer it, a question is too generic."""
AS_GOOD = 0.9
"""A sentence answers as well if it holds this share of what the gold holds of the question."""
PLAIN = 0.75


def alternative_gold(draft: Draft, index: CorpusIndex) -> tuple[Check, tuple[GoldSpan, ...]]:
    """Return the verdict, and the spans elsewhere that answer the question as well.

    Rejected are questions that more than five other passages answer, and those that another
    passage answers with another value.
    """
    if not draft.gold or draft.type == "table":
        return passed("not asked"), ()
    own = {number for group in draft.gold for entry in group for number in index.passages_at(entry)}
    needed = max(PLAIN, AS_GOOD * coverage(draft.question, draft.gold_text, index))
    found: list[GoldSpan] = []
    for number in index.search(draft.question, k=NEIGHBOURS + len(own)):
        if number in own:
            continue
        passage = index.passages[number]
        for sentence in passage.sentences:
            if coverage(draft.question, sentence.text, index) < needed:
                continue
            if _flat(draft.reference) in _flat(sentence.text):
                document = passage.document
                place = (sentence.start, sentence.end)
                found.append(GoldSpan.cut(document.doc_id, document.hash, document.text, *place))
            elif _conflicts(draft, sentence):
                return rejected(f"{passage.document.doc_id!r} says {sentence.text[:160]!r}"), ()
    if len(found) > MOST:
        return rejected(f"{len(found)} other passages answer it"), ()
    return passed(f"{len(found)} other passages answer it"), tuple(found)


def _conflicts(draft: Draft, sentence: Sentence) -> bool:
    return bool(values_of(sentence.text, draft.kind, like=draft.reference))


def _flat(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
