"""Questions over runs: a list of them, and the history of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, transcript
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.report.figures import TrendChart, trend_chart
from llamaindex_rag_eval.report.numbers import number
from llamaindex_rag_eval.report.view import Shown
from llamaindex_rag_eval.runs.store.question_scores import QuestionScores
from llamaindex_rag_eval.runs.store.tables import StoredRun
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.ui.history import History
from llamaindex_rag_eval.ui.overview import metrics_of, name_series, run_point

ORDERS: Mapping[str, str] = {
    "worst": "lowest in the newest run first",
    "best": "highest in the newest run first",
    "varied": "most different between runs first",
    "asked": "as asked",
}

RUNS_READ = 10
"""Newest runs of which a question's answers are shown: each is read whole for it."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question on one metric over the runs.

    Attributes:
        id: Of the question.
        wording: That of the newest run.
        scores: One for each run that asked it and scored it, the oldest first.
        runs_asked: How many runs asked it.
        last: Its score in the newest run that asked it; `None` if that has none.
    """

    id: str
    wording: str
    scores: tuple[float, ...]
    runs_asked: int
    last: float | None

    @property
    def spread(self) -> float:
        """The highest score minus the lowest."""
        return max(self.scores, default=0.0) - min(self.scores, default=0.0)


def question_rows(
    runs: Sequence[StoredRun],
    scores: Mapping[str, QuestionScores],
    metric: str,
    *,
    words: str = "",
    order: str = "worst",
) -> tuple[QuestionRow, ...]:
    """Return the questions of runs, the oldest first, on one metric.

    Args:
        runs: The runs, the oldest first.
        scores: Id of a run -> its questions and scores.
        metric: Its spec.
        words: Only questions that have all of these words.
        order: A key of `ORDERS`.
    """
    wording: dict[str, str] = {}
    values_of: dict[str, list[float | None]] = {}
    for run in runs:
        known = scores[run.id]
        values = known.scores.get(metric, [None] * len(known.questions))
        for (key, text), value in zip(known.questions.items(), values, strict=True):
            wording[key] = text
            values_of.setdefault(key, []).append(value)
    wanted = words.lower().split()
    rows = [
        QuestionRow(
            id=key,
            wording=wording[key],
            scores=tuple(value for value in values if value is not None),
            runs_asked=len(values),
            last=values[-1],
        )
        for key, values in values_of.items()
        if all(word in f"{key} {wording[key]}".lower() for word in wanted)
    ]
    if order == "varied":
        rows.sort(key=lambda row: -row.spread)
    elif order in ("worst", "best"):
        sign = 1 if order == "worst" else -1
        rows.sort(key=lambda row: (row.last is None, sign * (row.last or 0.0)))
    return tuple(rows)


def question_history(history: History, runs: Sequence[StoredRun], key: str) -> Shown:
    """Return the history of the question with the id `key` over runs, the oldest first.

    Returns:
        Its `id`; its `wording` and its `reference` in the newest run; `earlier` wordings, the
        newest first; the `metrics` and the `rows` of its scores: each run, the newest first, with
        its scores, `None` for none; `charts`, of each metric with a score; and the `answers` of the
        newest runs.

    Raises:
        InputError: No run asked it.
    """
    scores = history.scores(runs)
    asking = [run for run in runs if key in scores[run.id].questions]
    if not asking:
        raise InputError(f"no run has a question {key!r}")
    wordings = dict.fromkeys(scores[run.id].questions[key] for run in reversed(asking))
    metrics = list(metrics_of(asking))
    rows = [
        (run, [scores[run.id].score(key, spec) for spec in metrics]) for run in reversed(asking)
    ]
    read = [(run, history.run(run).sample(key)) for run in asking[: -RUNS_READ - 1 : -1]]
    newest = read[0][1]
    return {
        "id": key,
        "wording": next(iter(wordings)),
        "earlier": list(wordings)[1:],
        "reference": "" if newest is None else newest.reference,
        "metrics": metrics,
        "rows": rows,
        "charts": _charts(asking, scores, key, metrics),
        "answers": _answers([(run, sample) for run, sample in read if sample is not None]),
    }


def _charts(
    runs: Sequence[StoredRun],
    scores: Mapping[str, QuestionScores],
    key: str,
    metrics: Sequence[str],
) -> list[tuple[str, TrendChart]]:
    charts, series = [], name_series(runs)
    for spec in metrics:
        points = [
            run_point(position, run, series[run.name], Estimate(score), number(score), key)
            for position, run in enumerate(runs)
            if (score := scores[run.id].score(key, spec)) is not None
        ]
        if points:
            ends = [end for point in points for end in point.estimate.ends]
            usual = (0.0, 1.0) if all(0 <= end <= 1 for end in ends) else ()
            charts.append((spec, trend_chart(points, len(runs), within=usual)))
    return charts


def _answers(read: Sequence[tuple[StoredRun, Sample]]) -> list[Shown]:
    """Return answers: `text`, `error`, and the `runs` one after another that gave it."""
    answers: list[Shown] = []
    for run, sample in read:
        if isinstance(sample, MultiTurnSample):
            text, error = transcript(sample.messages), ""
        else:
            text, error = sample.response, sample.error
        if answers and (answers[-1]["text"], answers[-1]["error"]) == (text, error):
            answers[-1]["runs"].append(run)
        else:
            answers.append({"runs": [run], "text": text, "error": error})
    return answers
