"""Answer relevancy: does the response answer the question that was asked?

    answer_relevancy = mean over i of cos(e(question), e(q_i))

where q_1 … q_n are questions asked back from the response. An evasive response, one that says it
does not know, scores 0.

Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
section 3, https://arxiv.org/abs/2309.15217.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.judge import Questions, QuestionsOf, SimilaritiesOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting

QUESTIONS = 3
"""As in the paper: enough that one odd question does not decide."""


def answer_relevancy_score(similarities: Sequence[float]) -> float | None:
    """Return the mean similarity of the questions asked back to the question asked.

    Args:
        similarities: The cosine of each question asked back with the question, in [-1, 1].

    Returns:
        A number in [-1, 1], higher is better; None without similarities.

    Example:
        >>> answer_relevancy_score([0.75, 0.25])
        0.5
    """
    return sum(similarities) / len(similarities) if similarities else None


class AnswerRelevancy(Metric):
    """How near the questions that the response answers are to the question, in [-1, 1].

    Asks the judge for `n` questions that the response answers, and for their similarity to the
    question. An empty response evades: 0, and nothing is asked.

    Limitations: A cosine, not a share: what a good value is depends on the embedding model. A wrong
    answer scores like a right one, a short one near 0, as it names too little to ask back for, and
    a refusal 0, also where it is right to refuse. `response_relevance` grades the same in words.

    Args:
        judge: Who judges.
        n: How many questions to ask back.
        threshold: From which value on a result passes.

    Raises:
        InputError: `n` is below 1.
    """

    name = "answer_relevancy"
    needs = frozenset({"query", "response"})
    requests = (QuestionsOf, SimilaritiesOf)
    bounds = (-1.0, 1.0)

    n: int = setting(default=QUESTIONS, valid=lambda n: n >= 1, expected="at least 1")

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        asked_back = await self.judge.questions(sample.response, n=self.n)
        if asked_back.noncommittal:
            return Score(0.0, evidence=asked_back, note="The response is noncommittal.")
        similarities = await self.judge.similarity(sample.query, asked_back.questions)
        return Score(answer_relevancy_score(similarities), _evidence(asked_back, similarities))


def _evidence(asked_back: Questions, similarities: Sequence[float]) -> dict[str, object]:
    return {"questions": asked_back.questions, "similarities": tuple(similarities)}
