"""ragas's names: which of our metrics each is, and what to write for those that are not here."""

from functools import lru_cache
from typing import Any

from llamaindex_rag_eval.compat.ragas.metric import RagasMetric
from llamaindex_rag_eval.errors import UnknownMetricError
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class, metric_of, ready_metrics

NOT_HERE = {
    "LangchainEmbeddingsWrapper": "give `embeddings=` an embedding model of LlamaIndex, which "
    "llama-index-embeddings-langchain makes of one of LangChain",
    "LangchainLLMWrapper": "give `llm=` an LLM of LlamaIndex, which llama-index-llms-langchain "
    "makes of one of LangChain",
    "RunConfig": "`Limit` of llamaindex_rag_eval sets concurrency and retries",
    "TestsetGenerator": "`rag-eval generate` writes golden sets, as does `testset.generate`",
    "embedding_factory": "give `embeddings=` an embedding model of LlamaIndex",
    "llm_factory": "give `llm=` an LLM of LlamaIndex, or a name as 'gpt-4o-mini'",
}
"""Name of ragas -> what to write here."""


@lru_cache(maxsize=1024)
def metric_named(name: str) -> Any:
    """Return ragas's class of this name, or the ready metric if it is in small letters.

    Raises:
        ImportError: It is one of ragas's that is not here; the message says what to write.
        AttributeError: No metric of ours is its kin.
    """
    if name in NOT_HERE:  # of an AttributeError, `from … import` would not show the message
        raise ImportError(f"ragas's {name!r} is not here: {NOT_HERE[name]}")
    if name.startswith("_"):
        raise AttributeError(name)
    kind: type[RagasMetric] = type(
        name, (RagasMetric,), {"class_name": name, "__doc__": f"ragas's {name!r}."}
    )
    try:
        if name.islower():
            return kind.of(metric_of(name), name)
        metric_class(name)
    except UnknownMetricError as error:
        raise AttributeError(f"nothing of ragas is called {name!r} here: {error}") from None
    return kind


def metric_names() -> list[str]:
    """Return ragas's names of our metrics."""
    kin = {kind.kin["ragas"] for kind in METRICS if "ragas" in kind.kin}
    return sorted(name for name in kin | {*ready_metrics()} if name.isidentifier())
