"""Who judges: the one place where the command line turns an option into a judge."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge import Judge

__all__ = ["judge_from"]


def judge_from(llm: str | None, cache: Path | None) -> "Judge | None":
    """Return the judge that was asked for; `None` stands for the embedded rules.

    Args:
        llm: The LLM's name, as `openai:gpt-4o-mini`.
        cache: A file for its replies.

    Raises:
        InputError: The name names no LLM.
        OutputError: The cache cannot be written.
    """
    if llm is None:
        return None
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.llms import llm_at
    from llamaindex_rag_eval.oracle import CachedOracle, LLMOracle, Store

    store = None if cache is None else Store(cache)
    return Judge(CachedOracle(LLMOracle(llm_at(llm)), store))
