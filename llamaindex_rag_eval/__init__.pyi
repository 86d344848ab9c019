# One line a name: read by `lazy_loader`, and re-exported to type checkers as `X as X`.
from .data.dataset import EvaluationDataset as EvaluationDataset
from .data.llamaindex import messages_of as messages_of
from .data.sample import (
    Image as Image,
    Message as Message,
    MultiTurnSample as MultiTurnSample,
    SingleTurnSample as SingleTurnSample,
    Span as Span,
    ToolCall as ToolCall,
)
from .decisions.compare import acompare as acompare, compare as compare
from .decisions.comparison import Comparison as Comparison
from .decisions.comparisons import Comparisons as Comparisons
from .decisions.decision import Decision as Decision, decide as decide
from .decisions.policy import Policy as Policy
from .decisions.sweep import asweep as asweep, sweep as sweep
from .decisions.sweep_settings import Setting as Setting
from .decisions.watch import watch as watch
from .decisions.wordings import wording_effects as wording_effects
from .diagnosis.diagnose import adiagnose as adiagnose, diagnose as diagnose
from .diagnosis.lost_answers import LostAnswers as LostAnswers
from .engines.http import HttpEngine as HttpEngine
from .engines.simulated_user import SimulatedUser as SimulatedUser
from .errors import RagEvalError as RagEvalError
from .judge import Judge as Judge
from .judge.fact_check import FactCheckOracle as FactCheckOracle
from .judge.prompts import prompts_in as prompts_in, shipped_prompts as shipped_prompts
from .judge.translation import adapted_prompts as adapted_prompts
from .metrics import (
    answer_correctness as answer_correctness,
    answer_relevancy as answer_relevancy,
    answer_similarity as answer_similarity,
    context_entity_recall as context_entity_recall,
    context_precision as context_precision,
    context_recall as context_recall,
    context_relevancy as context_relevancy,
    context_utilization as context_utilization,
    faithfulness as faithfulness,
    harmfulness as harmfulness,
)
from .metrics.answer_accuracy import AnswerAccuracy as AnswerAccuracy
from .metrics.answer_correctness import AnswerCorrectness as AnswerCorrectness
from .metrics.answer_relevancy import AnswerRelevancy as AnswerRelevancy
from .metrics.answer_similarity import (
    AnswerSimilarity as AnswerSimilarity,
    EmbeddingDistance as EmbeddingDistance,
)
from .metrics.answer_verdict import AnswerVerdict as AnswerVerdict
from .metrics.aspects import (
    Coherence as Coherence,
    Conciseness as Conciseness,
    Controversiality as Controversiality,
    Creativity as Creativity,
    Criminality as Criminality,
    Depth as Depth,
    Detail as Detail,
    Harmfulness as Harmfulness,
    Insensitivity as Insensitivity,
    Maliciousness as Maliciousness,
    Misogyny as Misogyny,
    Stereotyping as Stereotyping,
)
from .metrics.base import BaseMetric as BaseMetric, Metric as Metric
from .metrics.citations import (
    CitationCoverage as CitationCoverage,
    CitationF1 as CitationF1,
    CitationPrecision as CitationPrecision,
    CitationRelevance as CitationRelevance,
)
from .metrics.composite import (
    HarmonicMean as HarmonicMean,
    RagasScore as RagasScore,
    WeightedMean as WeightedMean,
)
from .metrics.context_precision import (
    ContextPrecision as ContextPrecision,
    ContextPrecisionByClaims as ContextPrecisionByClaims,
    ContextUtilization as ContextUtilization,
    ContextUtilizationByClaims as ContextUtilizationByClaims,
)
from .metrics.context_recall import (
    ContextEntityRecall as ContextEntityRecall,
    ContextRecall as ContextRecall,
)
from .metrics.context_relevance import (
    ContextRelevance as ContextRelevance,
    ContextRelevancy as ContextRelevancy,
)
from .metrics.conversation import ConversationMetric as ConversationMetric
from .metrics.criteria import (
    AspectCritique as AspectCritique,
    Guideline as Guideline,
    SimpleCriteria as SimpleCriteria,
)
from .metrics.factual_correctness import FactualCorrectness as FactualCorrectness
from .metrics.faithfulness import (
    Faithfulness as Faithfulness,
    FullySupported as FullySupported,
)
from .metrics.g_eval import GEval as GEval
from .metrics.goals import (
    AgentGoalAccuracy as AgentGoalAccuracy,
    AgentGoalAccuracyWithoutReference as AgentGoalAccuracyWithoutReference,
    ConversationCompleteness as ConversationCompleteness,
)
from .metrics.graded_answers import (
    Completeness as Completeness,
    Correctness as Correctness,
    FollowingInstructions as FollowingInstructions,
    Helpfulness as Helpfulness,
    LogicalCoherence as LogicalCoherence,
    ProfessionalStyle as ProfessionalStyle,
    Relevance as Relevance,
    ResponseGroundedness as ResponseGroundedness,
    ResponseRelevance as ResponseRelevance,
)
from .metrics.hallucination import (
    ContradictionRate as ContradictionRate,
    Hallucination as Hallucination,
    SelfKnowledge as SelfKnowledge,
)
from .metrics.json_answers import JsonMatch as JsonMatch, JsonValid as JsonValid
from .metrics.knowledge_retention import KnowledgeRetention as KnowledgeRetention
from .metrics.multimodal import (
    MultimodalFaithfulness as MultimodalFaithfulness,
    MultimodalRelevance as MultimodalRelevance,
)
from .metrics.noise_sensitivity import NoiseSensitivity as NoiseSensitivity
from .metrics.non_llm_contexts import (
    NonLlmContextPrecision as NonLlmContextPrecision,
    NonLlmContextRecall as NonLlmContextRecall,
)
from .metrics.nugget_recall import NuggetRecall as NuggetRecall
from .metrics.pairwise_preference import PairwisePreference as PairwisePreference
from .metrics.plan_adherence import PlanAdherence as PlanAdherence
from .metrics.ranking import (
    HitRate as HitRate,
    Map as Map,
    Mrr as Mrr,
    Ndcg as Ndcg,
    Precision as Precision,
    Recall as Recall,
    RPrecision as RPrecision,
)
from .metrics.refusal import Refusal as Refusal, RefusalCorrectness as RefusalCorrectness
from .metrics.registry import (
    DEFAULT_METRICS as DEFAULT_METRICS,
    METRICS as METRICS,
    metric_of as metric_of,
)
from .metrics.response_correctness import (
    ResponseF1 as ResponseF1,
    ResponsePrecision as ResponsePrecision,
    ResponseRecall as ResponseRecall,
)
from .metrics.result import Result as Result, Score as Score
from .metrics.rubrics import InstanceRubric as InstanceRubric, Rubric as Rubric
from .metrics.steps import RetrievalPerStep as RetrievalPerStep, StepEfficiency as StepEfficiency
from .metrics.string_match import (
    ExactMatch as ExactMatch,
    RegexMatch as RegexMatch,
    StringPresence as StringPresence,
    StringSimilarity as StringSimilarity,
)
from .metrics.summarization_score import SummarizationScore as SummarizationScore
from .metrics.text_overlap import Bleu as Bleu, Chrf as Chrf, Rouge as Rouge, TokenF1 as TokenF1
from .metrics.tool_calls import ToolCallAccuracy as ToolCallAccuracy, ToolCallF1 as ToolCallF1
from .metrics.topic_adherence import TopicAdherence as TopicAdherence
from .metrics.turns import TurnWise as TurnWise, turn_wise as turn_wise
from .models import (
    BatchOracle as BatchOracle,
    Budget as Budget,
    CachedOracle as CachedOracle,
    EmbeddedOracle as EmbeddedOracle,
    Limit as Limit,
    LLMOracle as LLMOracle,
    Prompt as Prompt,
    ScriptedOracle as ScriptedOracle,
    Store as Store,
    VotingOracle as VotingOracle,
)
from .models.by_name import embed_model_at as embed_model_at, llm_at as llm_at
from .runs.estimate import estimate as estimate
from .runs.evaluate import aevaluate as aevaluate, evaluate as evaluate
from .runs.on_ray.evaluate import evaluate_on_ray as evaluate_on_ray
from .runs.run import Run as Run
from .traces.masking import Masker as Masker
from .traces.read import read_traces as read_traces
