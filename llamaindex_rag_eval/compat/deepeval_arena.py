"""DeepEval's comparisons of several answers to one question, over our `pairwise_preference`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from llamaindex_rag_eval.compat.deepeval_case import LLMTestCase
from llamaindex_rag_eval.compat.deepeval_metric import GEval
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.pairwise_preference import OTHER, PairwisePreference


@dataclass
class Contestant:
    """One of several that answer a question."""

    name: str
    test_case: LLMTestCase
    hyperparameters: Mapping[str, Any] | None = None


class ArenaTestCase:
    """The answers of several contestants to one question.

    Args:
        contestants: A list, or as in older versions their test cases by their names.

    Raises:
        InputError: They are fewer than two, or have other questions.
    """

    def __init__(self, contestants: Sequence[Contestant] | Mapping[str, LLMTestCase]) -> None:
        if not isinstance(contestants, Mapping):
            contestants = {each.name: each.test_case for each in contestants}
        if len(contestants) < 2 or len({case.input for case in contestants.values()}) > 1:
            raise InputError("expected two contestants or more, with one name each and one 'input'")
        self.contestants = contestants


class ArenaGEval(GEval):
    """Which of several answers meets criteria of your own best; see `GEval` for the settings.

    Each pair is judged in both orders. Who wins most pairs wins; a tie counts half.

    Attributes:
        winner: The name of the contestant; `None` if several won as often.
    """

    winner: str | None = None

    def ours(self) -> BaseMetric:
        """Return our metric."""
        return PairwisePreference(criterion="\n".join([self.criteria, *self.steps]))

    async def a_measure(self, test_case: Any, **_shown: object) -> Any:
        """Return the name of the winner, which is kept in `winner`."""
        metric, wins, reasons = self.ready(), Counter[str](), []
        for (first, ours), (second, theirs) in combinations(test_case.contestants.items(), 2):
            sample: Any = ours.sample(self.fields)
            pair = sample.model_copy(update={"metadata": {OTHER: theirs.actual_output or ""}})
            result = await metric.result(pair)
            if result.score is None:
                raise RagEvalError(f"{self.__name__!r} failed: {result.reason}")
            wins += Counter({first: result.score, second: 1 - result.score})
            reasons.append(f"{first} against {second}: {result.score:g}. {result.reason}")
        best = [name for name, won in wins.items() if won == max(wins.values())]
        self.winner = best[0] if len(best) == 1 else None
        self.reason, self.success = "\n".join(reasons), self.winner is not None
        return self.winner


def compare(
    test_cases: Iterable[ArenaTestCase], metric: ArenaGEval, **ignored: object
) -> dict[str, int]:
    """Return how often each contestant won."""
    del ignored
    wins = Counter[str]()
    for test_case in test_cases:
        metric.measure(test_case)  # type: ignore[arg-type]  # one of several answers
        wins.update([metric.winner] if metric.winner else [])
    return dict(wins)
