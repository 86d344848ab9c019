"""The endpoints that take batch files: OpenAI's (and Azure's) files and batches, and Anthropic's.

Sources: https://platform.openai.com/docs/api-reference/batch,
https://docs.anthropic.com/en/api/creating-message-batches.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.batch_forms import ANTHROPIC, form_for
from llamaindex_rag_eval.models.transport import anthropic_client, openai_client

if TYPE_CHECKING:
    from openai.types import Batch

ENDED = frozenset({"completed", "expired", "failed", "cancelled"})
"""Statuses of an OpenAI batch that does not change any more."""

FINGERPRINT = "rag_eval_requests"
"""The metadata by which an OpenAI batch is found again."""

CLOCKS = timedelta(minutes=5)
"""How far the clocks of this machine and of Anthropic may be apart."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a batch shows.

    Attributes:
        status: In the API's words.
        ended: Whether it does not change any more.
        done: Requests that are answered.
        total: All requests; 0 where the API does not say.
        failure: Why it failed as a whole; empty if it did not.
    """

    status: str
    ended: bool
    done: int = 0
    total: int = 0
    failure: str = ""


class OpenAIBatches:
    """Files and batches of OpenAI, Azure, and servers that have them.

    Args:
        llm: Whose endpoint, key and organisation are used.

    Attributes:
        part: The part of a line that holds the request's body.
    """

    part = "body"

    def __init__(self, llm: LLM) -> None:
        self.client = openai_client(llm)

    async def find(
        self, mark: str, count: int, since: datetime | None, others: Collection[str]
    ) -> str | None:
        """Return the id of a batch that was created, but whose id was not kept.

        Args:
            mark: A hash of its requests.
            count: How many they are.
            since: When an earlier process was about to create it; `None` if none was.
            others: Ids of batches of other files.
        """
        del count, since, others
        async for batch in self.client.batches.list(limit=100):
            wanted = (batch.metadata or {}).get(FINGERPRINT) == mark
            if wanted and batch.status not in ENDED - {"completed"}:
                return batch.id
        return None

    async def create(self, name: str, content: bytes, mark: str) -> str:
        """Send the file, and begin its batch."""
        first: dict[str, Any] = json.loads(content.partition(b"\n")[0])
        file = await self.client.files.create(file=(name, content), purpose="batch")
        batch = await self.client.batches.create(
            input_file_id=file.id,
            endpoint=first["url"],
            completion_window="24h",
            metadata={FINGERPRINT: mark},
        )
        return batch.id

    async def look(self, identity: str) -> Look:
        """Return how far a batch is."""
        batch = await self.client.batches.retrieve(identity)
        counts = batch.request_counts
        done, total = (counts.completed + counts.failed, counts.total) if counts else (0, 0)
        return Look(batch.status, batch.status in ENDED, done, total, _failure(batch))

    async def replies(self, identity: str) -> Mapping[str, str]:
        """Return the lines of both files of a batch."""
        batch = await self.client.batches.retrieve(identity)
        files = {"errors": batch.error_file_id, "replies": batch.output_file_id}
        return {
            kind: (await self.client.files.content(name)).text if name else ""
            for kind, name in files.items()
        }

    async def close(self) -> None:
        """Close the client."""
        await self.client.close()


def _failure(batch: "Batch") -> str:
    if batch.status != "failed":
        return ""
    errors = (batch.errors.data or []) if batch.errors else []
    return "; ".join(str(error.message) for error in errors) or "no reason given"


class AnthropicBatches:
    """Message Batches of Anthropic.

    They take no mark of ours: a batch whose id was not kept is recognised by the number of its
    requests and its time. Were it another's, none of its replies would be taken, for their ids
    are not ours.

    Args:
        llm: Whose endpoint and key are used.
    """

    part = "params"

    def __init__(self, llm: LLM) -> None:
        from anthropic import DefaultAsyncHttpxClient

        # A client of its own, which can be closed: the LLM's may belong to another event loop.
        self.client = anthropic_client(llm).with_options(http_client=DefaultAsyncHttpxClient())

    async def find(
        self, mark: str, count: int, since: datetime | None, others: Collection[str]
    ) -> str | None:
        """Return the id of a batch of so many requests that was created since then."""
        del mark
        if since is None:
            return None
        async for batch in self.client.messages.batches.list(limit=100):
            if batch.created_at < since - CLOCKS:
                return None
            counts = batch.request_counts
            total = _answered(counts) + counts.processing
            if total == count and batch.id not in others:
                return str(batch.id)
        return None

    async def create(self, name: str, content: bytes, mark: str) -> str:
        """Begin a batch."""
        del name, mark
        requests: list[Any] = [json.loads(line) for line in content.splitlines()]
        return str((await self.client.messages.batches.create(requests=requests)).id)

    async def look(self, identity: str) -> Look:
        """Return how far a batch is."""
        batch = await self.client.messages.batches.retrieve(identity)
        done, status = _answered(batch.request_counts), str(batch.processing_status)
        total = done + batch.request_counts.processing
        return Look(status, status == "ended", done, total)

    async def replies(self, identity: str) -> Mapping[str, str]:
        """Return the lines of a batch: one for each request, whatever came of it."""
        results = await self.client.messages.batches.results(identity)
        lines = [f"{entry.to_json(indent=None)}\n" async for entry in results]
        return {"replies": "".join(lines)}

    async def close(self) -> None:
        """Close the client."""
        await self.client.close()


def _answered(counts: Any) -> int:
    return int(counts.succeeded + counts.errored + counts.canceled + counts.expired)


BatchService = OpenAIBatches | AnthropicBatches


def service_of(llm: LLM) -> BatchService:
    """Return the endpoints of the API that an LLM calls.

    Raises:
        InputError: It takes no batch files.
    """
    return AnthropicBatches(llm) if form_for(llm) is ANTHROPIC else OpenAIBatches(llm)
