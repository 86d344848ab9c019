"""Send batch files through an API's own endpoints, and fetch the replies.

The id of each batch is on disk before it is waited for, so that a process that was killed takes up
where it stopped; a batch that was created but whose id was not kept is found again. What a batch
that expired or was cancelled left out is asked again in the next round.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar

from llama_index.core.llms import LLM

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import CallError, InputError, PendingError, RagEvalError
from llamaindex_rag_eval.models.batch import REPLIES, REQUESTS, BatchFolder
from llamaindex_rag_eval.models.batch_services import BatchService, Look, service_of
from llamaindex_rag_eval.models.completion import api_key_of, call_error

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
    service = service_of(llm)
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
        await service.close()


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
