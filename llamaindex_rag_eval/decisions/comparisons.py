"""Comparisons: several runs against one baseline, over the questions that all of them have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.comparison import Comparison, contrast_cells
from llamaindex_rag_eval.decisions.contrast import Contrast, corrected
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.decisions.ranking import Ranking, rankings
from llamaindex_rag_eval.decisions.resources import resource_sentences
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import html_table


@dataclass(frozen=True)
class Comparisons(JsonFields):
    """Runs against a baseline, corrected for all metrics of all pairs together.

    Attributes:
        baseline: The run that the others are compared with.
        pairs: The baseline with each other run, in the order given.
        clusters: What is not independent.
        alpha: Up to which adjusted p-value a difference counts as shown.
    """

    _json = "baseline=baseline.name questions verdict notes pairs rankings"

    baseline: Run
    pairs: tuple[Comparison, ...]
    clusters: Clustering = "documents"
    alpha: float = 0.05

    @classmethod
    def of(
        cls,
        runs: Sequence[Run],
        *,
        baseline: str = "",
        metrics: Sequence[BaseMetric | str] | None = None,
        clusters: Clustering = "documents",
        alpha: float = 0.05,
    ) -> "Comparisons":
        """Compare runs with a baseline, question by question; see `compare`.

        Args:
            runs: Two or more, each with a name of its own.
            baseline: The name of one of them; the first by default.
            metrics: As for `compare`.
            clusters: As for `compare`.
            alpha: As for `compare`.

        Raises:
            InputError: There are fewer than two runs, two have one name, none has that of the
                baseline, or they share no question, no metric, or not all of `metrics`.
        """
        first, others = _baseline_and_others(runs, baseline)
        shared = _shared_ids(first, others) if len(others) > 1 else None
        pairs = [
            Comparison.of(first, other, metrics=metrics, ids=shared, clusters=clusters)
            for other in others
        ]
        family = iter(corrected([c for pair in pairs for c in pair.contrasts], alpha))
        return cls(
            baseline=first,
            pairs=tuple(
                replace(pair, contrasts=tuple(next(family) for _ in pair.contrasts))
                for pair in pairs
            ),
            clusters=clusters,
            alpha=alpha,
        )

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs, the baseline first."""
        return (self.baseline, *(pair.pairing.b for pair in self.pairs))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the runs, the baseline first."""
        return tuple(run.name for run in self.runs)

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics that the baseline shares with any other run, in its order."""
        known = {c.metric.spec for pair in self.pairs for c in pair.contrasts}
        return tuple(info for info in self.baseline.metrics if info.spec in known)

    @property
    def questions(self) -> int:
        """How many questions all runs have in common."""
        return len(self.pairs[0].pairing.ids)

    @property
    def verdict(self) -> tuple[str, ...]:
        """What the contrasts of each run with the baseline show; then all pairs, ranked."""
        ranks = (ranking.sentence for ranking in self.rankings)
        return (*(sentence for pair in self.pairs for sentence in pair.verdict), *ranks)

    @cached_property
    def resources(self) -> tuple[tuple[Contrast, ...], ...]:
        """For each pair the time, tokens and money of answers, all corrected for one another."""
        family = iter(corrected([c for pair in self.pairs for c in pair.resources], self.alpha))
        return tuple(tuple(next(family) for _ in pair.resources) for pair in self.pairs)

    @property
    def resource_sentences(self) -> tuple[str, ...]:
        """What is shown of time, tokens and money of each run against the baseline."""
        both = zip(self.pairs, self.resources, strict=True)
        return tuple(text for pair, found in both for text in resource_sentences(pair.names, found))

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        """The runs ranked on each metric, all pairs corrected for one another; none of two."""
        if len(self.pairs) < 2:
            return ()
        return rankings(self.runs, clusters=self.clusters, alpha=self.alpha)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        more = [run for run in self.runs if len(run) > self.questions]
        notes = [note for pair in self.pairs for note in pair.pairing.doubts]
        if more:
            each = ", ".join(f"{run.name!r} has {len(run) - self.questions} more" for run in more)
            notes.insert(0, f"Compared on the {self.questions} questions in all runs: {each}.")
        return (*notes, *dict.fromkeys(note for pair in self.pairs for note in pair.cluster_notes))

    def contrast(self, name: str, metric: str) -> Contrast | None:
        """Return the contrast of a run with the baseline on a metric, if there is one."""
        found = (pair for pair in self.pairs if pair.pairing.b.name == name)
        return next((pair.contrast(metric) for pair in found), None)

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        rows = [
            (contrast.metric.spec, pair.names[1], *contrast_cells(contrast)[1:])
            for pair in self.pairs
            for contrast in pair.contrasts
        ]
        head = ("metric", "run", self.baseline.name, "mean", "difference", "95% interval")
        caption = f"{self.questions} questions, against {self.baseline.name}"
        return html_table((*head, "p (Holm)"), rows, caption=caption)


def _baseline_and_others(runs: Sequence[Run], baseline: str) -> tuple[Run, tuple[Run, ...]]:
    names = [run.name for run in runs]
    if len(runs) < 2:
        raise InputError(f"expected two runs or more, got {len(runs)}")
    if len(set(names)) < len(names):
        raise InputError(f"two runs have one name: {', '.join(map(repr, names))}")
    if baseline and baseline not in names:
        known = ", ".join(map(repr, names))
        raise InputError(f"the baseline {baseline!r} is no run; expected one of {known}")
    first = runs[names.index(baseline)] if baseline else runs[0]
    return first, tuple(run for run in runs if run is not first)


def _shared_ids(first: Run, others: Sequence[Run]) -> frozenset[str]:
    """Return the ids of the questions that all runs have."""
    shared = frozenset.intersection(*(frozenset(Pairing.of(first, run).ids) for run in others))
    if not shared:
        raise InputError("no question is in all runs; expected answers to the same golden set")
    return shared
