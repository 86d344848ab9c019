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
"""What is sent to local servers that want no key; the client insists on some text."""


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
    from llama_index.llms.openai import OpenAI

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
    from llamaindex_rag_eval.models.by_name import OpenAILike

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
    made = found() if callable(found) and not isinstance(found, LLM) else found
    if not isinstance(made, LLM):
        raise EngineError(f"'{module}:{attribute}' is {made!r}; expected a LlamaIndex LLM")
    return made


class OpenAILike(OpenAI):
    """LlamaIndex's OpenAI LLM without its table of model names, which knows OpenAI's only.

    Attributes:
        context_window: Tokens that the model can read; most local servers hold at least this.
    """

    context_window: int = 8192

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it to files."""
        return "openai_like_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What is known without asking the server: it chats, and may not know tools."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=self.max_tokens or -1,
            is_chat_model=True,
            is_function_calling_model=False,
            model_name=self.model,
        )
