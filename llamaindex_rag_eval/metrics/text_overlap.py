"""ROUGE: how many words, pairs of words, or words in order do response and reference share?

    rouge = F1, precision or recall of common 1-grams, 2-grams, or longest common subsequence

Source: Lin (2004), "ROUGE", https://aclanthology.org/W04-1013, computed by rouge-score.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas import RougeMeasure, RougeType, rouge
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["Rouge"]


class Rouge(Metric):
    """ROUGE of the response, in [0, 1]; higher is better. No judge is asked.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        type: `rouge1`, `rouge2` or `rougeL`.
        mode: `fmeasure`, `precision` or `recall`.
        threshold: From which value on a result passes.

    Raises:
        InputError: No such type or mode.
    """

    name = "rouge"
    needs = frozenset({"response", "reference"})
    undefined = "The reference has too few words."
    aliases = ("rouge_score",)
    kin = {"ragas": "RougeScore"}

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        type: RougeType = "rougeL",  # noqa: A002 - the name that users of ROUGE know
        mode: RougeMeasure = "fmeasure",
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if type not in ("rouge1", "rouge2", "rougeL"):
            raise InputError(f"type must be 'rouge1', 'rouge2' or 'rougeL', got {type!r}")
        if mode not in ("fmeasure", "precision", "recall"):
            raise InputError(f"mode must be 'fmeasure', 'precision' or 'recall', got {mode!r}")
        self.type: RougeType = type
        self.mode: RougeMeasure = mode

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        return Score(
            rouge(sample.response, sample.reference, rouge_type=self.type, measure=self.mode)
        )
