"""Comparisons: several runs against one baseline, ranked, or each against the one before it.

All pairs that are looked at together are corrected for one another, over all metrics. Runs
of one rank are a tie: nothing shows that they differ, which is no proof that they are alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.by_people import Labels, people_sentences
from llamaindex_rag_eval.decisions.comparison import Comparison, differences_html
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.decisions.verdict import listed
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run


@dataclass(frozen=True, slots=True)
class Ranking(JsonFields):
    """The runs on one metric.

    Attributes:
        metric: The metric; it has a direction.
        runs: The names of the runs, the best mean first.
        shown: The pairs of which the first is shown to be better than the second.
    """

    _json = "metric=metric.spec runs shown sentence"

    metric: MetricInfo
    runs: tuple[str, ...]
    shown: tuple[tuple[str, str], ...]

    @property
    def sentence(self) -> str:
        """Which runs are shown to be better than which, and whether that leaves pairs open."""
        beaten: dict[tuple[str, ...], list[str]] = {}
        for name in self.runs:
            winners = tuple(winner for winner, loser in self.shown if loser == name)
            if winners:
                beaten.setdefault(winners, []).append(name)
        verbs = {winners: "is" if len(winners) == 1 else "are" for winners in beaten}
        parts = [
            f"{listed(winners)} {verbs[winners]} better than {listed(names)}"
            for winners, names in beaten.items()
        ]
        if not parts:
            return f"{self.metric.spec}: {listed(self.runs)} cannot be told apart."
        if len(self.shown) < math.comb(len(self.runs), 2):
            parts.append("no other difference is shown")
        return f"{self.metric.spec}: {'; '.join(parts)}."


@dataclass(frozen=True)
class Comparisons(JsonFields):
    """Runs against a baseline, corrected for all metrics of all pairs together.

    Attributes:
        baseline: The run that the others are compared with.
        pairs: The baseline with each other run, in the order given.
        among: The other runs with one another, on the metrics that all have.
        clusters: What is not independent.
    """

    _json = "baseline=baseline.name questions verdict notes pairs rankings"

    baseline: Run
    pairs: tuple[Comparison, ...]
    among: tuple[Comparison, ...] = ()
    clusters: Clustering = "documents"

    @classmethod
    def of(
        cls,
        runs: Sequence[Run],
        clusters: Clustering = "documents",
        alpha: float = 0.05,
        primary: str = "",
        labels: Labels | None = None,
        *,
        metrics: Sequence[BaseMetric | str] | None = None,
    ) -> "Comparisons":
        """Compare runs with a baseline, question by question; see `compare`.

        Args:
            runs: The baseline, then one or more others, each with a name of its own.
            clusters: As for `compare`.
            alpha: As for `compare`.
            primary: As for `compare`.
            labels: As for `compare`.
            metrics: As for `compare`.

        Raises:
            InputError: There are fewer than two runs, two have one name, or they share no question,
                no metric, or not all of `metrics`.
            DatasetError: The file of labels cannot be read.
        """
        require_runs([run.name for run in runs])
        first, *others = runs
        pairings = [Pairing.of(first, other, metrics) for other in others]
        shared = frozenset.intersection(*(frozenset(pairing.ids) for pairing in pairings))
        if not shared:
            raise InputError("no question is in all runs; expected answers to the same golden set")
        in_all = set.intersection(*({i.spec for i in pairing.metrics} for pairing in pairings))
        ranked = [spec for spec in (i.spec for i in pairings[0].metrics) if spec in in_all]
        if ranked:
            pairings += [Pairing.of(a, b, ranked) for a, b in combinations(others, 2)]
        among = [pairing.among(shared) for pairing in pairings]
        compared = Comparison.of_pairings(among, clusters, alpha, primary, labels)
        return cls(first, compared[: len(others)], compared[len(others) :], clusters)

    @property
    def people_sentences(self) -> tuple[str, ...]:
        """The means and differences by people, in sentences, none twice."""
        lines = (line for pair in self.pairs for line in people_sentences(pair.by_people))
        return tuple(dict.fromkeys(lines))

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
    def rankings(self) -> tuple[Ranking, ...]:
        """The runs ranked on each metric, all pairs corrected for one another; none of two."""
        if not self.among:
            return ()
        ranked = [i for i in self.among[0].pairing.metrics if i.direction != "neither"]
        return tuple(self._ranking(info) for info in ranked)

    def _ranking(self, info: MetricInfo) -> Ranking:
        shown = []
        for pair in (*self.pairs, *self.among):
            contrast, (a, b) = pair.contrast(info.spec), pair.names
            if contrast is not None and contrast.finding in ("worse", "better"):
                # Missing scores may turn the order of the means.
                shown.append((a, b) if contrast.finding == "worse" else (b, a))
        names = _best_first(self.runs, info, set(self.pairs[0].pairing.ids))
        return Ranking(info, names, tuple(shown))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        more = [run for run in self.runs if len(run) > self.questions]
        notes = [note for pair in self.pairs for note in pair.pairing.doubts]
        if more:
            each = ", ".join(f"{run.name!r} has {len(run) - self.questions} more" for run in more)
            notes.insert(0, f"Compared on the {self.questions} questions in all runs: {each}.")
        of_pairs = (
            note
            for pair in self.pairs
            for note in (*pair.label_notes, *pair.cluster_notes, *pair.judge_notes)
        )
        return (*notes, *dict.fromkeys(of_pairs))

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        caption = f"{self.questions} questions, against {self.baseline.name}"
        return differences_html(self.pairs, caption)


def require_runs(names: Sequence[str]) -> None:
    """Raise unless there are two runs or more, each with a name of its own.

    Raises:
        InputError: There are fewer than two, or two have one name.
    """
    if len(names) < 2:
        raise InputError(f"expected two runs or more, got {len(names)}")
    if len(set(names)) < len(names):
        raise InputError(f"two runs have one name: {', '.join(map(repr, names))}")


def _best_first(runs: Sequence[Run], info: MetricInfo, ids: set[str]) -> tuple[str, ...]:
    means = {}
    for run in runs:
        values = [value for key, value in run.values(info.spec).items() if key in ids]
        means[run.name] = sum(values) / len(values) if values else float("-inf")
    return tuple(sorted(means, key=means.__getitem__, reverse=info.direction != "lower"))
