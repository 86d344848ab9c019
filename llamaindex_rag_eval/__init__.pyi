from .comparison.compare import acompare, compare
from .comparison.comparison import Comparison
from .comparison.judge_noise import JudgeNoise, judge_noise
from .comparison.many_runs import Comparisons
from .comparison.pipelines import grid
from .data.dataset import EvaluationDataset
from .data.llamaindex import messages_of
from .data.sample import Image, Message, MultiTurnSample, SingleTurnSample, Span, ToolCall
from .errors import RagEvalError
from .judge import Judge
from .judge.prompts import prompts_in, shipped_prompts
from .judge.translation import adapted_prompts
from .metrics.answer_accuracy import AnswerAccuracy
from .metrics.answer_correctness import AnswerCorrectness
from .metrics.answer_relevancy import AnswerRelevancy
from .metrics.answer_similarity import AnswerSimilarity, EmbeddingDistance
from .metrics.aspects import (
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
from .metrics.base import BaseMetric, ConversationMetric, Metric
from .metrics.citations import CitationCoverage, CitationF1, CitationPrecision
from .metrics.composite import HarmonicMean, RagasScore, WeightedMean
from .metrics.context_precision import (
    ContextPrecision,
    ContextPrecisionByClaims,
    ContextUtilization,
    ContextUtilizationByClaims,
)
from .metrics.context_recall import ContextEntityRecall, ContextRecall
from .metrics.context_relevance import ContextRelevance, ContextRelevancy
from .metrics.criteria import AspectCritique, Guideline, SimpleCriteria
from .metrics.diagnosis import Diagnosis
from .metrics.factual_correctness import FactualCorrectness
from .metrics.faithfulness import Faithfulness
from .metrics.g_eval import GEval
from .metrics.goals import (
    AgentGoalAccuracy,
    AgentGoalAccuracyWithoutReference,
    ConversationCompleteness,
)
from .metrics.graded_answers import (
    Completeness,
    Correctness,
    FollowingInstructions,
    Helpfulness,
    LogicalCoherence,
    ProfessionalStyle,
    Relevance,
    ResponseGroundedness,
    ResponseRelevance,
)
from .metrics.hallucination import ContradictionRate, Hallucination, SelfKnowledge
from .metrics.json_answers import JsonMatch, JsonValid
from .metrics.knowledge_retention import KnowledgeRetention
from .metrics.multimodal import MultimodalFaithfulness, MultimodalRelevance
from .metrics.noise_sensitivity import NoiseSensitivity
from .metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall
from .metrics.pairwise_preference import PairwisePreference
from .metrics.ranking import HitRate, Map, Mrr, Ndcg, Precision, Recall, RPrecision
from .metrics.refusal import Refusal, RefusalCorrectness
from .metrics.registry import DEFAULT_METRICS, METRICS, metric_of
from .metrics.response_correctness import ResponseF1, ResponsePrecision, ResponseRecall
from .metrics.result import Result, Score
from .metrics.rubrics import InstanceRubric, Rubric
from .metrics.string_match import ExactMatch, RegexMatch, StringPresence, StringSimilarity
from .metrics.summarization_score import SummarizationScore
from .metrics.text_overlap import Bleu, Chrf, Rouge, TokenF1
from .metrics.tool_calls import ToolCallAccuracy, ToolCallF1
from .metrics.topic_adherence import TopicAdherence
from .metrics.turns import TurnWise, turn_wise
from .models import (
    Budget,
    CachedOracle,
    EmbeddedOracle,
    Limit,
    LimitedOracle,
    LLMOracle,
    Prompt,
    ScriptedOracle,
    Store,
    VotingOracle,
)
from .models.by_name import llm_at
from .runs.evaluate import aevaluate, estimate, evaluate
from .runs.run import Run

__all__ = [
    "DEFAULT_METRICS",
    "METRICS",
    "AgentGoalAccuracy",
    "AgentGoalAccuracyWithoutReference",
    "AnswerAccuracy",
    "AnswerCorrectness",
    "AnswerRelevancy",
    "AnswerSimilarity",
    "AspectCritique",
    "BaseMetric",
    "Bleu",
    "Budget",
    "CachedOracle",
    "Chrf",
    "CitationCoverage",
    "CitationF1",
    "CitationPrecision",
    "Coherence",
    "Comparison",
    "Comparisons",
    "Completeness",
    "Conciseness",
    "ContextEntityRecall",
    "ContextPrecision",
    "ContextPrecisionByClaims",
    "ContextRecall",
    "ContextRelevance",
    "ContextRelevancy",
    "ContextUtilization",
    "ContextUtilizationByClaims",
    "ContradictionRate",
    "Controversiality",
    "ConversationCompleteness",
    "ConversationMetric",
    "Correctness",
    "Creativity",
    "Criminality",
    "Depth",
    "Detail",
    "Diagnosis",
    "EmbeddedOracle",
    "EmbeddingDistance",
    "EvaluationDataset",
    "ExactMatch",
    "FactualCorrectness",
    "Faithfulness",
    "FollowingInstructions",
    "GEval",
    "Guideline",
    "Hallucination",
    "Harmfulness",
    "HarmonicMean",
    "Helpfulness",
    "HitRate",
    "Image",
    "Insensitivity",
    "InstanceRubric",
    "JsonMatch",
    "JsonValid",
    "Judge",
    "JudgeNoise",
    "KnowledgeRetention",
    "LLMOracle",
    "Limit",
    "LimitedOracle",
    "LogicalCoherence",
    "Maliciousness",
    "Map",
    "Message",
    "Metric",
    "Misogyny",
    "Mrr",
    "MultiTurnSample",
    "MultimodalFaithfulness",
    "MultimodalRelevance",
    "Ndcg",
    "NoiseSensitivity",
    "NonLlmContextPrecision",
    "NonLlmContextRecall",
    "PairwisePreference",
    "Precision",
    "ProfessionalStyle",
    "Prompt",
    "RPrecision",
    "RagEvalError",
    "RagasScore",
    "Recall",
    "Refusal",
    "RefusalCorrectness",
    "RegexMatch",
    "Relevance",
    "ResponseF1",
    "ResponseGroundedness",
    "ResponsePrecision",
    "ResponseRecall",
    "ResponseRelevance",
    "Result",
    "Rouge",
    "Rubric",
    "Run",
    "Score",
    "ScriptedOracle",
    "SelfKnowledge",
    "SimpleCriteria",
    "SingleTurnSample",
    "Span",
    "Stereotyping",
    "Store",
    "StringPresence",
    "StringSimilarity",
    "SummarizationScore",
    "TokenF1",
    "ToolCall",
    "ToolCallAccuracy",
    "ToolCallF1",
    "TopicAdherence",
    "TurnWise",
    "VotingOracle",
    "WeightedMean",
    "acompare",
    "adapted_prompts",
    "aevaluate",
    "compare",
    "estimate",
    "evaluate",
    "grid",
    "judge_noise",
    "llm_at",
    "messages_of",
    "metric_of",
    "prompts_in",
    "shipped_prompts",
    "turn_wise",
]
