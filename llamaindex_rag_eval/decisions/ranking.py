"""Ranking: which of several runs is better than which, and which cannot be told apart.

All pairs are tested on the questions that all runs have, and corrected by Holm for all pairs and
metrics together. Runs of one rank are a tie: nothing shows that they differ, which is no proof that
they are alike.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.contrast import Contrast, contrasts_of, corrected
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.clusters import Clustering, clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run


@dataclass(frozen=True, slots=True)
class Ranking(JsonFields):
    """The runs on one metric.

    Attributes:
        metric: The metric; it has a direction.
        runs: The names of the runs, the best mean first.
        contrasts: (first, second) in the order of `runs` -> the contrast of the pair, as the second
            against the first; its interval holds together with those of all pairs and metrics.
    """

    _json = "metric=metric.spec runs shown sentence"

    metric: MetricInfo
    runs: tuple[str, ...]
    contrasts: dict[tuple[str, str], Contrast]

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """The pairs of which the first is shown to be better than the second."""
        # Missing scores may turn the order of the means: then the second is better.
        return tuple(
            (first, second) if contrast.finding == "worse" else (second, first)
            for (first, second), contrast in self.contrasts.items()
            if contrast.finding in ("worse", "better")
        )

    @property
    def sentence(self) -> str:
        """Which runs are better than which, and which cannot be told apart."""
        beaten: dict[tuple[str, ...], list[str]] = {}
        for name in self.runs:
            winners = tuple(one for one, other in self.shown if other == name)
            if winners:
                beaten.setdefault(winners, []).append(name)
        verbs = {winners: "is" if len(winners) == 1 else "are" for winners in beaten}
        parts = [
            f"{_listed(winners)} {verbs[winners]} better than {_listed(names)}"
            for winners, names in beaten.items()
        ]
        shown = set(self.shown)
        open_ = [pair for pair in self.contrasts if not shown & {pair, pair[::-1]}]
        if not parts:
            return f"{self.metric.spec}: {_listed(self.runs)} cannot be told apart."
        parts += [f"{_listed(names)} cannot be told apart" for names in _tied(open_)]
        return f"{self.metric.spec}: {'; '.join(parts)}."


def rankings(
    runs: Sequence[Run], *, clusters: Clustering = "documents", alpha: float = 0.05
) -> tuple[Ranking, ...]:
    """Return the runs ranked on each metric that all have and that has a direction.

    Args:
        runs: Two or more, each with a name of its own.
        clusters: What is not independent.
        alpha: Up to which adjusted p-value a difference counts as shown.

    Raises:
        InputError: Two of the runs share no question or no metric.
    """
    specs = set.intersection(*({info.spec for info in run.metrics} for run in runs))
    ids = set.intersection(*(set(Pairing.of(runs[0], run).ids) for run in runs[1:]))
    kept: list[tuple[MetricInfo, tuple[str, ...]]] = []
    pairs: list[tuple[str, str]] = []
    family: list[Contrast] = []
    ranked = [i for i in runs[0].metrics if i.spec in specs and i.direction != "neither"]
    compared = [info.spec for info in ranked]
    paired: dict[tuple[str, str], dict[str, Contrast]] = {}
    for info in ranked:
        best = sorted(
            runs, key=lambda run: _mean(run, info, ids), reverse=info.direction != "lower"
        )
        kept.append((info, tuple(run.name for run in best)))
        for first, second in combinations(best, 2):
            names = (first.name, second.name)
            if names not in paired:
                paired[names] = _contrasts(first, second, compared, clusters, ids)
            pairs.append(names)
            family.append(paired[names][info.spec])
    found = iter(zip(pairs, corrected(family, alpha, detectable=False), strict=True))
    count = len(runs) * (len(runs) - 1) // 2
    return tuple(
        Ranking(info, names, dict(next(found) for _ in range(count))) for info, names in kept
    )


def changes(
    runs: Sequence[Run],
    metric: str,
    *,
    clusters: Clustering = "documents",
    alpha: float = 0.05,
) -> tuple[Contrast | None, ...]:
    """Return the contrast of each run with the one before it, corrected for all of them.

    Args:
        runs: In their order; all have the metric.
        metric: Its spec.
        clusters: What is not independent.
        alpha: Up to which adjusted p-value a change counts as shown.

    Returns:
        One for each run; `None` for the first, and where two runs share no question.
    """
    found: list[Contrast | None] = [None]
    for before, after in pairwise(runs):
        try:
            found.append(_contrasts(before, after, [metric], clusters)[metric])
        except InputError:  # they share no question
            found.append(None)
    family = iter(corrected([c for c in found if c is not None], alpha, detectable=False))
    return tuple(None if c is None else next(family) for c in found)


def _contrasts(
    first: Run,
    second: Run,
    specs: Sequence[str],
    clusters: Clustering,
    ids: Collection[str] | None = None,
) -> dict[str, Contrast]:
    """Return the contrast of two runs on each metric, by its spec."""
    pairing = Pairing.of(first, second, specs)
    pairing = pairing if ids is None else pairing.among(ids)
    found = contrasts_of(pairing, clusters_of(pairing.samples.values(), clusters))
    return {contrast.metric.spec: contrast for contrast in found}


def _mean(run: Run, info: MetricInfo, ids: set[str]) -> float:
    values = [value for key, value in run.values(info.spec).items() if key in ids]
    return sum(values) / len(values) if values else float("-inf")


def _tied(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the pairs put together where each of several cannot be told from each other.

    Example:
        >>> _tied([("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])
        [('a', 'b', 'c'), ('c', 'd')]
    """
    known, groups = set(pairs), list[tuple[str, ...]]()
    for first, second in pairs:
        if any({first, second} <= set(group) for group in groups):
            continue
        group: tuple[str, ...] = (first, second)
        for _, other in pairs:
            if other not in group and all((one, other) in known for one in group):
                group = (*group, other)
        groups.append(group)
    return groups


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
