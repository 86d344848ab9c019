"""Evaluate samples on Ray: read by tasks, scored by actors, written as Parquet block by block.

Ray Data streams the blocks from those who read to those who score, and holds back the readers when
the scorers are behind. What it does again after a lost worker is known by its number: a block that
is written is not scored again, neither then nor by the next driver.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from llamaindex_rag_eval._ray import Nodes, ray_nodes
from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.file_system import Folder, system_at
from llamaindex_rag_eval.data.files import jsonl_line
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge.answerers import Answerers, sum_of_answerers
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.models.database import shown_url
from llamaindex_rag_eval.models.usage import usage_sum
from llamaindex_rag_eval.runs.block_file import block_name
from llamaindex_rag_eval.runs.evaluator import Progress
from llamaindex_rag_eval.runs.folder import RunFolder
from llamaindex_rag_eval.runs.on_ray import plan as plans
from llamaindex_rag_eval.runs.on_ray.limits import dumps
from llamaindex_rag_eval.runs.on_ray.plan import PlannedBlock
from llamaindex_rag_eval.runs.on_ray.score import BlockReport
from llamaindex_rag_eval.runs.on_ray.source import PIECE_BYTES, Piece, files_at, pieces_of
from llamaindex_rag_eval.runs.on_ray.stream import Workers, digests_of, reports_of
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.replies import keeping_replies, replies_file
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT

__all__ = ["BLOCK_ROWS", "evaluate_on_ray"]

BLOCK_ROWS = 500
"""Samples that are scored, and written, together."""

PLAN_FILE = "_plan.jsonl"

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
        folder = Folder(out)
        if isinstance(answers, EvaluationDataset):
            lines = "".join(map(jsonl_line, answers)).encode()
            if not folder.has(SAMPLES_FILE) or folder.read(SAMPLES_FILE) != lines:
                folder.write(SAMPLES_FILE, lines)
            answers = f"{folder.where}/{SAMPLES_FILE}"
        beside = replies_file(folder.path) if cache and _on_one_machine(folder, found) else None
        kept = run_sync(_with_replies(metrics, beside))
        work = _Work(str(answers), kept, folder, name, block_rows)
        _require_shared(work.stores, found)
        work.open()
        reports = work.run(workers or found.cpus, concurrency, progress)
        return work.finish(reports)


class _Work:
    """One evaluation: its plan, and what became of its blocks."""

    def __init__(
        self, where: str, metrics: Sequence[BaseMetric], folder: Folder, name: str, block_rows: int
    ) -> None:
        self.where, self.metrics, self.folder = where, metrics, folder
        self.name, self.block_rows = name, block_rows
        self.started = time.perf_counter()
        self.data, self.limits, self.stores = _pickled(metrics)
        self.piece_bytes = PIECE_BYTES
        self.files = files_at(where)
        self.blocks: list[PlannedBlock] = []
        self.head: dict[str, Any] = {}

    def open(self) -> None:
        """Take up the run in the folder, or begin one.

        Raises:
            InputError: The folder holds another run.
        """
        if not self.folder.has("_run.json"):
            return self._begin()
        earlier = RunFolder(self.folder.where)
        self.head = dict(earlier.head)
        now = self._question(Provenance.now(self.metrics, dataset=""))
        then = self._question(earlier.provenance, earlier.head["files"])
        for what, value in now.items():
            if then[what] != value:
                raise InputError(
                    f"{self.folder.where!r} holds a run with other {what}; name another folder"
                )
        self.block_rows, self.piece_bytes = self.head["block_rows"], self.head["piece_bytes"]
        lines = self.folder.read(PLAN_FILE).decode().splitlines()
        self.blocks = [PlannedBlock.from_line(line) for line in lines]
        return None

    def _pieces(self) -> list[Piece]:
        return pieces_of(system_at(self.where)[0], self.files, self.piece_bytes)

    def _question(
        self, provenance: Provenance, files: Sequence[Sequence[Any]] | None = None
    ) -> dict[str, object]:
        """Return what must be the same for results to be taken over."""
        own = [list(asdict(file).values()) for file in self.files]
        return {
            "input": own if files is None else [list(file) for file in files],
            "metrics": [info.model_dump(mode="json") for info in provenance.metrics],
            "judge": dict(provenance.answered_by),
            "versions": dict(provenance.versions),
        }

    def _begin(self) -> None:
        """Read all input once, and write the plan."""
        digests = list(digests_of(self.where, self._pieces(), self.block_rows, self.data))
        self.blocks = plans.planned(digests, self.where)
        digests.sort(key=lambda one: (one.piece, one.index))
        dataset = sha256("".join(one.digest for one in digests).encode()).hexdigest()
        self.head = {
            "run": Provenance.now(self.metrics, dataset=dataset).model_dump(mode="json"),
            "name": self.name,
            "source": self.where,
            "files": [list(asdict(file).values()) for file in self.files],
            "block_rows": self.block_rows,
            "piece_bytes": self.piece_bytes,
            "blocks": len(self.blocks),
            "samples": sum(one.rows for one in self.blocks),
        }
        self.folder.write(PLAN_FILE, "".join(one.as_line() for one in self.blocks).encode())
        RunFolder.write_head(self.folder, self.head)

    def run(self, workers: int, concurrency: int, progress: Progress | None) -> list[BlockReport]:
        """Score the blocks that are not written yet, and return what became of them."""
        names = self.folder.names()
        left = [one for one in self.blocks if block_name(one.number) not in names]
        total = int(self.head["samples"]) * len(self.metrics)
        done = sum(one.rows for one in self.blocks) - sum(one.rows for one in left)
        done *= len(self.metrics)
        reports = []
        if progress is not None:
            progress(done, total)
        found = reports_of(
            self.where,
            self._wanted(left),
            self.block_rows,
            Workers(self.data, self.limits, self.folder.where, workers, concurrency),
        )
        for report in found if left else ():
            reports.append(report)
            done += report.results
            if progress is not None:
                progress(done, total)
        lost = len(left) - len(reports)
        if lost:
            raise DatasetError(f"{lost} blocks of the input were not found again", file=self.where)
        return reports

    def _wanted(self, left: Sequence[PlannedBlock]) -> list[tuple[Piece, list[PlannedBlock]]]:
        """Return the pieces that hold blocks to be scored, each with these."""
        wanted: dict[int, list[PlannedBlock]] = {}
        for one in left:
            wanted.setdefault(one.piece, []).append(one)
        pieces = self._pieces()
        return [(pieces[number], blocks) for number, blocks in wanted.items()]

    def finish(self, reports: Sequence[BlockReport]) -> RunFolder:
        """Write time, cost and judges of the whole run into its head, and return it."""
        done = {report.number for report in reports}
        run = RunFolder(self.folder.where)
        earlier = [run.about(name) for number, name in run.files().items() if number not in done]
        usage: Mapping[str, Any] = {}
        judged: dict[str, Answerers] = {}
        for about in [*earlier, *map(asdict, reports)]:
            usage = usage_sum(usage, about["usage"]) if about["usage"] else usage
            for spec, kinds in about["judged"].items():
                judged[spec] = sum_of_answerers([judged.get(spec, {}), kinds])
        provenance = Provenance.now(self.metrics, dataset=run.provenance.dataset)
        provenance = provenance.with_counts(judged)
        notes = provenance.notes
        stopped = next((one.stopped for one in reports if one.stopped), "")
        if stopped:
            notes = (*notes, f"Stopped before its end: {stopped}.")
        update = {
            "usage": usage,
            "started": run.provenance.started,
            "seconds": run.provenance.seconds + time.perf_counter() - self.started,
            "notes": notes,
            "stopped": stopped,
        }
        self.head["run"] = provenance.model_copy(update=update).model_dump(mode="json")
        RunFolder.write_head(self.folder, self.head)
        return RunFolder(self.folder.where)


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


def _pickled(metrics: Sequence[BaseMetric]) -> tuple[bytes, list[dict[str, Any]], list[str]]:
    try:
        return dumps(list(metrics))
    except Exception as error:
        raise InputError(
            f"metrics and judge cannot be sent to the workers: {type(error).__name__}: {error}"
        ) from error
