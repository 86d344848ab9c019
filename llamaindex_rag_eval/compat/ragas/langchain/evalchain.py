"""`ragas.langchain.evalchain`: one metric over the outputs of a LangChain chain.

    from llamaindex_rag_eval.compat.ragas.langchain.evalchain import RagasEvaluatorChain

    chain = RagasEvaluatorChain(metric=faithfulness)
    chain({"query": …, "result": …, "source_documents": [document, …]})["faithfulness_score"]
    langsmith.evaluate(…, evaluators=[chain.evaluate_run])

LangChain itself is not needed: a document is what has `page_content`.

Source: src/ragas/langchain/evalchain.py at v0.0.22, src/ragas/integrations/langchain.py at v0.1.21
of https://github.com/explodinggradients/ragas; the results of `evaluate_run` are read by
`Client.evaluate_run` and `evaluate` of LangSmith.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.models import EmbeddingsLike, LlmLike
from llamaindex_rag_eval.compat.ragas.metric import MetricLike, RagasMetric
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.runs.means import number_of

KEYS = {
    "query": ("query", "question", "user_input"),
    "response": ("result", "answer", "response"),
    "contexts": ("source_documents", "contexts", "retrieved_contexts"),
    "reference": ("ground_truths", "ground_truth", "reference"),
}
"""Our fields -> the keys of inputs that hold them; the first is that of ragas 0.0."""


class Feedback(dict[str, Any]):
    """A result as LangSmith reads it: key, score and comment, as keys and as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class EvaluatorChain:
    """A metric over the outputs of a chain, as ragas 0.1 has it.

    Args:
        metric: The metric.
        llm: Judges, if the metric has no LLM of its own; without it `Settings.llm`, else rules.
        embeddings: For similarities.
        ignored: Options of LangChain's chains, which change no score.
    """

    suffix: ClassVar[str] = ""
    version: ClassVar[int] = 1

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

    @property
    def score_key(self) -> str:
        """The key of the score in what a call returns."""
        return f"{self.metric.name}{self.suffix}"

    @property
    def input_keys(self) -> list[str]:
        """The keys that the inputs must have."""
        needs = self.metric.metric.needs
        return [names[self.version] for field, names in KEYS.items() if field in needs]

    @property
    def output_keys(self) -> list[str]:
        """The keys that a call adds to the inputs."""
        return [self.score_key]

    async def acall(self, inputs: Mapping[str, Any], **ignored: object) -> dict[str, Any]:
        """Return the inputs with the score, NaN where it is undefined.

        Raises:
            MissingFieldError: The inputs lack a key that the metric needs.
            RagEvalError: The metric failed on them.
        """
        del ignored
        return {**inputs, **await self._score(inputs)}

    ainvoke = acall

    def invoke(self, inputs: Mapping[str, Any], **ignored: object) -> dict[str, Any]:
        """Return the inputs with the score; see `acall`."""
        return run_sync(self.acall(inputs, **ignored))

    __call__ = invoke

    def evaluate(
        self,
        examples: Sequence[Mapping[str, Any]],
        predictions: Sequence[Mapping[str, Any]],
        question_key: str = "",
        prediction_key: str = "",
        context_key: str = "",
        ground_truths_key: str = "",
        **ignored: object,
    ) -> list[dict[str, float]]:
        """Return the score of each prediction of a chain on an example.

        Args:
            examples: The questions, with their ground truths.
            predictions: What the chain returned for each.
            question_key: The key of the question, if it is none of ragas's.
            prediction_key: That of the answer.
            context_key: That of the documents.
            ground_truths_key: That of the ground truths.
            ignored: Options of LangChain, which change no score.

        Raises:
            InputError: There are not as many predictions as examples.
        """
        del ignored
        if len(examples) != len(predictions):
            raise InputError(
                f"expected a prediction for each of {len(examples)} examples, got "
                f"{len(predictions)}"
            )
        keys = (question_key, prediction_key, context_key, ground_truths_key)
        own = dict(zip(KEYS, keys, strict=True))

        async def scores() -> list[dict[str, float]]:
            pairs = zip(examples, predictions, strict=True)
            return [await self._score({**example, **answer}, own) for example, answer in pairs]

        return run_sync(scores())

    def evaluate_run(self, run: Any, example: Any = None, **ignored: object) -> Feedback:
        """Return the score of a run of LangSmith, whose example holds the ground truths.

        Raises:
            InputError: The run has no outputs.
        """
        del ignored
        if not run.outputs:
            raise InputError("expected the outputs of a run: its answer and its documents")
        question, expected = (getattr(example, name, None) or {} for name in ("inputs", "outputs"))
        inputs = {**question, **run.inputs, **run.outputs}
        inputs |= {key: expected[key] for key in KEYS["reference"] if key in expected}
        result = run_sync(self.metric.result(self._sample(inputs)))
        return Feedback(key=self.score_key, score=result.score, comment=result.reason)

    async def _score(
        self, inputs: Mapping[str, Any], own: Mapping[str, str] | None = None
    ) -> dict[str, float]:
        return {self.score_key: number_of(await self.metric.result(self._sample(inputs, own)))}

    def _sample(
        self, inputs: Mapping[str, Any], own: Mapping[str, str] | None = None
    ) -> SingleTurnSample:
        """Return the sample of a chain's inputs.

        Raises:
            MissingFieldError: They lack a key that the metric needs.
        """
        row: dict[str, object] = {}
        for field, names in KEYS.items():
            key = next((key for key in ((own or {}).get(field), *names) if key in inputs), None)
            if key is not None:
                row[field] = _read(field, inputs[key])
            elif field in self.metric.metric.needs:
                raise MissingFieldError(self.metric.name, names[self.version])
        return SingleTurnSample.model_validate(row)


class RagasEvaluatorChain(EvaluatorChain):
    """A metric over the outputs of a chain, as ragas 0.0 has it: `faithfulness_score`."""

    suffix = "_score"
    version = 0


def _read(field: str, value: Any) -> object:
    """Return the texts of documents, or the first of several ground truths."""
    if field == "contexts":
        return [_text(document) for document in value]
    return value[0] if field == "reference" and isinstance(value, list | tuple) else value


def _text(document: Any) -> object:
    """Return the text of a document, or of one that LangSmith stored."""
    if isinstance(document, Mapping):
        return document.get("kwargs", document)["page_content"]
    return getattr(document, "page_content", document)
