"""LLMs by name: `openai:gpt-4o-mini`, `openai-like:URL:model`, or any `module:attribute`."""

import importlib
import os
import sys
from typing import Any

from llama_index.core.base.llms.types import LLMMetadata
from llama_index.core.llms import LLM
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import EngineError, InputError

__all__ = ["OpenAILike", "llm_at"]

NO_KEY = "none"
"""Sent to servers that want no key: OpenAI's client insists on one."""


def llm_at(name: str) -> LLM:
    """Return the LLM that a name stands for.

    Args:
        name: `openai:MODEL`; `openai-like:URL:MODEL` for any server that speaks OpenAI's
            protocol, as Ollama, vLLM or LM Studio; or `MODULE:ATTRIBUTE`, an LLM or a function
            without arguments that returns one.

    Raises:
        InputError: The name has another form, or no key is set for OpenAI.
        EngineError: The module or attribute is not there, or is not an LLM.
    """
    kind, _, rest = name.partition(":")
    if not rest:
        raise InputError(
            f"{name!r} names no LLM; expected 'openai:MODEL', 'openai-like:URL:MODEL' or "
            "'MODULE:ATTRIBUTE'"
        )
    if kind == "openai":
        return _openai(rest)
    if kind == "openai-like":
        return _openai_like(name, rest)
    return _imported(kind, rest)


def _openai(model: str) -> LLM:
    if not os.environ.get("OPENAI_API_KEY"):
        raise InputError("'openai:…' needs a key; set the environment variable OPENAI_API_KEY")
    return OpenAI(model=model, temperature=0.0)


def _openai_like(name: str, rest: str) -> LLM:
    url, _, model = rest.rpartition(":")
    if "://" not in url or not model:
        raise InputError(
            f"{name!r} names no server; expected 'openai-like:URL:MODEL', as in "
            "'openai-like:http://localhost:11434/v1:llama3.1'"
        )
    key = os.environ.get("OPENAI_LIKE_API_KEY") or NO_KEY
    return OpenAILike(model=model, api_base=url, api_key=key, temperature=0.0)


def _imported(module: str, attribute: str) -> LLM:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise EngineError(f"cannot import {module!r}: {error}") from error
    except AttributeError as error:
        raise EngineError(f"module {module!r} has no {attribute!r}") from error
    llm = found() if callable(found) and not isinstance(found, LLM) else found
    if not isinstance(llm, LLM):
        raise EngineError(f"'{module}:{attribute}' is {llm!r}; expected a LlamaIndex LLM")
    return llm


class OpenAILike(OpenAI):
    """An OpenAI LLM for servers that speak OpenAI's protocol with models of other names.

    LlamaIndex's own refuses a model that its table of names does not hold.

    Attributes:
        context_window: Tokens that the model can read; most local servers allow at least these.
    """

    context_window: int = 8192

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it to files."""
        return "openai_like_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What holds for any such server: it takes chat messages, and may not support tools."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=self.max_tokens or -1,
            is_chat_model=True,
            is_function_calling_model=False,
            model_name=self.model,
        )
