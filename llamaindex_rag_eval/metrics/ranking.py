"""Ranking metrics: did the retriever find the gold evidence, and how early?

By gold span, whatever the size of the chunks: a context hits a span of its document when it
holds at least half of the span's characters. Or by id, where the sample has ids of what should
be retrieved, which may have gains (`reference_gains`). No judge is asked.

A context that was retrieved again is dropped, and what follows it moves up: rank k is the k-th
distinct context.

Source: trec_eval and ir_measures, https://ir-measur.es/en/latest/measures.html; Buckley and
Voorhees (2005), "Retrieval System Evaluation".
"""

from llamaindex_rag_eval.formulas.gains import Gain
from llamaindex_rag_eval.formulas.ranking import (
    average_precision_at_k,
    hit_rate_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank_at_k,
)
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.gold_hits import Hits, gold_hits

FIRST_K = setting(
    default=None,
    valid=lambda k: k >= 1,
    expected="at least 1, or None for all that was retrieved",
)


class _Ranking(Metric):
    """A metric over the gains of the retrieved contexts, in rank order.

    Limitations: A passage that answers and is not gold evidence is a miss. By span, larger chunks
    hit more easily: compare retrievers that return about as much text.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        coverage: The share of a gold span's characters that a context must hold, in (0, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is out of range.
    """

    needs_one_of = (
        frozenset({"contexts", "gold"}),
        frozenset({"context_ids", "reference_context_ids"}),
    )
    undefined = "The question has no gold evidence."

    coverage: float = setting(
        default=0.5, valid=lambda share: 0 < share <= 1, expected="above 0 and at most 1"
    )

    async def measure(self, sample: SingleTurnSample) -> Score:
        hits = gold_hits(sample, share=self.coverage)
        evidence = {"by": hits.by, "gains": hits.relevance, "needed": hits.needed}
        if hits.unknown:
            note = "The contexts have no places in documents, and the gold evidence no quotes."
            return Score(None, evidence, note)
        return Score(self.value_of(hits), evidence)

    def value_of(self, hits: Hits) -> float | None:
        """Return the value, within the bounds of the metric; `None` without gold evidence."""
        return self.compute(hits.relevance, hits.gold)


class _RankingAtK(_Ranking):
    """A ranking metric that may look at the first `k` contexts only.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        k: How many contexts to look at; `None` looks at all that were retrieved.
        coverage: The share of a gold span's characters that a context must hold, in (0, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is out of range.
    """

    k: int | None = FIRST_K


class HitRate(_RankingAtK):
    """Hit rate: is there any gold evidence among the first k contexts?

        hit_rate@k = 1 if one of the first k contexts holds gold evidence, else 0

    0 or 1, higher is better; 0 if nothing was retrieved, undefined without gold.

    Limitations: One hit is enough, at any rank up to k: a question that needs two documents scores
    1 with one.
    """

    name = "hit_rate"
    formula = hit_rate_at_k


class Mrr(_RankingAtK):
    """Reciprocal rank: how early is the first context with gold evidence?

        mrr@k = 1 / rank of the first context with gold evidence, 0 if not among the first k

    In [0, 1], higher is better; its mean over questions is the MRR. 0 if nothing was retrieved,
    undefined without gold.

    Limitations: Only the first hit counts: what else a question needs may be missing. Its steps are
    uneven: from rank 1 to 2 it loses as much as from rank 2 to the end.
    """

    name = "mrr"
    formula = reciprocal_rank_at_k


class Map(_RankingAtK):
    """Average precision: was all gold evidence found, and ranked first?

        map@k = sum of precision@j over the ranks j up to k with new gold evidence / gold items

    In [0, 1], higher is better; its mean over questions is the MAP. 0 if nothing was retrieved,
    undefined without gold.

    Limitations: A piece of evidence far down the list adds hardly more than one that is missing.
    """

    name = "map"
    formula = average_precision_at_k


class Ndcg(_RankingAtK):
    """Discounted cumulative gain: how near to the best possible order is this one?

        ndcg@k = DCG of the first k contexts / DCG of the best k
        DCG = sum over ranks j of gain_j / log2(j + 1)

    By id, a gain is what `reference_gains` says, else 1. By span, it is the number of pieces of
    evidence that no context before it held, and the best order is one of the same contexts.

    In [0, 1], higher is better; 0 if nothing was retrieved, undefined without gold.

    Limitations: By id a longer list can only gain, so set `k` to what the generator reads. By span
    the best order is made of the retrieved contexts, so that each list has an ideal of its own.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        k: How many contexts to look at; `None` looks at all that were retrieved.
        gain: `linear`, or `exponential` for 2**gain - 1.
        coverage: The share of a gold span's characters that a context must hold, in (0, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is out of range.
    """

    name = "ndcg"

    k: int | None = FIRST_K
    gain: Gain = "linear"

    def value_of(self, hits: Hits) -> float | None:
        return hits.ndcg(k=self.k, gain=self.gain)


class Precision(_RankingAtK):
    """Precision: how many of the first k contexts hold gold evidence?

        precision@k = contexts with gold evidence among the first k / k

    In [0, 1], higher is better; a second context with the same evidence counts. 0 if nothing was
    retrieved, undefined without gold.

    Limitations: It divides by k: with one piece of gold evidence, precision@5 by id is at most 0.2.
    """

    name = "precision"

    def value_of(self, hits: Hits) -> float | None:
        return precision_at_k(hits.useful, hits.gold, k=self.k)


class Recall(_RankingAtK):
    """Recall: how much of the gold evidence is among the first k contexts?

        recall@k = pieces of gold evidence in the first k contexts / pieces of gold evidence

    In [0, 1], higher is better; 0 if nothing was retrieved, undefined without gold.

    Limitations: Rank does not count, nor what else was retrieved: without `k`, a longer list can
    only gain.
    """

    name = "recall"

    def value_of(self, hits: Hits) -> float | None:
        if hits.spans is not None:
            return hits.spans.recall_at_k(k=self.k)
        return recall_at_k(hits.relevance, hits.gold, k=self.k)


class RPrecision(_Ranking):
    """R-precision: how many of the first R contexts hold gold evidence, R the number there is?

        r_precision = contexts with gold evidence among the first R / R

    In [0, 1], higher is better; 0 if nothing was retrieved, undefined without gold.

    Limitations: With one piece of evidence it looks at the first context alone: rank 2 scores 0.
    """

    name = "r_precision"

    def value_of(self, hits: Hits) -> float | None:
        return precision_at_k(hits.useful, hits.gold, k=hits.needed or None)
