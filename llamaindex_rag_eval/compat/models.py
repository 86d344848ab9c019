"""Models and options as other tools take them: an LLM of LlamaIndex, or one in their wrapper."""

from collections.abc import Iterable
from typing import Any, ClassVar

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge, judge_of
from llamaindex_rag_eval.models.by_name import llm_at
from llamaindex_rag_eval.models.llm import LLMOracle


class _Wrapper:
    """A model of LlamaIndex, as ragas wraps it; the model itself is taken everywhere, too."""

    takes: ClassVar[tuple[type, str, str]]
    model: Any

    def __init__(self, model: Any) -> None:
        kind, noun, package = self.takes
        if not isinstance(model, kind):
            raise InputError(
                f"{type(model).__name__!r} is no {noun} of LlamaIndex; {package} makes one of a "
                "LangChain model"
            )
        self.model = model


class LlamaIndexLLMWrapper(_Wrapper):
    """An LLM of LlamaIndex, as ragas wraps it; `evaluate` takes the LLM itself, too."""

    takes = LLM, "LLM", "llama-index-llms-langchain"


class LlamaIndexEmbeddingsWrapper(_Wrapper):
    """An embedding model of LlamaIndex, as ragas wraps it."""

    takes = BaseEmbedding, "embedding model", "llama-index-embeddings-langchain"


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
    model = embeddings.model if isinstance(embeddings, _Wrapper) else embeddings
    return judge_of(LLMOracle(llm.model, model))


def refuse(what: str, names: Iterable[str], known: frozenset[str]) -> None:
    """Raise `InputError` for an option that is not known."""
    if unknown := set(names) - known:
        raise InputError(f"{what!r} has no option {min(unknown)!r}")
