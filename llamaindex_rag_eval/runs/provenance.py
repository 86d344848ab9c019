"""The provenance of a run: versions, judge and settings, data, time and cost."""

import platform
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue

from llamaindex_rag_eval.judge import SimilaritiesOf, judge_of
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.base import BaseMetric

__all__ = ["MetricInfo", "Provenance"]

PACKAGES = ("llamaindex-rag-eval", "llama-index-core")

SIMILARITIES = frozenset({SimilaritiesOf.__name__, VectorsOf.__name__})
"""Kinds of judgement that embeddings answer, and no LLM."""

VOTES = re.compile(r"^votes=\d+/")
"""What stands before the fingerprint of a judge that is asked several times."""


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
            threshold=metric.threshold,
            needs=tuple(sorted(metric.needs)),
            verdicts=metric.verdicts,
        )


class Provenance(BaseModel):
    """What is needed to trust a run's scores and to repeat it.

    Attributes:
        versions: Package -> version.
        started: Start time in UTC, ISO 8601.
        seconds: Duration, summed over all evaluations if the run was resumed.
        dataset: The fingerprint of the samples.
        answered_by: Kind of judgement -> the fingerprint of what answered it: the model, its
            settings, and the prompt.
        metrics: The metrics, in the order they were asked for.
        usage: Calls, tokens and money, where a model answered.
        notes: Warnings to show with the scores, for example that rules judged.
    """

    model_config = ConfigDict(frozen=True)

    versions: Mapping[str, str] = Field(default_factory=dict)
    started: str = ""
    seconds: float = 0.0
    dataset: str = ""
    answered_by: Mapping[str, str] = Field(default_factory=dict)
    metrics: tuple[MetricInfo, ...] = ()
    usage: Mapping[str, JsonValue] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def now(cls, metrics: Iterable[BaseMetric], *, dataset: str) -> "Provenance":
        """Return the provenance of a run that starts now."""
        metrics = tuple(metrics)
        answered_by = _answered_by(metrics)
        return cls(
            versions={"python": platform.python_version(), **_versions()},
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            dataset=dataset,
            answered_by=answered_by,
            metrics=tuple(MetricInfo.of(metric) for metric in metrics),
            notes=_notes(answered_by),
        )


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # run from a source tree that was not installed
            continue
    return versions


def _answered_by(metrics: Iterable[BaseMetric]) -> dict[str, str]:
    found = {
        request.__name__: judge_of(metric.judge).oracle.fingerprint(request)
        for metric in metrics
        for request in metric.requests
    }
    return dict(sorted(found.items()))


def _notes(answered_by: Mapping[str, str]) -> tuple[str, ...]:
    """Return what must be known of who judged: where rules did, and where words were compared."""
    ruled = {kind: who for kind, who in answered_by.items() if _by_rules(who)}
    judged = sorted(set(ruled) - SIMILARITIES)
    embedded = sorted({who.partition("+")[2] for who in ruled.values()} - {""})
    if judged and len(ruled) == len(answered_by):
        beside = f" with the embedding model {embedded[0]!r}" if embedded else ""
        return (
            f"Judged by embedded language rules{beside}, not by an LLM: good for comparing "
            "pipelines on the same questions, coarse as an absolute score.",
        )
    notes = []
    if judged:
        notes.append(
            f"{', '.join(judged)}: answered by embedded language rules, not by a model as the rest."
        )
    if any("+" not in ruled[kind] for kind in SIMILARITIES & set(ruled)):
        notes.append(
            "Similarities were compared by words, not by an embedding model: give one with --embed."
        )
    return tuple(notes)


def _by_rules(fingerprint: str) -> bool:
    return VOTES.sub("", fingerprint).startswith("embedded-rules")
