"""Pairing: which questions two runs have in common, and what cannot be compared."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

__all__ = ["Pairing"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs over the questions they share.

    Attributes:
        a: The first run, the baseline.
        b: The second run.
        ids: Samples in both, with the same question, in the order of `a`.
        only_a: Samples that `a` alone has.
        only_b: Samples that `b` alone has.
        differing: Ids under which the runs hold different questions; they are not compared.
    """

    a: Run
    b: Run
    ids: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    differing: tuple[str, ...]

    @classmethod
    def of(cls, a: Run, b: Run) -> "Pairing":
        """Pair two runs by sample id.

        Raises:
            InputError: They have no question in common.
        """
        asked_a, asked_b = _asked(a), _asked(b)
        shared = [key for key in asked_a if key in asked_b]
        ids = tuple(key for key in shared if asked_a[key] == asked_b[key])
        if not ids:
            raise InputError(
                f"the runs {a.name!r} and {b.name!r} have no question in common; "
                "expected answers to the same golden set"
            )
        return cls(
            a=a,
            b=b,
            ids=ids,
            only_a=tuple(key for key in asked_a if key not in asked_b),
            only_b=tuple(key for key in asked_b if key not in asked_a),
            differing=tuple(key for key in shared if asked_a[key] != asked_b[key]),
        )

    def among(self, ids: Collection[str]) -> "Pairing":
        """Return the pairing over these questions only."""
        return replace(self, ids=tuple(key for key in self.ids if key in ids))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that are compared."""
        a, b = self.names
        counts = (
            (len(self.only_a), f"only {a!r} has"),
            (len(self.only_b), f"only {b!r} has"),
            (len(self.differing), "stand under one id and differ between the runs"),
        )
        said = [
            f"{count} question{'s' if count > 1 else ''} left out: {why}."
            for count, why in counts
            if count
        ]
        if said:
            both = len(self.ids)
            said.append(f"The runs are over different golden sets: {both} questions in both.")
        return (*said, *self.doubts)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What may make the compared questions unlike in the two runs."""
        moved = len(self.other_references)
        where = self.names[1]
        return (f"{moved} compared questions have another reference in {where!r}.",) * (moved > 0)

    @property
    def other_references(self) -> tuple[str, ...]:
        """Paired samples whose right answer is another one in `b`."""
        right = {sample.id: sample.reference for sample in self.b.samples}
        return tuple(key for key, sample in self.samples.items() if sample.reference != right[key])

    @property
    def names(self) -> tuple[str, str]:
        """What the runs are called; "A" and "B" where their names do not tell them apart."""
        if self.a.name and self.b.name and self.a.name != self.b.name:
            return self.a.name, self.b.name
        return "A", "B"

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics of both runs, in the order of `a`.

        Raises:
            InputError: They have no metric in common.
        """
        known = {info.spec for info in self.b.metrics}
        shared = tuple(info for info in self.a.metrics if info.spec in known)
        if not shared:
            raise InputError(
                f"the runs {self.a.name!r} and {self.b.name!r} have no metric in common; "
                "expected runs scored with the same metrics"
            )
        return shared

    @property
    def samples(self) -> Mapping[str, Sample]:
        """The paired samples of `a`, by id."""
        by_id = {sample.id: sample for sample in self.a.samples}
        return {key: by_id[key] for key in self.ids}


def _asked(run: Run) -> dict[str, str]:
    return {sample.id: _question(sample) for sample in run.samples}


def _question(sample: Sample) -> str:
    if isinstance(sample, MultiTurnSample):
        return "\n".join(m.content for m in sample.messages if m.role == "user")
    return sample.query
