"""Resources of two runs: how much more time, tokens and money the second one takes, by question.

They are a family of their own: a difference in time takes nothing from what scores can show.
"""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.decisions.contrast import Contrast, contrast_of, corrected
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.clusters import SampleClusters
from llamaindex_rag_eval.runs.resources import RESOURCES, amounts_of, resource_info, resource_text
from llamaindex_rag_eval.runs.run import Run


def resource_contrasts(
    pairing: Pairing, clusters: SampleClusters, alpha: float = 0.05
) -> tuple[Contrast, ...]:
    """Return a contrast for each resource that both runs know of a question they share.

    Args:
        pairing: The two runs.
        clusters: Of the paired questions.
        alpha: Up to which adjusted p-value a difference counts as shown.
    """
    both = replace(pairing, rows_a=_rows(pairing.a), rows_b=_rows(pairing.b))
    found = [
        contrast_of(both, resource_info(name), clusters)
        for name in RESOURCES
        if name in both.rows_a and name in both.rows_b
    ]
    return corrected([contrast for contrast in found if contrast.pairs], alpha)


def _rows(run: Run) -> dict[str, dict[str, Row]]:
    return {
        name: {key: Row(key, name, "scored", amount, b"") for key, amount in amounts.items()}
        for name, amounts in amounts_of(run.samples).items()
    }


def resource_sentences(names: tuple[str, str], contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    """Return what is shown of the resources, in sentences.

    Args:
        names: The names of the first and the second run.
        contrasts: Of `resource_contrasts`.
    """
    a, b = names
    shown = [_shown(one) for one in contrasts if one.finding in ("better", "worse")]
    open_ = [_plain(one) for one in contrasts if one.finding == "no evidence"]
    sentences = [f"An answer of {b} takes {'; '.join(shown)} than one of {a}."] if shown else []
    if open_:
        sentences.append(f"No evidence of a difference in {', '.join(open_)}.")
    return tuple(sentences)


def _plain(contrast: Contrast) -> str:
    return contrast.metric.spec.replace("_", " ")


def _shown(contrast: Contrast) -> str:
    less = "less" if contrast.finding == "better" else "more"
    estimate = contrast.estimate
    difference, low, high = (
        resource_text(end, sign=True) for end in (estimate.value, estimate.low, estimate.high)
    )
    reach = "" if estimate.low is None else f", 95% CI {low} to {high}"
    unit = RESOURCES[contrast.metric.spec]
    return f"{less} {_plain(contrast)} ({difference} {unit}{reach})"
