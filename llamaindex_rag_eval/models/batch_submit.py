"""Send batch files through an API's own endpoints, and fetch the replies.

The id of each batch is on disk before it is waited for, so that a process that was killed takes up
where it stopped; a batch that was created but whose id was not kept is found again. What a batch
that expired or was cancelled left out is asked again in the next round.

Sources: https://platform.openai.com/docs/api-reference/batch,
https://docs.anthropic.com/en/api/creating-message-batches.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from llama_index.core.llms import LLM

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import CallError, InputError, PendingError, RagEvalError
from llamaindex_rag_eval.models.batch import ANTHROPIC, REPLIES, REQUESTS, BatchFolder, form_for
from llamaindex_rag_eval.models.failures import api_key_of, call_error
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


def _answered(counts: Any) -> int:
    return int(counts.succeeded + counts.errored + counts.canceled + counts.expired)


BatchService = OpenAIBatches | AnthropicBatches


T = TypeVar("T")

BatchProgress = Callable[[str, str, int, int], None]
"""Called at every look: the file, the status of its batch, requests that are done, and all."""

POLL = 30.0
"""Seconds between two looks at the batches, at the most: a batch may take a day."""

FIRST_POLL = 0.5
"""Seconds between the first two looks; doubled each time: a small batch may take seconds."""

STATE = ".batch.json"
"""Ends the name of the file that keeps a batch's id."""


async def submit(
    folder: BatchFolder,
    llm: LLM,
    *,
    poll: float = POLL,
    progress: BatchProgress | None = None,
) -> None:
    """Send every request file that waits for replies, wait for them all, and write the replies.

    Args:
        folder: With its rounds written; it is read anew at the end.
        llm: Whose endpoint, key and organisation are used; of OpenAI, Azure or Anthropic.
        poll: Seconds between two looks, at the most.
        progress: Called at every look.

    Raises:
        CallError: A batch has failed, as a whole, or the endpoint cannot be reached.
        InputError: The LLM's API takes no batch files, or a file is not of its form.
        OutputError: A file cannot be written.
    """
    service = AnthropicBatches(llm) if form_for(llm) is ANTHROPIC else OpenAIBatches(llm)
    try:
        batches = {path: await _batch_of(path, service) for path in folder.waiting}
        wait = FIRST_POLL
        while batches:
            for path, identity in list(batches.items()):
                look = await service.look(identity)
                if progress is not None:
                    progress(path.name, look.status, look.done, look.total)
                if look.ended:
                    del batches[path]
                    await _fetch(path, identity, look, service)
            if batches:
                await asyncio.sleep(min(wait, poll))
                wait *= 2
        folder.read()
    except RagEvalError:
        raise
    except Exception as error:  # noqa: BLE001 - every kind of the client's errors
        raise call_error(error, api_key_of(llm)) from None
    finally:
        await service.client.close()


def work_in_rounds(
    work: Callable[[], T],
    folder: BatchFolder,
    llm: LLM,
    *,
    poll: float = POLL,
    progress: BatchProgress | None = None,
) -> T:
    """Do work over a folder again and again, with its requests sent in between, until it is done.

    Args:
        work: Whatever asks an oracle over the folder, such as an evaluation or a generation; it may
            raise `PendingError`.
        folder: Of the batch files.
        llm: As for `submit`.
        poll: As for `submit`.
        progress: As for `submit`.

    Returns:
        What `work` returns when nothing is pending any more.

    Raises:
        CallError: As `submit`. What was fetched is kept.
    """
    while True:
        try:
            result = work()
        except PendingError:
            folder.write_round()
            if not folder.waiting:
                raise  # it waits for the replies of another folder
        else:
            folder.write_round()
            if not folder.waiting:
                return result
        run_sync(submit(folder, llm, poll=poll, progress=progress))


async def _batch_of(path: Path, service: BatchService) -> str:
    """Return the id of the batch of a request file, created if there is none yet.

    The time goes to disk before a batch is created, and its id after.
    """
    state = _state_of(path)
    kept = _kept(state)
    if "batch_id" in kept:
        return kept["batch_id"]
    content = await asyncio.to_thread(path.read_bytes)
    if service.part not in json.loads(content.partition(b"\n")[0]):
        raise InputError(f"{str(path)!r} is in the form of another API; expected {service.part!r}")
    mark = hashlib.sha256(content).hexdigest()[:32]
    since = datetime.fromisoformat(kept["since"]) if "since" in kept else None
    others = {_kept(other).get("batch_id", "") for other in path.parent.glob(f"*{STATE}")}
    identity = await service.find(mark, content.count(b"\n"), since, others)
    if identity is None:
        _keep(state, {"since": datetime.now(timezone.utc).isoformat()})
        identity = await service.create(path.name, content, mark)
    _keep(state, {"batch_id": identity})
    return identity


def _kept(state: Path) -> dict[str, str]:
    return dict(json.loads(state.read_bytes())) if state.exists() else {}


def _keep(state: Path, record: Mapping[str, str]) -> None:
    write_whole(state, [json.dumps(record), "\n"])


async def _fetch(path: Path, identity: str, look: Look, service: BatchService) -> None:
    """Write the lines of a batch that has ended beside its requests; forget its id.

    The file of replies is written last, also where there are none: then the requests count as
    answered.
    """
    stem = path.name.removesuffix(REQUESTS)
    replies = await service.replies(identity)
    if replies.get("errors"):
        write_whole(path.with_name(f"{stem}.errors.jsonl"), [replies["errors"]])
    if replies["replies"] or not look.failure:
        write_whole(path.with_name(f"{stem}{REPLIES}"), [replies["replies"]])
    _state_of(path).unlink(missing_ok=True)
    if look.failure:
        raise CallError(f"batch {identity!r} of {path.name!r} failed: {look.failure}")


def _state_of(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(REQUESTS) + STATE)
