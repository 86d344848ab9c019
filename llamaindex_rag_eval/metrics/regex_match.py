"""Regex match: does the response match a pattern?

    regex_match = 1 if the pattern is found in the response, else 0

Source: LangChain's `regex_match` evaluator.
"""

import re

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["RegexMatch"]


class RegexMatch(Metric):
    """Whether the pattern is found in the response, 0 or 1; higher is better.

    No judge is asked. The pattern is searched for; `^` and `$` tie it to the ends.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        pattern: A regular expression.
        threshold: From which value on a result passes.

    Raises:
        InputError: The pattern is no regular expression.
    """

    name = "regex_match"
    needs = frozenset({"response"})
    kin = {"LangChain": "regex_match"}

    def __init__(
        self, judge: JudgeLike | None = None, *, pattern: str, threshold: float | None = None
    ) -> None:
        super().__init__(judge, threshold=threshold)
        try:
            re.compile(pattern)
        except re.error as error:
            raise InputError(f"{pattern!r} is no regular expression: {error}") from None
        self.pattern = pattern

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(float(re.search(self.pattern, sample.response) is not None))
