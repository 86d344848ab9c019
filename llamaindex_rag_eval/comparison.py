"""Comparison: is the second pipeline better than the first, and how sure can one be?

Questions are paired, so that what makes a question hard for both cancels out. Each metric gets
a paired bootstrap interval and a sign-flip permutation test; Holm's correction keeps the chance
of any false alarm over all metrics at the level.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from llamaindex_rag_eval.contrast import Contrast, contrast_of
from llamaindex_rag_eval.pairing import Pairing
from llamaindex_rag_eval.run import Run
from llamaindex_rag_eval.sample import SingleTurnSample
from llamaindex_rag_eval.slices import Slice, slices_of
from llamaindex_rag_eval.verdict import verdict_of

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """Two runs on the questions they share.

    Attributes:
        pairing: The runs, and which of their questions are compared.
        contrasts: One for each metric that both have.
        slices: The same by kinds of questions.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    slices: tuple[Slice, ...] = ()

    @property
    def names(self) -> tuple[str, str]:
        """What the two runs are called."""
        return self.pairing.names

    @property
    def verdict(self) -> tuple[str, ...]:
        """What may be said, in sentences."""
        return verdict_of(self.names, self.contrasts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        pairing, (a, b) = self.pairing, self.names
        counts = (
            (len(pairing.only_a), f"only {a!r} has"),
            (len(pairing.only_b), f"only {b!r} has"),
            (len(pairing.differing), "stand under one id and differ between the runs"),
        )
        return tuple(
            f"{count} question{'s' if count > 1 else ''} left out: {why}."
            for count, why in counts
            if count
        )

    def contrast(self, metric: str) -> Contrast | None:
        """Return the contrast of one metric, or `None` if it was not compared."""
        return next((c for c in self.contrasts if c.metric.label == metric), None)

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but the questions as plain data."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "questions": len(self.pairing.ids),
            "verdict": list(self.verdict),
            "notes": list(self.notes),
            "metrics": [_row(contrast) for contrast in self.contrasts],
        }


def compare(
    a: Run,
    b: Run,
    *,
    clusters: bool = False,
    alpha: float = 0.05,
    seed: int = 0,
) -> Comparison:
    """Compare two runs, question by question.

    Args:
        a: The baseline.
        b: What is compared with it: differences are `b - a`.
        clusters: Take the questions on one document as one draw. Wider intervals, right where
            documents rather than questions were sampled.
        alpha: Up to which adjusted p-value a difference counts as shown.
        seed: Same seed, same intervals and p-values.

    Returns:
        A contrast for each metric of both runs, over the questions of both. A question without a
        score on one side is counted as missing there, and `Contrast.bounds` say what it could
        change.

    Raises:
        InputError: The runs share no question or no metric.
    """
    pairing = Pairing.of(a, b)
    groups = _documents(pairing) if clusters else None
    contrasts = tuple(
        contrast_of(pairing, metric, groups=groups, seed=seed) for metric in pairing.metrics
    )
    return Comparison(
        pairing=pairing,
        contrasts=_adjusted(contrasts, alpha),
        slices=slices_of(pairing, seed=seed),
    )


def _adjusted(contrasts: tuple[Contrast, ...], alpha: float) -> tuple[Contrast, ...]:
    """Correct the p-values for one another, and say what difference could have been seen."""
    from llamaindex_rag_eval.stats.multiplicity import holm

    tested = [c.p_value for c in contrasts if c.p_value is not None]
    adjusted = iter(holm(tested))
    return tuple(
        replace(
            contrast,
            p_adjusted=None if contrast.p_value is None else next(adjusted),
            # Holm's first step, the strictest: what is seen then is seen at any other.
            detectable=_detectable(contrast, alpha / max(1, len(tested))),
            alpha=alpha,
        )
        for contrast in contrasts
    )


def _detectable(contrast: Contrast, alpha: float) -> float | None:
    from llamaindex_rag_eval.stats.power import minimal_detectable_difference

    if contrast.n < 2 or contrast.difference is None:
        return None
    squares = sum((pair.gap - contrast.difference) ** 2 for pair in contrast.pairs)
    spread = math.sqrt(squares / (contrast.n - 1))
    return minimal_detectable_difference(standard_deviation=spread, n=contrast.n, alpha=alpha)


def _documents(pairing: Pairing) -> Mapping[str, Hashable]:
    """Return the document each question is about; one without gold is a group of its own."""
    return {
        key: sample.gold[0][0].doc_id
        if isinstance(sample, SingleTurnSample) and sample.gold and sample.gold[0]
        else ("question", key)
        for key, sample in pairing.samples.items()
    }


def _row(contrast: Contrast) -> dict[str, JsonValue]:
    interval, bounds = contrast.interval, contrast.bounds
    return {
        "metric": contrast.metric.label,
        "direction": contrast.metric.direction,
        "mean_a": contrast.mean_a,
        "mean_b": contrast.mean_b,
        "difference": contrast.difference,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "p_value": contrast.p_value,
        "p_adjusted": contrast.p_adjusted,
        "n": contrast.n,
        "missing_a": contrast.missing_a,
        "missing_b": contrast.missing_b,
        "not_applicable": contrast.not_applicable,
        "bounds": None if bounds is None else list(bounds),
        "wins": contrast.wins,
        "ties": contrast.ties,
        "losses": contrast.losses,
        "finding": contrast.finding,
        "fragile": contrast.fragile,
        "detectable": contrast.detectable,
    }
