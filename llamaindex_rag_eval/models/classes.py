"""Of which of LlamaIndex's classes an LLM is, without importing their packages."""

from functools import lru_cache

from llama_index.core.llms import LLM


def is_openai(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's class for OpenAI's protocol, or of a kind of it."""
    return has_base(type(llm), "OpenAI", "llama_index.llms.openai")


def is_ollama(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's class for Ollama."""
    return has_base(type(llm), "Ollama")


def is_anthropic(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's package for Anthropic."""
    return has_base(type(llm), module="llama_index.llms.anthropic")


@lru_cache(maxsize=64)
def has_base(kind: type, name: str = "", module: str = "") -> bool:
    """Return whether a class is, or inherits from, one of this name of this module or below."""
    return any(
        name in ("", base.__name__) and base.__module__.startswith(module) for base in kind.__mro__
    )
