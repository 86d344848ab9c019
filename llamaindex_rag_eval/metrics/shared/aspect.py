"""Aspects: metrics that let the judge say yes or no, once or by the vote of several."""

import asyncio

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Critique, CritiqueOf, JudgeLike
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["AspectMetric", "check_strictness", "majority"]


def majority(votes: tuple[Critique, ...]) -> tuple[bool, float]:
    """Return what more than half of the votes say, and the share of votes that say it.

    Args:
        votes: An odd number of votes.

    Example:
        >>> yes, no = Critique(verdict=True), Critique(verdict=False)
        >>> verdict, agreement = majority((yes, no, yes))
        >>> verdict, agreement == 2 / 3
        (True, True)
    """
    yes = sum(vote.verdict for vote in votes)
    verdict = 2 * yes > len(votes)
    return verdict, (yes if verdict else len(votes) - yes) / len(votes)


def check_strictness(strictness: int) -> None:
    """Raise `InputError` unless the votes can have a majority."""
    if strictness < 1 or strictness % 2 == 0:
        raise InputError(f"strictness must be an odd number of votes, got {strictness!r}")


class AspectMetric(Metric):
    """A yes or no on one aspect of the response: 1 for yes, 0 for no.

    An empty response has no aspect: 0, and nothing is asked. The judge sees the fields that
    `needs` names.

    Args:
        judge: Who judges.
        strictness: An odd number of independent votes; the majority counts.
        threshold: From which value on a result passes.

    Raises:
        InputError: `strictness` is not an odd number from 1 up.

    Attributes:
        definition: When the aspect is there, as a question with the answer yes.
    """

    needs = frozenset({"query", "response"})
    requests = (CritiqueOf,)
    definition: str

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        strictness: int = 1,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        check_strictness(strictness)
        self.strictness = strictness

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        request = self.asked(sample)
        votes = tuple(
            await asyncio.gather(
                *(
                    self.judge.critique(request.model_copy(update={"vote": vote}))
                    for vote in range(self.strictness)
                )
            )
        )
        verdict, agreement = majority(votes)
        reason = next(vote.reason for vote in votes if vote.verdict == verdict)
        evidence = {"verdict": verdict, "agreement": agreement, "votes": votes}
        return Score(float(verdict), evidence, note=reason)

    def asked(self, sample: SingleTurnSample) -> CritiqueOf:
        """Return the request of the first vote."""
        return CritiqueOf(
            aspect=self.name,
            definition=self.definition,
            response=sample.response,
            query=sample.query,
            contexts=sample.contexts if "contexts" in self.needs else (),
            reference=sample.reference if "reference" in self.needs else "",
        )
