"""What one call of a class is given besides its messages: limit of the reply, seed, temperature.

LlamaIndex's classes take these under different names, some not per call, and some not at all. How
they do is told here by the name of a class, so that none of their packages need be installed.
"""

from functools import lru_cache
from typing import Any, Literal

from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM

Way = Literal["schema", "object", "json", "tool", "text"]

MOST_TOKENS = 8192
"""A reply that needs more is divided. Models that write less at most refuse a higher limit."""

THOUGHT_TOKENS = 8192
"""Tokens for thoughts beside the reply, where a class would set a limit of its own."""

NAMES = {"limit": "max_tokens", "seed": "seed", "temperature": "temperature"}
"""What most classes call them."""

OWN_NAMES = {
    "Ollama": {"limit": "num_predict"},
    "GoogleGenAI": {"limit": "max_output_tokens"},
    "MistralAI": {"seed": "random_seed"},
}
"""What others call them, by the name of the class."""


def parameters_of(
    llm: LLM, *, limit: int | None, seed: int | None = None, temperature: float = 0.0
) -> tuple[LLM, dict[str, Any]]:
    """Return the LLM to call, a copy if need be, and the keyword arguments of the call.

    Args:
        llm: The user's LLM. It is not changed.
        limit: Most tokens of the reply; `None` for none.
        seed: Of an independent reply; `None` for the LLM's own settings.
        temperature: Of an independent reply.
    """
    values: dict[str, Any] = {"limit": limit, "seed": seed}
    if seed is not None and not (_thinks_at_openai(llm) or _thinking(llm)):  # these have their own
        values["temperature"] = temperature
    kind = next((name for name in OWN_NAMES if has_base(type(llm), name)), "")
    names = {**NAMES, **OWN_NAMES.get(kind, {})}
    given = {names[key]: value for key, value in values.items() if value is not None}
    if kind == "Ollama":  # it takes these as options of the LLM only
        options = {**llm.additional_kwargs, **given}  # type: ignore[attr-defined]  # an Ollama
        return llm.model_copy(update={"additional_kwargs": options}), {}
    if kind == "GoogleGenAI":
        return llm, {"generation_config": given} if given else {}
    if seed is not None and is_anthropic(llm):
        # It takes no seed: as the name of a user it keeps the requests of several votes apart.
        given["metadata"] = {"user_id": f"vote-{given.pop('seed')}"}
    elif not kind and not is_openai(llm):
        given = {name: given[name] for name in given if name in type(llm).model_fields}
    return llm, given


def reply_limit(llm: LLM, tokens: int, *, window_left: int, thinking: bool) -> int | None:
    """Return the most tokens of a reply; `None` for the limit that the model itself has.

    Args:
        llm: The LLM.
        tokens: That suffice for the reply alone.
        window_left: Tokens of the window that the prompt leaves.
        thinking: The model thinks before it replies: thoughts count as reply.
    """
    limit = max(1, min(tokens, MOST_TOKENS, window_left))
    if not thinking:
        return limit
    if is_openai(llm) or _is_gemini(llm) or "max_tokens" not in type(llm).model_fields:
        return None
    settings = _thinking(llm)
    thoughts = settings.get("budget_tokens") if isinstance(settings, dict) else None
    return limit + max(thoughts or 0, THOUGHT_TOKENS)  # its class would set some 512


def thinks(llm: LLM) -> bool:
    """Return whether a model is known to think before it replies."""
    return _thinks_at_openai(llm) or _is_gemini(llm) or bool(_thinking(llm))


def gives_logprobs(llm: LLM) -> bool:
    """Return whether a model may give log-probabilities: by OpenAI's protocol, without thoughts."""
    return is_openai(llm) and llm.metadata.is_chat_model and not thinks(llm)


def _is_gemini(llm: LLM) -> bool:
    """Return whether it is a Gemini: some think, and none has a low limit of its own."""
    return has_base(type(llm), "GoogleGenAI")


def _thinking(llm: LLM) -> object:
    """Return the settings of thinking, as LlamaIndex's classes call them."""
    return getattr(llm, "thinking_dict", None) or getattr(llm, "thinking", None)


def _thinks_at_openai(llm: LLM) -> bool:
    if not is_openai(llm):
        return False
    from llama_index.llms.openai.utils import O1_MODELS

    return llm.model in O1_MODELS  # type: ignore[attr-defined]  # an OpenAI


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


def is_openai_like(llm: LLM) -> bool:
    """Return whether an LLM is for servers that speak OpenAI's protocol, ours or LlamaIndex's."""
    return has_base(type(llm), "OpenAILike")


def address_of(llm: LLM) -> str:
    """Return where a model is; empty if its class has one place only."""
    names = ("api_base", "base_url", "azure_endpoint", "endpoint")
    return next((str(value) for name in names if (value := getattr(llm, name, None))), "")


def ways_of(llm: LLM) -> tuple[Way, ...]:
    """Return all ways in which a model can be asked, the strictest first."""
    if is_ollama(llm):
        return ("schema", "json", "text")
    calls_tools = isinstance(llm, FunctionCallingLLM) and llm.metadata.is_function_calling_model
    tool: tuple[Way, ...] = ("tool",) if calls_tools else ()
    if is_openai(llm) and llm.metadata.is_chat_model:
        return ("schema", "object", *tool, "json", "text")
    return (*tool, "text")


def known_way(llm: LLM) -> Way | None:
    """Return the strictest way if the class of a model tells it; `None` if only a call does."""
    if is_openai(llm):
        from llama_index.llms.openai.utils import is_json_schema_supported

        if is_json_schema_supported(llm.model):  # type: ignore[attr-defined]  # an OpenAI
            return "schema"
    if is_ollama(llm) or is_openai_like(llm):
        return None  # any server, any model
    ways = ways_of(llm)
    return "tool" if "tool" in ways else ways[0] if len(ways) == 1 else None
