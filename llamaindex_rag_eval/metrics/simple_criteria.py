"""Simple criteria: how far does the response meet a criterion of one's own?

    simple_criteria = level / 5, levels 0 to 5

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/general_purpose/; the
words of the levels are ours.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import GradeOf, JudgeLike
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.grading import level_share, levels_of

__all__ = ["SimpleCriteria"]

LEVELS = levels_of(
    "It does not meet the criterion at all.",
    "It hardly meets the criterion.",
    "It meets the criterion in a minor part.",
    "It meets the criterion in a major part.",
    "It meets the criterion, with a small flaw.",
    "It meets the criterion fully.",
)


class SimpleCriteria(Metric):
    """Grade on one criterion, in [0, 1]; higher is better.

    The judge sees the reference too, where the sample has one. An empty response scores 0, and
    nothing is asked.

    Args:
        judge: Who judges.
        definition: The criterion, in words.
        threshold: From which value on a result passes.

    Raises:
        InputError: The definition is blank.
    """

    name = "simple_criteria"
    needs = frozenset({"query", "response"})
    requests = (GradeOf,)
    aliases = ("simple_criteria_score", "score_string")
    kin = {"ragas": "SimpleCriteriaScore", "LangChain": "score_string"}

    def __init__(
        self, judge: JudgeLike | None = None, *, definition: str, threshold: float | None = None
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if not definition.strip():
            raise InputError("definition must describe the criterion, got ''")
        self.definition = definition

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        grade = await self.judge.grade(
            GradeOf(
                criterion=self.name,
                definition=self.definition,
                levels=LEVELS,
                response=sample.response,
                query=sample.query,
                reference=sample.reference,
            )
        )
        value = level_share(grade.level, [level.value for level in LEVELS])
        return Score(value, evidence=grade, note=grade.reason)
