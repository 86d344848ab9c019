"""Models and options as other tools take them: an LLM of LlamaIndex, or one in their wrapper."""

import warnings
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM, CompletionResponse, CustomLLM, LLMMetadata

from llamaindex_rag_eval.compat.names import TABLE, absent
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge, judge_of
from llamaindex_rag_eval.models.by_name import CallSettings, embed_model_at, llm_at
from llamaindex_rag_eval.models.llm import LLMOracle


class _Wrapper:
    """A model of LlamaIndex or of LangChain, as ragas wraps it.

    Raises:
        InputError: The package that makes a model of LlamaIndex of one of LangChain is missing.
    """

    takes: ClassVar[tuple[type, str, str]]
    model: Any

    def __init__(self, model: Any, *args: object, **ignored: object) -> None:
        del args, ignored
        kind, part, name = self.takes
        if not isinstance(model, kind):
            try:
                model = getattr(import_module(f"llama_index.{part}.langchain"), name)(model)
            except ImportError:
                raise InputError(
                    f"{type(model).__name__!r} is no {kind.__name__} of LlamaIndex; of a LangChain "
                    f"model llama-index-{part}-langchain makes one, which is not installed"
                ) from None
        self.model = model


class LlamaIndexLLMWrapper(_Wrapper):
    """An LLM, as ragas wraps it; `evaluate` takes an LLM of LlamaIndex itself, too."""

    takes = LLM, "llms", "LangChainLLM"


class LlamaIndexEmbeddingsWrapper(_Wrapper):
    """An embedding model, as ragas wraps it."""

    takes = BaseEmbedding, "embeddings", "LangchainEmbedding"


def llm_factory(
    model: str,
    provider: str = "openai",
    client: Any = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    **ignored: object,
) -> LLM:
    """Return an LLM by its name, as ragas makes one.

    Args:
        model: The name of the model.
        provider: Whose it is, as `anthropic`.
        client: A client of the provider: its address and its key are taken.
        base_url: The address, if there is no client.
        api_key: The key, if there is no client.
        ignored: Options of ragas and DeepEval that change nothing here.

    Raises:
        InputError: The provider's package is not installed, or there is no key.
    """
    del ignored
    key, url = getattr(client, "api_key", api_key), getattr(client, "base_url", base_url)
    calls = CallSettings(base_url=None if url is None else str(url), keyless=key is not None)
    has_provider = ":" in model and provider == "openai"  # not of a tag, as `llama3:8b` of Ollama
    llm: Any = llm_at(model if has_provider else f"{provider}:{model}", calls)
    if isinstance(key, str) and hasattr(llm, "api_key"):
        llm.api_key = key
    named: LLM = llm
    return named


local_model = partial(llm_factory, provider="openai-like")
anthropic_model = partial(llm_factory, provider="anthropic")
gemini_model = partial(llm_factory, provider="google-genai")
ollama_model = partial(llm_factory, provider="ollama")


def azure_model(**settings: Any) -> LLM:
    """Return an LLM of Azure OpenAI, under DeepEval's names of its settings, old and new.

    Raises:
        InputError: The package `llama-index-llms-azure-openai` is not installed.
    """
    try:
        kind: Any = import_module("llama_index.llms.azure_openai").AzureOpenAI
    except ImportError:
        raise InputError(
            "'AzureOpenAIModel' needs its package: pip install llama-index-llms-azure-openai"
        ) from None
    names = TABLE["deepeval"]["azure"]
    llm: LLM = kind(**{names.get(name, name): value for name, value in settings.items()})
    return llm


def embedding_factory(
    provider: str = "openai", model: str = "", *, model_name: str = "", **ignored: object
) -> BaseEmbedding:
    """Return an embedding model by its name, as ragas makes one; also by the name alone."""
    del ignored
    model = model or model_name
    if not model:
        provider, model = "openai", provider
    return embed_model_at(f"{provider}:{model}")


openai_embeddings = partial(embedding_factory, "openai", model="text-embedding-3-small")
huggingface_embeddings = partial(embedding_factory, "huggingface")


class _Called(CustomLLM):
    """A model that a subclass of `DeepEvalBaseLLM` calls, as an LLM of LlamaIndex."""

    caller: Any
    metadata: ClassVar[LLMMetadata] = LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **options: Any) -> CompletionResponse:
        """Return the reply."""
        del formatted, options
        return CompletionResponse(text=str(self.caller.generate(prompt)))

    def stream_complete(self, prompt: str, formatted: bool = False, **options: Any) -> Any:
        """Yield the reply whole."""
        yield self.complete(prompt, formatted, **options)


class DeepEvalBaseLLM:
    """DeepEval's base class of models of one's own: subclasses define `generate(prompt)`."""

    def __init__(self, *args: object, **settings: object) -> None:
        del args, settings
        self.model = self.load_model()

    def load_model(self) -> Any:
        """Return the model; subclasses may."""
        return None

    def generate(self, prompt: str) -> str:
        """Return the reply to a prompt; subclasses do."""
        raise NotImplementedError(f"{type(self).__name__} defines no `generate(prompt)`")


class Ignored:
    """Settings of another tool that change no score here, and what it sends to its own pages."""

    def __init__(self, *args: object, **settings: object) -> None:
        del args, settings


class Prompt:
    """A text with fields in braces; `str(prompt)` is the text."""

    def __init__(self, alias: str = "", text_template: str = "") -> None:
        self.alias, self.text_template = alias, text_template

    def interpolate(self, **values: object) -> str:
        """Return the text with the values of its fields."""
        return self.text_template.format_map(values)

    def __str__(self) -> str:
        return self.text_template

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs DeepEval's own pages; the message says what to write."""
        raise AttributeError(absent("deepeval", f"Prompt.{name}"))


def observe(function: Any = None, *, metrics: object = None, **ignored: object) -> Any:
    """Return the function as it is: nothing is traced here, and `metrics` are not measured."""
    del ignored
    if metrics:
        warnings.warn(
            "nothing is traced here, so that the metrics of `@observe` are not measured: give test "
            "cases to `evaluate`",
            stacklevel=2,
        )
    return function if callable(function) else lambda function: function


LlmLike = LLM | LlamaIndexLLMWrapper | DeepEvalBaseLLM | Judge | str
EmbeddingsLike = BaseEmbedding | LlamaIndexEmbeddingsWrapper


def judge_from(llm: LlmLike | None, embeddings: EmbeddingsLike | None = None) -> Judge | None:
    """Return the judge of these models; `None` if no LLM is given.

    A name without a provider, as `gpt-4o`, is OpenAI's.

    Raises:
        InputError: It is no LLM of LlamaIndex, or a name of none.
    """
    if llm is None or isinstance(llm, Judge):
        return llm
    if isinstance(llm, DeepEvalBaseLLM):
        llm = _Called(caller=llm)
    if isinstance(llm, str):
        llm = llm_at(llm if ":" in llm else f"openai:{llm}")
    if not isinstance(llm, LlamaIndexLLMWrapper):
        llm = LlamaIndexLLMWrapper(llm)  # or says what to do
    model = embeddings.model if isinstance(embeddings, _Wrapper) else embeddings
    return judge_of(LLMOracle(llm.model, model))


def refuse(what: str, names: Iterable[str], tool: str) -> None:
    """Raise `InputError` for an option that is not known.

    Args:
        what: What has the options.
        names: The options that are given.
        tool: The table of those that change no score here.
    """
    if unknown := set(names) - set(TABLE["ignored"]["options"][tool].split()):
        raise InputError(f"{what!r} has no option {min(unknown)!r}")
