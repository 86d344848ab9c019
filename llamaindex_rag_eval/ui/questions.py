"""The history of a question over runs."""

from collections.abc import Mapping, Sequence

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

RUNS_READ = 10
"""Newest runs of which a question's answers are shown: each is read whole for it."""


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
