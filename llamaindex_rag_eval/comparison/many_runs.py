"""Several runs compared with one baseline, over the questions that all of them have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.comparison.correction import contrasts_of, corrected
from llamaindex_rag_eval.comparison.pairing import Pairing
from llamaindex_rag_eval.comparison.slices import slices_of
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import html_table

__all__ = ["Comparisons", "told_apart"]


@dataclass(frozen=True)
class Comparisons:
    """Runs against a baseline, corrected for all metrics of all pairs together.

    Attributes:
        baseline: The run that the others are held against.
        pairs: The baseline with each other run, in the order given.
    """

    baseline: Run
    pairs: tuple[Comparison, ...]

    @classmethod
    def of(
        cls,
        runs: Sequence[Run],
        *,
        baseline: str = "",
        clusters: bool = False,
        alpha: float = 0.05,
        resamples: int | None = None,
        seed: int = 0,
    ) -> "Comparisons":
        """Compare runs with a baseline, question by question.

        Args:
            runs: Two or more, each with a name of its own.
            baseline: The name of one of them; the first by default.
            clusters: As for `compare`.
            alpha: As for `compare`.
            resamples: As for `compare`.
            seed: As for `compare`.

        Raises:
            InputError: There are fewer than two runs, a name stands for two of them or for none,
                or they share no question or no metric.
        """
        first, others = _split(runs, baseline)
        pairings = [Pairing.of(first, other) for other in others]
        shared = frozenset.intersection(*(frozenset(pairing.ids) for pairing in pairings))
        if not shared:
            raise InputError("no question is in all runs; expected answers to the same golden set")
        pairings = [pairing.among(shared) for pairing in pairings]
        found = [
            contrasts_of(pairing, clusters=clusters, resamples=resamples, seed=seed)
            for pairing in pairings
        ]
        family = iter(corrected([contrast for pair in found for contrast in pair], alpha))
        return cls(
            baseline=first,
            pairs=tuple(
                Comparison(
                    pairing=pairing,
                    contrasts=tuple(next(family) for _ in contrasts),
                    slices=slices_of(pairing, seed=seed),
                )
                for pairing, contrasts in zip(pairings, found, strict=True)
            ),
        )

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs, the baseline first."""
        return (self.baseline, *(pair.pairing.b for pair in self.pairs))

    @property
    def names(self) -> tuple[str, ...]:
        """What the runs are called, the baseline first."""
        return tuple(run.name for run in self.runs)

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics that the baseline shares with any other run, in its order."""
        known = {c.metric.spec for pair in self.pairs for c in pair.contrasts}
        return tuple(info for info in self.baseline.metrics if info.spec in known)

    @property
    def questions(self) -> int:
        """How many questions are in all runs."""
        return len(self.pairs[0].pairing.ids)

    @property
    def verdict(self) -> tuple[str, ...]:
        """What may be said of each run against the baseline, in sentences."""
        return tuple(sentence for pair in self.pairs for sentence in pair.verdict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        more = [run for run in self.runs if len(run) > self.questions]
        said = [note for pair in self.pairs for note in pair.pairing.doubts]
        if more:
            each = ", ".join(f"{run.name!r} has {len(run) - self.questions} more" for run in more)
            said.insert(0, f"Compared on the {self.questions} questions in all runs: {each}.")
        return tuple(said)

    def contrast(self, name: str, metric: str) -> Contrast | None:
        """Return how a run differs from the baseline on a metric, or `None` if it is not known."""
        found = (pair for pair in self.pairs if pair.pairing.b.name == name)
        return next((pair.contrast(metric) for pair in found), None)

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but the questions as plain data."""
        pairs: list[JsonValue] = [dict(pair.as_json()) for pair in self.pairs]
        return {
            "baseline": self.baseline.name,
            "questions": self.questions,
            "verdict": list(self.verdict),
            "notes": list(self.notes),
            "pairs": pairs,
        }

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        rows = [
            (contrast.cells()[0], pair.names[1], *contrast.cells()[1:])
            for pair in self.pairs
            for contrast in pair.contrasts
        ]
        head = ("metric", "run", self.baseline.name, "mean", "difference", "95% interval")
        caption = f"{self.questions} questions, against {self.baseline.name}"
        return html_table((*head, "p (Holm)"), rows, caption=caption)


def told_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs under names that tell them apart: a second "main" becomes "main (2)".

    Example:
        >>> [run.name for run in told_apart([Run((), (), name="a"), Run((), (), name="a")])]
        ['a', 'a (2)']
    """
    taken: list[str] = []
    for run in runs:
        base = run.name or "run"
        number = 1 + sum(name == base or name.startswith(f"{base} (") for name in taken)
        taken.append(base if number == 1 else f"{base} ({number})")
    return tuple(replace(run, name=name) for run, name in zip(runs, taken, strict=True))


def _split(runs: Sequence[Run], baseline: str) -> tuple[Run, tuple[Run, ...]]:
    names = [run.name for run in runs]
    if len(runs) < 2:
        raise InputError(f"expected two runs or more, got {len(runs)}")
    if len(set(names)) < len(names):
        raise InputError(f"two runs have one name: {', '.join(map(repr, names))}")
    if baseline and baseline not in names:
        known = ", ".join(map(repr, names))
        raise InputError(f"the baseline {baseline!r} is no run; expected one of {known}")
    first = runs[names.index(baseline)] if baseline else runs[0]
    return first, tuple(run for run in runs if run is not first)
