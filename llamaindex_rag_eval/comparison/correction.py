"""Families: contrasts that are looked at together, their p-values corrected for one another."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from llamaindex_rag_eval.comparison.contrast import Contrast, contrast_of
from llamaindex_rag_eval.comparison.pairing import Pairing
from llamaindex_rag_eval.data.sample import SingleTurnSample

__all__ = ["contrasts_of", "corrected"]


def contrasts_of(
    pairing: Pairing, *, clusters: bool = False, resamples: int | None = None, seed: int = 0
) -> tuple[Contrast, ...]:
    """Return a contrast for each metric of both runs, none corrected for the others.

    Args:
        pairing: The two runs.
        clusters: Take the questions on one document as one draw.
        resamples: As for `contrast_of`.
        seed: Same seed, same intervals and p-values.
    """
    groups = _documents(pairing) if clusters else None
    return tuple(
        contrast_of(pairing, metric, groups=groups, resamples=resamples, seed=seed)
        for metric in pairing.metrics
    )


def corrected(contrasts: Sequence[Contrast], alpha: float) -> tuple[Contrast, ...]:
    """Correct p-values for one another by Holm, and say what difference could have been seen.

    Args:
        contrasts: All that are looked at together: metrics, or metrics × pairs of runs.
        alpha: Up to which adjusted p-value a difference counts as shown.

    Returns:
        The same contrasts in the same order; the chance that any difference is shown where there
        is none is at most `alpha` over all of them.
    """
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
