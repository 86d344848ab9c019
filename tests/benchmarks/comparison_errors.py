"""Print how often a comparison calls alike pipelines different, and misses a true difference.

Run as `python tests/benchmarks/comparison_errors.py`; it takes about a minute. Of two identical
pipelines at most 6 in 100 comparisons may say that any of eight metrics differs; of a true
difference of .05, at the number of questions that `required_n` advises, at least 78 in 100 must
say so. The standard error of the first share is 0.7 points, of the second 1.3.
"""

import numpy as np

from llamaindex_rag_eval.comparison.compare import compare
from llamaindex_rag_eval.stats import holm, paired_permutation, required_n
from tests.report.runs import run_of_scores

COMPARISONS = 1_000
METRICS = 8
QUESTIONS = 60
RESAMPLES = 3_999
"""Signs tried in a test: .05/8, Holm's first step, is then one of the p-values there can be.

With 999 it would lie between .006 and .007, and be tested as .006.
"""

ALPHA = 0.05
DIFFERENCE = 0.05
SPREADS = (0.1, 0.2)
"""Standard deviations of the paired differences."""

CHECKED = 10
"""Comparisons of whole runs, to see that what is simulated is what `compare` does."""


def drawn(
    rng: np.random.Generator, size: int, spread: float, shift: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of two pipelines, shape (questions, metrics), the first metric shifted.

    Metrics correlate: half the variance of the differences, and of the questions' ease, is common
    to all of them.
    """
    ease = 0.5 + 0.2 * correlated(rng, size)
    left, right = (ease + spread / np.sqrt(2) * correlated(rng, size) for _ in range(2))
    right[:, 0] += shift
    return left, right


def correlated(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return standard normal numbers, a column a metric, every two columns correlated by 1/2."""
    common, own = rng.normal(size=(size, 1)), rng.normal(size=(size, METRICS))
    return (common + own) / np.sqrt(2)


def thirds(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scores of two pipelines as metrics give them: 0, 1/3, 2/3 and 1, with many ties."""
    ease = rng.beta(4, 1, size)[:, None]
    left, right = (rng.binomial(3, np.repeat(ease, METRICS, axis=1)) / 3 for _ in range(2))
    return left, right


def adjusted(left: np.ndarray, right: np.ndarray, seed: int) -> tuple[float, ...]:
    """Return the p-value of each metric, corrected for the others."""
    tests = (
        paired_permutation(b.tolist(), a.tolist(), resamples=RESAMPLES, seed=seed)
        for a, b in zip(left.T, right.T, strict=True)
    )
    return holm([test.p_value for test in tests if test is not None])


def check(rng: np.random.Generator) -> None:
    """Raise if `compare` over whole runs gives other p-values than the simulation."""
    for seed in range(CHECKED):
        pair = drawn(rng, QUESTIONS, 0.2)
        runs = [
            run_of_scores(name, {f"m{k}": column.tolist() for k, column in enumerate(scores.T)})
            for name, scores in zip("ab", pair, strict=True)
        ]
        found = compare(runs[0], runs[1], resamples=RESAMPLES, seed=seed)
        given = tuple(contrast.p_adjusted for contrast in found.contrasts)
        if given != adjusted(*pair, seed):
            raise SystemExit(f"compare says {given}, the simulation {adjusted(*pair, seed)}")
    print(f"{CHECKED} comparisons of whole runs give the same p-values as what is simulated")


def alike(rng: np.random.Generator) -> None:
    """Print how often any of eight metrics is said to differ between identical pipelines."""
    for name, draw in (
        ("normal, correlated", lambda: drawn(rng, QUESTIONS, 0.2)),
        ("thirds, many ties", lambda: thirds(rng, QUESTIONS)),
    ):
        wrong = sum(min(adjusted(*draw(), seed)) <= ALPHA for seed in range(COMPARISONS))
        share = 100 * wrong / COMPARISONS
        flag = "" if share <= 6 else "  TOO MANY"
        print(f"identical pipelines, {name:20s} {share:5.1f} % called different (≤ 6){flag}")


def different(rng: np.random.Generator) -> None:
    """Print how often a true difference of one metric among eight is found."""
    for spread in SPREADS:
        # What Holm's first step asks of the smallest p-value.
        size = required_n(DIFFERENCE, standard_deviation=spread, alpha=ALPHA / METRICS)
        found = sum(
            adjusted(*drawn(rng, size, spread, DIFFERENCE), seed)[0] <= ALPHA
            for seed in range(COMPARISONS)
        )
        share = 100 * found / COMPARISONS
        flag = "" if share >= 78 else "  TOO FEW"
        drawn_at = f"difference {DIFFERENCE}, spread {spread}, {size} questions"
        print(f"{drawn_at:45s} {share:5.1f} % found (≥ 78){flag}")


if __name__ == "__main__":
    generator = np.random.default_rng(2026)
    for part in (check, alike, different):
        part(generator)
