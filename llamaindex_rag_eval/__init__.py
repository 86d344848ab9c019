"""Evaluate LlamaIndex query engines: metrics, runs, comparisons.

    from llamaindex_rag_eval import Faithfulness, evaluate

    run = evaluate(query_engine, golden, metrics=[Faithfulness(), "ndcg@10"])
    run.to_pandas()

Golden sets are made by the package `testset`, which comes with this one.
"""

from llamaindex_rag_eval import metrics as _metrics
from llamaindex_rag_eval.catalogue import DEFAULT_METRICS, METRICS, metric_of
from llamaindex_rag_eval.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import RagEvalError
from llamaindex_rag_eval.evaluation import aevaluate, estimate, evaluate
from llamaindex_rag_eval.image import Image
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metric import ConversationMetric, Metric
from llamaindex_rag_eval.metrics import *  # noqa: F403 - every metric, by its own `__all__`
from llamaindex_rag_eval.oracle import (
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
from llamaindex_rag_eval.result import Result
from llamaindex_rag_eval.run import Run
from llamaindex_rag_eval.runner import arun, run
from llamaindex_rag_eval.sample import Message, MultiTurnSample, SingleTurnSample, Span, ToolCall
from llamaindex_rag_eval.score import Score
