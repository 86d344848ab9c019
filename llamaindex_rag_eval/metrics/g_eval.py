"""G-Eval: how well does the response meet criteria of one's own, judged step by step?

    g_eval = level / 10, levels 0 to 10

The steps are the same for every sample: given as a setting, or written by the judge, once for the
criteria. They are kept in the evidence of every result.

Source: Liu et al. (2023), "G-Eval", https://arxiv.org/abs/2303.16634. We take the level that the
judge names, not the mean weighted by token probabilities, which most models do not show.
"""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.judge import GradeOf
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.metrics.base import Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA
from llamaindex_rag_eval.metrics.shared.grading import GradedMetric


class GEval(GradedMetric):
    """Grade on criteria of one's own, in [0, 1]; higher is better.

    The judge sees the contexts and the reference too, where the sample has them. Asks the judge
    once a sample, and once more in all for the steps if none are given; a judge without a cache is
    asked for them with every sample. An empty response scores 0, and nothing is asked.

    Limitations: Steps that judges write differ from judge to judge: give `steps` to compare runs
    with different judges. The level is one model's reading: calibrate it against labels.

    Args:
        judge: Who judges.
        criteria: What a good response is like.
        steps: How to find out, one step an entry; written by the judge if not given.
        threshold: From which value on a result passes.

    Raises:
        InputError: The criteria are blank.
    """

    name = "g_eval"
    needs = frozenset({"query", "response"})
    sees = frozenset({"contexts", "reference"})
    requests = (StepsOf, GradeOf)

    criteria: str = setting(valid=str.strip, expected="what a good response is like")
    steps: Sequence[str] = setting(default=(), convert=tuple)

    async def measure(self, sample: SingleTurnSample) -> Score:
        steps = tuple(self.steps)
        if not steps and sample.response.strip():
            steps = (await self.judge.ask(StepsOf(criteria=self.criteria))).steps
        score = await self.graded(sample, self.criteria, CRITERIA[self.name].levels, steps)
        if score.evidence is None:
            return score
        return replace(score, evidence={"steps": steps, "grade": score.evidence})
