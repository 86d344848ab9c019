"""`ragas.integrations.llama_index` of ragas 0.1 and later."""

from llamaindex_rag_eval.compat.ragas.llama_index import evaluate as evaluate
