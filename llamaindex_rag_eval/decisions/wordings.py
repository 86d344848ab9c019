"""Wordings: how often an answer changes where the same question is asked in other words.

    flip rate = questions whose verdict is another one / questions asked so
    overlap   = contexts of both / contexts of either

Verdicts and contexts of each variant are compared with those of the question as it is written.
Where questions were asked several times, the kind `asked_again` says what changes by chance alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.repeats import AS_WRITTEN, VARIANT, VARIANT_OF
from llamaindex_rag_eval.data.sample import SingleTurnSample, text_of
from llamaindex_rag_eval.decisions.policy import PRIMARY
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.runs.clusters import clusters_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Estimate

AGAIN = "asked_again"
"""The kind of a question that is asked once more as it is written."""


@dataclass(frozen=True, slots=True)
class WordingEffect(JsonFields):
    """What one kind of wording changes.

    Attributes:
        kind: The kind.
        metric: The metric of the verdicts; empty if none of the run has a threshold.
        questions: How many were asked so.
        flips: The share of verdicts that flip, in [0, 1], lower is better.
        change: The share of right answers minus that of the same questions as they are written, in
            [-1, 1]; below 0 if this wording loses answers. Of `n` questions with both verdicts; the
            interval holds for all kinds together (Bonferroni).
        overlap: The share of retrieved contexts that both have, in [0, 1], higher is better; of
            questions with contexts.
    """

    _json = "kind metric questions flips change overlap"

    kind: str
    metric: str
    questions: int
    flips: Estimate
    change: Estimate
    overlap: Estimate


def wording_effects(run: Run) -> tuple[WordingEffect, ...]:
    """Return what each kind of wording changes; none of a run without variants.

    Verdicts are those of `answer_verdict`, or of the first metric that has a threshold: from it on
    an answer is right. Intervals take questions on one document, and variants of one question, as
    not independent.

    Args:
        run: Scores of questions that were asked with their variants.
    """
    pairs = _pairs(run)
    if not pairs:
        return ()
    metric, right = _verdicts(run)
    labels = clusters_of(run.samples).labels
    level = 1 - (1 - DEFAULT_LEVEL) / len(pairs)

    def mean(values: Mapping[str, float], least: float, level: float = DEFAULT_LEVEL) -> Estimate:
        clusters = [labels[key] for key in values]
        return mean_estimate([*values.values()], clusters=clusters, bounds=(least, 1), level=level)

    effects = []
    for kind, both in pairs.items():
        judged = [(v.id, o.id) for v, o in both if v.id in right and o.id in right]
        changes = {own: right[own] - right[first] for own, first in judged}
        shares = {v.id: share for v, o in both if (share := overlap(v, o)) is not None}
        flips = {key: abs(change) for key, change in changes.items()}
        figures = mean(flips, 0), mean(changes, -1, level), mean(shares, 0)
        effects.append(WordingEffect(kind, metric, len(both), *figures))
    return tuple(effects)


def worst_wording(effects: Sequence[WordingEffect]) -> str:
    """Return in a sentence which kind of wording loses most answers; "" where none is judged.

    Args:
        effects: Of all kinds.
    """
    judged = [e for e in effects if e.kind != AGAIN and e.change.value is not None]
    if not judged:
        return ""
    worst = min(judged, key=lambda effect: effect.change.value or 0.0)
    change, name = worst.change.value or 0.0, worst.kind.replace("_", " ")
    if change >= 0:
        return "No kind of wording loses answers."
    doubt = "" if max(worst.change.ends) < 0 else ", which may be chance"
    return f"The share of right answers falls most with {name}: by {-change:.3f}{doubt}."


def overlap(variant: SingleTurnSample, original: SingleTurnSample) -> float | None:
    """Return the share of contexts that two samples both have, in [0, 1].

    Contexts are compared by their ids, or else by their texts. `None` if neither has any.

    Example:
        >>> first = SingleTurnSample(query="?", contexts=["a", "b", "c"])
        >>> overlap(first, SingleTurnSample(query="?", contexts=["c", "b", "d"]))
        0.5
    """
    by_id = bool(variant.context_ids and original.context_ids)
    own, others = (
        set(sample.context_ids) if by_id else set(map(text_of, sample.contexts))
        for sample in (variant, original)
    )
    return len(own & others) / len(own | others) if own | others else None


def _pairs(run: Run) -> Mapping[str, Sequence[tuple[SingleTurnSample, SingleTurnSample]]]:
    """Return kind -> each variant of it with its question as it is written."""
    pairs: dict[str, list[tuple[SingleTurnSample, SingleTurnSample]]] = {}
    for sample in run.samples:
        of = str(sample.metadata.get(VARIANT_OF, sample.id))
        original = None if of == sample.id else run.sample(of)
        if isinstance(sample, SingleTurnSample) and isinstance(original, SingleTurnSample):
            kind = str(sample.metadata.get(VARIANT, AS_WRITTEN))
            pairs.setdefault(AGAIN if kind == AS_WRITTEN else kind, []).append((sample, original))
    return pairs


def _verdicts(run: Run) -> tuple[str, Mapping[str, bool]]:
    """Return the metric whose verdicts are compared, and sample id -> whether it passes."""
    specs = sorted((info.spec for info in run.metrics), key=lambda s: parse_spec(s)[0] != PRIMARY)
    for spec in specs:
        results = (result for result in run.results if result.metric == spec)
        passing = {r.sample_id: r.passing for r in results if r.passing is not None}
        if passing:
            return spec, passing
    return "", {}
