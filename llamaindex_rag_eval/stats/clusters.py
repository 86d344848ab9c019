"""Clusters: which values are not independent, and how many independent ones they amount to.

Questions on one document resemble each other: whether a document is parsed well, or found at all,
moves all of them together. Miller (2024), "Adding Error Bars to Evals",
https://arxiv.org/abs/2411.00640, section 2.2, finds errors three times too small without this.
"""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats

PRIOR_ICC = 0.3
"""How much questions on one document are taken to resemble each other where nothing says so.

Of .1, .2 and .3 the least with which 6 in 100 builds that are worse by a margin pass at most, at
true values of 0 to .6; `tests/benchmarks/decisions.py` prints it.
"""

PRIOR_PAIRS = 20
"""The weight of that belief, in pairs of questions that changed."""


def connected(keys: Sequence[Collection[Hashable]]) -> tuple[int, ...]:
    """Return the number of the cluster of each entry: entries that share a key are one cluster.

    So are those that share a key with a third: the connected components of entries and keys. An
    entry without keys is a cluster of its own.

    Example:
        >>> connected([{"a"}, {"b"}, {"a", "c"}, {"c"}, set()])
        (0, 1, 0, 0, 2)
    """
    # By hand, since scipy.sparse takes longer to import than any table to print.
    parents: dict[Hashable, Hashable] = {}

    def root(key: Hashable) -> Hashable:
        while parents.setdefault(key, key) != key:
            parents[key] = parents[parents[key]]
            key = parents[key]
        return key

    entries = [("entry", number) for number in range(len(keys))]
    for entry, own in zip(entries, keys, strict=True):
        for key in own:
            parents[root(("key", key))] = root(entry)
    order: dict[Hashable, int] = {}
    return tuple(order.setdefault(root(entry), len(order)) for entry in entries)


def cluster_sums(
    values: Floats, clusters: Sequence[Hashable] | None = None
) -> tuple[Floats, Floats]:
    """Return the sum and the count of each cluster, sorted, so that the order of values is lost.

    Args:
        values: Shape (n,).
        clusters: The cluster of each value; None makes each value a cluster of its own.

    Raises:
        InputError: There are not as many clusters as values.

    Example:
        >>> cluster_sums(np.array([4.0, 1.0, 2.0]), ["a", "b", "b"])
        (array([4., 3.]), array([1., 2.]))
    """
    if clusters is None:
        return np.sort(values), np.ones_like(values)
    if len(clusters) != len(values):
        raise InputError(f"{len(values)} values need as many clusters, got {len(clusters)}")
    order = np.argsort(values, kind="stable")  # sums of the same values have the same last digit
    numbers: dict[Hashable, int] = {}
    index = np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=int)
    sums = np.bincount(index[order], weights=values[order]).astype(np.float64)
    counts = np.bincount(index).astype(np.float64)
    order = np.lexsort((sums, counts))
    return sums[order], counts[order]


@dataclass(frozen=True, slots=True)
class Design:
    """What the sizes of clusters say, of one sample or of many at once.

    Attributes:
        n: How many values.
        shares: The share of each cluster, along the last axis.
        size: n² / Σ counts², as many clusters as count if values of a cluster are all alike;
            their number, where they are equally large.
        freedom: Degrees of freedom of the variance of a mean: the number of equally large
            clusters less one; fewer where they are unequal. Source: Bell and McCaffrey (2002),
            "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
            of a regression on a constant.
    """

    n: Floats
    shares: Floats
    size: Floats
    freedom: Floats

    @classmethod
    def of(cls, counts: Floats) -> "Design":
        """Return the design of clusters with these counts, along the last axis.

        Example:
            >>> design = Design.of(np.array([4.0, 4.0, 4.0]))
            >>> round(float(design.size), 9), round(float(design.freedom), 9)
            (3.0, 2.0)
        """
        n = counts.sum(axis=-1)
        shares = counts / n[..., None]
        squares = (shares**2).sum(axis=-1)
        # The trace of the squared matrix of Bell and McCaffrey, with a = p² / (1 - p):
        # Σ p² + (Σ a)² - Σ a².
        with np.errstate(divide="ignore", invalid="ignore"):
            odd = np.where(shares < 1, shares**2 / (1 - shares), 0.0)
        trace = squares + odd.sum(axis=-1) ** 2 - (odd**2).sum(axis=-1)
        freedom = np.where(shares.max(axis=-1) < 1, 1 / trace, 0.0)
        return cls(n, shares, np.asarray(1 / squares), freedom)

    def variance(self, sums: Floats, counts: Floats) -> Floats:
        """Return the variance of the mean, Σ r² / (1 - p) / n² with r = sum - count · mean.

        Unbiased where values are independent; source: Bell and McCaffrey (2002), "CR2".
        """
        mean = sums.sum(axis=-1) / self.n
        gaps = sums - counts * mean[..., None]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(self.shares < 1, gaps**2 / (1 - self.shares), 0.0)
        return np.asarray(parts.sum(axis=-1) / self.n**2)


@dataclass(frozen=True, slots=True)
class Resemblance:
    """How much paired differences of questions on one document resemble each other.

    Attributes:
        icc: The intra-class correlation, in [0, 1]: estimated, and shrunk toward `PRIOR_ICC`.
        weight: How far the estimate counts, in [0, 1); the prior counts for what is left of 1.
        size: As many independent questions would be as certain.
        freedom: Degrees of freedom of a score test with that size: its estimate is as uncertain as
            documents are few, as far as it matters. Source: Satterthwaite (1946), "An Approximate
            Distribution of Estimates of Variance Components".
    """

    icc: Floats
    weight: Floats
    size: Floats
    freedom: Floats

    @classmethod
    def of(
        cls, sums: Floats, counts: Floats, squares: Floats, n: Floats, changed: Floats
    ) -> "Resemblance":
        """Return the resemblance within documents, of one sample or of many at once.

        With residuals r of n questions, the products of pairs on one document have the sum
        B = Σ (sum of r)² - Σ r². Its expectation and that of Q = Σ r² are linear in the
        correlation; the estimate solves B / Q for it. A mean then has the variance of
        n / (1 + icc · pairs / n) independent questions. Source: Donner (1986), "A Review of
        Inference Procedures for the Intraclass Correlation Coefficient"; for questions on several
        documents, Cameron, Gelbach and Miller (2011), "Robust Inference with Multiway Clustering".

        Args:
            sums: Sum of the residuals of each document, along the last axis; a question on k
                documents counts to each with 1 / √k.
            counts: The same of 1 for each question.
            squares: Sum of the squared residuals.
            n: How many questions.
            changed: How many of them differ.

        Example:
            >>> twos = np.array([2.0, 2.0, 2.0])
            >>> one = Resemblance.of(np.zeros(3), twos, np.array(0.0), np.array(6.0), np.array(0.0))
            >>> float(one.icc), round(float(one.size), 3)  # 6 / (1 + .3 · 6 / 6)
            (0.3, 4.615)
        """
        pairs = np.maximum((counts**2).sum(axis=-1) - n, 0.0)
        links = (counts * np.maximum(counts - 1, 0.0) ** 2).sum(axis=-1)
        slope = np.maximum(pairs - 2 * links / n + (pairs / n) ** 2, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = ((sums**2).sum(axis=-1) - squares) / squares
            estimate = (ratio * (n - 1) + pairs / n) / (slope + ratio * pairs / n)
        known = (squares > 1e-12) & np.isfinite(estimate) & (pairs > 1e-9)
        estimate = np.where(known, np.clip(estimate, -0.5, 1.0), PRIOR_ICC)
        evidence = slope * changed / n  # a question that did not change says little
        weight = evidence / (evidence + PRIOR_PAIRS)
        icc = np.clip(weight * estimate + (1 - weight) * PRIOR_ICC, 0.0, 1.0)
        inflation = icc * pairs / n
        estimated = weight * inflation / (1 + inflation)
        documents = np.maximum((counts > 0).sum(axis=-1) - 1, 1)
        freedom = 1 / (1 / np.maximum(n - 1, 1e-9) + estimated**2 / documents)
        size = n / (1 + inflation)
        return cls(*map(np.asarray, (icc, weight, size, freedom)))
