"""The questions of a run and their scores, small enough that those of hundreds of runs are read."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.runs.run import Run

__all__ = ["QuestionScores"]


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """What a run was asked and how each question scored, without answers and evidence.

    Attributes:
        questions: Id -> wording, in the order of the run.
        scores: Metric -> id -> score, scored questions only.
    """

    questions: Mapping[str, str]
    scores: Mapping[str, Mapping[str, float]]

    @classmethod
    def of(cls, run: Run) -> "QuestionScores":
        """Return those of a run."""
        return cls(
            questions={
                sample.id: sample.query if isinstance(sample, SingleTurnSample) else sample.asked
                for sample in run.samples
            },
            scores={info.spec: run.values(info.spec) for info in run.metrics},
        )

    def to_bytes(self) -> bytes:
        """Return them packed; `from_bytes` reads them."""
        rows = [[found.get(key) for key in self.questions] for found in self.scores.values()]
        packed = [list(self.questions), list(self.questions.values()), list(self.scores), rows]
        return zlib.compress(json.dumps(packed).encode())

    @classmethod
    def from_bytes(cls, packed: bytes) -> "QuestionScores":
        """Return what `to_bytes` packed.

        Raises:
            ValueError: It is nothing of the kind.
        """
        try:
            ids, wordings, specs, rows = json.loads(zlib.decompress(packed))
            return cls(
                questions=dict(zip(ids, wordings, strict=True)),
                scores={
                    spec: {
                        key: score for key, score in zip(ids, row, strict=True) if score is not None
                    }
                    for spec, row in zip(specs, rows, strict=True)
                },
            )
        except (zlib.error, TypeError) as error:
            raise ValueError(f"no packed scores: {error}") from error
