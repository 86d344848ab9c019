"""Models as other tools take them: an LLM of LlamaIndex, one in their wrapper, a name, a judge."""

from typing import ClassVar, Generic, TypeVar

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge, judge_of
from llamaindex_rag_eval.models.by_name import llm_at
from llamaindex_rag_eval.models.llm import LLMOracle

M = TypeVar("M")


class _Wrapper(Generic[M]):
    """A model of LlamaIndex, as ragas wraps it; the model itself is taken everywhere, too."""

    kind: ClassVar[type]
    noun: ClassVar[str]
    package: ClassVar[str]

    def __init__(self, model: M) -> None:
        if not isinstance(model, self.kind):
            raise InputError(
                f"{type(model).__name__!r} is no {self.noun} of LlamaIndex; "
                f"{self.package} makes one of a LangChain model"
            )
        self.model = model


class LlamaIndexLLMWrapper(_Wrapper[LLM]):
    """An LLM of LlamaIndex, as ragas wraps it; `evaluate` takes the LLM itself, too."""

    kind, noun, package = LLM, "LLM", "llama-index-llms-langchain"


class LlamaIndexEmbeddingsWrapper(_Wrapper[BaseEmbedding]):
    """An embedding model of LlamaIndex, as ragas wraps it."""

    kind, noun = BaseEmbedding, "embedding model"
    package = "llama-index-embeddings-langchain"


LlmLike = LLM | LlamaIndexLLMWrapper | Judge | str
EmbeddingsLike = BaseEmbedding | LlamaIndexEmbeddingsWrapper


def judge_from(llm: LlmLike | None, embeddings: EmbeddingsLike | None = None) -> Judge | None:
    """Return the judge of these models; `None` if no LLM is given.

    A name without a provider, as `gpt-4o`, is OpenAI's.

    Raises:
        InputError: It is no LLM of LlamaIndex, or a name of none.
    """
    if llm is None or isinstance(llm, Judge):
        return llm
    if isinstance(llm, str):
        llm = llm_at(llm if ":" in llm else f"openai:{llm}")
    if not isinstance(llm, LlamaIndexLLMWrapper):
        llm = LlamaIndexLLMWrapper(llm)  # or says what to do
    if isinstance(embeddings, LlamaIndexEmbeddingsWrapper):
        embeddings = embeddings.model
    return judge_of(LLMOracle(llm.model, embeddings))
