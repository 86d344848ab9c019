"""Whoever answers: typed requests in, typed replies out."""

from llamaindex_rag_eval.oracle.cached import CachedOracle
from llamaindex_rag_eval.oracle.embedded import EmbeddedOracle
from llamaindex_rag_eval.oracle.limit import Limit
from llamaindex_rag_eval.oracle.limited import LimitedOracle
from llamaindex_rag_eval.oracle.llm import LLMOracle
from llamaindex_rag_eval.oracle.prompt import Example, Prompt
from llamaindex_rag_eval.oracle.request import Embed, Oracle, Reply, Request, checked
from llamaindex_rag_eval.oracle.scripted import ScriptedOracle
from llamaindex_rag_eval.oracle.store import Store
from llamaindex_rag_eval.oracle.usage import Budget, Price, Usage
from llamaindex_rag_eval.oracle.voting import VotingOracle

__all__ = [
    "Budget",
    "CachedOracle",
    "Embed",
    "EmbeddedOracle",
    "Example",
    "LLMOracle",
    "Limit",
    "LimitedOracle",
    "Oracle",
    "Price",
    "Prompt",
    "Reply",
    "Request",
    "ScriptedOracle",
    "Store",
    "Usage",
    "VotingOracle",
    "checked",
]
