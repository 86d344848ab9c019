"""Query engines over a faster wire: the same engine, with its OpenAI LLM over aiohttp.

The user's engine is never changed: a shallow copy of it, and of its synthesizer, holds the copy
of the LLM. Engines of other kinds, and LLMs with a client of their own, are asked as they are.
"""

import copy
from collections.abc import Awaitable, Callable
from types import MethodType

from llama_index.core.llms import LLM
from llama_index.core.query_engine import RetrieverQueryEngine

from llamaindex_rag_eval.models.transport import Transport

__all__ = ["carried"]


def carried(engine: RetrieverQueryEngine) -> Callable[[str], Awaitable[object]]:
    """Return a way to ask this engine over the faster wire.

    A client belongs to one event loop; each loop gets a copy of its own.
    """
    llm = getattr(engine._response_synthesizer, "_llm", None)
    if not isinstance(llm, LLM):
        return engine.aquery
    transport = Transport(llm, own_retries=True)
    copies: dict[int, tuple[LLM, RetrieverQueryEngine]] = {}

    async def ask(question: str) -> object:
        here = await transport.here()
        if here is llm:
            return await engine.aquery(question)
        known = copies.get(id(here))
        if known is None:
            copies.clear()
            known = copies[id(here)] = (here, _with_llm(engine, here))
        return await known[1].aquery(question)

    return ask


def _with_llm(engine: RetrieverQueryEngine, llm: LLM) -> RetrieverQueryEngine:
    """Return a shallow copy of an engine that answers with this LLM."""
    original = engine._response_synthesizer
    synthesizer = copy.copy(original)
    synthesizer._llm = llm
    for name, value in vars(original).items():
        if isinstance(value, MethodType) and value.__self__ is original:
            setattr(synthesizer, name, MethodType(value.__func__, synthesizer))
    found = copy.copy(engine)
    found._response_synthesizer = synthesizer
    return found
