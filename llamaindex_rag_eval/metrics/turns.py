"""Turn-wise metrics: any metric over single turns, as a metric over a conversation.

    turn_wise(Faithfulness())

Source: ours.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.data.trajectory import conversation_of
from llamaindex_rag_eval.errors import InputError, OracleError, message_of
from llamaindex_rag_eval.judge import Judge, JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.conversation import ConversationMetric
from llamaindex_rag_eval.metrics.result import Score

TurnWiseT = TypeVar("TurnWiseT", bound="TurnWise")

MISSING = "missing"
"""Status of a turn without a field that the metric needs, such as an answer without contexts."""


class TurnWise(ConversationMetric):
    """Turn-wise mean: how good are the answers of a conversation, each by itself?

        turn_wise(metric) = sum of the metric over the turns that have a value / their number

    Between the bounds of the metric; its direction is the metric's. A turn is an answer of the
    assistant with the question before it and the contexts of its message. The evidence has the
    result of every turn and says how many were scored, undefined, failed, or lack a field; if all
    that could be measured failed, so does the conversation. Asks the judge what the metric asks,
    once a turn.

    Limitations: A mean hides one bad turn, and turns without a value leave it: look at the evidence
    for how many counted.

    Args:
        judge: Who judges, if the metric has no judge of its own.
        metric: A metric over single turns.
        threshold: From which value on a result passes.

    Raises:
        InputError: The metric is one over conversations already.
    """

    name = "turn_wise"
    bounds = (float("-inf"), float("inf"))
    default_threshold = None
    undefined = "No turn has a value."

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        metric: BaseMetric,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if not isinstance(metric, BaseMetric) or isinstance(metric, ConversationMetric):
            raise InputError(f"expected a metric over single turns, got {metric!r}")
        self.metric = metric if judge is None else metric.with_judge(judge)
        # In other metrics class attributes; here they are those of the metric.
        self.__dict__.update(
            bounds=metric.bounds, direction=metric.direction, requests=metric.requests
        )

    def settings(self) -> dict[str, object]:
        """Return the settings, the metric by its spec."""
        return {**super().settings(), "metric": self.metric.spec}

    @property
    def judge(self) -> Judge:
        """The judge of the metric."""
        return self.metric.judge

    def with_judge(self: TurnWiseT, judge: JudgeLike) -> TurnWiseT:
        """Return this metric with the judge, unless its metric was given one of its own."""
        return self._with_metric(self.metric.with_judge(judge))

    def map_judges(self: TurnWiseT, change: Callable[[Judge], Judge]) -> TurnWiseT:
        """Return this metric with what a function makes of the judges of its metric."""
        return self._with_metric(self.metric.map_judges(change))

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges of the metric."""
        return self.metric.judges

    def _with_metric(self: TurnWiseT, metric: BaseMetric) -> TurnWiseT:
        return type(self)(metric=metric, threshold=self.threshold)

    def _get_prompt_modules(self) -> PromptMixinType:
        """Return the metric by its name, so that its prompts are `faithfulness:claims`."""
        return {self.metric.name: self.metric}

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Do nothing: the prompts belong to the metric."""

    def answerable(self) -> bool:
        """Return whether the judge can answer what the metric asks."""
        return self.metric.answerable()

    def missing(self, sample: Sample) -> str | None:
        """Return the field that the first turn lacks, if every turn lacks one."""
        talk = conversation_of(sample)
        if not isinstance(talk, MultiTurnSample) or not talk.has("messages"):
            return "messages"
        lacking = [self.metric.missing(part) for part in self.parts_of(talk)]
        return lacking[0] if lacking and all(lacking) else None

    def parts_of(self, sample: MultiTurnSample) -> Sequence[SingleTurnSample]:
        """Return what the metric measures each by itself."""
        return sample.turns()

    async def measure(self, sample: MultiTurnSample) -> Score:
        turns = self.parts_of(sample)
        whole = [turn for turn in turns if self.metric.missing(turn) is None]
        scores = await asyncio.gather(
            *(self.metric.score(turn) for turn in whole), return_exceptions=True
        )
        results = dict(zip((turn.id for turn in whole), map(_turn_evidence, scores), strict=True))
        found = [results.get(turn.id, {"status": MISSING}) for turn in turns]
        broken = [score for score in scores if isinstance(score, OracleError)]
        counts = Counter(str(entry["status"]) for entry in found)
        if broken and not counts["scored"] and not counts["undefined"]:
            raise broken[0]
        values = [s.value for s in scores if isinstance(s, Score) and s.value is not None]
        evidence = {**counts, "turns": dict(zip((t.id for t in turns), found, strict=True))}
        return Score(sum(values) / len(values) if values else None, evidence, _note(counts))


def turn_wise(metric: BaseMetric, *, threshold: float | None = None) -> TurnWise:
    """Return a metric over single turns as one over conversations, with the judge it has."""
    return TurnWise(metric=metric, threshold=threshold)


def _turn_evidence(score: Score | BaseException) -> dict[str, object]:
    """Return the status of a turn and its value or reason; other than judge errors are raised."""
    if isinstance(score, OracleError):
        return {"status": "failed", "reason": message_of(score)}
    if isinstance(score, BaseException):
        raise score
    if score.value is None:
        return {"status": "undefined", "reason": score.note}
    return {"status": "scored", "value": score.value, "evidence": score.evidence}


def _note(counts: Counter[str]) -> str:
    """Return a note of how many turns count, unless all do."""
    rest = [f"{counts[kind]} {kind}" for kind in ("undefined", "failed", MISSING) if counts[kind]]
    return f"{counts['scored']} turns scored, {', '.join(rest)}." if rest else ""
