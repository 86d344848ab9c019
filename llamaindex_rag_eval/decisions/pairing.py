"""Pairing: the questions and metrics that two runs have in common, and what else differs.

A difference between two pipelines is theirs only if both answered the same questions, were held to
the same references, and were judged by the same judge with the same settings. A question that was
asked several times (`run --repeats`) is one question, and its score the mean of those of its
answers: what answers vary by chance then counts for less.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from llamaindex_rag_eval.data.repeats import question_of
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.judge.answerers import answerer_name
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

Rows = Mapping[str, Mapping[str, Row]]
"""Metric's spec -> sample id -> result."""

GOLDEN = ("reference", "gold", "expected_behaviour", "rubrics")
"""What the names of a sample's fields begin with that come from the golden set."""


OTHERS = 0.05
"""The share of judgements by somebody else from which on a metric has another judge."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs over the questions they share.

    Attributes:
        a: The first run, the baseline.
        b: The second run.
        names: The names of both; "A" and "B" where the runs' names are empty or the same.
        metrics: The metrics to compare, which both have.
        ids: Samples in both, with the same question, in the order of `a`; the first answer to each.
        left_out: Why samples are not compared -> their ids.
        rows_a: The results of `a`, one a question.
        rows_b: The results of `b`, one a question.
        averaged: Whether a question was asked several times, so that scores are means.
    """

    a: Run
    b: Run
    names: tuple[str, str]
    metrics: tuple[MetricInfo, ...]
    ids: tuple[str, ...]
    left_out: Mapping[str, tuple[str, ...]]
    rows_a: Rows = field(repr=False, compare=False)
    rows_b: Rows = field(repr=False, compare=False)
    averaged: bool = False

    @property
    def runs(self) -> Mapping[str, Run]:
        """Both runs by name, the baseline first."""
        return dict(zip(self.names, (self.a, self.b), strict=True))

    @classmethod
    def of(cls, a: Run, b: Run, metrics: Sequence[BaseMetric | str] | None = None) -> "Pairing":
        """Pair two runs by sample id.

        Args:
            a: The first run, the baseline.
            b: The second run.
            metrics: The metrics to compare; by default all that both runs have.

        Raises:
            InputError: They have no question or no metric in common, or one of `metrics` is not
                in both.
        """
        (questions_a, firsts_a), (questions_b, firsts_b) = _questions(a), _questions(b)
        shared = [key for key in questions_a if key in questions_b]
        ids = tuple(key for key in shared if questions_a[key] == questions_b[key])
        if not ids:
            raise InputError(
                f"the runs {a.name!r} and {b.name!r} have no question in common; "
                "expected answers to the same golden set"
            )
        names = _names(a, b)
        apart = tuple(key for key in shared if questions_a[key] != questions_b[key])
        return cls(
            a=a,
            b=b,
            names=names,
            metrics=_shared_metrics(a, b, metrics),
            ids=ids,
            left_out={
                f"only {names[0]!r} has": tuple(k for k in questions_a if k not in questions_b),
                f"only {names[1]!r} has": tuple(k for k in questions_b if k not in questions_a),
                "stand under one id and differ between the runs": apart,
            },
            rows_a=_rows(a, firsts_a),
            rows_b=_rows(b, firsts_b),
            averaged=len(questions_a) < len(a) or len(questions_b) < len(b),
        )

    def among(self, ids: Collection[str]) -> "Pairing":
        """Return the pairing over these questions only."""
        return replace(self, ids=tuple(key for key in self.ids if key in ids))

    @property
    def samples(self) -> Mapping[str, Sample]:
        """The paired samples of `a`, by id."""
        by_id = {sample.id: sample for sample in self.a.samples}
        return {key: by_id[key] for key in self.ids}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that are compared."""
        notes = [
            f"{len(ids)} question{'s' if len(ids) > 1 else ''} that {why} "
            f"{'are' if len(ids) > 1 else 'is'} left out."
            for why, ids in self.left_out.items()
            if ids
        ]
        if notes:
            both = len(self.ids)
            notes.insert(0, f"The runs are over different golden sets: {both} questions in both.")
        return (*notes, *self.doubts)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What may make the compared questions differ between the runs."""
        count = sum(_golden(a) != _golden(b) for a, b in self._both)
        name = self.names[1]
        return (f"{count} compared questions have another reference in {name!r}.",) * (count > 0)

    @property
    def unchanged(self) -> bool:
        """Whether both runs gave the same answers to the same questions, from the same contexts."""
        known: dict[str, tuple[object, ...]] = {}
        answers = ((question_of(s), _answer(s)) for run in (self.a, self.b) for s in run.samples)
        return not self.notes and all(
            any(answer) and known.setdefault(question, answer) == answer
            for question, answer in answers
        )

    @property
    def uncompared(self) -> tuple[str, ...]:
        """The metrics of the first run that the second does not have."""
        known = {info.spec for info in self.b.metrics}
        return tuple(info.spec for info in self.a.metrics if info.spec not in known)

    @property
    def discrepancies(self) -> Mapping[str, Sequence[str]]:
        """What differs beside the pipelines, in a sentence -> the metrics without a verdict."""
        return {**self._other_settings, **self._other_judges}

    @property
    def _other_settings(self) -> Mapping[str, Sequence[str]]:
        others = {info.spec: info for info in self.b.metrics}
        changes: dict[str, Sequence[str]] = {}
        for info in self.metrics:
            before, now = _settings(info), _settings(others[info.spec])
            for what in before:
                if before[what] != now[what]:
                    change = f"{what} {before[what]} before, {now[what]} now"
                    changes[f"No verdict on {info.spec}: {change}."] = [info.spec]
        return changes

    @property
    def _other_judges(self) -> Mapping[str, Sequence[str]]:
        """The same of metrics that were judged by somebody else, put together by whom."""
        by: dict[tuple[str, str], list[str]] = {}
        for info in self.metrics:
            judged = (run.provenance.judged.get(info.spec, {}) for run in (self.a, self.b))
            if (pair := _different_judges(*judged)) is not None:
                by.setdefault(pair, []).append(info.spec)
        a, b = map(repr, self.names)
        return {
            f"No verdict on {', '.join(specs)}: {a} was judged by {first}, {b} by {second}.": specs
            for (first, second), specs in by.items()
        }

    @property
    def _both(self) -> Iterator[tuple[Sample, Sample]]:
        others = {sample.id: sample for sample in self.b.samples}
        return ((sample, others[key]) for key, sample in self.samples.items())


def has_metrics(run: Run, metrics: Sequence[BaseMetric | str] | None) -> bool:
    """Return whether a run has results of these metrics; always for `None`."""
    specs = {info.spec for info in run.provenance.metrics}
    return all(_spec_among(metric, specs) is not None for metric in metrics or ())


def _questions(run: Run) -> tuple[dict[str, str], dict[str, str]]:
    """Return what is asked, by the id of the first answer; and the first of each answer's id."""
    questions: dict[str, str] = {}
    firsts: dict[str, str] = {}
    of_question: dict[str, str] = {}
    for sample in run.samples:
        first = firsts[sample.id] = of_question.setdefault(question_of(sample), sample.id)
        questions.setdefault(first, _question(sample))
    return questions, firsts


def _question(sample: Sample) -> str:
    """Return what the user asks; of a conversation, all that the user says in it."""
    return sample.asked if isinstance(sample, MultiTurnSample) else sample.query


def _golden(sample: Sample) -> tuple[object, ...]:
    """Return what the golden set says of a question: its references, and all that is held to."""
    fields = (name for name in type(sample).model_fields if name.startswith(GOLDEN))
    return tuple(getattr(sample, name) for name in fields)


def _answer(sample: Sample) -> tuple[object, ...]:
    """Return what a pipeline gave for a question.

    Ids stand for contexts only where these have no texts: an index that is built again numbers its
    nodes anew.
    """
    if isinstance(sample, MultiTurnSample):
        return (sample.messages, sample.error)
    return (sample.response, sample.contexts or sample.context_ids, sample.error)


def _rows(run: Run, firsts: Mapping[str, str]) -> Rows:
    rows: dict[str, dict[str, list[Row]]] = {info.spec: {} for info in run.provenance.metrics}
    for row in run.rows:
        of_metric = rows.setdefault(row.metric, {})
        of_metric.setdefault(firsts.get(row.sample_id, row.sample_id), []).append(row)
    return {
        spec: {first: _mean_row(answers) for first, answers in of_metric.items()}
        for spec, of_metric in rows.items()
    }


def _mean_row(rows: Sequence[Row]) -> Row:
    """Return the result on a question from those on its answers; failed if one of them failed."""
    failed = [row for row in rows if row.status == "failed"]
    scores = [row.score for row in rows if row.score is not None]
    if len(rows) == 1 or failed or not scores:
        return (failed or rows)[0]
    return replace(rows[0], status="scored", score=fmean(scores))


def _names(a: Run, b: Run) -> tuple[str, str]:
    return (a.name, b.name) if a.name and b.name and a.name != b.name else ("A", "B")


def _shared_metrics(
    a: Run, b: Run, metrics: Sequence[BaseMetric | str] | None
) -> tuple[MetricInfo, ...]:
    known = {info.spec for info in b.provenance.metrics}
    shared = {info.spec: info for info in a.provenance.metrics if info.spec in known}
    if not shared:
        raise InputError(
            f"the runs {a.name!r} and {b.name!r} have no metric in common; "
            "expected runs scored with the same metrics"
        )
    if not metrics:
        return tuple(shared.values())
    chosen: dict[str, MetricInfo] = {}
    for metric in metrics:
        spec = _spec_among(metric, shared)
        if spec is None:
            name = metric if isinstance(metric, str) else metric.spec
            raise InputError(
                f"the runs {a.name!r} and {b.name!r} do not both have the metric {name!r}; "
                f"they have {', '.join(map(repr, shared))} in common"
            )
        chosen[spec] = shared[spec]
    return tuple(chosen.values())


def _spec_among(metric: BaseMetric | str, specs: Collection[str]) -> str | None:
    """Return the one of a run's specs that a metric, or any name of it, stands for."""
    if not isinstance(metric, str):
        return metric.spec if metric.spec in specs else None
    if metric in specs:
        return metric
    from llamaindex_rag_eval.metrics.registry import metric_of  # imports every metric

    try:
        spec = metric_of(metric).spec
    except UnknownMetricError:
        return None
    return spec if spec in specs else None


def _settings(info: MetricInfo) -> dict[str, str]:
    return {
        "direction": info.direction,
        "bounds": f"{info.bounds[0]:g} to {info.bounds[1]:g}",
    }


Judged = Mapping[str, Mapping[str, int]]
"""Kind of judgement -> fingerprint of who answered -> how often."""


def _different_judges(a: Judged, b: Judged) -> tuple[str, str] | None:
    """Return who judged each run, in words, if that differs for a kind of judgement of both."""
    for kind in a:
        counts = (a[kind], b.get(kind, {}))
        shared = counts[0].keys() & counts[1].keys()
        if counts[1] and any(_share_of_others(each, shared) > OTHERS for each in counts):
            # Fingerprints: the same model with other settings, another prompt or other rules.
            exact = [sorted(each, key=lambda who: -each[who]) for each in counts]
            first, second = (dict.fromkeys(map(answerer_name, whos)) for whos in exact)
            names = (" and ".join(first), " and ".join(second))
            prints = (" and ".join(exact[0]), " and ".join(exact[1]))
            return names if names[0] != names[1] else (f"{names[0]} ({prints[0]})", prints[1])
    return None


def _share_of_others(counts: Mapping[str, int], shared: Collection[str]) -> float:
    total = sum(counts.values())
    return sum(n for who, n in counts.items() if who not in shared) / total if total else 0
