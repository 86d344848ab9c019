"""What made a run: versions, who judged with what settings, which data, when, at what cost."""

import platform
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue

from llamaindex_rag_eval.judge import judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric

__all__ = ["MetricInfo", "Provenance"]

PACKAGES = ("llamaindex-rag-eval", "llama-index-core")


class MetricInfo(BaseModel):
    """What a reader of scores must know about a metric.

    Attributes:
        spec: The metric's name with its settings, `ndcg@10` say; in files it is called `label`.
        bounds: The least and the greatest value.
        direction: Which way is better.
        threshold: The value that passes, if one was set.
        needs: The fields it reads.
    """

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)

    spec: str = Field(validation_alias=AliasChoices("spec", "label"), serialization_alias="label")
    bounds: tuple[float, float] = (0.0, 1.0)
    direction: str = "higher"
    threshold: float | None = None
    needs: tuple[str, ...] = ()

    @classmethod
    def of(cls, metric: BaseMetric) -> "MetricInfo":
        """Return what readers must know of a metric."""
        return cls(
            spec=metric.spec,
            bounds=metric.bounds,
            direction=metric.direction,
            threshold=metric.threshold,
            needs=tuple(sorted(metric.needs)),
        )


class Provenance(BaseModel):
    """What made a run; without it a score is a rumour.

    Attributes:
        versions: Package -> version.
        started: When, in UTC, ISO 8601.
        seconds: How long it took, over all sessions if it was resumed.
        dataset: The fingerprint of the samples.
        answered_by: Kind of judgement -> who answered, with the model's settings and the
            fingerprint of the prompt.
        metrics: The metrics.
        usage: Calls, tokens and money, where a model answered.
        notes: What a reader must know, as that the embedded judge answered.
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
    ruled = sorted(kind for kind, who in answered_by.items() if who.startswith("embedded-rules"))
    if not ruled:
        return ()
    return (
        "Judged by embedded language rules, not by an LLM: good for comparing pipelines on the "
        "same questions, coarse as an absolute score.",
    )
