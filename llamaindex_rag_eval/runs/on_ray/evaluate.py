"""Evaluate samples on Ray: read by tasks, scored by actors, written as Parquet block by block.

Ray Data streams the blocks from those who read to those who score, and holds back the readers when
the scorers are behind. What it does again after a lost worker is known by its number: a block that
is written is not scored again, neither then nor by the next driver.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from llamaindex_rag_eval._ray import Nodes, ray_nodes
from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.files import jsonl_line
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.models.database import shown_url
from llamaindex_rag_eval.runs.evaluator import Progress
from llamaindex_rag_eval.runs.folder import RunFolder
from llamaindex_rag_eval.runs.on_ray.limits import loads
from llamaindex_rag_eval.runs.on_ray.remote import done_inside
from llamaindex_rag_eval.runs.on_ray.work import BlockWork, Packed
from llamaindex_rag_eval.runs.packing import dumps
from llamaindex_rag_eval.runs.replies import keeping_replies, replies_file
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT

BLOCK_ROWS = 500
"""Samples that are scored, and written, together."""

SAMPLES_FILE = "_samples.jsonl"


def evaluate_on_ray(
    answers: str | Path | EvaluationDataset,
    metrics: Sequence[BaseMetric],
    *,
    out: str | Path,
    on: str = "ray",
    workers: int | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    block_rows: int = BLOCK_ROWS,
    cache: bool = True,
    name: str = "",
    progress: Progress | None = None,
    runtime_env: Mapping[str, Any] | None = None,
) -> RunFolder:
    """Score the samples of files on a Ray cluster, and return the run in its folder.

    Args:
        answers: A Parquet, JSON Lines or CSV file, or a folder of them: a local path that all nodes
            see, or a URI as `s3://bucket/answers/`. Samples are written to `out` first.
        metrics: Each with its judge, which is sent to the workers.
        out: The folder of the run, seen by all nodes. What it holds of the same input and metrics
            is not scored again.
        on: `ray`, or `ray://host:port`; see `ray_nodes`.
        workers: Actors that score; by default one for each core.
        concurrency: Samples that an actor scores at a time.
        block_rows: Samples that are scored, and written, together.
        cache: Keep the replies of a model beside `out`, if its judge has no store and all nodes
            are on this machine.
        name: The name of the run.
        progress: Called after every block, with the number of results so far, and of all.
        runtime_env: What Ray sets up on its nodes, as `{"working_dir": "."}`.

    Raises:
        InputError: Ray is not there, or `out` holds another run.
        DatasetError: The input cannot be read.
        MissingFieldError: No sample has a field that a metric needs.
        OutputError: `out` cannot be written.
    """
    with ray_nodes(on, runtime_env) as found:
        folder = _absolute(out)
        if isinstance(answers, EvaluationDataset):
            lines = "".join(map(jsonl_line, answers)).encode()
            if not folder.has(SAMPLES_FILE) or folder.read(SAMPLES_FILE) != lines:
                folder.write(SAMPLES_FILE, lines)
            answers = f"{folder.where}/{SAMPLES_FILE}"
        where = _absolute(answers).where
        beside = replies_file(folder.path) if cache and _on_one_machine(folder, found) else None
        kept = run_sync(_with_replies(metrics, beside))
        packed = _pickled(kept)
        _require_shared(packed[2], found)
        several = (workers or found.cpus, concurrency)
        if not found.remote:
            work = BlockWork(where, kept, packed, folder, name, block_rows)
            return work.do(*several, progress)
        settings = (where, packed, folder.where, name, block_rows, *several)
        done_inside(partial(_evaluate_inside, *settings), progress)
        return RunFolder(folder.where)


def _evaluate_inside(
    where: str,
    packed: Packed,
    folder: str,
    name: str,
    block_rows: int,
    workers: int,
    concurrency: int,
    progress: Progress,
) -> None:
    """Evaluate in a task of the cluster."""
    metrics = loads(packed[0], None, "")[0]
    work = BlockWork(where, metrics, packed, Folder(folder), name, block_rows)
    work.do(workers, concurrency, progress)


def _on_one_machine(folder: Folder, found: Nodes) -> bool:
    return found.machines == 1 and not found.remote and folder.is_local


async def _with_replies(metrics: Sequence[BaseMetric], file: Path | None) -> list[BaseMetric]:
    """Return the metrics with judges that keep their replies, after their stores were opened."""
    async with keeping_replies(metrics, file) as kept:
        return list(kept)


def _require_shared(stores: Sequence[str], found: Nodes) -> None:
    """Raise if workers on several machines are to share a file.

    Raises:
        InputError: They are.
    """
    files = [url for url in stores if url.startswith("sqlite")]
    if files and found.machines > 1:
        raise InputError(
            f"the replies are kept in {shown_url(files[0])!r}, which workers on {found.machines} "
            "machines cannot share; give a database, as --cache postgresql+psycopg://host/name"
        )


def _absolute(where: str | Path) -> Folder:
    """Return a place that is the same for all nodes, wherever they work."""
    found = Folder(where)
    return Folder(found.path) if found.is_local else found


def _pickled(metrics: Sequence[BaseMetric]) -> Packed:
    try:
        data, limits, stores = dumps(list(metrics))
    except Exception as error:
        raise InputError(
            f"metrics and judge cannot be sent to the workers: {type(error).__name__}: {error}"
        ) from error
    return data, [limit.__getstate__() for limit in limits], stores
