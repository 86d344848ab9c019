"""`ragas.integrations.langchain`: one metric over the outputs of a LangChain chain.

    chain = EvaluatorChain(metric=faithfulness)
    chain({"question": …, "answer": …, "contexts": [document, …]})["faithfulness"]

LangChain itself is not needed: a document is what has `page_content`.

Source: src/ragas/integrations/langchain.py at v0.1.21 of https://github.com/explodinggradients/ragas.
"""

from collections.abc import Mapping
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.models import EmbeddingsLike, LlmLike
from llamaindex_rag_eval.compat.ragas.metric import MetricLike, RagasMetric
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import MissingFieldError
from llamaindex_rag_eval.runs.means import number_of

KEYS = {
    "query": ("question", "query", "user_input"),
    "response": ("answer", "result", "response"),
    "contexts": ("contexts", "source_documents", "retrieved_contexts"),
    "reference": ("ground_truth", "ground_truths", "reference"),
}
"""Our fields -> the keys of inputs that hold them; the first is that of ragas 0.1."""


class EvaluatorChain:
    """A metric over the outputs of a chain.

    Args:
        metric: The metric.
        llm: Judges, if the metric has no LLM of its own; without it `Settings.llm`, else rules.
        embeddings: For similarities.
        ignored: Options of LangChain's chains, which change no score.
    """

    def __init__(
        self,
        metric: MetricLike,
        llm: LlmLike | None = None,
        embeddings: EmbeddingsLike | None = None,
        **ignored: object,
    ) -> None:
        del ignored
        own = RagasMetric.from_any(metric)
        self.metric = RagasMetric.of(own.ready(llm, embeddings), own.name)

    async def acall(self, inputs: Mapping[str, Any], **ignored: object) -> dict[str, Any]:
        """Return the inputs with the score, NaN where it is undefined.

        Raises:
            MissingFieldError: The inputs lack a key that the metric needs.
            RagEvalError: The metric failed on them.
        """
        del ignored
        result = await self.metric.result(self._sample(inputs))
        return {**inputs, self.metric.name: number_of(result)}

    ainvoke = acall

    def invoke(self, inputs: Mapping[str, Any], **ignored: object) -> dict[str, Any]:
        """Return the inputs with the score; see `acall`."""
        return run_sync(self.acall(inputs, **ignored))

    __call__ = invoke

    def _sample(self, inputs: Mapping[str, Any]) -> SingleTurnSample:
        row: dict[str, object] = {}
        for field, names in KEYS.items():
            key = next((key for key in names if key in inputs), None)
            if key is not None:
                row[field] = _read(field, inputs[key])
            elif field in self.metric.metric.needs:
                raise MissingFieldError(self.metric.name, names[0])
        return SingleTurnSample.model_validate(row)


def _read(field: str, value: Any) -> object:
    """Return the texts of documents, or the first of several ground truths."""
    if field == "contexts":
        return [getattr(document, "page_content", document) for document in value]
    return value[0] if field == "reference" and isinstance(value, list | tuple) else value
