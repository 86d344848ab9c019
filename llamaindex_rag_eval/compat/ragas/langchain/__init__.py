"""`ragas.langchain` of ragas 0.0."""

from llamaindex_rag_eval.compat.ragas.langchain.evalchain import (
    RagasEvaluatorChain as RagasEvaluatorChain,
)
