"""Evaluate samples on Ray: a block of them is a task, and its result a Parquet file.

A block whose file is there is not scored again, neither by a task that takes the place of a lost
one nor by the next driver. The driver reads the samples, twice: once to find ids that repeat and
fields that are missing, before anything is asked; once to be scored.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from llamaindex_rag_eval._ray import Nodes, on_every_node, ray_nodes
from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset, Samples
from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.judge.answerers import Answerers, sum_of_answerers
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.models.database import shown_url
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import usage_sum
from llamaindex_rag_eval.runs.block_file import about_block, block_name
from llamaindex_rag_eval.runs.evaluate import Metrics, metrics_with_judge, require_fields
from llamaindex_rag_eval.runs.evaluator import Progress
from llamaindex_rag_eval.runs.folder import HEAD_FILE, RunFolder
from llamaindex_rag_eval.runs.on_ray.limits import limits_served
from llamaindex_rag_eval.runs.on_ray.score import Block, score_block
from llamaindex_rag_eval.runs.on_ray.source import samples_at
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.remote_limit import dumps, loads
from llamaindex_rag_eval.runs.replies import keeping_replies, replies_file
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT, Ending

BLOCK_ROWS = 500
"""Samples that are scored, and written, together."""

OF_A_RUN = {
    "metrics": "metrics",
    "input": "dataset",
    "judge": "answered_by",
    "versions": "versions",
}
"""What must be the same for results to be taken over -> the field of the provenance."""


def evaluate_on_ray(
    answers: "str | Path | Samples",
    metrics: Metrics = DEFAULT_METRICS,
    *,
    out: str | Path,
    judge: JudgeLike | None = None,
    workers: int | None = None,
    concurrency: int = SAMPLES_IN_FLIGHT,
    block_rows: int = BLOCK_ROWS,
    cache: bool = True,
    name: str = "",
    progress: Progress | None = None,
) -> RunFolder:
    """Score the samples of files on Ray, and return the run in its folder.

    Args:
        answers: Samples; or a Parquet, JSON Lines or CSV file of them, or a folder of such files: a
            local path that all nodes see, or a URI as `s3://bucket/answers/`.
        metrics: Metrics, or their names; they are sent to the workers.
        out: The folder of the run, seen by all nodes. What it holds of the same input and metrics
            is not scored again.
        judge: The judge of metrics that have none of their own; it may be a model.
        workers: Actors that score; by default one for each core.
        concurrency: Samples that an actor scores at a time.
        block_rows: Samples that are scored, and written, together.
        cache: Keep the replies of a model beside `out`, if its judge has no store and all nodes
            are on this machine.
        name: The name of the run.
        progress: Called after every block, with the number of results so far, and of all.

    Raises:
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
        InputError: Ray is not there, a metric is unknown, or `out` holds another run.
        DatasetError: The input cannot be read.
        MissingFieldError: No sample has a field that a metric needs.
        OutputError: `out` cannot be written.
    """
    chosen = metrics_with_judge(metrics, judge)
    with ray_nodes("ray") as nodes:
        folder = _absolute(out)
        source: str | EvaluationDataset
        if isinstance(answers, str | Path):
            source = _absolute(answers).where
        else:
            source = EvaluationDataset.of(answers)
        alone = nodes.machines == 1 and folder.is_local
        beside = replies_file(folder.path) if cache and alone else None
        packed, limits, stores = dumps(run_sync(_with_replies(chosen, beside)))
        _require_shared(stores, nodes)
        work = _Work(source, packed, limits, folder.where, workers or nodes.cpus, concurrency)
        work.do(name, block_rows, progress)
        return RunFolder(folder.where)


@dataclass(frozen=True)
class _Work:
    """One evaluation.

    Attributes:
        source: Where the samples are, or they themselves.
        packed: The metrics, as `dumps` returned them.
        limits: The limits in them.
        where: The folder of the run.
        workers: Blocks that are scored at a time.
        concurrency: Samples of each that are.
    """

    source: str | EvaluationDataset
    packed: bytes
    limits: Sequence[Limit]
    where: str
    workers: int
    concurrency: int

    def do(self, name: str, block_rows: int, progress: Progress | None) -> None:
        """Score the blocks that are not written yet, and write what the run is."""
        started, folder = time.perf_counter(), Folder(self.where)
        head = self._head(name, block_rows)
        metrics, samples = len(head["run"]["metrics"]), head["samples"]
        numbers, names = range(head["blocks"]), folder.names()
        left = {number for number in numbers if block_name(number) not in names}
        sizes = (min(head["block_rows"], samples - n * head["block_rows"]) for n in numbers)
        done = sum(size for number, size in enumerate(sizes) if number not in left) * metrics
        if progress is not None:
            progress(done, samples * metrics)
        reports = dict[int, Mapping[str, Any]]()
        for report in self._reports(left, head["block_rows"]) if left else ():
            reports[report["number"]] = report
            done += report["results"]
            if progress is not None:
                progress(done, samples * metrics)
        RunFolder.write_head(folder, self._finished(head, reports, time.perf_counter() - started))

    def _head(self, name: str, block_rows: int) -> dict[str, Any]:
        """Return what the run in the folder is, or begin one, after a look at all samples.

        Raises:
            InputError: The folder holds another run.
        """
        metrics = loads(self.packed)[0]
        count, dataset = self._looked_at(metrics)
        now = Provenance.now(metrics, dataset=dataset)
        if Folder(self.where).has(HEAD_FILE):
            earlier = RunFolder(self.where)
            _require_same(earlier.provenance, now, self.where)
            return dict(earlier.head)
        head = {
            "run": now.model_dump(mode="json"),
            "name": name,
            "block_rows": block_rows,
            "blocks": -(-count // block_rows),
            "samples": count,
        }
        RunFolder.write_head(Folder(self.where), head)
        return head

    def _looked_at(self, metrics: Sequence[BaseMetric]) -> tuple[int, str]:
        """Return how many samples there are, and their fingerprint, if they can be scored."""
        digest, count, errors = sha256(), 0, list[DatasetError]()

        def samples() -> Iterator[Sample]:
            nonlocal count
            for sample, error in samples_at(self.source):
                digest.update(sample.fingerprint_text().encode("utf-8", "surrogatepass") + b"\n")
                errors.extend(() if error is None else (error,))
                count += 1
                yield sample

        require_fields(metrics, samples())
        if len(errors) == count:
            raise DatasetError(f"no row describes a sample; the first: {errors[0]}")
        return count, digest.hexdigest()

    def _reports(self, left: set[int], block_rows: int) -> Iterator[Mapping[str, Any]]:
        """Score blocks, and yield what becomes of each, until the budget is spent."""
        import ray

        stopped = False

        def parts() -> Iterator[tuple[Any, int, Block]]:
            samples, number = samples_at(self.source), 0
            while not stopped and (block := list(islice(samples, block_rows))):
                if number in left:
                    yield settings, number, block
                number += 1

        with limits_served(self.limits, ray.util.get_node_ip_address()) as server:
            settings = ray.put((self.packed, server, self.where, self.concurrency))
            for report in on_every_node(score_block, parts(), self.workers):
                stopped = stopped or bool(report["stopped"])
                yield report

    def _finished(
        self, head: dict[str, Any], reports: Mapping[int, Mapping[str, Any]], seconds: float
    ) -> dict[str, Any]:
        """Return the head with time, cost and judges of the whole run."""
        run = RunFolder(self.where)
        usage: Mapping[str, Any] = {}
        judged: dict[str, Answerers] = {}
        for number, name in run.files().items():
            about = reports.get(number) or about_block(run.folder, name)
            usage = usage_sum(usage, about["usage"]) if about["usage"] else usage
            for spec, kinds in about["judged"].items():
                judged[spec] = sum_of_answerers([judged.get(spec, {}), kinds])
        stopped = next((report["stopped"] for report in reports.values() if report["stopped"]), "")
        seconds += run.provenance.seconds
        provenance = Provenance.now(loads(self.packed)[0], dataset=run.provenance.dataset)
        provenance = provenance.with_counts(judged).ended(Ending(stopped), seconds, usage)
        provenance = provenance.model_copy(update={"started": run.provenance.started})
        return {**head, "run": provenance.model_dump(mode="json")}


def _require_same(earlier: Provenance, now: Provenance, where: str) -> None:
    """Raise unless an earlier run in a folder was of the same samples, metrics and judge."""
    for what, field in OF_A_RUN.items():
        if getattr(earlier, field) != getattr(now, field):
            raise InputError(f"{where!r} holds a run with other {what}; name another folder")


async def _with_replies(metrics: Sequence[BaseMetric], file: Path | None) -> list[BaseMetric]:
    """Return the metrics with judges that keep their replies, after their stores were opened."""
    async with keeping_replies(metrics, file) as kept:
        return list(kept)


def _require_shared(stores: Sequence[str], nodes: Nodes) -> None:
    """Raise if workers on several machines are to share a file.

    Raises:
        InputError: They are.
    """
    files = [url for url in stores if url.startswith("sqlite")]
    if files and nodes.machines > 1:
        raise InputError(
            f"the replies are kept in {shown_url(files[0])!r}, which workers on {nodes.machines} "
            "machines cannot share; give a database, as --cache postgresql+psycopg://host/name"
        )


def _absolute(where: str | Path) -> Folder:
    """Return a folder that is the same for all nodes, wherever they work."""
    folder = Folder(where)
    return Folder(folder.path) if folder.is_local else folder
