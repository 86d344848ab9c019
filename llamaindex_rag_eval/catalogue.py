"""The catalogue: every metric there is, found by its name, its label, or the name others use.

`metric_of("ndcg@10")`, `metric_of("factual_correctness(mode=recall)")`,
`metric_of("LLMContextRecall")`.
"""

import difflib
import inspect
from collections.abc import Mapping
from functools import lru_cache

from llamaindex_rag_eval import composite, metrics
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.label import parsed_label
from llamaindex_rag_eval.metric import BaseMetric
from llamaindex_rag_eval.turns import TurnWise

__all__ = ["DEFAULT_METRICS", "METRICS", "metric_class", "metric_of"]

METRICS: tuple[type[BaseMetric], ...] = (
    metrics.Faithfulness,
    metrics.AnswerRelevancy,
    metrics.ContextPrecision,
    metrics.ContextUtilization,
    metrics.ContextRecall,
    metrics.ContextRelevancy,
    metrics.AnswerSimilarity,
    metrics.AnswerCorrectness,
    metrics.FactualCorrectness,
    metrics.NoiseSensitivity,
    metrics.ContextEntityRecall,
    metrics.ResponsePrecision,
    metrics.ResponseRecall,
    metrics.ResponseF1,
    metrics.ContextPrecisionByClaims,
    metrics.ContextUtilizationByClaims,
    metrics.Hallucination,
    metrics.SelfKnowledge,
    metrics.ContradictionRate,
    metrics.CitationPrecision,
    metrics.CitationCoverage,
    metrics.CitationF1,
    metrics.Diagnosis,
    metrics.HitRate,
    metrics.Mrr,
    metrics.Map,
    metrics.Ndcg,
    metrics.Precision,
    metrics.Recall,
    metrics.RPrecision,
    metrics.NonLlmContextPrecision,
    metrics.NonLlmContextRecall,
    metrics.ContextRelevance,
    metrics.ResponseGroundedness,
    metrics.ResponseRelevance,
    metrics.AnswerAccuracy,
    metrics.Correctness,
    metrics.Completeness,
    metrics.Helpfulness,
    metrics.LogicalCoherence,
    metrics.FollowingInstructions,
    metrics.ProfessionalStyle,
    metrics.Relevance,
    metrics.Harmfulness,
    metrics.Maliciousness,
    metrics.Stereotyping,
    metrics.Controversiality,
    metrics.Criminality,
    metrics.Insensitivity,
    metrics.Misogyny,
    metrics.Coherence,
    metrics.Conciseness,
    metrics.Depth,
    metrics.Creativity,
    metrics.Detail,
    metrics.AspectCritique,
    metrics.Refusal,
    metrics.RefusalCorrectness,
    metrics.Rubric,
    metrics.InstanceRubric,
    metrics.SimpleCriteria,
    metrics.Guideline,
    metrics.GEval,
    metrics.PairwisePreference,
    metrics.SummarizationScore,
    metrics.ExactMatch,
    metrics.TokenF1,
    metrics.Bleu,
    metrics.Rouge,
    metrics.Chrf,
    metrics.StringSimilarity,
    metrics.StringPresence,
    metrics.RegexMatch,
    metrics.JsonValid,
    metrics.JsonMatch,
    metrics.EmbeddingDistance,
    metrics.MultimodalFaithfulness,
    metrics.MultimodalRelevance,
    metrics.TopicAdherence,
    metrics.AgentGoalAccuracy,
    metrics.AgentGoalAccuracyWithoutReference,
    metrics.ToolCallAccuracy,
    metrics.ToolCallF1,
    metrics.ConversationCompleteness,
    metrics.KnowledgeRetention,
    composite.RagasScore,
    composite.HarmonicMean,
    composite.WeightedMean,
    TurnWise,
)
"""Every metric, in the order in which tables list them."""

DEFAULT_METRICS: tuple[str, ...] = (
    "faithfulness",
    "answer_relevancy",
    "context_precision",
    "context_utilization",
    "context_recall",
    "context_relevancy",
    "answer_similarity",
    "answer_correctness",
    "hit_rate@5",
    "mrr",
    "ndcg@10",
)
"""What is measured when nothing was named."""


SHORTHANDS: Mapping[str, str] = {
    "noise_sensitivity_relevant": "noise_sensitivity",
    "noise_sensitivity_in_relevant": "noise_sensitivity",
    "noise_sensitivity_irrelevant": "noise_sensitivity(mode=irrelevant)",
    "noise_sensitivity_in_irrelevant": "noise_sensitivity(mode=irrelevant)",
    "rouge1": "rouge(type=rouge1)",
    "rouge2": "rouge(type=rouge2)",
    "rougeL": "rouge",
}
"""Names of other tools for a metric with certain settings."""


def metric_of(name: str, judge: JudgeLike | None = None) -> BaseMetric:
    """Return the metric of this name.

    Args:
        name: `name`, `name@k` or `name(key=value,…)`; case does not count, nor does the tool it
            comes from: ragas's, DeepEval's, Bedrock's and LangChain's names are known.
        judge: Who judges; the judge of the run if not given.

    Raises:
        UnknownMetricError: No metric has that name; the message names the nearest.
        InputError: The settings cannot be read, or are not settings of this metric.

    Example:
        >>> metric_of("ndcg@10")
        Ndcg(k=10)
        >>> metric_of("LLMContextRecall")
        ContextRecall()
    """
    shorthands = {_plain(short): label for short, label in SHORTHANDS.items()}
    bare, settings = parsed_label(shorthands.get(_plain(name), name))
    kind = metric_class(bare)
    known = [p for p in inspect.signature(kind).parameters if p != "judge"]
    for key in settings:
        if key not in known:
            raise InputError(f"{kind.name!r} has no setting {key!r}; it has {', '.join(known)}")
    parts = settings.get("parts")
    if isinstance(parts, tuple | list):
        settings["parts"] = tuple(metric_of(str(part)) for part in parts)
    if kind is TurnWise and isinstance(settings.get("metric"), str):
        settings["metric"] = metric_of(str(settings["metric"]))
    try:
        return kind(judge, **settings)  # type: ignore[arg-type]  # settings were read from text
    except TypeError as error:
        raise InputError(f"{name!r} cannot be made: {error}") from None


def metric_class(name: str) -> type[BaseMetric]:
    """Return the class of the metric of this name or alias.

    Raises:
        UnknownMetricError: No metric has that name; the message names the nearest.
    """
    names = _by_name()
    found = names.get(_plain(name))
    if found is None:
        close = difflib.get_close_matches(_plain(name), names, n=5, cutoff=0.6)
        raise UnknownMetricError(name, dict.fromkeys(names[match].name for match in close[:3]))
    return found


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, type[BaseMetric]]:
    """Return the classes by every name: a metric's own name first, then aliases, then kin."""
    names = {_plain(kind.name): kind for kind in METRICS}
    aliases = [(alias, kind) for kind in METRICS for alias in (kind.__name__, *kind.aliases)]
    kin = [(alias, kind) for kind in METRICS for alias in kind.kin.values()]
    for alias, kind in (*aliases, *kin):
        names.setdefault(_plain(alias.removesuffix("@k")), kind)
    return names


def _plain(name: str) -> str:
    """Return a name without case, blanks, hyphens and underscores: `HitRate` is `hit_rate`."""
    return "".join(character for character in name.casefold() if character not in " -_")
