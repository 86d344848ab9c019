"""Entrant: one setting of a sweep with its answers and scores so far, and what comes of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample, text_of
from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SettingState
from llamaindex_rag_eval.decisions.sweep_settings import Setting
from llamaindex_rag_eval.engines.answers import AnswerFile
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.runner import arun
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.evaluate import aevaluate
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import amounts_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT
from llamaindex_rag_eval.stats.inference import mean_estimate


class Entrant:
    """One setting: its engine is made when it is first needed, and let go when it drops out.

    Args:
        setting: The setting.
        golden: All questions.
        folder: Where its files are; `None` keeps it in memory.

    Attributes:
        answers: Id -> answer or error, of those asked so far.
        run: The scores of these.
        questions: How many questions it was asked.
        state: What became of it.
        reason: Why it was dropped or is out.
    """

    def __init__(self, setting: Setting, golden: EvaluationDataset, folder: Path | None) -> None:
        self.setting = setting
        self.run: Run | None = None
        self.questions = 0
        self.state: SettingState = "left"
        self.reason = ""
        self._golden = golden
        stem = None if folder is None else folder / setting.file_name
        self._answers_file = None if stem is None else Path(f"{stem}.answers.jsonl")
        self._run_file = None if stem is None else Path(f"{stem}.jsonl")
        self._engine: Engine | None = None
        # What an earlier sweep was given stays in the files, and is not asked again.
        known = None if self._answers_file is None else AnswerFile(self._answers_file, golden).known
        self.answers: dict[str, Sample] = dict(known or {})

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
        if missing:
            self._engine = self._engine or self.setting.engine()
            answers = await arun(
                self._engine,
                self._golden,
                concurrency=concurrency,
                timeout=timeout,
                out=self._answers_file,
                only=missing,
                progress=None if progress is None else partial(progress, self.setting.name),
            )
            self.answers |= {sample.id: sample for sample in answers}
        self.questions = len(ids)

    async def score(self, metrics: Sequence[BaseMetric]) -> Run:
        """Score all answers so far; what was judged for the same answer is in the judge's memory.

        Raises:
            MissingFieldError: No answer has a field that a metric needs.
        """
        run = self.run
        if not run or (len(run), len(run.metrics)) != (len(self.answers), len(metrics)):
            run = self.run = await aevaluate(
                [self.answers[sample.id] for sample in self._golden if sample.id in self.answers],
                metrics=metrics,
                out=self._run_file,
                name=self.setting.name,
                concurrency=SAMPLES_IN_FLIGHT,
            )
        return run

    def leave(self, state: SettingState, reason: str) -> None:
        """Take it out of the race, and let its engine go."""
        self.state, self.reason, self._engine = state, reason, None

    def values(self, metric: str, ids: Sequence[str]) -> list[float | None]:
        """Return the score of each of these questions; `None` where there is none."""
        scores = {} if self.run is None else self.run.values(metric)
        return [scores.get(sample_id) for sample_id in ids]

    def answers_to(self, ids: Sequence[str]) -> list[Sample]:
        """Return the answers to these questions, also of those that failed."""
        return [self.answers[key] for key in ids if key in self.answers]

    def prices(self, ids: Sequence[str]) -> dict[str, float]:
        """Return what an answer to these takes on average, if it is known; see `SettingResult`."""
        good = [answer for answer in self.answers_to(ids) if not answer.error]
        amounts = amounts_of(good)
        counted = {"tokens": fmean(map(_tokens, good))} if good else {}
        reported = {n: fmean(a.values()) for n, a in amounts.items() if len(a) == len(good)}
        if times := amounts.get("latency"):
            reported["latency"] = fmean(times.values())
        return counted | reported

    def result(
        self,
        ids: Sequence[str],
        metrics: Sequence[MetricInfo],
        clusters: Mapping[str, int],
        *,
        level: float,
    ) -> SettingResult:
        """Return what came of the setting.

        Args:
            ids: The questions that it was asked and that count.
            metrics: All metrics.
            clusters: The cluster of each question.
            level: Of the intervals.
        """
        answers, prices = self.answers_to(ids), self.prices(ids)
        means = {}
        for info in metrics:
            values = zip(ids, self.values(info.spec, ids), strict=True)
            scores = {key: value for key, value in values if value is not None}
            means[info.spec] = mean_estimate(
                list(scores.values()),
                clusters=[clusters[key] for key in scores],
                bounds=info.bounds,
                level=level,
            )
        return SettingResult(
            name=self.setting.name,
            parameters=self.setting.parameters,
            state=self.state,
            reason=self.reason,
            questions=len(ids),
            failed=sum(bool(answer.error) for answer in answers),
            means={spec: mean for spec, mean in means.items() if mean.n},
            latency=prices.get("latency"),
            tokens=prices.get("tokens"),
            cost=prices.get("cost"),
            run=self.run,
        )


def _tokens(answer: Sample) -> int:
    """Return the tokens of question, contexts and answer."""
    from llamaindex_rag_eval.models.usage import tokens_of

    if not isinstance(answer, SingleTurnSample):
        return 0
    contexts = answer.contexts if answer.has("contexts") else ()
    response = answer.response if answer.has("response") else ""
    return sum(map(tokens_of, [answer.query, *map(text_of, contexts), response]))
