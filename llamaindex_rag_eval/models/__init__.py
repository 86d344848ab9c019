"""Whoever answers: typed requests in, typed replies out."""

from llamaindex_rag_eval.models.batch_oracle import BatchOracle as BatchOracle
from llamaindex_rag_eval.models.cached import CachedOracle as CachedOracle
from llamaindex_rag_eval.models.embedded import EmbeddedOracle as EmbeddedOracle
from llamaindex_rag_eval.models.limit import Limit as Limit
from llamaindex_rag_eval.models.llm import LLMOracle as LLMOracle
from llamaindex_rag_eval.models.prompt import Example as Example, Prompt as Prompt
from llamaindex_rag_eval.models.request import (
    Embed as Embed,
    Oracle as Oracle,
    Reply as Reply,
    Request as Request,
    check_reply as check_reply,
)
from llamaindex_rag_eval.models.scripted import ScriptedOracle as ScriptedOracle
from llamaindex_rag_eval.models.store import Store as Store
from llamaindex_rag_eval.models.usage import Budget as Budget, Price as Price, Usage as Usage
from llamaindex_rag_eval.models.voting import VotingOracle as VotingOracle
