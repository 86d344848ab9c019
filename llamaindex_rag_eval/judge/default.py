"""Who judges when nobody was named: the LLM of LlamaIndex's settings, else the rules."""

from llama_index.core import Settings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM, MockLLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, LLMOracle, Oracle

__all__ = ["JudgeLike", "default_judge", "judge_of"]

JudgeLike = Judge | Oracle | LLM
"""What metrics take for a judge: a judge, an oracle, or an LLM; the latter two get a cache."""

_shared: dict[tuple[int, int], tuple[Judge, LLM | None, BaseEmbedding | None]] = {}
"""The default judge by what it was made of, so that metrics share judgements; one at a time."""


def default_judge() -> Judge:
    """Return the judge that metrics share when none is given.

    That is the LLM which the user set as `Settings.llm`, with `Settings.embed_model` for
    similarities; if none was set, the embedded rules. An LLM is never assumed because a key lies
    in the environment: it would cost money that nobody agreed to.
    """
    llm, embed_model = _set_by_user()
    key = (id(llm), id(embed_model))
    if key not in _shared:
        oracle = EmbeddedOracle() if llm is None else LLMOracle(llm, embed_model)
        _shared.clear()
        _shared[key] = (Judge(CachedOracle(oracle)), llm, embed_model)
    return _shared[key][0]


def judge_of(given: JudgeLike | None) -> Judge:
    """Return a judge for what a user gave.

    Raises:
        InputError: It is none of the things that can judge.
    """
    if given is None:
        return default_judge()
    if isinstance(given, Judge):
        return given
    if isinstance(given, LLM):
        return Judge(CachedOracle(LLMOracle(given)))
    if not isinstance(given, Oracle):
        raise InputError(f"{given!r} cannot judge; expected a Judge, an Oracle or an LLM")
    return Judge(given if isinstance(given, CachedOracle) else CachedOracle(given))


def _set_by_user() -> tuple[LLM | None, BaseEmbedding | None]:
    """Return what was set in `Settings`, without making its defaults come to life."""
    llm, embed_model = Settings._llm, Settings._embed_model
    if llm is None or isinstance(llm, MockLLM):
        return None, None
    return llm, embed_model
