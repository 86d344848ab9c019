"""Whoever answers: typed requests in, typed replies out."""

from llamaindex_rag_eval.models.batch_oracle import BatchOracle
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.embedded import EmbeddedOracle
from llamaindex_rag_eval.models.limit import Limit, LimitedOracle
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Oracle, Reply, Request, check_reply
from llamaindex_rag_eval.models.scripted import ScriptedOracle
from llamaindex_rag_eval.models.store import Store
from llamaindex_rag_eval.models.usage import Budget, Price, Usage
from llamaindex_rag_eval.models.voting import VotingOracle

__all__ = [
    "BatchOracle",
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
    "check_reply",
]
