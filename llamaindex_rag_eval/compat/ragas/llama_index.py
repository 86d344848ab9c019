"""`ragas.llama_index`: ask an engine of LlamaIndex questions, and score its answers.

    from llamaindex_rag_eval.compat.ragas.llama_index import evaluate

    result = evaluate(query_engine, metrics, questions, ground_truths)  # as to ragas 0.0
    result = evaluate(query_engine, dataset, metrics, llm=llm)  # as since ragas 0.1

Source: `evaluate` in src/ragas/llama_index/evaluation.py at v0.0.22 and in
src/ragas/integrations/llama_index.py at v0.1.21 and v0.2.15.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from llamaindex_rag_eval.compat.models import EmbeddingsLike, LlmLike
from llamaindex_rag_eval.compat.ragas import EvaluationResult, columns_of, renamed, scored
from llamaindex_rag_eval.compat.ragas.metric import RagasMetric
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric


def evaluate(
    query_engine: Engine,
    dataset: Any = None,
    metrics: Any = None,
    questions: Any = None,
    ground_truths: Any = None,
    *,
    llm: LlmLike | None = None,
    embeddings: EmbeddingsLike | None = None,
    column_map: Mapping[str, str] | None = None,
    **ignored: object,
) -> EvaluationResult:
    """Ask an engine questions, and score its answers.

    Args:
        query_engine: The engine; what else `run` asks will do, too.
        dataset: The questions with their references, as `evaluate` of `compat.ragas` takes them;
            or the metrics, and after them the questions and the ground truths, by place.
        metrics: The metrics; by default ragas's own default.
        questions: Texts; by place after `metrics`, beside a data set, the `llm`.
        ground_truths: For each question a text, or a list of texts of which the first counts; by
            place after `questions`, beside a data set, the `embeddings`.
        llm: As in `evaluate` of `compat.ragas`.
        embeddings: Likewise.
        column_map: Likewise.
        ignored: Options that change no score here.

    Raises:
        InputError: There are no questions, or not as many ground truths as questions.
    """
    if _are_metrics(dataset):
        placed = [value for value in (metrics, questions, ground_truths) if value is not None]
        dataset, metrics, (questions, ground_truths) = None, dataset, (*placed, None, None)[:2]
    elif dataset is not None:
        llm, embeddings = llm or questions, embeddings or ground_truths
    if dataset is None:
        dataset = _rows(questions, ground_truths)
    named = renamed(dataset, column_map or {})
    answered = run(query_engine, EvaluationDataset.of(named))
    return scored(answered, metrics, llm, embeddings, columns_of(named), ignored)


def _are_metrics(given: object) -> bool:
    kinds = (RagasMetric, BaseMetric, type)
    return isinstance(given, Sequence) and any(isinstance(entry, kinds) for entry in given)


def _rows(questions: Any, ground_truths: Any) -> list[dict[str, object]]:
    """Return a row a question.

    Raises:
        InputError: There are no questions, or not as many ground truths as questions.
    """
    if not questions or isinstance(questions, str):
        raise InputError(
            "an engine has to be asked questions: write `evaluate(query_engine, metrics, "
            "questions, ground_truths)`, with lists of texts"
        )
    if ground_truths is None:
        return [{"question": question} for question in questions]
    if len(questions) != len(ground_truths):
        raise InputError(
            f"expected a ground truth for each of {len(questions)} questions, got "
            f"{len(ground_truths)}"
        )
    pairs = zip(questions, ground_truths, strict=True)
    return [{"question": question, "ground_truths": truths} for question, truths in pairs]
