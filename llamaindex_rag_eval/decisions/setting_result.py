"""The result of one setting of a sweep: its scores, its time, its tokens and their cost."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample, text_of
from llamaindex_rag_eval.decisions.entrant import Entrant
from llamaindex_rag_eval.decisions.sweep_questions import Schedule
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import amounts_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate

SettingState = Literal["recommended", "left", "dropped", "out"]
"""`left`: not told apart from the best; `out`: it could not be scored."""


@dataclass(frozen=True, slots=True)
class SettingResult:
    """One setting of a sweep.

    Attributes:
        name: Its name.
        parameters: The parameters of its engine.
        state: What became of it.
        reason: Why it was dropped or is out; empty for others.
        questions: How many it was asked.
        failed: On how many its engine failed.
        means: Metric -> mean, with an interval that holds for all settings together; without the
            metrics of which it has no score.
        latency: Mean seconds of an answer; `None` without answers.
        tokens: Mean tokens of an answer, as the application's models told them of every answer;
            else of question, contexts and answer, counted here: what a model that answers from them
            is paid for, but for its prompt. `None` without answers.
        cost: Dollars for 1,000 such answers, as told, or else of the tokens counted here; `None` if
            no model with a known price was named.
        run: Its scores; `None` if it has none.
    """

    name: str
    parameters: Mapping[str, object]
    state: SettingState
    reason: str
    questions: int
    failed: int
    means: Mapping[str, Estimate]
    latency: float | None
    tokens: float | None
    cost: float | None
    run: Run | None = field(default=None, repr=False, compare=False)

    def mean(self, metric: str) -> Estimate:
        """Return the mean of a metric; it is not defined where there is no score."""
        return self.means.get(metric, Estimate(None))

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but the run as plain data."""
        means: dict[str, JsonValue] = {
            spec: {"mean": mean.value, "low": mean.low, "high": mean.high, "n": mean.n}
            for spec, mean in self.means.items()
        }
        names = ("state", "reason", "questions", "failed", "latency", "tokens", "cost")
        plain = (str, int, float, bool, type(None))
        return {
            "name": self.name,
            "parameters": {
                key: value if isinstance(value, plain) else str(value)
                for key, value in self.parameters.items()
            },
            **{name: getattr(self, name) for name in names},
            "means": means,
        }


def setting_result(
    entrant: Entrant,
    state: SettingState,
    reason: str,
    ids: Sequence[str],
    schedule: Schedule,
    metrics: Sequence[MetricInfo],
    model: str | None,
    settings: int,
) -> SettingResult:
    """Return what came of one setting.

    Args:
        entrant: The setting with its answers and scores.
        state: What became of it.
        reason: Why it was dropped or is out.
        ids: The questions that it was asked and that count.
        schedule: All questions with their clusters.
        metrics: All metrics.
        model: The model whose tokens are priced.
        settings: How many settings there are: intervals hold for all together.
    """
    answers = [entrant.answers[one] for one in ids if one in entrant.answers]
    good = [one for one in answers if not getattr(one, "error", "")]
    times = [one.latency for one in good if one.latency is not None]
    sizes = [_tokens(one) for one in good]
    told = {name: list(found.values()) for name, found in amounts_of(good).items()}
    whole = {name: _mean(values) for name, values in told.items() if len(values) == len(good)}
    means = {}
    for info in metrics:
        pairs = [
            (value, schedule.clusters[one])
            for one, value in zip(ids, entrant.values(info.spec, ids), strict=True)
            if value is not None
        ]
        estimate = mean_estimate(
            [value for value, _ in pairs],
            clusters=[cluster for _, cluster in pairs],
            bounds=info.bounds,
            level=1 - 0.05 / settings,
        )
        if estimate.n:
            means[info.spec] = estimate
    return SettingResult(
        name=entrant.setting.name,
        parameters=entrant.setting.parameters,
        state=state,
        reason=reason,
        questions=len(ids),
        failed=len(answers) - len(good),
        means=means,
        latency=_mean(times),
        tokens=whole.get("tokens", _mean([sum(size) for size in sizes])),
        cost=whole.get("cost", _cost(sizes, model)),
        run=entrant.run,
    )


def _tokens(answer: Sample) -> tuple[int, int]:
    """Return the tokens of question and contexts, and those of the answer."""
    from llamaindex_rag_eval.models.tokens import tokens_of

    if not isinstance(answer, SingleTurnSample):
        return 0, 0
    contexts = answer.contexts if answer.has("contexts") else ()
    asked = [answer.query, *(text_of(one) for one in contexts)]
    return sum(map(tokens_of, asked)), tokens_of(answer.response if answer.has("response") else "")


def _cost(sizes: Sequence[tuple[int, int]], model: str | None) -> float | None:
    from llamaindex_rag_eval.models.usage import price_of

    price = None if model is None else price_of(model)
    if price is None:
        return None
    found = _mean([price.cost(prompt, reply) for prompt, reply in sizes])
    return None if found is None else 1_000 * found


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
