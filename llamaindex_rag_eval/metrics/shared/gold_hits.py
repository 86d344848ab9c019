"""Gold hits: which of the retrieved contexts hold the gold evidence of a sample?

By the place of a context in its document and by its text: a context is held against a gold span
where it stands if its text is what the gold quotes there, and else where its text has the quote.
Pipelines often index another text than the one that the gold counts in (the source of a page, a
cleaned file), or under another name; their places would miss what they found. Without gold spans,
by the ids of the contexts.

A context that was retrieved again (the same id, or the same text at the same place) is dropped, and
what follows it moves up: rank k is the k-th distinct context, for every metric.
"""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.gains import (
    Gain,
    dcg,
    distinct,
    gains_by_id,
    ndcg_at_k,
    relevant_count,
    top,
)
from llamaindex_rag_eval.formulas.spans import Span as Place, SpanHits, ranks_that_hit

_WHOLE, _PIECE = 16, 32
"""Letters and digits of a quote that tell its passage, if a text has all of them, or a piece: in
seven folders of manuals, handbooks and laws, one of some 300 passages has 16 of another by chance
in 29 % of cases; half of 24 are found in 4 % of all passages, half of 64 in 0.4 %."""
_WORDS = re.compile(r"<[^<>]*>|[\u2e80-\u9fff\uac00-\ud7a3]|[^\W_\u2e80-\u9fff\uac00-\ud7a3]+")
"""Tags of HTML, and words."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The gains of retrieved and gold items, as ranking measures take them.

    Attributes:
        relevance: The gain of each retrieved item, in rank order; a repetition gains nothing.
        useful: 1 for each retrieved item with gold evidence, also one found before, else 0.
        gold: The gain of each item that should be retrieved; empty without gold.
        needed: How many gold groups or gold ids there are.
        by: How contexts were compared with the gold: by `span` or by `id`.
        unknown: Whether there are neither places to compare nor quotes to look for.
        spans: Which gold groups each context hits, where they were compared by span.
    """

    relevance: tuple[float, ...]
    useful: tuple[float, ...]
    gold: tuple[float, ...]
    needed: int
    by: str
    unknown: bool = False
    spans: SpanHits | None = None

    def ndcg(self, *, k: int | None, gain: Gain) -> float | None:
        """Return the DCG of the first `k` contexts over the highest that they could have."""
        if self.spans is None:
            return ndcg_at_k(self.relevance, self.gold, k=k, gain=gain)
        ideal = self.spans.ideal_dcg(k=k, gain=gain)
        return dcg(top(self.relevance, k), gain=gain) / ideal if ideal else None


def gold_hits(sample: SingleTurnSample, *, share: float = 0.5) -> Hits:
    """Return the gain of each retrieved context of a sample.

    Args:
        sample: With `gold` and `contexts`, or `reference_context_ids` and `context_ids`.
        share: The share of a gold span's characters that a context must hold, in (0, 1].

    Raises:
        InputError: The share is out of range, or a gold span is empty.

    Example:
        >>> ids = {"context_ids": ("x", "a"), "reference_context_ids": ("a", "b")}
        >>> gold_hits(SingleTurnSample(**ids)).relevance
        (0.0, 1.0)
    """
    if sample.has("contexts") and (sample.gold or not sample.reference_context_ids):
        return _by_span(sample, share)
    grades = sample.reference_gains or [1.0] * len(sample.reference_context_ids)
    gold = dict(zip(sample.reference_context_ids, grades, strict=True))
    gains = gains_by_id(sample.context_ids, gold)
    worth = tuple(gold.values())
    return Hits(gains, gains, worth, relevant_count(worth), by="id")


def _by_span(sample: SingleTurnSample, share: float) -> Hits:
    """Return the hits by place and by quote."""
    if not 0 < share <= 1:
        raise InputError(f"coverage must be above 0 and at most 1, got {share!r}")
    known = (*sample.context_spans, *([None] * len(sample.contexts)))
    items = distinct(list(zip(sample.texts, known, strict=False)))
    ranks = [[_ranks(items, span, share) for span in group] for group in sample.gold]
    hits = SpanHits.of(ranks, len(items))
    quoted = any(span.quote.strip() for group in sample.gold for span in group)
    blind = bool(items) and not quoted and not any(span for _, span in items)
    return Hits(hits.relevance, hits.useful, hits.gold, hits.groups, "span", blind, hits)


def _ranks(items: Sequence[tuple[str, Span | None]], gold: Span, share: float) -> list[int]:
    """Return the ranks of the contexts that hold a gold span, alone or as its last part."""
    spans = [
        _located(text, span, gold) or ("\0", rank, rank) for rank, (text, span) in enumerate(items)
    ]
    wanted = (gold.doc_id, gold.start, gold.end)
    known = distinct(spans)
    hit = {known[rank] for rank in ranks_that_hit(wanted, known, share)}
    return [rank for rank, span in enumerate(spans) if span in hit]


def _located(text: str, span: Span | None, gold: Span) -> Place | None:
    """Return where a context stands in the document of a gold span; `None` if not in it."""
    same = span is not None and _is_named(span.doc_id, gold.doc_id)
    if span is not None and same:
        low, high = max(span.start, gold.start), min(span.end, gold.end)
        stated = text[low - span.start : high - span.start]
        changed = len(text) != span.end - span.start  # no part of the document: a window, a summary
        quote = gold.quote[low - gold.start : high - gold.start]
        if low < high and (changed or not quote.strip() or _words(stated) == _words(quote)):
            return (gold.doc_id, span.start, span.end)
    if not gold.quote.strip() or (span is not None and _letters(_words(gold.quote)) < _WHOLE):
        return None
    part = quoted_part(text, gold.quote)
    size = (gold.end - gold.start) * (part[1] - part[0])
    start = gold.start + round((gold.end - gold.start) * part[0])
    return (gold.doc_id, start, start + round(size)) if size else None


def _is_named(name: str, gold: str) -> bool:
    """Return whether a pipeline's name of a document is the gold's, or a path that ends in it."""
    name = name.replace("\\", "/")
    return name == gold or name.endswith(f"/{gold}")


def quoted_part(text: str, quote: str) -> tuple[float, float]:
    """Return which part of a quote a text holds in one piece, from 0, its start, to 1, its end.

    Letters and digits are compared, without the tags of HTML: a pipeline may index the source of
    a page, and break lines elsewhere.

    Args:
        text: Where to look.
        quote: What to look for.

    Returns:
        The longest piece of at least 32 letters and digits, or the whole; else `(0.0, 0.0)`.

    Example:
        >>> quoted_part("… the <b>Nile</b> is 6,650 km long …", "The Nile is 6,650 km long.")
        (0.0, 1.0)
        >>> quoted_part("The Nile.", "The Nile is 6,650 km long.")
        (0.0, 0.0)
    """
    wanted, words = _words(quote), _words(text)
    size, least = _letters(wanted), min(_letters(wanted), _PIECE)
    best = SequenceMatcher(None, words, wanted, autojunk=False).find_longest_match()
    held = _letters(wanted[best.b : best.b + best.size])
    if not held or held < least:
        return (0.0, 0.0)
    before = _letters(wanted[: best.b])
    return (before / size, (before + held) / size)


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text; each character is one where there are no blanks between words."""
    shown = html.unescape(text) if "&" in text else text
    shown = shown if shown.isascii() else unicodedata.normalize("NFKC", shown)
    return tuple(word for word in _WORDS.findall(shown.casefold()) if word[0] != "<")


def _letters(words: Sequence[str]) -> int:
    return sum(map(len, words))
