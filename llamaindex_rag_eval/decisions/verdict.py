"""The verdict in sentences: what contrasts show about the second of two runs."""

import math
from collections.abc import Mapping, Sequence

from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.runs.resources import RESOURCES, resource_text

MOST_NAMED = 5
"""Of more metrics only the number is said."""


def verdict(names: tuple[str, str], contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    """Return what the contrasts show about the second run, in sentences, differences first.

    Args:
        names: The names of the first and the second run.
        contrasts: One for each metric, corrected for one another.
    """
    by: dict[str, list[Contrast]] = {}
    for contrast in contrasts:
        by.setdefault(contrast.finding, []).append(contrast)
    sentences = [_differences(names, by), *_undecided(contrasts)]
    specs = [c.metric.spec for c in by.get("not comparable", ()) if not c.withheld]
    if specs:
        sentences.append(f"Not comparable, no question has a score in both runs: {listed(specs)}.")
    sentences += [_missing(names, c) for c in contrasts if c.missing_a != c.missing_b]
    fragile = [contrast.metric.spec for contrast in contrasts if contrast.fragile]
    if fragile:
        sentences.append(f"Missing scores could reverse the result on {listed(fragile)}.")
    return tuple(sentence for sentence in sentences if sentence)


def _missing(names: tuple[str, str], contrast: Contrast) -> str:
    """Return what the scores that one of the runs lacks leave open."""
    a, b = names
    counts = f"{contrast.missing_a} in {a}, {contrast.missing_b} in {b}"
    if contrast.bounds is None:
        return f"Missing scores on {contrast.metric.spec} ({counts}) could make any difference."
    low, high = contrast.bounds
    return (
        f"Missing scores on {contrast.metric.spec} ({counts}): with the worst or the best possible "
        f"ones in their place, the difference would be between {low:+.3f} and {high:+.3f}."
    )


def _differences(names: tuple[str, str], by: Mapping[str, Sequence[Contrast]]) -> str:
    """Return in one sentence where the second run is better, worse, or different."""
    a, b = names
    phrases = {
        "better": f"is better than {a} on",
        "worse": f"is worse than {a} on" if "better" not in by else "worse on",
        "different": f"differs from {a} on",
    }
    parts = [
        f"{phrase} {listed([_with_numbers(c) for c in by[finding]])}"
        for finding, phrase in phrases.items()
        if finding in by
    ]
    return f"{b} {'; '.join(parts)}." if parts else ""


def _with_numbers(contrast: Contrast) -> str:
    spec, estimate = contrast.metric.spec, contrast.estimate
    ends = "" if estimate.low is None else f", between {estimate.low:+.3f} and {estimate.high:+.3f}"
    return f"{spec} ({contrast.difference or 0.0:+.3f}{ends}{contrast.corrected_by})"


def _undecided(contrasts: Sequence[Contrast]) -> list[str]:
    """Return sentences on the metrics without a shown difference, by the reason."""
    few = [_with_least(c) for c in contrasts if c.finding == "too few questions"]
    rest = [c for c in contrasts if c.finding == "no evidence"]
    same = [c.metric.spec for c in rest if c.alike or c.unchanged]
    open_ = [
        c.metric.spec
        + (f" ({_basis(c)} may miss one below {c.detectable:.2f})" if c.detectable else "")
        for c in rest
        if c.spec not in same
    ]
    sentences = [f"No evidence of a difference on {listed(open_)}."] if open_ else []
    names = listed(same) if len(same) <= MOST_NAMED else f"{len(same)} metrics"
    what = "score" if all(c.alike for c in rest if c.spec in same) else "answer"
    sentences += [f"The same {what} on every question: {names}."] if same else []
    sentences += [f"Too few questions to show a rise or a fall: {listed(few)}."] if few else []
    return sentences


def _basis(contrast: Contrast) -> str:
    """Return how many questions a contrast rests on, or labels by people."""
    counts = " and ".join(map(str, contrast.labels))
    return f"{counts} labels of people" if counts else f"{contrast.n} questions"


def _with_least(contrast: Contrast) -> str:
    """Return a metric with how many questions it takes to show anything at all."""
    least = 1 + math.ceil(-math.log2(contrast.alpha))
    if contrast.n >= least:
        return f"{contrast.metric.spec} (all questions are on one document)"
    return f"{contrast.metric.spec} ({contrast.n}; at least {least} are needed)"


def listed(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    Example:
        >>> listed(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def resource_sentences(names: tuple[str, str], contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    """Return what is shown of the resources, in sentences.

    Args:
        names: The names of the first and the second run.
        contrasts: Of `resource_contrasts`.
    """
    open_ = [_plain(c) for c in contrasts if c.finding == "no evidence"]
    none = f"No evidence of a difference in {', '.join(open_)}." if open_ else ""
    return tuple(filter(None, (answers_take(names, contrasts), none)))


def answers_take(names: tuple[str, str], contrasts: Sequence[Contrast]) -> str:
    """Return in a sentence what an answer is shown to take more or less of; empty for nothing."""
    shown = [_shown(c) for c in contrasts if c.finding in ("better", "worse")]
    a, b = names
    return f"An answer of {b} takes {'; '.join(shown)} than one of {a}." if shown else ""


def _plain(contrast: Contrast) -> str:
    return contrast.metric.spec.replace("_", " ")


def _shown(contrast: Contrast) -> str:
    less = "fewer" if contrast.metric.spec.endswith("tokens") else "less"
    less = less if contrast.finding == "better" else "more"
    estimate = contrast.estimate
    difference, low, high = (
        resource_text(end, sign=True) for end in (estimate.value, estimate.low, estimate.high)
    )
    reach = "" if estimate.low is None else f", between {low} and {high}"
    unit = RESOURCES[contrast.metric.spec]
    what = _plain(contrast).replace("latency", "time")
    return f"{less} {what} ({difference} {unit}{reach})"
