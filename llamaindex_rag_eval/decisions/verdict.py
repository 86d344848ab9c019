"""The verdict in sentences: what contrasts show about the second of two runs."""

from collections.abc import Collection, Sequence

from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.runs.resources import RESOURCES, resource_text
from llamaindex_rag_eval.stats.interval import signed

MOST_NAMED = 5
"""Of more metrics only the number is said."""

NO_FAULT = ": there was nothing to score."
"""Behind the number of missing scores, where none failed."""


def verdict(
    names: tuple[str, str],
    contrasts: Sequence[Contrast],
    undefined: Collection[str] = (),
) -> tuple[str, ...]:
    """Return what the contrasts show about the second run, in sentences, differences first.

    Args:
        names: The names of the first and the second run.
        contrasts: One for each metric, corrected for one another.
        undefined: The specs of metrics whose missing scores are all undefined, none failed.
    """
    a, b = names
    by: dict[str, list[Contrast]] = {}
    for contrast in contrasts:
        by.setdefault(contrast.finding, []).append(contrast)
    phrases = {
        "better": f"is better than {a} on",
        "worse": f"is worse than {a} on" if "better" not in by else "worse on",
        "different": f"differs from {a} on",
    }
    shown = [f"{phrases[f]} {listed(list(map(_gap, by[f])))}" for f in phrases if f in by]
    sentences = [f"{b} {'; '.join(shown)}."] if shown else []
    if any(contrast.unchanged for contrast in contrasts):
        sentences.append(f"{b} and {a} gave the same answers.")
    alike = [c for c in by.get("no evidence", ()) if c.alike and not c.unchanged]
    unshown = [c for c in by.get("no evidence", ()) if not (c.alike or c.unchanged)]
    few = by.get("too few questions", [])
    incomparable = [c for c in by.get("not comparable", ()) if not c.withheld]
    for text, open_ in (
        ("On {}, the difference may be chance", unshown),
        ("No score differs on {}", alike),
        ("Too few questions or documents to tell a rise or a fall from chance on {}", few),
        ("No question has a score in both runs of {}", incomparable),
    ):
        sentences += [f"{text.format(named([c.spec for c in open_]))}."] if open_ else []
    sentences += [
        _missing(names, c) + (NO_FAULT if c.spec in undefined else ".")
        for c in contrasts
        if c.missing_a != c.missing_b
    ]
    if fragile := [contrast.spec for contrast in contrasts if contrast.fragile]:
        sentences.append(f"Missing scores could reverse the result on {named(fragile)}.")
    return tuple(sentences)


def _gap(contrast: Contrast) -> str:
    return f"{contrast.spec} ({signed(contrast.difference)}{contrast.corrected_by})"


def _missing(names: tuple[str, str], contrast: Contrast) -> str:
    """Return which scores one of the runs lacks."""
    counts = zip(names, (contrast.missing_a, contrast.missing_b), strict=True)
    lacking = [f"{n} answer{'s' if n > 1 else ''} of {name}" for name, n in counts if n]
    could = "" if contrast.bounds else ", which could make any difference"
    have = "has" if contrast.missing == 1 else "have"
    return f"{listed(lacking)} {have} no score of {contrast.spec}{could}"


def named(specs: Sequence[str]) -> str:
    """Return metrics by their names, or how many they are."""
    return listed(specs) if len(specs) <= MOST_NAMED else f"{len(specs)} metrics"


def listed(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    Example:
        >>> listed(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def answers_take(names: tuple[str, str], contrasts: Sequence[Contrast]) -> str:
    """Return in a sentence what an answer is shown to take more or less of; empty for nothing.

    Args:
        names: The names of the first and the second run.
        contrasts: Of `resource_contrasts`.
    """
    shown = [_shown(c) for c in contrasts if c.finding in ("better", "worse")]
    a, b = names
    return f"An answer of {b} takes {'; '.join(shown)} than one of {a}." if shown else ""


def _shown(contrast: Contrast) -> str:
    less = "fewer" if contrast.spec.endswith("tokens") else "less"
    less = less if contrast.finding == "better" else "more"
    difference = resource_text(contrast.difference, sign=True)
    what = contrast.spec.replace("_", " ").replace("latency", "time")
    unit = "" if what in RESOURCES[contrast.spec] else f" {RESOURCES[contrast.spec]}"
    return f"{less} {what} ({difference}{unit})"
