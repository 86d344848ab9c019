"""Round trip: is the answer that the documents give to the question the reference, and whole?"""

import re
from functools import cache

from testset.checks.draft import Draft, passed, rejected, tagged
from testset.checks.examined import Examiner
from testset.corpus.bm25 import EXACT_TO
from testset.corpus.index import CorpusIndex, keys_of
from testset.golden.item import Check
from testset.rules.language import languages

LEAST_SHARE = 0.6
"""Share of the question's words, weighted by rarity, that evidence about the question holds."""
WHOLE = 0.9
"""Share of the evidence from which an answer is all of it, so that it holds no other answer."""
_PAGE = re.compile(r"^[^?？:：]{2,120}[:：]\s?(?=\S)")
"""The page that a question by rule begins with."""


def by_rule(draft: Draft, index: CorpusIndex) -> Check:
    """Reject an item whose evidence is about something else than its question."""
    if not draft.gold:
        return passed("nothing to answer from")
    evidence = "\n".join(index.in_setting(group[0]) for group in draft.gold)
    share = word_share(_PAGE.sub("", draft.question), evidence, index)
    whole = len(draft.reference) >= WHOLE * len(draft.gold_text)
    if share < LEAST_SHARE and draft.type == "single_hop" and not whole:
        return rejected("the evidence is about something else", score=share)
    return passed(score=share)


async def by_model(draft: Draft, examiner: Examiner) -> Check:
    """Reject an item that an examiner cannot answer from its passages.

    Tagged is what the answer leaves out, and what it tells besides. Questions without evidence, and
    those that must be asked back, pass unasked.
    """
    if not draft.gold or draft.expected_behaviour == "clarify":
        return passed("not asked")
    opinion = await examiner.opinion(draft)
    if not opinion.own:
        others = [repr(entry.quote[:160]) for entry in opinion.findings if entry.kind == "other"]
        says = f"the documents disagree: {'; '.join(others)}" if others else ""
        return rejected(says or "the evidence does not answer it", score=0.0)
    amiss = [
        f"the answer {does}: {what}"
        for does, what in (
            ("leaves out", opinion.faults_of("left_out")),
            ("tells what is not asked", opinion.faults_of("beside")),
        )
        if what
    ]
    if amiss:
        return tagged("; ".join(amiss), score=0.5)
    return passed(f"read {opinion.own[:160]!r}", score=1.0)


def word_share(question: str, text: str, index: CorpusIndex) -> float:
    """Return the share of the question's words, weighted by rarity, that a text holds.

    Args:
        question: The question.
        text: The text.
        index: Says how rare a word is.

    Returns:
        A share in [0, 1]; 0 for a question without words. Words that no document holds, and
        words that only ask, do not count.
    """
    held = set(keys_of(text))
    words = (key for key in keys_of(question) if key not in _asking() and index.bm25.known(key))
    weights = {key: index.bm25.idf(key) for key in words}
    whole = sum(weights.values()) or 1.0
    return round(sum(weights[key] for key in weights if key in held) / whole, EXACT_TO)


@cache
def _asking() -> frozenset[str]:
    """Return the words that ask, and say nothing of the subject: those of the rules' templates."""
    texts: list[str] = []
    for language in languages().values():
        texts += language.ask.values()
    return frozenset(keys_of(re.sub(r"\{[^}]*\}", " ", " ".join(texts))))
