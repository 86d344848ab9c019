"""`ragas.integrations.langchain` of ragas 0.1 and later."""

from llamaindex_rag_eval.compat.ragas.langchain.evalchain import EvaluatorChain as EvaluatorChain
