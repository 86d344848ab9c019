"""The result of a sweep: every setting with its scores, its time and its tokens; and the best."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import text_table
from llamaindex_rag_eval.stats.interval import Estimate

SettingState = Literal["recommended", "left", "dropped", "out"]
"""`left`: not told apart from the best; `out`: it could not be scored."""


@dataclass(frozen=True, slots=True)
class SettingResult(JsonFields):
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
        cost: Dollars for 1,000 such answers, as the application told; `None` if it did not.
        run: Its scores; `None` if it has none.
    """

    _json = (
        "name parameters=_plain_parameters state reason questions failed latency tokens cost "
        "means=_plain_means"
    )

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

    @property
    def _plain_parameters(self) -> dict[str, object]:
        plain = (str, int, float, bool, type(None))
        return {k: v if isinstance(v, plain) else str(v) for k, v in self.parameters.items()}

    @property
    def _plain_means(self) -> dict[str, object]:
        return {
            spec: {"mean": mean.value, "low": mean.low, "high": mean.high, "n": mean.n}
            for spec, mean in self.means.items()
        }


@dataclass(frozen=True, slots=True)
class SweepResult(JsonFields):
    """What a sweep found.

    Attributes:
        settings: All settings, in their order.
        metric: The metric that decided.
        metrics: The specs of all metrics, that one first.
        margin: How much worse than the best the winner may be.
        worse_by: How much worse than the best of the others that are left it may be, by the test
            that drops settings; 0 if none is left. `None` where nothing can be said.
        questions: How many questions there are.
        clusters: In how many clusters that are independent.
        looks: After how many questions scores were looked at.
        answers: How many answers were needed.
        calls: Calls of the model that judges; 0 for rules.
        stopped: Why the sweep ended early; empty if it did not.
        best: Whether the recommended setting is shown to be better than each of the others.
        within: How many settings are shown to be within the margin of the best.
        price: By what the recommended one is the cheapest of them; empty for one alone.
        more: How many more questions would show it, if those left are alike; `None` if it is
            shown, or where that is not known.
    """

    _json = (
        "metric=metric.spec recommended=recommended.name margin shown worse_by questions "
        "within price more clusters answers full saved calls stopped looks "
        "fronts=_fronts settings sentences"
    )

    settings: tuple[SettingResult, ...]
    metric: MetricInfo
    metrics: tuple[str, ...]
    margin: float
    worse_by: float | None
    questions: int
    clusters: int
    looks: tuple[int, ...]
    answers: int
    calls: int
    stopped: str = ""
    best: bool = False
    within: int = 1
    price: str = ""
    more: int | None = None

    @property
    def shown(self) -> bool:
        """Whether the recommended setting is shown to be within the margin of the best."""
        return self.within > 0

    @property
    def recommended(self) -> SettingResult:
        """The setting with the best mean among those that were not dropped."""
        return next(setting for setting in self.settings if setting.state == "recommended")

    @property
    def ranked(self) -> tuple[SettingResult, ...]:
        """The settings, the recommended first, then those left, dropped and out, by their means."""
        sign = 1 if self.metric.direction == "lower" else -1
        order: tuple[SettingState, ...] = ("recommended", "left", "dropped", "out")

        def key(setting: SettingResult) -> tuple[int, float]:
            mean = setting.mean(self.metric.spec).value
            return order.index(setting.state), math.inf if mean is None else sign * mean

        return tuple(sorted(self.settings, key=key))

    @property
    def failures(self) -> tuple[str, ...]:
        """Which settings are out, and why; and why the sweep ended early."""
        out = [
            f"{setting.name} is out: {setting.reason}"
            for setting in self.settings
            if setting.state == "out"
        ]
        return tuple(filter(None, (*out, self.stopped)))

    @property
    def notes(self) -> tuple[str, ...]:
        """How to read the numbers, and by whom they were judged."""
        runs = [setting.run for setting in self.settings if setting.run is not None]
        judged = dict.fromkeys(note for run in runs for note in run.provenance.notes)
        together = f"Intervals hold for all {len(self.settings)} settings together."
        shared = (
            f"{self.questions} questions in {self.clusters} clusters: those that share a document "
            "are asked together and treated as one unit."
        )
        return (together, *([shared] if self.clusters < self.questions else []), *judged)

    @property
    def full(self) -> int:
        """How many answers the full grid takes: every question of every setting that is not out."""
        out = [setting.questions for setting in self.settings if setting.state == "out"]
        return self.questions * (len(self.settings) - len(out)) + sum(out)

    @property
    def saved(self) -> float:
        """The share of answers of the full grid that were not needed, in [0, 1]."""
        return 1 - self.answers / self.full

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words."""
        best = self.recommended
        mean = best.means[self.metric.spec]
        sentences = (
            f"Recommended: {best.name}, {self.metric.spec} {mean.text()} on {mean.n} questions.",
            self._certainty,
            f"{self.answers:,} of the full grid's {self.full:,} answers were needed: "
            f"{self.saved:.0%} saved.",
            self.stopped,
        )
        return tuple(filter(None, sentences))

    @property
    def _certainty(self) -> str:
        left = [setting.name for setting in self.settings if setting.state == "left"]
        dropped = sum(setting.state == "dropped" for setting in self.settings)
        if not left and not dropped:
            return ""
        if self.best:
            others = (
                "the other"
                if dropped + len(left) == 1
                else f"each of the {dropped + len(left)} others"
            )
            return f"It is shown to be better than {others}."
        if self.shown:
            within = f"shown to be less than {self.margin:g} worse than the best"
            if not self.price:
                return f"It is {within}."
            return f"It is the cheapest by {self.price} of {self.within} that are {within}."
        worse, which = self.worse_by, left[0] if len(left) == 1 else f"one of {', '.join(left)}"
        may = "" if worse is None or not left else f": {which} may be better by up to {worse:.3f}"
        early = self.looks[-1] < self.questions and not self.stopped
        end = f" All {self.questions:,} questions would hardly show one either." if early else ""
        more = "" if self.more is None else f" About {self.more:,} more questions are needed."
        return f"No setting is shown to be within {self.margin:g} of the best{may}.{end}{more}"

    def front(self, of: Literal["latency", "tokens", "cost"]) -> tuple[str, ...]:
        """Return the settings on the Pareto front: none is as good on both, and better on one.

        Args:
            of: What is the lower the better, beside the score.
        """
        sign = -1 if self.metric.direction == "lower" else 1
        points = [
            (setting.name, sign * mean, value)
            for setting in self.settings
            if (mean := setting.mean(self.metric.spec).value) is not None
            and (value := getattr(setting, of)) is not None
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
        for setting in self.ranked:
            mean = setting.mean(self.metric.spec).value
            value = "–" if mean is None else f"{mean:.3f}"
            rows.append((setting.name, value, str(setting.questions), setting.state))
        table = text_table(("setting", self.metric.spec, "questions", "found"), rows)
        return "\n".join((table, *self.sentences))
