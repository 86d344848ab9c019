"""Bespoke-MiniCheck behind Ollama: it is shown a document and a claim, and says yes or no."""

import asyncio
import math
import os
import re
from collections.abc import Sequence

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from pydantic import BaseModel

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.fact_check.checker import THRESHOLD, Chance, FactChecker, Pair
from llamaindex_rag_eval.models.endpoint import Endpoint
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion, entry_of
from llamaindex_rag_eval.models.usage import Price, Usage

MODEL = "bespoke-minicheck"
"""The name of the model in Ollama's library."""

PROMPT = "Document: {document}\nClaim: {claim}"
"""What the model was trained on (https://ollama.com/library/bespoke-minicheck)."""

FREE = Prompt[BaseModel, BaseModel](name="check", instruction="", input=BaseModel, output=BaseModel)
"""The form of its reply, which is none."""

REPLY_TOKENS = 4
"""Room for "Yes" or "No"."""

LIMIT = 2048
"""Tokens that Ollama reads unless it is set to more; it cuts what is longer, and does not say so."""

WINDOW = 1500
"""Tokens of a source that are read at a time: room is left for the claim and the template."""

_FIELD = re.compile(r"\s*\n\s*(?=(?:document|claim)\s*:)", re.IGNORECASE)
_VERDICT = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


def ollama_url() -> str:
    """Return where Ollama's OpenAI-compatible API is: at `OLLAMA_HOST`, else on this machine."""
    host = os.environ.get("OLLAMA_HOST") or "localhost:11434"
    host = host if "://" in host else f"http://{host}"
    return f"{host.rstrip('/')}/v1"


class OllamaChecker(FactChecker):
    """A fact checker over Bespoke-MiniCheck, or a model asked alike, two-way.

    Its verdicts come with a probability where the server gives the log-probabilities of tokens.

    Args:
        model: The name of the model at the server.
        url: The server's OpenAI-compatible API; by default Ollama's.
        concurrency: The most calls in flight.
        window: Tokens of a source that are read at a time.
        threshold: Probability from which a claim counts as supported.
    """

    quick = False
    limit = LIMIT

    def __init__(
        self,
        model: str = MODEL,
        *,
        url: str = "",
        concurrency: int = 64,
        window: int = WINDOW,
        threshold: float = THRESHOLD,
    ) -> None:
        from llamaindex_rag_eval.models.openai_like import OpenAILike  # slow to import

        self.name, self.model = f"ollama/{model}", model
        self.window = window
        self.threshold = threshold
        self.usage = Usage({model: Price(prompt=0.0, completion=0.0)})
        llm = OpenAILike(model=model, api_base=url or ollama_url(), api_key="none", temperature=0.0)
        limit = Limit(concurrency, usage=self.usage)
        self._endpoint = Endpoint(llm, limit, way="text", most_tokens=REPLY_TOKENS)

    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return the verdict on each pair; one call each, many at a time.

        Raises:
            CallError: The server cannot be reached.
            ReplyError: It says neither yes nor no.
        """
        distinct = list(dict.fromkeys(pairs))
        chances = await asyncio.gather(*(self._chance(pair) for pair in distinct))
        known = dict(zip(distinct, chances, strict=True))
        return [known[pair] for pair in pairs]

    async def _chance(self, pair: Pair) -> Chance:
        # A document or claim cannot pass for another field: each field is one line's beginning.
        document, claim = (_FIELD.sub(" ", text.strip()) for text in pair)
        text = PROMPT.format(document=document, claim=claim)
        messages = [ChatMessage(role=MessageRole.USER, content=text)]
        completion = await self._endpoint.call(
            messages, FREE, "text", kind="SupportOf", tokens=REPLY_TOKENS, logprobs=True
        )
        return chance_in(completion)


def chance_in(completion: Completion) -> Chance:
    """Return what a reply says: by the probabilities of its first token, else by its word.

    Raises:
        ReplyError: It says neither yes nor no.
    """
    shares = {"yes": 0.0, "no": 0.0}
    for token in entry_of(completion.logprobs[0], "top_logprobs") if completion.logprobs else ():
        word = str(entry_of(token, "token")).strip().lower()
        if word in shares:
            shares[word] += math.exp(min(0.0, entry_of(token, "logprob")))
    yes, no = shares.values()
    if yes + no > 0:
        return Chance(yes / (yes + no))
    verdict = _VERDICT.match(completion.text)
    if verdict is None:
        raise ReplyError("the fact checker says neither yes nor no", raw=completion.text)
    return Chance(float(verdict[1].lower() == "yes"), graded=False)
