"""The questions of a run and their scores, small enough that those of hundreds of runs are read."""

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.runs.run import Run

_PACKED = TypeAdapter(tuple[dict[str, str], dict[str, list[float | None]]])


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """What a run was asked and how each question scored, without answers and evidence.

    Attributes:
        questions: Id -> wording, in the order of the run.
        scores: Metric -> the score of each question in that order; `None` for one without.
    """

    questions: Mapping[str, str]
    scores: Mapping[str, Sequence[float | None]]

    @classmethod
    def of(cls, run: Run) -> "QuestionScores":
        """Return those of a run."""
        questions = {
            sample.id: sample.query if isinstance(sample, SingleTurnSample) else sample.asked
            for sample in run.samples
        }
        return cls(
            questions,
            {
                info.spec: [_finite(known.get(key)) for key in questions]
                for info in run.metrics
                for known in [run.values(info.spec)]
            },
        )

    def score(self, question: str, metric: str) -> float | None:
        """Return the score of the question with this id; `None` if it has none."""
        known = self.scores.get(metric)
        if known is None or question not in self.questions:
            return None
        return known[list(self.questions).index(question)]

    def to_bytes(self) -> bytes:
        """Return them packed; `from_bytes` reads them."""
        text = json.dumps([dict(self.questions), dict(self.scores)])
        return zlib.compress(text.encode())

    @classmethod
    def from_bytes(cls, packed: bytes) -> "QuestionScores":
        """Return what `to_bytes` packed.

        Raises:
            ValueError: It is nothing of the kind.
        """
        try:
            return cls(*_PACKED.validate_json(zlib.decompress(packed)))
        except zlib.error as error:
            raise ValueError(f"no packed scores: {error}") from error


def _finite(score: float | None) -> float | None:
    return score if score is not None and math.isfinite(score) else None
