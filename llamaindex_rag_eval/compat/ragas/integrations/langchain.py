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
from llamaindex_rag_eval.data.sample import Sample, sample_of
from llamaindex_rag_eval.runs.means import number_of

KEYS = {"result": "response", "source_documents": "contexts"}
"""Keys of a chain's outputs that no sample has -> our fields."""


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
            MissingFieldError: The inputs lack a field that the metric needs.
            RagEvalError: The metric failed on them.
        """
        del ignored
        result = await self.metric.result(_sample(inputs))
        return {**inputs, self.metric.name: number_of(result)}

    ainvoke = acall

    def invoke(self, inputs: Mapping[str, Any], **ignored: object) -> dict[str, Any]:
        """Return the inputs with the score; see `acall`."""
        return run_sync(self.acall(inputs, **ignored))

    __call__ = invoke


def _sample(inputs: Mapping[str, Any]) -> Sample:
    """Return inputs as a sample; of a document, its text."""
    row = {KEYS.get(name, name): value for name, value in inputs.items()}
    for name, value in row.items():
        if isinstance(value, list):
            row[name] = [getattr(entry, "page_content", entry) for entry in value]
    return sample_of(row)
