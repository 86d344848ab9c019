"""Lost answers: what a diagnosis says, as a waterfall that adds up, with intervals."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import get_args

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.labels import answer_digest
from llamaindex_rag_eval.diagnosis.cause import Cause, CauseText, TrialName, cause_texts
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_of
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate


@dataclass(frozen=True)
class Trial(JsonFields):
    """What an engine said when one part was exchanged.

    Attributes:
        response: Its answer.
        right: Whether it is right; `None` if it was not judged.
    """

    _json = "response right"

    response: str
    right: bool | None


@dataclass(frozen=True)
class LostAnswer(JsonFields):
    """A wrong answer, and why.

    Attributes:
        sample: The question with its answer.
        causes: Why, the first in the pipeline first.
        rank: The place in the retriever's ranking by which all evidence is found; `None` if it is
            not found, or was not looked for.
        trials: What was said when a part was exchanged.
    """

    _json = (
        "id=sample.id query=sample.query reference=sample.reference response=sample.response "
        "causes rank trials"
    )

    sample: SingleTurnSample
    causes: tuple[Cause, ...]
    rank: int | None = None
    trials: Mapping[TrialName, Trial] = field(default_factory=dict)


@dataclass(frozen=True)
class CauseShare(JsonFields):
    """How many answers one cause loses.

    Attributes:
        cause: The cause.
        count: Wrong answers of which it is the first cause.
        share: Of all questions, in [0, 1], with its interval.
        ranks: Those by which evidence is found that is ranked too low, ascending.
    """

    _json = "cause title=text.title count share remedy=text.remedy"

    cause: Cause
    count: int
    share: Estimate
    ranks: tuple[int, ...] = ()

    @property
    def text(self) -> CauseText:
        """What people read of it, with the ranks that would do."""
        text = cause_texts()[self.cause]
        if not self.ranks:
            return text
        half, most = (self.ranks[math.ceil(share * len(self.ranks)) - 1] for share in (0.5, 0.9))
        within = f"Half of them are within rank {half}, nine in ten within {most}."
        return replace(text, remedy=f"{text.remedy} {within}")


@dataclass(frozen=True)
class LostAnswers(JsonFields):
    """Where right answers are lost.

    Attributes:
        samples: The questions that were judged, with their answers.
        lost: Those with a wrong answer.
        controls: What came of trials with right answers.
        unjudged: Questions without a verdict, left out: no reference, or not judged yet.
        clusters: What is not independent.
    """

    _json = "questions right causes reach reading unjudged slices lost controls answers"

    samples: Sequence[SingleTurnSample]
    lost: tuple[LostAnswer, ...]
    controls: Mapping[str, Mapping[TrialName, Trial]] = field(default_factory=dict)
    unjudged: int = 0
    clusters: Clustering = "documents"

    @property
    def questions(self) -> int:
        """How many questions were judged."""
        return len(self.samples)

    @property
    def answers(self) -> Mapping[str, str]:
        """Question id -> a digest of its answer, by which a run of these answers is known."""
        return {sample.id: answer_digest(sample.response) for sample in self.samples}

    @property
    def right(self) -> Estimate:
        """The share of right answers, in [0, 1]."""
        wrong = {entry.sample.id for entry in self.lost}
        return self._share({sample.id for sample in self.samples} - wrong)

    @property
    def reach(self) -> Estimate:
        """The share that is right if the evidence alone is given, where right answers stay right.

        `controls` say whether they do. Not defined where no trial could be made.
        """
        tried = {e.sample.id: e.trials["alone"].right for e in self.lost if "alone" in e.trials}
        if self.lost and not tried:
            return Estimate(None)
        if None in tried.values():
            return Estimate(None)  # a trial failed, or was not judged
        wrong = {entry.sample.id for entry in self.lost if not tried.get(entry.sample.id)}
        return self._share({sample.id for sample in self.samples} - wrong)

    @property
    def reading(self) -> Mapping[TrialName, Estimate]:
        """Of right answers, the share that a trial leaves as it should be, in [0, 1].

        `alone`: right from the evidence alone. `exchanged`: the new value is answered, where that
        of the evidence was exchanged; else the engine remembers, and does not read. `without`:
        the answer is refused where the evidence is taken out. `noise`: right though more nodes
        are passed on. After Chen et al. (2024), "Benchmarking Large Language Models in
        Retrieval-Augmented Generation", https://arxiv.org/abs/2309.01431.
        """
        shares: dict[TrialName, Estimate] = {}
        for name in get_args(TrialName):
            right = {k: t[name].right for k, t in self.controls.items() if name in t}
            known = {key for key, value in right.items() if value is not None}
            if known:
                shares[name] = self._share({key for key in known if right[key]}, known)
        return shares

    @property
    def causes(self) -> tuple[CauseShare, ...]:
        """The causes that were found, in the order of a pipeline; their counts add up to `lost`."""
        by_cause: dict[Cause, dict[str, int | None]] = {}
        for entry in self.lost:
            by_cause.setdefault(entry.causes[0], {})[entry.sample.id] = entry.rank
        return tuple(
            CauseShare(cause, len(lost), self._share({*lost}), _ranks(cause, lost.values()))
            for cause in cause_texts()
            if (lost := by_cause.get(cause))
        )

    @property
    def slices(self) -> Mapping[str, Mapping[str, int]]:
        """Type or document -> cause -> how many; of documents, those with several lost answers."""
        return self.by_slice({entry.sample.id: entry.causes[0] for entry in self.lost})

    def by_slice(self, groups: Mapping[str, str]) -> Mapping[str, Mapping[str, int]]:
        """Return type or document -> group -> how many, where there are several.

        Args:
            groups: Question id -> the group of its wrong answer.
        """
        counts: dict[str, Counter[str]] = {}
        for entry in self.lost:
            documents = {span.doc_id for group in entry.sample.gold for span in group}
            for name in filter(None, (entry.sample.metadata.get("type"), *sorted(documents))):
                counts.setdefault(str(name), Counter())[groups[entry.sample.id]] += 1
        return {name: dict(count) for name, count in counts.items() if count.total() > 1}

    def examples(self, cause: Cause, most: int = 3) -> tuple[LostAnswer, ...]:
        """Return the first answers that a cause lost, at most so many."""
        return tuple(entry for entry in self.lost if entry.causes[0] == cause)[:most]

    def _share(self, ids: set[str], among: Set[str] | None = None) -> Estimate:
        samples = [sample for sample in self.samples if among is None or sample.id in among]
        values = [float(sample.id in ids) for sample in samples]
        labels = clusters_of(samples, self.clusters).of(sample.id for sample in samples)
        return mean_estimate(values, clusters=labels, bounds=(0.0, 1.0))


def _ranks(cause: Cause, ranks: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(sorted(r for r in ranks if cause == "ranked_too_low" and r is not None))
