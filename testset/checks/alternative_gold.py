"""Alternative gold: do other passages answer the question too, or answer it differently?

Passages that answer it as well become alternatives of each gold span, and what proves a part of
it as well becomes an alternative of that part. A question is rejected
if another passage answers it differently, or if more than five answer it. What a search finds and
does not answer it is kept as a hard negative; of evidence of several parts none is, since a passage
that does not answer alone may still hold a part.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from testset.checks.answers import holds, values_like
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft, passed, rejected, tagged
from testset.checks.examined import Examiner
from testset.checks.hard_negatives import hard_negatives
from testset.checks.round_trip import word_share
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check, GoldSpan
from testset.golden.spans import cut_span, spans_of

NEIGHBOURS = 10
"""Passages beside the gold spans that are looked at."""
MAX_ANSWERING = 5
"""Other passages that may answer a question; with more, it is too general."""
SAME_SHARE = 0.9
"""A sentence answers as well if it holds this share of the question's words that the gold holds."""
LEAST_SHARE = 0.75
"""Share of the question's words, weighted by rarity, that such a sentence holds at least."""


def by_rule(draft: Draft, index: CorpusIndex) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the sentences elsewhere that answer it.

    A sentence with most words of the question answers it: as the reference does if it holds the
    reference, and differently if it holds another value of its kind. A passage that has no such
    sentence and does not hold the reference is a hard negative.

    Args:
        draft: The question; what the deployed retriever finds for it is looked at, too.
        index: The passages.
    """
    if not draft.gold or draft.type == "table":
        return passed("not asked"), draft
    own_share = word_share(draft.question, draft.gold_text, index)
    needed = max(LEAST_SHARE, SAME_SHARE * own_share)
    answering: list[GoldSpan] = []
    silent: list[int] = []
    for number in _others(draft, index):
        passage = index.passages[number]
        near = [s for s in passage.sentences if word_share(draft.question, s.text, index) >= needed]
        for sentence in near:
            if holds(sentence.text, draft.reference):
                answering.append(cut_span(passage.document, sentence.start, sentence.end))
            elif values_like(sentence.text, draft.kind, draft.reference):
                return rejected(f"{_doc_id(number, index)!r} says {sentence.text[:160]!r}"), draft
        if not near and not holds(passage.text, draft.reference):
            silent.append(number)
    if len(answering) > MAX_ANSWERING:
        return rejected(f"{len(answering)} other passages answer it"), draft
    negatives = hard_negatives(draft, silent, index) if len(draft.gold) == 1 else ()
    widened = replace(_widened(draft, answering), hard_negatives=negatives)
    return passed(f"{len(answering)} other passages answer it"), widened


async def by_model(draft: Draft, index: CorpusIndex, examiner: Examiner) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the quotes elsewhere that answer it alone.

    An examiner reads what bears on the question.

    Args:
        draft: The question.
        index: The passages.
        examiner: Who reads.
    """
    if not draft.gold or draft.type in ("conflict", "underspecified", "table"):
        return passed("not asked"), draft
    own = index.passages_at(*draft.spans)
    read = {n: entry for n, entry in (await examiner.findings(draft)).items() if n not in own}
    by_kind: dict[str, list[int]] = defaultdict(list)
    for number, entry in read.items():
        by_kind[entry.kind if entry else "no"].append(number)
    quotes = {number: entry.quote for number, entry in read.items() if entry}
    says = {n: f"{_doc_id(n, index)!r} says {quote[:160]!r}" for n, quote in quotes.items()}
    for number in by_kind["other"]:
        return rejected(f"conflict: {says[number]}"), draft
    same = (spans_of(quotes[n], [index.passages[n]]) for n in by_kind["same"])
    answering = [*chain.from_iterable(same)]
    if len(answering) > MAX_ANSWERING:
        return rejected(f"too generic: {len(answering)} other passages answer it"), draft
    check = passed(f"{len(answering)} other passages answer it")
    others = await examiner.proving(draft)
    gold = _needed([_with_others((*g, *answering), others.get(g[0], ())) for g in draft.gold])
    widened = replace(draft, gold=gold)
    if draft.type == "multi_hop" and len(gold) == 1:
        return tagged("one place settles it"), replace(widened, type="single_hop", kind="")
    if len(draft.gold) > 1:
        return check, widened
    silent = (number for number in _others(draft, index) if number in by_kind["no"])
    return check, replace(widened, hard_negatives=hard_negatives(draft, silent, index))


def _others(draft: Draft, index: CorpusIndex) -> list[int]:
    """Return the passages that searches find for the question, the deployed one's first.

    Those of its gold spans are left out.
    """
    own = index.passages_at(*draft.spans)
    searched = index.search(search_text(draft, index), k=NEIGHBOURS + len(own))
    return [number for number in dict.fromkeys([*draft.retrieved, *searched]) if number not in own]


def _widened(draft: Draft, spans: list[GoldSpan]) -> Draft:
    """Return the draft with more alternatives of each of its gold spans."""
    return replace(draft, gold=tuple((*group, *spans) for group in draft.gold))


def _with_others(group: Sequence[GoldSpan], spans: Sequence[GoldSpan]) -> tuple[GoldSpan, ...]:
    """Return a group with more alternatives, but for those that overlap what it has."""
    wider = [*group]
    for span in spans:
        if not any(other.overlaps(span) for other in wider):
            wider.append(span)
    return tuple(wider)


def _needed(gold: Sequence[Sequence[GoldSpan]]) -> tuple[tuple[GoldSpan, ...], ...]:
    """Return the groups without those that whatever proves another group proves, too."""
    groups = [tuple(group) for group in gold]
    for group in groups[::-1]:
        others = [other for other in groups if other is not group]
        if any(all(any(map(span.overlaps, group)) for span in other) for other in others):
            groups = others
    return tuple(groups)


def _doc_id(number: int, index: CorpusIndex) -> str:
    return index.passages[number].document.doc_id
