"""Models by name: LLMs as `openai:gpt-4o-mini`, embedding models as `huggingface:MODEL`.

A name is looked up in this order: `openai:` and `openai-like:`, which are built in; an installed
package `llama-index-llms-NAME` (or `llama-index-embeddings-NAME`); an attribute of a module. A
module with a dot in its name is never taken for a package, nor one with a hyphen for a module.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Annotated, Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM
from pydantic import Field, TypeAdapter, ValidationError

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.durations import read_duration
from llamaindex_rag_eval.models.parameters import Way
from llamaindex_rag_eval.models.providers import ModelKind, model_of

NO_KEY = "none"
"""Sent to servers that want no key: OpenAI's client insists on one."""

NEWER_WINDOW = 128_000
"""Tokens that a model of OpenAI reads whose number is not known: no newer one reads fewer."""

LLMS = ModelKind("llms", LLM, "LLM")  # type: ignore[type-abstract]  # never made itself

EMBEDDINGS = ModelKind(
    "embeddings",
    BaseEmbedding,  # type: ignore[type-abstract]  # never made itself
    "embedding model",
    suffix="embedding",
)


@dataclass(frozen=True)
class CallSettings:
    """How an LLM is called; `None` leaves each as it is.

    Attributes:
        base_url: The address of the API.
        timeout: Seconds for one attempt at one call.
        retries: How often a call is tried again after a transient error.
        patience: How long to wait for an endpoint that is away, in seconds or as `"10m"`.
        reply_limit: Most tokens of a reply.
        reply_format: How the model is held to the form of a reply.
        logprobs: Whether log-probabilities are asked for.
        keyless: Whether it will not be called, so that no key of OpenAI is needed.
    """

    base_url: str | None = None
    timeout: Annotated[float, Field(ge=0.1)] | None = None
    retries: Annotated[int, Field(ge=0)] | None = None
    patience: float | str | None = None
    reply_limit: Annotated[int, Field(ge=1)] | None = None
    reply_format: Way | None = None
    logprobs: bool | None = None
    keyless: bool = False

    @classmethod
    def read(
        cls, texts: Iterable[str], *, option: str = "", keyless: bool = False
    ) -> "CallSettings":
        """Read `key=value` as people write it; of a key that is given twice, the first.

        Args:
            texts: Each an attribute, as `reply-limit=200`.
            option: How it is given, for the error.
            keyless: The attribute of this name.

        Raises:
            InputError: There is no such attribute, or no such value of it.

        Example:
            >>> CallSettings.read(["timeout=9", "logprobs=no"]).timeout
            9.0
        """
        keys = [field.name for field in fields(cls) if field.name != "keyless"]
        settings: dict[str, str] = {}
        for text in texts:
            name, sign, value = text.partition("=")
            key = name.strip().replace("-", "_")
            if not sign or key not in keys:
                known = ", ".join(key.replace("_", "-") for key in keys)
                raise InputError(f"{option} {text!r}: expected KEY=VALUE with a key of {known}")
            settings.setdefault(key, value.strip())
        if "patience" in settings:
            read_duration(settings["patience"], f"{option} patience")
        try:
            return TypeAdapter(cls).validate_python({**settings, "keyless": keyless})
        except ValidationError as error:
            first = error.errors()[0]
            key = str(first["loc"][0])
            expected = first["msg"].replace("Input should be", "expected")
            name = key.replace("_", "-")
            raise InputError(f"{option} {name}={settings[key]}: {expected}") from None


def llm_at(name: str, calls: CallSettings | None = None) -> LLM:
    """Return the LLM that a name stands for.

    Args:
        name: `openai:MODEL`; `openai-like:URL:MODEL` for any server that speaks OpenAI's
            protocol, as vLLM or LM Studio; `NAME:MODEL` for an installed package
            `llama-index-llms-NAME`, as `anthropic:MODEL` or `ollama:MODEL`; or
            `MODULE:ATTRIBUTE`, an LLM or a function without arguments that returns one.
        calls: Of these, `base_url` and `timeout` are set on the LLM. With a `base_url`,
            `openai-like:MODEL` is enough.

    Raises:
        InputError: The name has another form, its package is not installed, or its model cannot be
            set up, because a key is missing say, or because it takes no `base_url`.
        EngineError: The module or attribute is not there, or is not an LLM.
    """
    calls = calls or CallSettings()
    timeout: dict[str, Any] = {} if calls.timeout is None else {"timeout": calls.timeout}
    kind, _, rest = name.partition(":")
    if not rest:
        raise InputError(
            f"{name!r} names no LLM; expected 'openai:MODEL', 'openai-like:URL:MODEL', "
            "'PROVIDER:MODEL' or 'MODULE:ATTRIBUTE'"
        )
    if kind == "openai":
        from llama_index.llms.openai import OpenAI  # slow to import, and often not needed

        key, base = _openai_key(keyless=calls.keyless), calls.base_url
        llm = OpenAI(model=rest, api_base=base, api_key=key, temperature=0.0, **timeout)
        try:
            llm.metadata  # noqa: B018 - fails for a model that the table of this package lacks
        except ValueError:
            return _newer_openai(llm)
        return llm
    if kind == "openai-like":
        from llamaindex_rag_eval.models.openai_like import OpenAILike

        url, model = _server(name, rest, "llama3.1", calls.base_url)
        key = _server_key()
        return OpenAILike(model=model, api_base=url, api_key=key, temperature=0.0, **timeout)
    options = {"base_url": calls.base_url, "timeout": calls.timeout}
    return model_of(LLMS, kind, rest, options, temperature=0.0)


def _newer_openai(llm: Any) -> LLM:
    """Return an OpenAI model that is newer than the installed package, which refuses its name."""
    from llamaindex_rag_eval.models.openai_like import OpenAILike

    names = ("model", "api_base", "api_key", "temperature", "timeout")
    settings = {name: getattr(llm, name) for name in names}
    return OpenAILike(**settings, context_window=NEWER_WINDOW)


def embed_model_at(name: str, *, keyless: bool = False) -> BaseEmbedding:
    """Return the embedding model that a name stands for.

    Args:
        name: `openai:MODEL`; `openai-like:URL:MODEL` for any server that speaks OpenAI's
            protocol; `NAME:MODEL` for an installed package `llama-index-embeddings-NAME`, as
            `huggingface:MODEL` or `ollama:MODEL`; or `MODULE:ATTRIBUTE`, an embedding model or
            a function without arguments that returns one.
        keyless: Whether it will not be called, so that no key of OpenAI is needed.

    Raises:
        InputError: The name has another form, its package is not installed, or its model cannot be
            set up, because a key is missing say.
        EngineError: The module or attribute is not there, or is not an embedding model.
    """
    kind, _, rest = name.partition(":")
    if not rest:
        raise InputError(
            f"{name!r} names no embedding model; expected 'openai:MODEL', 'openai-like:URL:MODEL', "
            "'PROVIDER:MODEL' as 'huggingface:MODEL', or 'MODULE:ATTRIBUTE'"
        )
    if kind in ("openai", "openai-like"):
        from llamaindex_rag_eval.models.openai_embedding import OpenAILikeEmbedding
    if kind == "openai":
        base = os.environ.get("OPENAI_API_BASE") or None  # as the LLM does
        key = _openai_key(keyless=keyless)
        return OpenAILikeEmbedding(model_name=rest, api_key=key, api_base=base)
    if kind == "openai-like":
        url, model = _server(name, rest, "nomic-embed-text")
        return OpenAILikeEmbedding(model_name=model, api_base=url, api_key=_server_key())
    return model_of(EMBEDDINGS, kind, rest)


def _openai_key(*, keyless: bool = False) -> str:
    key = os.environ.get("OPENAI_API_KEY") or (NO_KEY if keyless else "")
    if not key:
        raise InputError("'openai:…' needs a key; set the environment variable OPENAI_API_KEY")
    return key


def _server(name: str, rest: str, example: str, base_url: str | None = None) -> tuple[str, str]:
    """Return the URL and the model of `URL:MODEL`; `example` is a model to show in the error."""
    if base_url is not None and "://" in rest:
        raise InputError(f"{name!r} has an address already; leave that or the base URL out")
    if base_url is not None:
        return base_url, rest
    url, _, model = rest.rpartition(":")
    if "://" not in url or not model:
        raise InputError(
            f"{name!r} names no server; expected 'openai-like:URL:MODEL', as in "
            f"'openai-like:http://localhost:11434/v1:{example}'"
        )
    return url, model


def _server_key() -> str:
    return os.environ.get("OPENAI_LIKE_API_KEY") or NO_KEY
