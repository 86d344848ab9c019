"""Entrant: one setting of a sweep with its answers and scores so far."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.sweep_settings import Setting
from llamaindex_rag_eval.engines.answers import AnswerFile
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.runner import arun
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.evaluate import aevaluate
from llamaindex_rag_eval.runs.run import Run


class Entrant:
    """One setting: its engine is made when it is first needed, and let go when it drops out.

    Args:
        setting: The setting.
        golden: All questions.
        stem: Its files, without their endings; `None` keeps it in memory.

    Attributes:
        answers: Id -> answer or error, of those asked so far.
        run: The scores of these.
    """

    def __init__(self, setting: Setting, golden: EvaluationDataset, stem: Path | None) -> None:
        self.setting = setting
        self.answers: dict[str, Sample] = {}
        self.run: Run | None = None
        self._golden = golden
        self._answers_file = None if stem is None else Path(f"{stem}.answers.jsonl")
        self._run_file = None if stem is None else Path(f"{stem}.jsonl")
        self._engine: Engine | None = None
        if self._answers_file is not None:
            # What an earlier sweep was given stays in the files, and is not asked again.
            self.answers = dict(AnswerFile(self._answers_file, golden).known)

    async def ask(
        self,
        ids: Collection[str],
        *,
        concurrency: int,
        timeout: float | None,
        progress: Callable[[str, int, int], None] | None,
    ) -> None:
        """Ask those of the questions that have no answer yet.

        Raises:
            EngineError: The factory raised an error, or made no engine.
        """
        missing = {sample_id for sample_id in ids if sample_id not in self.answers}
        if not missing:
            return
        if self._engine is None:
            self._engine = self.setting.engine()
        found = await arun(
            self._engine,
            self._golden,
            concurrency=concurrency,
            timeout=timeout,
            out=self._answers_file,
            only=missing,
            progress=None if progress is None else partial(progress, self.setting.name),
        )
        self.answers |= {sample.id: sample for sample in found}

    async def score(
        self,
        metrics: Sequence[BaseMetric],
        judge: Judge,
        *,
        concurrency: int,
    ) -> Run:
        """Score all answers so far; what was judged for the same answer is in the judge's memory.

        Raises:
            MissingFieldError: No answer has a field that a metric needs.
        """
        if self.run is not None and len(self.run) == len(self.answers):
            return self.run  # nothing was asked since
        answers = [self.answers[one.id] for one in self._golden if one.id in self.answers]
        self.run = await aevaluate(
            answers,
            metrics=metrics,
            judge=judge,
            out=self._run_file,
            name=self.setting.name,
            concurrency=concurrency,
        )
        return self.run

    def values(self, metric: str, ids: Sequence[str]) -> list[float | None]:
        """Return the score of each of these questions; `None` where there is none."""
        found = {} if self.run is None else self.run.values(metric)
        return [found.get(sample_id) for sample_id in ids]

    def errors(self, ids: Sequence[str]) -> list[str]:
        """Return the errors of the engine on these questions."""
        found = (getattr(self.answers.get(sample_id), "error", "") for sample_id in ids)
        return [error for error in found if error]

    def complete(self, ids: Sequence[str], metrics: Sequence[str]) -> bool:
        """Return whether every one of these questions has a result on every metric."""
        run = self.run
        return run is not None and all(
            run.result(sample_id, metric) is not None for sample_id in ids for metric in metrics
        )

    def release(self) -> None:
        """Let the engine go."""
        self._engine = None
