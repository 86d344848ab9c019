"""Ranking measures that ask only whether an item is relevant: how many, and how early?

All follow trec_eval and ir_measures (`Success`, `RR`, `P`, `R`, `Rprec`, `AP`,
https://ir-measur.es/en/latest/measures.html). All lie in [0, 1], higher is better; those with a
`gold` argument are None when it holds nothing relevant, and 0 when nothing was retrieved.

Average precision has two divisors for two questions. `average_precision_of_verdicts` divides by the
relevant items *retrieved*: were the useful ones ranked first? `average_precision_at_k` divides by
the relevant items that *exist*: were they found, and ranked first?
"""

from collections.abc import Sequence

from llamaindex_rag_eval.formulas.gains import relevant_count, top


def hit_rate_at_k(
    relevance: Sequence[float], gold: Sequence[float], *, k: int | None = None
) -> float | None:
    """Return 1 if one of the first `k` items is relevant, else 0.

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.

    Returns:
        0 or 1, higher is better; None if the gold holds nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> hit_rate_at_k([0, 0, 1], [1, 1], k=2), hit_rate_at_k([0, 0, 1], [1, 1], k=3)
        (0.0, 1.0)
    """
    if not relevant_count(gold):
        return None
    return float(relevant_count(top(relevance, k)) > 0)


def reciprocal_rank_at_k(
    relevance: Sequence[float], gold: Sequence[float], *, k: int | None = None
) -> float | None:
    """Return 1 / rank of the first relevant item within the first `k`, 0 if there is none.

    Its mean over questions is MRR (Voorhees 1999, "The TREC-8 Question Answering Track Report").

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.

    Returns:
        A number in [0, 1], higher is better; None if the gold holds nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> reciprocal_rank_at_k([0, 1, 1], [1, 1])
        0.5
    """
    if not relevant_count(gold):
        return None
    ranks = (rank for rank, gain in enumerate(top(relevance, k), start=1) if gain > 0)
    first = next(ranks, None)
    return 0.0 if first is None else 1 / first


def precision_at_k(
    relevance: Sequence[float], gold: Sequence[float], *, k: int | None = None
) -> float | None:
    """Return the share of the first `k` ranks that hold a relevant item.

    Ranks that were not filled count as not relevant, as in trec_eval: two relevant items of two
    retrieved are 2/5 at k = 5. Without `k`, the share of what was retrieved.

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.

    Returns:
        A share in [0, 1], higher is better; None if the gold holds nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> precision_at_k([1, 0], [1, 1], k=4), precision_at_k([1, 0], [1, 1])
        (0.25, 0.5)
    """
    if not relevant_count(gold):
        return None
    ranks = len(relevance) if k is None else k
    hits = relevant_count(top(relevance, k))
    return hits / ranks if ranks else 0.0


def recall_at_k(
    relevance: Sequence[float], gold: Sequence[float], *, k: int | None = None
) -> float | None:
    """Return the share of the relevant gold items found within the first `k`.

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.

    Returns:
        A share in [0, 1], higher is better; None if the gold holds nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> recall_at_k([1, 0, 1], [1, 1, 2, 1], k=2)
        0.25
    """
    total = relevant_count(gold)
    if not total:
        return None
    return relevant_count(top(relevance, k)) / total


def average_precision_of_verdicts(verdicts: Sequence[bool]) -> float | None:
    """Return sum_j(precision@j · v_j) / sum_j(v_j), with v_j the verdict on the item at rank j.

    Source: the context precision of Es et al. (2023), "RAGAS",
    https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/.
    Precision is summed at relevant ranks only, so that the value never leaves [0, 1].

    Args:
        verdicts: Whether each retrieved item was useful, in rank order.

    Returns:
        A number in [0, 1], higher is better; 0 if no item was useful; None without verdicts.

    Example:
        >>> average_precision_of_verdicts([False, True])
        0.5
        >>> average_precision_of_verdicts([False, False])
        0.0
    """
    if not verdicts:
        return None
    useful = sum(verdicts)
    return precision_mass([float(verdict) for verdict in verdicts]) / useful if useful else 0.0


def average_precision_at_k(
    relevance: Sequence[float], gold: Sequence[float], *, k: int | None = None
) -> float | None:
    """Return the precisions at the relevant ranks up to `k`, summed, over all relevant gold items.

    Its mean over questions is MAP; equal to `map` and `map_cut` of trec_eval (Buckley and
    Voorhees 2005, "Retrieval System Evaluation"). The divisor is not cut at `k`: with more than
    `k` relevant gold items the value stays below 1.

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.

    Returns:
        A number in [0, 1], higher is better; 0 if nothing was retrieved; None if the gold holds
        nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> average_precision_at_k([1, 0, 0, 1], [1, 1])  # (1/1 + 2/4) / 2
        0.75
    """
    total = relevant_count(gold)
    if not total:
        return None
    return precision_mass(top(relevance, k)) / total


def precision_mass(relevance: Sequence[float]) -> float:
    """Return the sum of precision@rank over the ranks that hold a relevant item.

    Example:
        >>> precision_mass([0, 1, 0, 1])  # 1/2 + 2/4
        1.0
    """
    ranks = [rank for rank, gain in enumerate(relevance, start=1) if gain > 0]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1))
