"""Send batch files through an API's own files and batches endpoints, and fetch the replies.

The id of each batch is on disk before it is waited for, so that a process that was killed takes up
where it stopped; a batch that was created but whose id was not kept is found again by the hash of
its requests in its metadata. What a batch that expired or was cancelled left out is asked again in
the next round.

Source: https://platform.openai.com/docs/api-reference/batch.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from llama_index.core.llms import LLM

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import CallError, PendingError
from llamaindex_rag_eval.models.batch import REPLIES, REQUESTS, BatchFolder
from llamaindex_rag_eval.models.completion import api_key_of, call_error
from llamaindex_rag_eval.models.transport import openai_client

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Batch

__all__ = ["BatchProgress", "submit", "work_in_rounds"]

T = TypeVar("T")

BatchProgress = Callable[[str, str, int, int], None]
"""Called at every look: the file, the status of its batch, requests that are done, and all."""

POLL = 30.0
"""Seconds between two looks at the batches, at the most: a batch may take a day."""

FIRST_POLL = 0.5
"""Seconds between the first two looks; doubled each time: a small batch may take seconds."""

ENDED = frozenset({"completed", "expired", "failed", "cancelled"})

STATE = ".batch.json"
"""Ends the name of the file that keeps a batch's id."""

ERRORS = ".errors.jsonl"

FINGERPRINT = "rag_eval_requests"
"""The metadata by which a batch is found again."""


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
        llm: Whose endpoint, key and organisation are used; an OpenAI LLM of LlamaIndex.
        poll: Seconds between two looks, at the most.
        progress: Called at every look.

    Raises:
        CallError: A batch has failed, as a whole, or the endpoint cannot be reached.
        InputError: The LLM does not speak OpenAI's protocol.
        OutputError: A file cannot be written.
    """
    client = openai_client(llm)
    try:
        batches = {path: await _batch_of(path, client) for path in folder.waiting}
        wait = FIRST_POLL
        while batches:
            for path, identity in list(batches.items()):
                batch = await client.batches.retrieve(identity)
                _report(progress, path, batch)
                if batch.status in ENDED:
                    del batches[path]
                    await _fetch(path, batch, client)
            if batches:
                await asyncio.sleep(min(wait, poll))
                wait *= 2
        folder.read()
    except CallError:
        raise
    except Exception as error:  # noqa: BLE001 - every kind of the client's errors
        raise call_error(error, api_key_of(llm)) from None
    finally:
        await client.close()


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


async def _batch_of(path: Path, client: "AsyncOpenAI") -> str:
    """Return the id of the batch of a request file, created if there is none yet."""
    state = _state_of(path)
    if (known := _kept_id(state)) is not None:
        return known
    content = await asyncio.to_thread(path.read_bytes)
    mark = hashlib.sha256(content).hexdigest()[:32]
    identity = await _known_batch(mark, client) or await _new_batch(path, content, mark, client)
    write_whole(state, [json.dumps({"batch_id": identity}), "\n"])
    return identity


def _kept_id(state: Path) -> str | None:
    return str(json.loads(state.read_bytes())["batch_id"]) if state.exists() else None


async def _known_batch(mark: str, client: "AsyncOpenAI") -> str | None:
    """Return the id of a batch of these requests that is under way or was completed."""
    async for batch in client.batches.list(limit=100):
        wanted = (batch.metadata or {}).get(FINGERPRINT) == mark
        if wanted and batch.status not in ENDED - {"completed"}:
            return batch.id
    return None


async def _new_batch(path: Path, content: bytes, mark: str, client: "AsyncOpenAI") -> str:
    first: dict[str, Any] = json.loads(content.partition(b"\n")[0])
    file = await client.files.create(file=(path.name, content), purpose="batch")
    batch = await client.batches.create(
        input_file_id=file.id,
        endpoint=first["url"],
        completion_window="24h",
        metadata={FINGERPRINT: mark},
    )
    return batch.id


async def _fetch(path: Path, batch: "Batch", client: "AsyncOpenAI") -> None:
    """Write the lines of a batch that has ended beside its requests; forget its id.

    The file of replies is written last, also where there are none: then the requests count as
    answered.
    """
    stem = path.name.removesuffix(REQUESTS)
    for kind, name in ((ERRORS, batch.error_file_id), (REPLIES, batch.output_file_id)):
        text = (await client.files.content(name)).text if name else ""
        if text or (kind == REPLIES and batch.status != "failed"):
            write_whole(path.with_name(f"{stem}{kind}"), [text])
    _state_of(path).unlink(missing_ok=True)
    if batch.status == "failed":
        said = "; ".join(str(e.message) for e in (batch.errors.data or [])) if batch.errors else ""
        raise CallError(f"batch {batch.id!r} of {path.name!r} failed: {said or 'no reason given'}")


def _state_of(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(REQUESTS) + STATE)


def _report(progress: BatchProgress | None, path: Path, batch: "Batch") -> None:
    if progress is not None:
        counts = batch.request_counts
        done = counts.completed + counts.failed if counts else 0
        progress(path.name, batch.status, done, counts.total if counts else 0)
