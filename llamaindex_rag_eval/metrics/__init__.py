"""The metrics: one file each, or one a family that shares a formula."""

from llamaindex_rag_eval.metrics.agent_goal_accuracy import (
    AgentGoalAccuracy,
    AgentGoalAccuracyWithoutReference,
)
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
from llamaindex_rag_eval.metrics.correctness import Correctness
from llamaindex_rag_eval.metrics.diagnosis import Diagnosis
from llamaindex_rag_eval.metrics.embedding_distance import EmbeddingDistance
from llamaindex_rag_eval.metrics.exact_match import ExactMatch
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.following_instructions import FollowingInstructions
from llamaindex_rag_eval.metrics.g_eval import GEval
from llamaindex_rag_eval.metrics.guideline import Guideline
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
from llamaindex_rag_eval.metrics.rouge import Rouge
from llamaindex_rag_eval.metrics.rubrics import InstanceRubric, Rubric
from llamaindex_rag_eval.metrics.self_knowledge import SelfKnowledge
from llamaindex_rag_eval.metrics.simple_criteria import SimpleCriteria
from llamaindex_rag_eval.metrics.string_presence import StringPresence
from llamaindex_rag_eval.metrics.string_similarity import StringSimilarity
from llamaindex_rag_eval.metrics.summarization_score import SummarizationScore
from llamaindex_rag_eval.metrics.token_f1 import TokenF1
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy, ToolCallF1
from llamaindex_rag_eval.metrics.topic_adherence import TopicAdherence

__all__ = [
    "AgentGoalAccuracy",
    "AgentGoalAccuracyWithoutReference",
    "AnswerAccuracy",
    "AnswerCorrectness",
    "AnswerRelevancy",
    "AnswerSimilarity",
    "AspectCritique",
    "Bleu",
    "Chrf",
    "CitationCoverage",
    "CitationF1",
    "CitationPrecision",
    "Coherence",
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
    "Correctness",
    "Creativity",
    "Criminality",
    "Depth",
    "Detail",
    "Diagnosis",
    "EmbeddingDistance",
    "ExactMatch",
    "FactualCorrectness",
    "Faithfulness",
    "FollowingInstructions",
    "GEval",
    "Guideline",
    "Hallucination",
    "Harmfulness",
    "Helpfulness",
    "HitRate",
    "Insensitivity",
    "InstanceRubric",
    "JsonMatch",
    "JsonValid",
    "KnowledgeRetention",
    "LogicalCoherence",
    "Maliciousness",
    "Map",
    "Misogyny",
    "Mrr",
    "MultimodalFaithfulness",
    "MultimodalRelevance",
    "Ndcg",
    "NoiseSensitivity",
    "NonLlmContextPrecision",
    "NonLlmContextRecall",
    "PairwisePreference",
    "Precision",
    "ProfessionalStyle",
    "RPrecision",
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
    "Rouge",
    "Rubric",
    "SelfKnowledge",
    "SimpleCriteria",
    "Stereotyping",
    "StringPresence",
    "StringSimilarity",
    "SummarizationScore",
    "TokenF1",
    "ToolCallAccuracy",
    "ToolCallF1",
    "TopicAdherence",
]
