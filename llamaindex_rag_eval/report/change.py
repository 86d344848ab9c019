"""What changed between a run and the one before it."""

from dataclasses import dataclass

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast, Finding
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run


@dataclass(frozen=True, slots=True)
class Change:
    """A run against the one before it.

    Attributes:
        since: The name and the start of the run before.
        sentences: What changed, by finding.
        contrasts: Of each metric.
    """

    since: str
    sentences: tuple[str, ...]
    contrasts: tuple[Contrast, ...] = ()


WORDS: dict[Finding, str] = {
    "better": "Better on",
    "worse": "Worse on",
    "different": "Different on",
    "no evidence": "No evidence of a change on",
    "too few questions": "Too few questions to tell on",
    "not comparable": "Not comparable on",
}
"""What a finding says of a change, in the order in which it is told."""


def change_between(before: Run, run: Run, clusters: Clustering) -> tuple[Change, Comparison | None]:
    """Return what changed from one run to a later one, and the comparison behind it, if any."""
    since = f"{before.name}, {before.provenance.started[:16].replace('T', ' ')}"
    try:
        found = Comparison.of(before.named(since), run, clusters=clusters)
    except InputError as error:
        return Change(since, (f"Not comparable: {error}",)), None
    by: dict[str, list[str]] = {}
    for one in found.contrasts:
        by.setdefault(one.finding, []).append(one.metric.spec)
    told = tuple(f"{words} {', '.join(by[key])}." for key, words in WORDS.items() if key in by)
    return Change(since, (*told, *found.pairing.notes), found.contrasts), found
