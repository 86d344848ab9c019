from .comparison.comparison import acompare, compare
from .comparison.grids import grid
from .comparison.judge_noise import JudgeNoise, judge_noise
from .comparison.many_runs import Comparisons
from .comparison.two_runs import Comparison
from .data.dataset import EvaluationDataset
from .data.llamaindex import messages_of
from .data.sample import Image, Message, MultiTurnSample, SingleTurnSample, Span, ToolCall
from .errors import RagEvalError
from .judge import Judge
from .judge.adaptation import adapted_prompts
from .judge.languages import prompts_in, shipped_prompts
from .metrics.answer_accuracy import AnswerAccuracy
from .metrics.answer_correctness import AnswerCorrectness
from .metrics.answer_relevancy import AnswerRelevancy
from .metrics.answer_similarity import AnswerSimilarity
from .metrics.aspects import (
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
from .metrics.base import BaseMetric, ConversationMetric, Metric
from .metrics.bleu import Bleu
from .metrics.chrf import Chrf
from .metrics.citations import CitationCoverage, CitationF1, CitationPrecision
from .metrics.completeness import Completeness
from .metrics.composite import HarmonicMean, RagasScore, WeightedMean
from .metrics.context_entity_recall import ContextEntityRecall
from .metrics.context_precision import ContextPrecision
from .metrics.context_precision_by_claims import ContextPrecisionByClaims
from .metrics.context_recall import ContextRecall
from .metrics.context_relevance import ContextRelevance
from .metrics.context_relevancy import ContextRelevancy
from .metrics.context_utilization import ContextUtilization
from .metrics.context_utilization_by_claims import ContextUtilizationByClaims
from .metrics.contradiction_rate import ContradictionRate
from .metrics.conversation_completeness import ConversationCompleteness
from .metrics.criteria import Guideline
from .metrics.diagnosis import Diagnosis
from .metrics.embedding_distance import EmbeddingDistance
from .metrics.exact_match import ExactMatch
from .metrics.factual_correctness import FactualCorrectness
from .metrics.faithfulness import Faithfulness
from .metrics.following_instructions import FollowingInstructions
from .metrics.g_eval import GEval
from .metrics.goals import AgentGoalAccuracy, AgentGoalAccuracyWithoutReference
from .metrics.graded_answers import Correctness
from .metrics.hallucination import Hallucination
from .metrics.helpfulness import Helpfulness
from .metrics.json_answers import JsonMatch, JsonValid
from .metrics.knowledge_retention import KnowledgeRetention
from .metrics.logical_coherence import LogicalCoherence
from .metrics.multimodal import MultimodalFaithfulness, MultimodalRelevance
from .metrics.noise_sensitivity import NoiseSensitivity
from .metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall
from .metrics.pairwise_preference import PairwisePreference
from .metrics.professional_style import ProfessionalStyle
from .metrics.ranking import HitRate, Map, Mrr, Ndcg, Precision, Recall, RPrecision
from .metrics.refusal import Refusal
from .metrics.refusal_correctness import RefusalCorrectness
from .metrics.regex_match import RegexMatch
from .metrics.registry import DEFAULT_METRICS, METRICS, metric_of
from .metrics.relevance import Relevance
from .metrics.response_correctness import ResponseF1, ResponsePrecision, ResponseRecall
from .metrics.response_groundedness import ResponseGroundedness
from .metrics.response_relevance import ResponseRelevance
from .metrics.result import Result
from .metrics.rubrics import InstanceRubric, Rubric
from .metrics.score import Score
from .metrics.self_knowledge import SelfKnowledge
from .metrics.simple_criteria import SimpleCriteria
from .metrics.string_match import StringSimilarity
from .metrics.string_presence import StringPresence
from .metrics.summarization_score import SummarizationScore
from .metrics.text_overlap import Rouge
from .metrics.token_f1 import TokenF1
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
