"""Summarization score: does a summary answer what its text answers, and is it short?

    summarization_score = (1 - w) · share of questions the summary answers + w · conciseness
    conciseness = 1 - min(characters of the summary, of the text) / characters of the text

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/summarization_score/.
"""

import asyncio
from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import text_of
from llamaindex_rag_eval.formulas.means import weighted_mean
from llamaindex_rag_eval.judge import CritiqueOf, QuestionsOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.claims import share
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA

QUESTIONS = 5
"""How many questions are asked about the text: enough that one odd question does not decide."""


def conciseness_score(summary: str, text: str) -> float | None:
    """Return the share of the text that the summary saves.

    Returns:
        A share in [0, 1], higher is better; None if the text is empty.

    Example:
        >>> conciseness_score("ab", "abcdefgh"), conciseness_score("abc", "ab")
        (0.75, 0.0)
    """
    return 1 - min(len(summary), len(text)) / len(text) if text else None


class SummarizationScore(Metric):
    """Questions answered and characters saved, weighted, in [0, 1]; higher is better.

    The contexts are the text, or the reference contexts where there are none; the response is its
    summary. Asks the judge for `n` questions that the text answers, unless they are given, and once
    a question whether the summary answers it.

    Limitations: With the default weight, a summary of one wrong word still gets nearly 0.5, for its
    shortness. Statements that the text does not make cost nothing: `faithfulness` counts them.

    Args:
        judge: Who judges.
        n: How many questions.
        questions: What a summary of every text has to answer, in place of the judge's questions.
        weight: Of conciseness, in [0, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is out of range.
    """

    name = "summarization_score"
    needs = frozenset({"response"})
    needs_one_of = (frozenset({"contexts"}), frozenset({"reference_contexts"}))
    requests = (QuestionsOf, *([CritiqueOf] * QUESTIONS))
    undefined = "There is no text to summarise."

    n: int = setting(default=QUESTIONS, valid=lambda n: n >= 1, expected="at least 1")
    questions: Sequence[str] = setting(default=(), convert=tuple)
    weight: float = setting(
        default=0.5, valid=lambda weight: 0 <= weight <= 1, expected="in [0, 1]"
    )

    async def measure(self, sample: SingleTurnSample) -> Score:
        text = "\n\n".join(sample.texts or map(text_of, sample.reference_contexts)).strip()
        if not text:
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The summary is empty.")
        questions = self.questions or (await self.judge.questions(text, n=self.n)).questions
        verdicts = await asyncio.gather(
            *(
                self.judge.critique(
                    CritiqueOf(
                        aspect="answers the question",
                        definition=CRITERIA[self.name].definition,
                        query=question,
                        response=sample.response,
                    )
                )
                for question in questions
            )
        )
        answered = share(verdict.verdict for verdict in verdicts)
        saved = conciseness_score(sample.response, text)
        value = weighted_mean([answered, saved], weights=[1 - self.weight, self.weight])
        evidence = {"questions": questions, "answers": tuple(verdicts), "conciseness": saved}
        return Score(value, evidence)
