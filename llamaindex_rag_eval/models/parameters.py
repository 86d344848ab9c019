"""What one call is given besides its messages: the limit of the reply, a seed, a temperature.

LlamaIndex's classes take these under different names, some not per call, and some not at all. How
they do is told here by the name of a class, so that none of their packages need be installed.
"""

from functools import cache
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.classes import has_base, is_anthropic, is_ollama, is_openai

MOST_TOKENS = 8192
"""A reply that needs more is divided. Models that write less at most refuse a higher limit."""

THOUGHT_TOKENS = 8192
"""Tokens for thoughts beside the reply, where a class would set a limit of its own."""


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
    names = {"limit": "max_tokens", "seed": "seed", "temperature": "temperature"}
    values: dict[str, Any] = {}
    if limit is not None:
        values["limit"] = limit
    if seed is not None:
        values["seed"] = seed
        if not _refuses_temperature(llm):
            values["temperature"] = temperature
    if is_ollama(llm):  # it takes these as options of the LLM only
        names["limit"] = "num_predict"
        options = {**llm.additional_kwargs, **_named(values, names)}  # type: ignore[attr-defined]  # an Ollama
        return llm.model_copy(update={"additional_kwargs": options}), {}
    if _is_gemini(llm):
        names["limit"] = "max_output_tokens"
        return llm, {"generation_config": _named(values, names)} if values else {}
    if is_anthropic(llm) and seed is not None:
        # It takes no seed: as the name of a user it keeps the requests of several votes apart.
        values["seed"] = {"user_id": f"vote-{seed}"}
        names["seed"] = "metadata"
    elif has_base(type(llm), "MistralAI"):
        names["seed"] = "random_seed"
    elif not is_openai(llm):
        fields = type(llm).model_fields
        names = {key: name for key, name in names.items() if name in fields}
    return llm, _named(values, names)


def _named(values: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names[key]: value for key, value in values.items() if key in names}


def reply_limit(llm: LLM, tokens: int, *, window_left: int, thinking: bool) -> int | None:
    """Return the most tokens of a reply; `None` for the limit that the model itself has.

    Args:
        llm: The LLM.
        tokens: That suffice for the reply alone.
        window_left: Tokens of the window that the prompt leaves.
        thinking: The model was seen to think before it replies: thoughts count as reply.
    """
    limit = max(1, min(tokens, MOST_TOKENS, window_left))
    if not (thinking or thinks(llm)):
        return limit
    if is_openai(llm) or _is_gemini(llm) or "max_tokens" not in type(llm).model_fields:
        return None
    return limit + max(_thoughts(llm), THOUGHT_TOKENS)  # its class would set some 512


def thinks(llm: LLM) -> bool:
    """Return whether a model is known to think before it replies."""
    if _thinks_at_openai(llm):
        return True
    return _is_gemini(llm) or bool(_thinking(llm))


def gives_logprobs(llm: LLM) -> bool:
    """Return whether a model may give log-probabilities: by OpenAI's protocol, without thoughts."""
    return is_openai(llm) and llm.metadata.is_chat_model and not thinks(llm)


def _is_gemini(llm: LLM) -> bool:
    """Return whether it is a Gemini: some think, and none has a low limit of its own."""
    return has_base(type(llm), "GoogleGenAI")


def _thinking(llm: LLM) -> object:
    """Return the settings of thinking, as LlamaIndex's classes call them."""
    settings = (getattr(llm, name, None) for name in _settings_of_thinking(type(llm)))
    return next(filter(None, settings), None)


@cache
def _settings_of_thinking(kind: type[LLM]) -> tuple[str, ...]:
    """Return those that a class has: pydantic takes long to say that there is none."""
    names = ("thinking_dict", "thinking")
    return tuple(name for name in names if name in kind.model_fields or hasattr(kind, name))


def _thoughts(llm: LLM) -> int:
    """Return the tokens that the user allows for thoughts; 0 if it is not said."""
    settings = _thinking(llm)
    budget = settings.get("budget_tokens") if isinstance(settings, dict) else None
    return budget if isinstance(budget, int) else 0


def _refuses_temperature(llm: LLM) -> bool:
    """Return whether a model takes no temperature but its own: thinking ones do not."""
    return _thinks_at_openai(llm) or bool(_thinking(llm))


def _thinks_at_openai(llm: LLM) -> bool:
    if not is_openai(llm):
        return False
    from llama_index.llms.openai.utils import O1_MODELS

    return llm.model in O1_MODELS  # type: ignore[attr-defined]  # an OpenAI
