"""Of which of LlamaIndex's classes an LLM is, without importing their packages."""

from llama_index.core.llms import LLM

__all__ = ["is_anthropic", "is_ollama", "is_openai"]


def is_openai(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's class for OpenAI's protocol, or of a kind of it."""
    return any(
        kind.__name__ == "OpenAI" and kind.__module__ == "llama_index.llms.openai.base"
        for kind in type(llm).__mro__
    )


def is_ollama(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's class for Ollama."""
    return any(kind.__name__ == "Ollama" for kind in type(llm).__mro__)


def is_anthropic(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's package for Anthropic."""
    return any(c.__module__.startswith("llama_index.llms.anthropic") for c in type(llm).__mro__)
