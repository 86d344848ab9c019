"""Verdict: a comparison in sentences that a manager understands and a statistician signs."""

from collections.abc import Mapping, Sequence

from llamaindex_rag_eval.comparison.contrast import Contrast

__all__ = ["verdict_of"]

LEAST_PAIRS = 6
"""With five pairs the smallest p-value of a sign-flip test is 2 / 2**5 > .05: nothing can show."""


def verdict_of(names: tuple[str, str], contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    """Return what may be said of the second run, the finding first.

    Args:
        names: What the first and the second run are called.
        contrasts: One for each metric.
    """
    by: dict[str, list[Contrast]] = {}
    for contrast in contrasts:
        by.setdefault(contrast.finding, []).append(contrast)
    undecided = by.get("no evidence", [])
    said = [_finding(names, by), *_undecided(undecided)]
    if "not comparable" in by:
        labels = [contrast.metric.spec for contrast in by["not comparable"]]
        said.append(f"Not comparable, for no question has both scores: {_list(labels)}.")
    fragile = [contrast.metric.spec for contrast in contrasts if contrast.fragile]
    if fragile:
        said.append(f"Missing scores could turn this around on {_list(fragile)}.")
    return tuple(sentence for sentence in said if sentence)


def _finding(names: tuple[str, str], by: Mapping[str, Sequence[Contrast]]) -> str:
    """Return in one sentence where the second run is better, worse, or different."""
    a, b = names
    words = {
        "better": f"is better than {a} on",
        "worse": f"is worse than {a} on" if "better" not in by else "worse on",
        "different": f"differs from {a} on",
    }
    parts = [f"{said} {_list([_shown(c) for c in by[f]])}" for f, said in words.items() if f in by]
    if parts:
        return f"{b} {'; '.join(parts)}."
    return f"No evidence that {b} and {a} differ on any metric." if "no evidence" in by else ""


def _shown(contrast: Contrast) -> str:
    label, interval, p = contrast.metric.spec, contrast.interval, contrast.p_adjusted
    ci = "" if interval is None else f", 95% CI {interval.low:+.3f} to {interval.high:+.3f}"
    chance = "" if p is None else f", Holm p {'< 0.001' if p < 0.001 else f'{p:.3f}'}"
    return f"{label} ({contrast.difference or 0.0:+.3f}{ci}{chance})"


def _undecided(contrasts: Sequence[Contrast]) -> list[str]:
    """Return what can be said where no difference was shown, by why it was not."""
    same = [c.metric.spec for c in contrasts if c.ties == c.n]
    rest = [c for c in contrasts if c.ties < c.n]
    few = [c.metric.spec for c in rest if c.n < LEAST_PAIRS or c.detectable is None]
    open_ = [
        f"{c.metric.spec} ({c.n} questions can show {c.detectable:.2f} or more)"
        for c in rest
        if c.n >= LEAST_PAIRS and c.detectable is not None
    ]
    said = [f"No evidence of a difference on {_list(open_)}."] if open_ else []
    said += [f"The same score on every question: {_list(same)}."] if same else []
    said += [f"Too few questions to show anything: {_list(few)}."] if few else []
    return said


def _list(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    Example:
        >>> _list(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
