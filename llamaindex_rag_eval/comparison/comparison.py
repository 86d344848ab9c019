"""Two runs compared: is the second pipeline better than the first, and how sure can one be?

Questions are paired, so that what makes a question hard for both cancels out. Each metric gets
a paired bootstrap interval and a sign-flip permutation test; Holm's correction keeps the chance
of any false alarm over all metrics at the level.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.comparison.correction import contrasts_of, corrected
from llamaindex_rag_eval.comparison.judge_noise import JudgeNoise, noise_sentences
from llamaindex_rag_eval.comparison.pairing import Pairing
from llamaindex_rag_eval.comparison.slices import Slice, slices_of
from llamaindex_rag_eval.comparison.verdict import verdict_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import html_table

__all__ = ["Comparison"]


@dataclass(frozen=True)
class Comparison:
    """Two runs on the questions they share.

    Attributes:
        pairing: The runs, and which of their questions are compared.
        contrasts: One for each metric that both have.
        slices: The same by kinds of questions.
        noise: How much of each difference is the judge's mood; empty where the judge was not
            asked repeatedly.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    slices: tuple[Slice, ...] = ()
    noise: tuple[JudgeNoise, ...] = ()

    @classmethod
    def of(
        cls,
        a: Run,
        b: Run,
        *,
        clusters: bool = False,
        alpha: float = 0.05,
        resamples: int | None = None,
        seed: int = 0,
    ) -> "Comparison":
        """Compare two runs, question by question; see `compare`.

        Raises:
            InputError: The runs share no question or no metric.
        """
        pairing = Pairing.of(a, b)
        found = contrasts_of(pairing, clusters=clusters, resamples=resamples, seed=seed)
        return cls(
            pairing=pairing,
            contrasts=corrected(found, alpha),
            slices=slices_of(pairing, seed=seed),
        )

    @property
    def names(self) -> tuple[str, str]:
        """What the two runs are called."""
        return self.pairing.names

    @property
    def verdict(self) -> tuple[str, ...]:
        """What may be said, in sentences."""
        return (*verdict_of(self.names, self.contrasts), *noise_sentences(self.noise))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        return self.pairing.notes

    def contrast(self, metric: str) -> Contrast | None:
        """Return the contrast of one metric, or `None` if it was not compared."""
        return next((c for c in self.contrasts if c.metric.spec == metric), None)

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but the questions as plain data."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "questions": len(self.pairing.ids),
            "verdict": list(self.verdict),
            "notes": list(self.notes),
            "metrics": [contrast.as_json() for contrast in self.contrasts],
            "judge_noise": [noise.as_json() for noise in self.noise],
        }

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        a, b = self.names
        rows = [contrast.cells() for contrast in self.contrasts]
        return html_table(
            ("metric", a, b, "difference", "95% interval", "p (Holm)"),
            rows,
            caption=self.verdict[0] if self.verdict else "",
        )
