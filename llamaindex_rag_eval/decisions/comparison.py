"""Comparison: two runs, question by question, and the verdict.

Questions are paired, so that what makes a question hard for all pipelines cancels out. Two runs
become a `Pairing`, each metric of it a `Contrast`; the p-values of all contrasts are corrected for
one another, and the verdict says in sentences what they show. Tables, reports and decisions read
the same contrasts.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import JsonValue

from llamaindex_rag_eval.decisions.answers import AnswerRate, answer_rate, resource_contrasts
from llamaindex_rag_eval.decisions.by_people import ByPeople, Labels, by_people, people_json
from llamaindex_rag_eval.decisions.contrast import (
    Contrast,
    contrast_of,
    contrasts_of,
    corrected,
    labelled,
)
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.decisions.slices import Slice, slices_of
from llamaindex_rag_eval.decisions.verdict import verdict
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters, clusters_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import html_table, shares_of
from llamaindex_rag_eval.stats.interval import signed


@dataclass(frozen=True)
class Comparison:
    """Two runs on the questions they share.

    Attributes:
        pairing: The runs, and which of their questions are compared.
        contrasts: One for each metric that is compared.
        resources: The time, tokens and money of answers, corrected for one another; less is better.
        clusters: Of the compared questions.
        primary: The spec of the metric that decides; empty where none has a direction. Where people
            labelled it, its contrast is corrected by their labels.
        by_people: The metrics that people labelled, corrected; `None` where no labels were passed.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    resources: tuple[Contrast, ...]
    clusters: SampleClusters
    primary: str = ""
    by_people: tuple[ByPeople, ...] | None = None

    @classmethod
    def of(
        cls,
        a: Run,
        b: Run,
        *,
        metrics: Sequence[BaseMetric | str] | None = None,
        clusters: Clustering = "documents",
        alpha: float = 0.05,
        primary: str = "",
        labels: Labels | None = None,
    ) -> "Comparison":
        """Compare two runs over the questions they share; see `compare`.

        Raises:
            InputError: The runs share no question, no metric, or not all of `metrics`, or are not
                compared on the primary one.
            DatasetError: The file of labels cannot be read.
        """
        pairings = [Pairing.of(a, b, metrics)]
        return cls.of_pairings(pairings, clusters, alpha, primary, labels)[0]

    @classmethod
    def of_pairings(
        cls,
        pairings: Sequence[Pairing],
        clusters: Clustering,
        alpha: float,
        primary: str = "",
        labels: Labels | None = None,
    ) -> tuple["Comparison", ...]:
        """Return the comparison of each pair of runs, corrected for all of them together."""
        spec = primary_of(pairings, primary)
        groups = [clusters_of(pairing.samples.values(), clusters) for pairing in pairings]
        pairs = list(zip(pairings, groups, strict=True))
        people = [by_people(p.runs, labels, p.metrics, c, p.ids) for p, c in pairs]
        judged = [contrasts_of(*pair) for pair in pairs]
        known = zip(judged, people, strict=True)
        contrasts = corrected([_labelled(*each, spec) for each in known], alpha, spec)
        baseline = pairings[0].a
        taken = [resource_contrasts(*pair) if pair[0].a is baseline else () for pair in pairs]
        resources = corrected(taken, alpha)
        parts = zip(pairings, contrasts, resources, groups, people, strict=True)
        return tuple(cls(*part[:4], spec, part[4]) for part in parts)

    def under(self, policy: Policy) -> "Comparison":
        """Return the comparison that a policy decides by, corrected with its primary metric.

        What another judge judged is compared where the policy accepts that.

        Raises:
            InputError: The runs are not compared on its primary metric.
        """
        primary = primary_of([self.pairing], policy.primary) if policy.primary else self.primary
        withheld = any(contrast.withheld for contrast in self.contrasts)
        if primary == self.primary and not (withheld and policy.allow.other_judge):
            return self
        known = [
            replace(
                contrast_of(self.pairing, c.metric, self.clusters) if c.people else c,
                withheld=c.withheld and not policy.allow.other_judge,
            )
            for c in self.contrasts
        ]
        family = [_labelled(known, self.by_people, primary)]
        (contrasts,) = corrected(family, self.contrasts[0].alpha, primary)
        return replace(self, contrasts=contrasts, primary=primary)

    @cached_property
    def slices(self) -> tuple[Slice, ...]:
        """The same for each kind of question; computed when it is first read."""
        return slices_of(self.pairing, self.clusters)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both runs, "A" and "B" if the runs' own are the same."""
        return self.pairing.names

    @property
    def baseline(self) -> str:
        """The first run as sentences name it."""
        return self.pairing.a.name or "the baseline"

    @property
    def verdict(self) -> tuple[str, ...]:
        """What the contrasts show, in sentences; before it, why there is none on a metric."""
        withheld = {contrast.spec for contrast in self.contrasts if contrast.withheld}
        differing = self.pairing.discrepancies.items()
        sentences = [text for text, specs in differing if withheld.issuperset(specs)]
        answers = "" if self.answer_rate is None else self.answer_rate.sentence(self.names)
        shown = verdict(self.names, self.contrasts, self._undefined)
        return tuple(filter(None, (*sentences, *shown, answers)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        return (*self.pairing.notes, *self.label_notes, *self.cluster_notes, *self.judge_notes)

    @property
    def _undefined(self) -> set[str]:
        """The metrics of which a score is missing only where it is undefined."""
        rows = (self.pairing.rows_a, self.pairing.rows_b)
        lacking = {
            (spec, row.status)
            for of_run in rows
            for spec, own in of_run.items()
            for row in own.values()
            if row.score is None
        }
        return {spec for spec, _ in lacking} - {s for s, status in lacking if status != "undefined"}

    @property
    def judge_notes(self) -> tuple[str, ...]:
        """What holds of how both runs were judged."""
        a, b = (run.provenance.notes for run in (self.pairing.a, self.pairing.b))
        return (*(note for note in a if note in b), *self.pairing.b.language_notes)

    @property
    def label_notes(self) -> tuple[str, ...]:
        """That labels which were passed do not decide, if they do not."""
        contrast = self.contrast(self.primary)
        if contrast is None or self.by_people is None or contrast.labels or contrast.unchanged:
            return ()
        return (
            f"The judge decides on {self.primary}, not the labels: they do not correct both runs.",
        )

    @cached_property
    def answer_rate(self) -> AnswerRate | None:
        """How many questions each run answers; `None` if none was asked for an answer."""
        return answer_rate(self.pairing, self.clusters)

    @property
    def cluster_notes(self) -> tuple[str, ...]:
        """How many independent questions there are, if not all are."""
        effective = [contrast.estimate.effective_n for contrast in self.contrasts]
        return self.clusters.sentences(effective, self.pairing.ids)

    def contrast(self, metric: str) -> Contrast | None:
        """Return the contrast of one metric, or `None` if it was not compared."""
        return next((contrast for contrast in self.contrasts if contrast.spec == metric), None)

    def shares(self, metric: str) -> dict[str, dict[str, float]]:
        """Return, by run, the share of each verdict of a metric; {} for one without verdicts.

        They are over the questions that both runs have a score for.
        """
        contrast = self.contrast(metric)
        if contrast is None or not (contrast.metric.verdicts and contrast.pairs):
            return {}
        rows = (self.pairing.rows_a[metric], self.pairing.rows_b[metric])
        return {
            name: shares_of(
                contrast.metric, Counter(of_run[pair.sample_id].verdict for pair in contrast.pairs)
            )
            for name, of_run in zip(self.names, rows, strict=True)
        }

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but questions and slices as plain data."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "questions": len(self.pairing.ids),
            "verdict": list(self.verdict),
            "notes": list(self.notes),
            "answers": None if self.answer_rate is None else self.answer_rate.as_json(),
            "metrics": [self._contrast_json(contrast) for contrast in self.contrasts],
            "resources": [contrast.as_json() for contrast in self.resources],
            **people_json(self.by_people),
        }

    def _contrast_json(self, contrast: Contrast) -> dict[str, JsonValue]:
        by_run = self.shares(contrast.metric.spec)
        shares: dict[str, JsonValue] = {name: {**of_run} for name, of_run in by_run.items()}
        return {**contrast.as_json(), "shares": shares} if shares else contrast.as_json()

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        return differences_html([self], self.verdict[0] if self.verdict else "")


def _labelled(
    contrasts: Sequence[Contrast], people: Sequence[ByPeople] | None, primary: str
) -> tuple[Contrast, ...]:
    """Return the contrasts, that of the metric that decides as labels by people correct it."""
    known = next((entry for entry in people or () if entry.metric.spec == primary), None)
    return tuple(labelled(c, known if c.spec == primary else None) for c in contrasts)


def primary_of(pairings: Sequence[Pairing], primary: str) -> str:
    """Return the spec of the metric that decides among those of all pairs; empty for none.

    Raises:
        InputError: The metric that is named is not compared in each pair.
    """
    directed = ([i.spec for i in p.metrics if i.direction != "neither"] for p in pairings)
    first, *others = directed
    specs = [spec for spec in first if all(spec in known for known in others)]
    return Policy(primary=primary).primary_of(specs, pairings[0].a.name or "the baseline")


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names for `compare`, none twice: a second "main" becomes "main (2)".

    Example:
        >>> unique_names(["a", "a", ""])
        ('a', 'a (2)', 'run')
    """
    taken: list[str] = []
    for name in names:
        base = name or "run"
        number = 1 + sum(other == base or other.startswith(f"{base} (") for other in taken)
        taken.append(base if number == 1 else f"{base} ({number})")
    return tuple(taken)


def differences_html(pairs: Sequence[Comparison], caption: str) -> str:
    """Return the differences of runs from their baseline as a small table."""
    rows = [
        (
            contrast.spec,
            pair.names[1],
            *("–" if m is None else f"{m:.3f}" for m in (contrast.mean_a, contrast.mean_b)),
            contrast.estimate.text(signed),
            contrast.finding,
        )
        for pair in pairs
        for contrast in pair.contrasts
    ]
    head = ("metric", "run", pairs[0].names[0], "mean", "difference (interval)", "shown")
    return html_table(head, rows, caption=caption)
