"""What an evaluation on Ray has to do: its plan, the blocks that are left, and its end."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from llamaindex_rag_eval.data.file_system import Folder, system_at
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge.answerers import Answerers, sum_of_answerers
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.models.usage import usage_sum
from llamaindex_rag_eval.runs.block_file import block_name
from llamaindex_rag_eval.runs.evaluator import Progress
from llamaindex_rag_eval.runs.folder import RunFolder
from llamaindex_rag_eval.runs.on_ray import plan as plans
from llamaindex_rag_eval.runs.on_ray.plan import PlannedBlock
from llamaindex_rag_eval.runs.on_ray.score import BlockReport
from llamaindex_rag_eval.runs.on_ray.source import PIECE_BYTES, Piece, files_at, pieces_of
from llamaindex_rag_eval.runs.on_ray.stream import Workers, digests_of, reports_of
from llamaindex_rag_eval.runs.provenance import Provenance

PLAN_FILE = "_plan.jsonl"

Packed = tuple[bytes, list[dict[str, Any]], list[str]]
"""Metrics as `packing.dumps` returns them, with the settings of their limits."""


class BlockWork:
    """One evaluation: its plan, and what became of its blocks."""

    def __init__(
        self,
        where: str,
        metrics: Sequence[BaseMetric],
        packed: Packed,
        folder: Folder,
        name: str,
        block_rows: int,
    ) -> None:
        self.where, self.metrics, self.folder = where, metrics, folder
        self.name, self.block_rows = name, block_rows
        self.started = time.perf_counter()
        self.data, self.limits, _ = packed
        self.piece_bytes = PIECE_BYTES
        self.files = files_at(where)
        self.blocks: list[PlannedBlock] = []
        self.head: dict[str, Any] = {}

    def do(self, workers: int, concurrency: int, progress: Progress | None) -> RunFolder:
        """Do what is not done yet, and return the run."""
        self.open()
        return self.finish(self.run(workers, concurrency, progress))

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
