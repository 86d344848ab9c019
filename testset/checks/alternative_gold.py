"""Alternative gold: do other passages answer the question too, or answer it differently?

Passages that answer it as well become alternatives of the first gold span. A question is rejected
if another passage answers it differently, or if more than five answer it. What a search finds and
does not answer it is kept as a hard negative; of evidence of several parts none is, since a passage
that does not answer alone may still hold a part.
"""

from dataclasses import replace

from testset.checks.answers import holds, values_of
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft, passed, rejected
from testset.checks.hard_negatives import hard_negatives
from testset.checks.reading import AT_ONCE, read_passages
from testset.checks.round_trip import word_share
from testset.corpus.deployed import Found
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage, Sentence
from testset.golden.item import Check, GoldSpan
from testset.golden.spans import cut_span, span_in_passage
from testset.requests.alternatives import Alternative
from testset.requests.writer import Writer

__all__ = ["by_model", "by_rule"]

NEIGHBOURS = 10
"""Passages beside the gold spans that are looked at."""
MAX_ANSWERING = 5
"""Other passages that may answer a question; with more, it is too general."""
SAME_SHARE = 0.9
"""A sentence answers as well if it holds this share of the question's words that the gold holds."""
LEAST_SHARE = 0.75
"""Share of the question's words, weighted by rarity, that such a sentence holds at least."""
LEAST_SHARE_FOR_MODEL = 0.3
"""The same of a passage that a model is asked about."""


def by_rule(draft: Draft, index: CorpusIndex, *, found: Found | None = None) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the sentences elsewhere that answer it.

    A sentence with most words of the question answers it: as the reference does if it holds the
    reference, and differently if it holds another value of its kind. A passage that has no such
    sentence and does not hold the reference is a hard negative.

    Args:
        draft: The question.
        index: The passages.
        found: What the deployed retriever finds for it; its passages are looked at, too.
    """
    if not draft.gold or draft.type == "table":
        return passed("not asked"), draft
    own_share = word_share(draft.question, draft.gold_text, index)
    needed = max(LEAST_SHARE, SAME_SHARE * own_share)
    answering: list[GoldSpan] = []
    silent: list[int] = []
    for number in _others(draft, index, found):
        passage = index.passages[number]
        near = [s for s in passage.sentences if word_share(draft.question, s.text, index) >= needed]
        for sentence in near:
            if holds(sentence.text, draft.reference):
                answering.append(cut_span(passage.document, sentence.start, sentence.end))
            elif _conflicts(draft, sentence):
                doc_id = passage.document.doc_id
                return rejected(f"{doc_id!r} says {sentence.text[:160]!r}"), draft
        if not near and not holds(passage.text, draft.reference):
            silent.append(number)
    if len(answering) > MAX_ANSWERING:
        return rejected(f"{len(answering)} other passages answer it"), draft
    negatives = hard_negatives(silent, index, found) if len(draft.gold) == 1 else ()
    widened = replace(_widened(draft, answering), hard_negatives=negatives)
    return passed(f"{len(answering)} other passages answer it"), widened


async def by_model(
    draft: Draft, index: CorpusIndex, writer: Writer, *, found: Found | None = None
) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the quotes elsewhere that answer it alone.

    A model is shown the passages before and after the evidence, those that the deployed retriever
    finds, and of those that other searches find the best that hold enough words of the question.
    Evidence of several parts is not widened: none answers alone.

    Args:
        draft: The question.
        index: The passages.
        writer: Who reads.
        found: What the deployed retriever finds for it.
    """
    if not draft.gold or draft.type in ("conflict", "underspecified", "table"):
        return passed("not asked"), draft
    answering: list[GoldSpan] = []
    searched = _searched(draft, index, found)
    numbers = list(dict.fromkeys([*_neighbours(draft, index), *searched]))[:AT_ONCE]
    read = await read_passages(draft, numbers, index, writer, until=frozenset({"other"}))
    for passage, verdict in read:
        if verdict.verdict == "other":
            doc_id, quote = passage.document.doc_id, verdict.quote[:160]
            return rejected(f"conflict: {doc_id!r} says {quote!r}"), draft
        if verdict.verdict == "same":
            answering += _quoted_spans(verdict, passage)
    if len(answering) > MAX_ANSWERING:
        return rejected(f"too generic: {len(answering)} other passages answer it"), draft
    check = passed(f"{len(answering)} other passages answer it")
    if len(draft.gold) > 1:
        return check, draft
    silent = {n for n, (_, said) in zip(numbers, read, strict=True) if said.verdict == "no"}
    negatives = hard_negatives((n for n in searched if n in silent), index, found)
    return check, replace(_widened(draft, answering), hard_negatives=negatives)


def _neighbours(draft: Draft, index: CorpusIndex) -> list[int]:
    """Return the passages before and after the evidence."""
    own = _own(draft, index)
    near = {number + step for number in own for step in (-1, 1)} - own
    documents = {span.doc_id for group in draft.gold for span in group}
    inside = {number for doc_id in documents for number in index.by_document.get(doc_id, ())}
    return sorted(near & inside)


def _searched(draft: Draft, index: CorpusIndex, found: Found | None) -> list[int]:
    """Return what searches find: all of the deployed one, of others what has enough words."""
    deployed = frozenset() if found is None else frozenset(found.passages)
    return [
        number
        for number in _others(draft, index, found)
        if number in deployed
        or word_share(search_text(draft, index), index.passages[number].text, index)
        >= LEAST_SHARE_FOR_MODEL
    ]


def _own(draft: Draft, index: CorpusIndex) -> set[int]:
    return {number for group in draft.gold for span in group for number in index.passages_at(span)}


def _others(draft: Draft, index: CorpusIndex, found: Found | None) -> list[int]:
    """Return the passages that searches find for the question, the deployed one's first.

    Those of its gold spans are left out.
    """
    own = _own(draft, index)
    deployed = () if found is None else found.passages
    searched = index.search(search_text(draft, index), k=NEIGHBOURS + len(own))
    return [number for number in dict.fromkeys([*deployed, *searched]) if number not in own]


def _conflicts(draft: Draft, sentence: Sentence) -> bool:
    return bool(values_of(sentence.text, draft.kind, like=draft.reference))


def _widened(draft: Draft, spans: list[GoldSpan]) -> Draft:
    """Return the draft with more alternatives of its first gold span."""
    return replace(draft, gold=((*draft.gold[0], *spans), *draft.gold[1:]))


def _quoted_spans(verdict: Alternative, passage: Passage) -> list[GoldSpan]:
    """Return the span of a quote in its passage; none if it does not stand there."""
    span = span_in_passage(verdict.quote, passage)
    return [] if span is None else [span]
