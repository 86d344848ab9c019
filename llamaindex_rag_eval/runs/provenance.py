"""The provenance of a run: versions, judge and settings, data, time and cost."""

import math
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import judge_of
from llamaindex_rag_eval.judge.answerers import (
    Answerers,
    answerer_name,
    by_answerer,
    by_rules,
    compares_texts,
    comparison_note,
    sum_of_answerers,
)
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_class
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.runs.shard import Ending

PACKAGES = ("llamaindex-rag-eval", "llama-index-core")

RULES = "embedded language rules"

WORDS = "words"
"""The name of what compares texts where there is no embedding model."""


class MetricInfo(BaseModel):
    """A metric as a run records it: what is needed to read its scores.

    Attributes:
        spec: The metric's name with its settings, `ndcg@10` say; in files it is called `label`.
        bounds: The least and the greatest value.
        direction: Which way is better: `higher`, `lower` or `neither`.
        threshold: The value from which on a result passes, if one was set.
        needs: The fields of a sample that it reads.
        verdicts: Words that its scores stand for, the best first.
    """

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)

    spec: str = Field(validation_alias=AliasChoices("spec", "label"), serialization_alias="label")
    bounds: tuple[float, float] = (0.0, 1.0)
    direction: str = "higher"
    threshold: float | None = None
    needs: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()

    @classmethod
    def of(cls, metric: BaseMetric) -> "MetricInfo":
        """Return what a run records about a metric."""
        return cls(
            spec=metric.spec,
            bounds=metric.bounds,
            direction=metric.direction,
            threshold=metric.own_threshold,
            needs=tuple(sorted(metric.needs)),
            verdicts=metric.verdicts,
        )

    @property
    def default_threshold(self) -> float | None:
        """That of the metric, the middle of the range of a user's own; `None` for no verdict."""
        with suppress(InputError):
            return metric_class(parse_spec(self.spec)[0]).default_threshold
        middle = sum(self.bounds) / 2
        return middle if math.isfinite(middle) else None


class Provenance(BaseModel):
    """What is needed to trust a run's scores and to repeat it.

    Attributes:
        versions: Package -> version.
        started: Start time in UTC, ISO 8601.
        seconds: Duration, summed over all evaluations if the run was resumed.
        dataset: The fingerprint of the samples.
        answered_by: Kind of judgement -> the fingerprint of what answered it: the model, its
            settings, and the prompt.
        judged: Metric -> kind of judgement -> fingerprint of what answered -> how many judgements
            its results come from; cached ones count too.
        metrics: The metrics, in the order they were asked for.
        usage: Calls, tokens and money, where a model answered.
        alignments: How judges were aligned to people's labels, a sentence for each metric.
        notes: What to show with the scores: by whom they were judged, and warnings.
        stopped: Why it ended before its end; empty if it did not.
        unreached: Whether that is because a model took no call any more.
    """

    model_config = ConfigDict(frozen=True)

    versions: Mapping[str, str] = Field(default_factory=dict)
    started: str = ""
    seconds: float = 0.0
    dataset: str = ""
    answered_by: Mapping[str, str] = Field(default_factory=dict)
    judged: Mapping[str, Answerers] = Field(default_factory=dict)
    metrics: tuple[MetricInfo, ...] = ()
    usage: Mapping[str, JsonValue] = Field(default_factory=dict)
    alignments: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str = ""
    unreached: bool = False

    @classmethod
    def now(cls, metrics: Iterable[BaseMetric], *, dataset: str) -> "Provenance":
        """Return the provenance of a run that starts now."""
        metrics = tuple(metrics)
        answered_by = _answered_by(metrics)
        alignments = tuple(m.alignment.sentence for m in metrics if m.alignment is not None)
        expected = {
            metric.spec: {kind: {who: 0} for kind, who in _answered_by([metric]).items()}
            for metric in metrics
        }
        return cls(
            versions={"python": platform.python_version(), **_versions()},
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            dataset=dataset,
            answered_by=answered_by,
            metrics=tuple(MetricInfo.of(metric) for metric in metrics),
            alignments=alignments,
            notes=(*_notes(expected), *alignments),
        )

    def with_judged(self, rows: Iterable[Row]) -> "Provenance":
        """Return the provenance with the judgements behind these rows, in numbers and in words."""
        by_metric: dict[str, list[Answerers]] = {}
        for row in rows:
            by_metric.setdefault(row.metric, []).append(row.judged_by)
        return self.with_counts(
            {spec: sum_of_answerers(kinds) for spec, kinds in by_metric.items()}
        )

    def with_counts(self, judged: Mapping[str, Answerers]) -> "Provenance":
        """Return the provenance with these judgements, counted by metric, kind and answerer."""
        if not any(judged.values()):
            return self
        update = {"judged": judged, "notes": (*_notes(judged), *self.alignments)}
        return self.model_copy(update=update)

    def ended(self, ending: Ending, seconds: float, usage: Mapping[str, JsonValue]) -> "Provenance":
        """Return the provenance with time, cost and end of the run, in words, too."""
        update = {
            "seconds": seconds,
            "usage": usage,
            "notes": (*self.notes, *ending.notes),
            "stopped": ending.stopped,
            "unreached": ending.unreached,
        }
        return self.model_copy(update=update)

    @property
    def shares(self) -> Mapping[str, str]:
        """Metric -> who answered how many of its judgements, in words."""
        counted = {spec: by_answerer(kinds) for spec, kinds in self.judged.items()}
        return {
            spec: ", ".join(f"{count:,} by {name}" for name, count in counts.items())
            for spec, counts in counted.items()
            if counts
        }


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # run from a source tree that was not installed
            continue
    return versions


def _answered_by(metrics: Iterable[BaseMetric]) -> dict[str, str]:
    fingerprints = {
        request.__name__: judge_of(metric.judge).oracle.fingerprint(request)
        for metric in metrics
        for request in metric.requests
    }
    return dict(sorted(fingerprints.items()))


def _notes(judged: Mapping[str, Mapping[str, Mapping[str, int]]]) -> tuple[str, ...]:
    """Return by whom a run was judged, in one sentence; none if nobody was asked.

    Where no judgement is counted yet, the sentence has no numbers.
    """
    whole = sum_of_answerers(judged.values())
    answered = {who for counts in whole.values() for who in counts}
    if not answered:
        return ()
    rules = {who for who in answered if by_rules(who)}
    if all(map(compares_texts, answered)):
        return (f"{comparison_note(whole)[:-1]}{_advice(answered)}.",)
    if rules and all(who in rules or compares_texts(who) for who in answered):
        models = sorted({answerer_name(who) for who in answered - rules} - {WORDS})
        beside = f" with {' and '.join(models)}" if models else ""
        return (
            f"Judged by {RULES}{beside}, not by an LLM: good for comparing pipelines on the same "
            "questions, coarse as an absolute score.",
        )
    counts = by_answerer(whole)
    total = sum(counts.values())
    shares = [
        f"by {name}{f' ({count:,} of {total:,} judgements)' if 0 < count < total else ''}"
        for name, count in counts.items()
    ]
    if WORDS not in counts:
        return (f"Judged {_listed(shares)}.",)
    where = [spec for spec, kinds in judged.items() if WORDS in by_answerer(kinds)]
    return (
        f"Judged {_listed(shares)}; words are compared in {_listed(where)}{_advice(answered)}.",
    )


def _advice(answered: Iterable[str]) -> str:
    """Return what to do where words are compared."""
    by_words = WORDS in map(answerer_name, answered)
    return ", as no embedding model was given (--embed)" if by_words else ""


def _listed(texts: Sequence[str]) -> str:
    """Return texts as a list in a sentence."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
