"""Turn-wise metrics: any metric over single turns, as a metric over a conversation.

    turn_wise(Faithfulness())

Source: ours.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence

from llamaindex_rag_eval.data.trajectory import conversation_of
from llamaindex_rag_eval.errors import OracleError, message_of
from llamaindex_rag_eval.metrics.base import (
    BaseMetric,
    MultiTurnSample,
    Sample,
    Score,
    SingleTurnSample,
    setting,
)
from llamaindex_rag_eval.metrics.conversation import ConversationMetric

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

    metric: BaseMetric = setting(
        valid=lambda metric: (
            isinstance(metric, BaseMetric) and not isinstance(metric, ConversationMetric)
        ),
        expected="a metric over single turns",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        # In other metrics class attributes; here they are those of the metric.
        self.__dict__.update(
            bounds=self.metric.bounds,
            direction=self.metric.direction,
            requests=self.metric.requests,
        )

    def missing(self, sample: Sample) -> str | None:
        """Return the field that the first turn lacks, if every turn lacks one."""
        talk = conversation_of(sample)
        if not isinstance(talk, MultiTurnSample) or not talk.has("messages"):
            return "messages"
        lacking = [self.metric.missing(part) for part in self.parts_of(talk)]
        return lacking[0] if lacking and all(lacking) else None

    def parts_of(self, sample: MultiTurnSample) -> Sequence[SingleTurnSample]:
        """Return what the metric measures each by itself.

        A metric that needs a reference compares each answer with that of the conversation.
        """
        turns = sample.turns()
        if "reference" in self.metric.needs and sample.has("reference"):
            turns = tuple(t.model_copy(update={"reference": sample.reference}) for t in turns)
        return turns

    async def measure(self, sample: MultiTurnSample) -> Score:
        turns = self.parts_of(sample)
        whole = [turn for turn in turns if self.metric.missing(turn) is None]
        scores = await asyncio.gather(
            *(self.metric.score(turn) for turn in whole), return_exceptions=True
        )
        results = dict(zip((turn.id for turn in whole), map(_turn_evidence, scores), strict=True))
        entries = [results.get(turn.id, {"status": MISSING}) for turn in turns]
        broken = [score for score in scores if isinstance(score, OracleError)]
        counts = Counter(str(entry["status"]) for entry in entries)
        if broken and not counts["scored"] and not counts["undefined"]:
            raise broken[0]
        values = [s.value for s in scores if isinstance(s, Score) and s.value is not None]
        evidence = {**counts, "turns": dict(zip((t.id for t in turns), entries, strict=True))}
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
