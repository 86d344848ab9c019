"""Answer verdict: is the response a right answer to the question?

    answer_verdict = 1 if right, 0.5 if partly right, 0 if wrong or not attempted

Source: the verdicts of Wei et al. (2024), "SimpleQA", https://arxiv.org/abs/2411.04368, with half
a point for what is right in part, as in Yang et al. (2024), "CRAG",
https://arxiv.org/abs/2406.04744. CRAG takes a point off for a wrong answer; here it counts 0.
"""

from llamaindex_rag_eval.judge.answer_verdict import SCORES, AnswerLevel, AnswerVerdictOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample


class AnswerVerdict(Metric):
    """One verdict on the whole answer, 0, 0.5 or 1; higher is better.

    Summaries and reports show the shares of the four verdicts beside the mean, so that what was
    not attempted is told from what is wrong. The feedback says why, and the evidence what is
    missing in an answer and what is wrong.

    The references are `reference`, whose slashes separate accepted answers, and each of
    `reference_aliases`; agreeing with one is enough. If the sample's `expected_behaviour` is to
    refuse, ask back or correct the premise, right is to do that, and to answer is wrong. An empty
    response is not attempted, and declines where that is expected; nothing is asked.

    Limitations: The reference is taken as true: against an outdated or incomplete one, right
    answers are wrong. Details beyond the reference are not checked; `faithfulness` does that.
    """

    name = "answer_verdict"
    needs = frozenset({"query", "response", "reference"})
    requests = (AnswerVerdictOf,)
    undefined = "There is no reference."
    verdicts = tuple(SCORES)
    default_threshold = 1.0

    async def measure(self, sample: SingleTurnSample) -> Score:
        texts = (sample.reference, *sample.reference_aliases)
        references = tuple(text for text in texts if text.strip())
        expected = sample.expected_behaviour
        if not references and expected == "answer":
            return Score(None)
        if not sample.response.strip():
            verdict: AnswerLevel = "right" if expected == "refuse" else "not_attempted"
            return Score(SCORES[verdict], note="The response is empty.", verdict=verdict)
        request = AnswerVerdictOf(
            query=sample.query, response=sample.response, references=references, expected=expected
        )
        reply = await self.judge.ask(request)
        return Score(SCORES[reply.verdict], reply, reply.summary, reply.verdict)
