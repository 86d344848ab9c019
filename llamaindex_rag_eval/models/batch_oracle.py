"""An oracle over batch files: what a model is asked goes to files, and its replies come from files.

oracle = BatchOracle(OpenAI(model="gpt-4o-mini"), Store("replies.db"), "batch/")
run = evaluate(samples, metrics=["faithfulness"], judge=Judge(oracle))
oracle.write_round()  # -> batch/round-1.requests.jsonl; put the replies beside it, run again

A function that cannot go on without a reply, such as `generate`, raises `PendingError` instead.
"""

import importlib
import json
import sys
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import httpx
from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.batch import ANTHROPIC, BatchFolder, BatchFormat, form_for
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.response import COUNTED_BEFORE
from llamaindex_rag_eval.models.store import ReplyStore
from llamaindex_rag_eval.models.transport import Transport, over_client
from llamaindex_rag_eval.models.usage import BATCH_SHARE

COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens")
"""What OpenAI and Anthropic call the tokens of a reply."""


class BatchTransport(Transport):
    """Batch files in place of the network: a reply that is not there yet raises `PendingError`.

    Args:
        folder: Answers.
        llm: Asks; it is not called.

    Raises:
        InputError: The LLM takes no batch files of the folder's form.
    """

    at_once = False
    share = BATCH_SHARE

    def __init__(self, folder: BatchFolder, llm: LLM) -> None:
        form_for(llm, folder.form.name)
        super().__init__(llm)
        self.folder = folder

    @cached_property
    def _made(self) -> tuple[LLM, None]:
        kind: Any = httpx.AsyncClient
        if self.folder.form == ANTHROPIC:
            kind = importlib.import_module("anthropic").DefaultAsyncHttpxClient
        return over_client(self.llm, kind(transport=_FromFolder(self.folder))), None


class _FromFolder(httpx.AsyncBaseTransport):
    """Files in place of sockets, for httpx or httpx2, which are alike."""

    def __init__(self, folder: BatchFolder) -> None:
        self.folder = folder

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = self.folder.form.url(request.url.path)
        custom_id, reply = self.folder.reply(url, json.loads(await request.aread()))
        body = dict(reply.body)
        if not self.folder.is_first_reading(custom_id):
            body["usage"] = dict.fromkeys(COUNTS, COUNTED_BEFORE)
        library = sys.modules[type(request).__module__.partition(".")[0]]
        response: httpx.Response = library.Response(reply.status or 503, json=body, request=request)
        return response


class BatchOracle(CachedOracle):
    """Answer from the store, or from the replies in a folder of batch files.

    What has no reply yet raises `PendingError`, which makes the metric's result `pending`;
    `write_round` writes it as the next file of requests. Replies keep the keys that they have
    online: a store may be filled by either.

    Args:
        llm: An LLM of LlamaIndex for OpenAI, Azure, Anthropic or a server that speaks OpenAI's
            protocol. It is not called; its settings go into the requests.
        store: Where replies are kept.
        folder: Of the batch files; made if it is not there.
        form: "openai", "azure" or "anthropic"; by default that of the LLM's API.
        **settings: Further ones of `LLMOracle`, as `prompts`.

    Attributes:
        folder: The files; `folder.waiting` are those without replies yet.

    Raises:
        InputError: The LLM takes no batch files, or none of this form; or the folder cannot be
            read or made.
    """

    def __init__(
        self,
        llm: LLM,
        store: ReplyStore | None,
        folder: str | Path,
        *,
        form: BatchFormat | None = None,
        **settings: Any,
    ) -> None:
        self.folder = BatchFolder(folder, form=form_for(llm, form))
        super().__init__(
            LLMOracle(llm, connect=partial(BatchTransport, self.folder), **settings), store
        )

    def write_round(self) -> tuple[Path, ...]:
        """Write what was asked and is not answered as the next round; return its files.

        Raises:
            OutputError: A file cannot be written.
        """
        return self.folder.write_round()
