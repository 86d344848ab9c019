"""The catalogue: every metric there is, found by its name, its label, or the name others use.

`metric_of("ndcg@10")`, `metric_of("factual_correctness(mode=recall)")`,
`metric_of("LLMContextRecall")`.
"""

import difflib
import inspect
from collections.abc import Mapping
from functools import lru_cache

from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics import composite
from llamaindex_rag_eval.metrics.answer_accuracy import AnswerAccuracy
from llamaindex_rag_eval.metrics.answer_correctness import AnswerCorrectness
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity
from llamaindex_rag_eval.metrics.aspects import (
    AspectCritique,
    Coherence,
    Conciseness,
    Controversiality,
    Creativity,
    Criminality,
    Depth,
    Detail,
    Harmfulness,
    Insensitivity,
    Maliciousness,
    Misogyny,
    Stereotyping,
)
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.bleu import Bleu
from llamaindex_rag_eval.metrics.chrf import Chrf
from llamaindex_rag_eval.metrics.citations import CitationCoverage, CitationF1, CitationPrecision
from llamaindex_rag_eval.metrics.completeness import Completeness
from llamaindex_rag_eval.metrics.context_entity_recall import ContextEntityRecall
from llamaindex_rag_eval.metrics.context_precision import ContextPrecision
from llamaindex_rag_eval.metrics.context_precision_by_claims import ContextPrecisionByClaims
from llamaindex_rag_eval.metrics.context_recall import ContextRecall
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevance
from llamaindex_rag_eval.metrics.context_relevancy import ContextRelevancy
from llamaindex_rag_eval.metrics.context_utilization import ContextUtilization
from llamaindex_rag_eval.metrics.context_utilization_by_claims import ContextUtilizationByClaims
from llamaindex_rag_eval.metrics.contradiction_rate import ContradictionRate
from llamaindex_rag_eval.metrics.conversation_completeness import ConversationCompleteness
from llamaindex_rag_eval.metrics.criteria import Guideline
from llamaindex_rag_eval.metrics.diagnosis import Diagnosis
from llamaindex_rag_eval.metrics.embedding_distance import EmbeddingDistance
from llamaindex_rag_eval.metrics.exact_match import ExactMatch
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.following_instructions import FollowingInstructions
from llamaindex_rag_eval.metrics.g_eval import GEval
from llamaindex_rag_eval.metrics.goals import (
    AgentGoalAccuracy,
    AgentGoalAccuracyWithoutReference,
)
from llamaindex_rag_eval.metrics.graded_answers import Correctness
from llamaindex_rag_eval.metrics.hallucination import Hallucination
from llamaindex_rag_eval.metrics.helpfulness import Helpfulness
from llamaindex_rag_eval.metrics.json_answers import JsonMatch, JsonValid
from llamaindex_rag_eval.metrics.knowledge_retention import KnowledgeRetention
from llamaindex_rag_eval.metrics.logical_coherence import LogicalCoherence
from llamaindex_rag_eval.metrics.multimodal import MultimodalFaithfulness, MultimodalRelevance
from llamaindex_rag_eval.metrics.noise_sensitivity import NoiseSensitivity
from llamaindex_rag_eval.metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall
from llamaindex_rag_eval.metrics.pairwise_preference import PairwisePreference
from llamaindex_rag_eval.metrics.professional_style import ProfessionalStyle
from llamaindex_rag_eval.metrics.ranking import (
    HitRate,
    Map,
    Mrr,
    Ndcg,
    Precision,
    Recall,
    RPrecision,
)
from llamaindex_rag_eval.metrics.refusal import Refusal
from llamaindex_rag_eval.metrics.refusal_correctness import RefusalCorrectness
from llamaindex_rag_eval.metrics.regex_match import RegexMatch
from llamaindex_rag_eval.metrics.relevance import Relevance
from llamaindex_rag_eval.metrics.response_correctness import (
    ResponseF1,
    ResponsePrecision,
    ResponseRecall,
)
from llamaindex_rag_eval.metrics.response_groundedness import ResponseGroundedness
from llamaindex_rag_eval.metrics.response_relevance import ResponseRelevance
from llamaindex_rag_eval.metrics.rubrics import InstanceRubric, Rubric
from llamaindex_rag_eval.metrics.self_knowledge import SelfKnowledge
from llamaindex_rag_eval.metrics.simple_criteria import SimpleCriteria
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.metrics.string_match import StringSimilarity
from llamaindex_rag_eval.metrics.string_presence import StringPresence
from llamaindex_rag_eval.metrics.summarization_score import SummarizationScore
from llamaindex_rag_eval.metrics.text_overlap import Rouge
from llamaindex_rag_eval.metrics.token_f1 import TokenF1
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy, ToolCallF1
from llamaindex_rag_eval.metrics.topic_adherence import TopicAdherence
from llamaindex_rag_eval.metrics.turns import TurnWise

__all__ = ["DEFAULT_METRICS", "METRICS", "metric_class", "metric_of"]

METRICS: tuple[type[BaseMetric], ...] = (
    Faithfulness,
    AnswerRelevancy,
    ContextPrecision,
    ContextUtilization,
    ContextRecall,
    ContextRelevancy,
    AnswerSimilarity,
    AnswerCorrectness,
    FactualCorrectness,
    NoiseSensitivity,
    ContextEntityRecall,
    ResponsePrecision,
    ResponseRecall,
    ResponseF1,
    ContextPrecisionByClaims,
    ContextUtilizationByClaims,
    Hallucination,
    SelfKnowledge,
    ContradictionRate,
    CitationPrecision,
    CitationCoverage,
    CitationF1,
    Diagnosis,
    HitRate,
    Mrr,
    Map,
    Ndcg,
    Precision,
    Recall,
    RPrecision,
    NonLlmContextPrecision,
    NonLlmContextRecall,
    ContextRelevance,
    ResponseGroundedness,
    ResponseRelevance,
    AnswerAccuracy,
    Correctness,
    Completeness,
    Helpfulness,
    LogicalCoherence,
    FollowingInstructions,
    ProfessionalStyle,
    Relevance,
    Harmfulness,
    Maliciousness,
    Stereotyping,
    Controversiality,
    Criminality,
    Insensitivity,
    Misogyny,
    Coherence,
    Conciseness,
    Depth,
    Creativity,
    Detail,
    AspectCritique,
    Refusal,
    RefusalCorrectness,
    Rubric,
    InstanceRubric,
    SimpleCriteria,
    Guideline,
    GEval,
    PairwisePreference,
    SummarizationScore,
    ExactMatch,
    TokenF1,
    Bleu,
    Rouge,
    Chrf,
    StringSimilarity,
    StringPresence,
    RegexMatch,
    JsonValid,
    JsonMatch,
    EmbeddingDistance,
    MultimodalFaithfulness,
    MultimodalRelevance,
    TopicAdherence,
    AgentGoalAccuracy,
    AgentGoalAccuracyWithoutReference,
    ToolCallAccuracy,
    ToolCallF1,
    ConversationCompleteness,
    KnowledgeRetention,
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
    bare, settings = parse_spec(shorthands.get(_plain(name), name))
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
