"""Cross-validation of a judge against people's labels: folds of whole documents, and rises.

The samples are dealt to folds, those on one document to the same. Each is judged by what the labels
of the other folds say, so that nothing is measured on the labels that it was fitted to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.paired import paired_test

FOLDS = 5
"""Folds of the cross-validation of a change."""

FEWEST = 20
"""Labels drawn at random from which on a rise can be seen: five of them or more must turn right."""

Scores = Mapping[str, float | None]
"""Sample id -> score; `None` where the judge failed."""

LEVEL = 0.9
"""Of the interval of a rise: one change in twenty that is worth nothing is accepted."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled sample.

    Attributes:
        sample: The sample.
        label: Its label, in the unit of the score.
        cluster: Samples of one are not independent.
        fold: Its fold, from 0.
    """

    sample: Sample
    label: HumanLabel
    cluster: int
    fold: int


@dataclass(frozen=True, slots=True)
class Proposal(JsonFields):
    """One change to a judge, cross-validated.

    Attributes:
        change: What would change: `threshold`, `examples` or `rules`.
        accepted: Whether agreement rises.
        note: What it would change to, or why it was not tried.
        agreement: The share of labels that the judge agrees with after it, in [0, 1].
        rise: How much more that is than before, in [-1, 1]; `None` if it was not tried.
    """

    _json = "change accepted note agreement rise"

    change: str
    accepted: bool
    note: str
    agreement: Estimate | None = None
    rise: Estimate | None = None

    @property
    def sentence(self) -> str:
        """What was tried and what came of it."""
        if self.agreement is None or self.rise is None:
            return f"{self.change}: not tried, {self.note}"
        verdict = "accepted" if self.accepted else "refused"
        figures = f"agreement {self.agreement.text()}, rise {self.rise.text()}"
        return f"{self.change}: {verdict}, {self.note}; {figures}"


@dataclass(frozen=True)
class CrossValidation:
    """Labelled samples, and how the scores of a judge are held against people.

    Attributes:
        labelled: The samples. Those that were not drawn at random teach, and measure nothing.
        cut: A label at or above it is a yes of people.
    """

    labelled: tuple[Labelled, ...]
    cut: float

    @classmethod
    def of(cls, run: Run, labels: Sequence[HumanLabel], cut: float) -> "CrossValidation":
        """Return the labelled samples of a run in its order, dealt to folds by their clusters.

        Raises:
            InputError: They are too few, or on too few documents.
        """
        random = sum(label.chosen == "random" for label in labels)
        if random < FEWEST:
            few = f"{random} labels drawn at random are of answers that the run scores"
            raise InputError(f"{few}; expected {FEWEST} or more")
        label_of = {label.sample_id: label for label in labels}
        samples = [sample for sample in run.samples if sample.id in label_of]
        clusters = run.clusters().of(sample.id for sample in samples)
        distinct = sorted(set(clusters))
        if len(distinct) < FOLDS:
            few = f"the labels are on {len(distinct)} documents or conversations"
            raise InputError(f"{few}; expected {FOLDS} or more: some to learn from, some to try on")
        order = np.random.default_rng(0).permutation(len(distinct)).tolist()
        fold_of = {distinct[number]: rank % FOLDS for rank, number in enumerate(order)}
        dealt = zip(samples, clusters, strict=True)
        return cls(tuple(Labelled(s, label_of[s.id], c, fold_of[c]) for s, c in dealt), cut)

    @property
    def measured(self) -> list[Labelled]:
        """The samples that were drawn at random."""
        return [entry for entry in self.labelled if entry.label.chosen == "random"]

    def outside(self, fold: int | None) -> list[Labelled]:
        """Return the samples of all folds but one; for `None` all."""
        return [entry for entry in self.labelled if entry.fold != fold]

    def agrees(self, entry: Labelled, score: float | None, threshold: float) -> bool:
        """Return whether judge and people say the same; a judge that fails says nothing."""
        return score is not None and (score >= threshold) == (entry.label.value >= self.cut)

    def agreement(self, scores: Scores, thresholds: Sequence[float]) -> list[float]:
        """Return 1 for each measured sample on which judge and people agree, else 0."""
        return [
            float(self.agrees(entry, scores[entry.sample.id], thresholds[entry.fold]))
            for entry in self.measured
        ]

    def best_threshold(self, scores: Scores, fold: int | None, own: float) -> float:
        """Return the threshold with which most labels outside of a fold agree, nearest to `own`."""
        pairs = [(entry, scores[entry.sample.id]) for entry in self.outside(fold)]
        levels = sorted({score for _, score in pairs if score is not None})
        middles = [(low + high) / 2 for low, high in pairwise(levels)]

        def order(value: float) -> tuple[int, float]:
            return sum(self.agrees(*pair, value) for pair in pairs), -abs(value - own)

        return max([own, *levels[:1], *middles], key=order)

    def mean(self, agreement: Sequence[float]) -> Estimate:
        """Return the share of agreement with its interval."""
        clusters = [entry.cluster for entry in self.measured]
        return mean_estimate(agreement, clusters=clusters, bounds=(0.0, 1.0), level=LEVEL)

    def proposal(
        self, change: str, note: str, before: Sequence[float], after: Sequence[float]
    ) -> Proposal:
        """Return a change with its rise; it is accepted if the interval lies above 0."""
        differences = [b - a for a, b in zip(before, after, strict=True)]
        clusters = [entry.cluster for entry in self.measured]
        interval = paired_test(differences, clusters=clusters, width=1.0).interval(LEVEL)
        rise = Estimate.of(sum(differences) / len(differences), interval)
        accepted = interval is not None and interval.low > 0
        return Proposal(change, accepted, note, self.mean(after), rise)
