"""The result of a sweep: every setting with its scores, its time and its tokens; and the best."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.entrant import Entrant
from llamaindex_rag_eval.decisions.setting_result import SettingResult, SettingState, setting_result
from llamaindex_rag_eval.decisions.sweep_questions import Schedule
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import text_table
from llamaindex_rag_eval.stats.race import Drop, Race, pair_tests
from llamaindex_rag_eval.stats.sample_values import Floats


@dataclass(frozen=True, slots=True)
class SweepResult(JsonFields):
    """What a sweep found.

    Attributes:
        settings: All settings, in their order.
        metric: The metric that decided.
        metrics: The specs of all metrics, that one first.
        margin: How much worse than the best the winner may be.
        shown: Whether the recommended setting is shown to be within the margin of the best.
        worse_by: How much worse than the best of the others that are left it may be, by the test
            that drops settings; 0 if none is left. `None` where nothing can be said.
        questions: How many questions there are.
        clusters: In how many clusters that are independent.
        looks: After how many questions scores were looked at.
        answers: How many answers were needed.
        judged: How many results were needed, one a metric and answer.
        reused: How many of these are those of another setting with the same answer.
        calls: Calls of the model that judges; 0 for rules.
        stopped: Why the sweep ended early; empty if it did not.
    """

    _json = (
        "metric=metric.spec recommended=recommended.name margin shown worse_by questions "
        "clusters answers full saved judged reused calls stopped looks fronts=_fronts settings "
        "sentences"
    )

    settings: tuple[SettingResult, ...]
    metric: MetricInfo
    metrics: tuple[str, ...]
    margin: float
    shown: bool
    worse_by: float | None
    questions: int
    clusters: int
    looks: tuple[int, ...]
    answers: int
    judged: int
    reused: int
    calls: int
    stopped: str = ""

    @property
    def recommended(self) -> SettingResult:
        """The setting with the best mean among those that were not dropped."""
        return next(one for one in self.settings if one.state == "recommended")

    @property
    def ranked(self) -> tuple[SettingResult, ...]:
        """The settings, the recommended first, then those left, dropped and out, by their means."""
        sign = 1 if self.metric.direction == "lower" else -1
        order: tuple[SettingState, ...] = ("recommended", "left", "dropped", "out")

        def key(one: SettingResult) -> tuple[int, float]:
            mean = one.mean(self.metric.spec).value
            return order.index(one.state), math.inf if mean is None else sign * mean

        return tuple(sorted(self.settings, key=key))

    @property
    def priced(self) -> bool:
        """Whether the cost of answers is known."""
        return any(one.cost is not None for one in self.settings)

    @property
    def failures(self) -> tuple[str, ...]:
        """Which settings are out, and why; and why the sweep ended early."""
        out = [one for one in self.settings if one.state == "out"]
        return tuple(
            filter(None, (*(f"{one.name} is out: {one.reason}" for one in out), self.stopped))
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """How to read the numbers, and by whom they were judged."""
        runs = [one.run for one in self.settings if one.run is not None]
        judged = dict.fromkeys(note for run in runs for note in run.provenance.notes)
        together = f"Intervals hold for all {len(self.settings)} settings together."
        shared = (
            f"{self.questions} questions in {self.clusters} clusters: those that share a document "
            "are asked together and count as one draw."
        )
        return (together, *([shared] if self.clusters < self.questions else []), *judged)

    @property
    def full(self) -> int:
        """How many answers the full grid takes: every question of every setting that is not out."""
        out = [one.questions for one in self.settings if one.state == "out"]
        return self.questions * (len(self.settings) - len(out)) + sum(out)

    @property
    def saved(self) -> float:
        """The share of answers of the full grid that were not needed, in [0, 1]."""
        return 1 - self.answers / self.full

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words."""
        best = self.recommended
        found = best.means[self.metric.spec]
        reach = "" if found.low is None else f" ({found.low:.3f} to {found.high:.3f})"
        equal = f"{self.reused:,} of {self.judged:,} scores are those of an equal answer."
        sentences = (
            f"Recommended: {best.name}, {self.metric.spec} {found.value:.3f}{reach} on "
            f"{found.n} questions.",
            self._certainty,
            f"{self.answers:,} of the full grid's {self.full:,} answers were needed: "
            f"{self.saved:.0%} saved.",
            equal if self.reused else "",
            self.stopped,
        )
        return tuple(filter(None, sentences))

    @property
    def _certainty(self) -> str:
        left = [one.name for one in self.settings if one.state == "left"]
        if not left:
            dropped = sum(one.state == "dropped" for one in self.settings)
            return f"It is shown to be better than {_the_others(dropped)}." if dropped else ""
        if self.shown:
            return f"It is shown to be less than {self.margin:g} worse than the best."
        may = (
            ""
            if self.worse_by is None
            else f": the best of them may be better by {self.worse_by:.3f}"
        )
        names = ", ".join(left)
        many = f"{len(left)} others" if len(left) > 1 else "one other"
        return f"It cannot be told apart from {many}{may} ({names})."

    def front(self, of: Literal["latency", "tokens", "cost"]) -> tuple[str, ...]:
        """Return the settings on the Pareto front: none is as good on both, and better on one.

        Args:
            of: What is the lower the better, beside the score.
        """
        sign = -1 if self.metric.direction == "lower" else 1
        points = [
            (one.name, sign * mean, value)
            for one in self.settings
            if (mean := one.mean(self.metric.spec).value) is not None
            and (value := getattr(one, of)) is not None
        ]
        return tuple(
            name
            for name, score, price in points
            if not any(
                (s >= score and p <= price) and (s > score or p < price) for _, s, p in points
            )
        )

    @property
    def _fronts(self) -> dict[str, tuple[str, ...]]:
        return {"latency": self.front("latency"), "tokens": self.front("tokens")}

    def __str__(self) -> str:
        """Return the settings, the best first, and what was found, for `print`."""
        rows = []
        for one in self.ranked:
            mean = one.mean(self.metric.spec).value
            value = "–" if mean is None else f"{mean:.3f}"
            rows.append((one.name, value, str(one.questions), one.state))
        table = text_table(("setting", self.metric.spec, "questions", "found"), rows)
        return "\n".join((table, *self.sentences))


def _the_others(count: int) -> str:
    return "the other" if count == 1 else f"each of the {count} others"


def sweep_result(
    entrants: Sequence[Entrant],
    race: Race,
    schedule: Schedule,
    metric: MetricInfo,
    *,
    metrics: Sequence[MetricInfo],
    asked: Sequence[int],
    reasons: Mapping[int, str],
    stopped: str,
    model: str | None,
) -> SweepResult:
    """Return what a race found, after its last look.

    Args:
        entrants: The settings with their answers and scores.
        race: The race.
        schedule: The questions in their order.
        metric: The metric that decides.
        metrics: All metrics.
        asked: How many questions each setting was asked.
        reasons: Place -> why a setting is out.
        stopped: Why the sweep ended early.
        model: The model whose tokens are priced.

    Raises:
        InputError: No setting that is left has a score.
    """
    import numpy as np

    # A batch that a spent budget left unfinished is paid for, and not looked at.
    last = schedule.looks[race.looks - 1]
    ids = [schedule.ids[: min(count, last)] for count in asked]
    most = schedule.ids[:last]
    sign = -1.0 if metric.direction == "lower" else 1.0
    table = [entrant.values(metric.spec, most) for entrant in entrants]
    scores = sign * np.array(table, dtype=np.float64)
    if not any(np.isfinite(scores[place]).any() for place in race.left):
        raise InputError(f"no setting has a score of {metric.spec!r}")
    best = race.leader(scores) if race.winner is None else race.winner
    drops = {drop.loser: drop for drop in race.drops}
    found = []
    for place, entrant in enumerate(entrants):
        state: SettingState = "recommended" if place == best else "left"
        reason = reasons.get(place, "")
        if place in drops:
            state, reason = "dropped", _why_dropped(drops[place], entrants)
        elif reason:
            state = "out"
        own = setting_result(
            entrant, state, reason, ids[place], schedule, metrics, model, len(entrants)
        )
        found.append(own)
    runs = [one.run for one in found if one.run is not None]
    return SweepResult(
        settings=tuple(found),
        metric=metric,
        metrics=tuple(info.spec for info in metrics),
        margin=race.margin,
        shown=race.winner is not None,
        worse_by=_worse_by(race, scores, [schedule.clusters[one] for one in most], metric, best),
        questions=len(schedule.ids),
        clusters=len(set(schedule.clusters.values())),
        looks=schedule.looks[: race.looks],
        answers=sum(asked),
        judged=len(metrics) * sum(asked),
        reused=_reused(entrants, ids, metrics),
        calls=sum(_calls(run) for run in runs),
        stopped=stopped,
    )


def _why_dropped(drop: Drop, entrants: Sequence[Entrant]) -> str:
    better = entrants[drop.winner].setting.name
    return f"worse than {better} by {drop.difference:.3f} on {drop.questions} questions"


def _reused(
    entrants: Sequence[Entrant], ids: Sequence[Sequence[str]], metrics: Sequence[MetricInfo]
) -> int:
    """Return how many results are those of another setting, whose answer is the same."""
    found, count = set[tuple[str, str]](), 0
    for entrant, own in zip(entrants, ids, strict=True):
        for sample in (entrant.answers[one] for one in own if one in entrant.answers):
            count += len(metrics)
            for info in metrics:
                excluded = {"latency", "context_scores"} - set(info.needs)
                found.add((info.spec, sample.model_dump_json(exclude_unset=True, exclude=excluded)))
    return count - len(found)


def _calls(run: Run) -> int:
    calls = run.provenance.usage.get("calls", 0)
    return calls if isinstance(calls, int) else 0


def _worse_by(
    race: Race, scores: Floats, clusters: Sequence[int], metric: MetricInfo, best: int
) -> float | None:
    """Return how much better than the recommended setting another one that is left may be."""
    import numpy as np

    others = [place for place in race.left if place != best]
    if not others:
        return 0.0
    low, high = metric.bounds
    tests = pair_tests(scores[[best, *others]], clusters, high - low)
    ends = tests.ends(1 - 2 * race.level)
    reach = -ends[0][0, 1:]  # the low ends of best less each other
    return None if np.isnan(reach).any() else max(0.0, float(reach.max()))
