"""Refusal: does the response decline to answer, and should it?

An empty response declines.
"""

from llamaindex_rag_eval.judge.critique import RefusalOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample


class Refusal(Metric):
    """Refusal: does the response decline to answer?

        refusal = 1 if the response declines to answer, else 0

    Whether the response declines to answer, 0 or 1; neither is better by itself.

    An empty response is a refusal, and nothing is asked.

    Limitations: An answer in part is none: what it leaves open does not show here. It does not say
    whether it was right to decline: `refusal_correctness`.

    Source: Bedrock's `Builtin.Refusal`,
    https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html.
    """

    name = "refusal"
    needs = frozenset({"query", "response"})
    requests = (RefusalOf,)
    direction = "neither"

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.response.strip():
            return Score(1.0, note="The response is empty.")
        critique = await self.judge.ask(RefusalOf(query=sample.query, response=sample.response))
        return Score(float(critique.verdict), evidence=critique, note=critique.reason)


class RefusalCorrectness(Metric):
    """Refusal correctness: does the response decline exactly when it should?

        refusal_correctness = 1 if the response declines and the question ought to be declined, or
                              neither, else 0

    Whether the response declines exactly when it should, 0 or 1; higher is better.

    A question ought to be declined if the sample's `expected_behaviour` is `refuse`. An empty
    response declines.

    Limitations: Answering and asking back are not declining, whatever is said: `answer_verdict`
    judges that.

    Source: ours, after the unanswerable questions of Rajpurkar et al. (2018), "Know What You Don't
    Know", https://arxiv.org/abs/1806.03822.
    """

    name = "refusal_correctness"
    needs = frozenset({"query", "response", "expected_behaviour"})
    requests = (RefusalOf,)

    async def measure(self, sample: SingleTurnSample) -> Score:
        refused = not sample.response.strip()
        if not refused:
            request = RefusalOf(query=sample.query, response=sample.response)
            refused = (await self.judge.ask(request)).verdict
        expected = sample.expected_behaviour == "refuse"
        evidence = {"refused": refused, "expected_behaviour": sample.expected_behaviour}
        return Score(float(refused == expected), evidence)
