"""Paired differences of a known mean, in documents of known sizes that resemble each other.

And pipelines whose answers vary from one time to the next: each question is answered rightly with a
chance of its own.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from llamaindex_rag_eval.stats.sample_values import Floats


def sizes(kind: str, questions: int) -> list[tuple[int, ...]]:
    """Return the documents of each question.

    Args:
        kind: `alone`, one a document; `fives`; `huge`, one document with 60 of 100; `zipf`, sizes
            that fall as 1, 1/2, 1/3, …; `crossed`, 30 of 100 questions on two documents.
        questions: How many.
    """
    if kind == "huge":
        most = int(0.6 * questions)
        return [(max(0, number - most + 1),) for number in range(questions)]
    if kind == "zipf":
        shares = 1 / np.arange(1, max(6, questions // 4) + 1)
        counts = np.maximum(1, np.round(shares / shares.sum() * questions)).astype(int)
        labels = np.repeat(np.arange(len(counts)), counts).tolist()
        more = range(len(counts), len(counts) + questions)
        return [(label,) for label in [*labels, *more][:questions]]
    if kind == "crossed":
        rng, documents = np.random.default_rng(questions), max(8, int(0.4 * questions))
        return [
            tuple(rng.choice(documents, 2 if rng.random() < 0.3 else 1, replace=False).tolist())
            for _ in range(questions)
        ]
    return [(number // (5 if kind == "fives" else 1),) for number in range(questions)]


def members_of(documents: list[tuple[int, ...]]) -> Floats:
    """Return a row a question, a column a document: 1 / √k in each of its k."""
    table = np.zeros((len(documents), 1 + max(map(max, documents))))
    for row, own in zip(table, documents, strict=True):
        row[list(own)] = 1 / np.sqrt(len(own))
    return np.asarray(table[:, table.sum(axis=0) > 0])


def latent(
    rng: np.random.Generator, members: Floats, icc: float, samples: int, metrics: int = 1
) -> Floats:
    """Return normal values, shape (samples, metrics, questions); two metrics correlate by 1/2."""

    def mixed(width: int) -> Floats:
        common = rng.normal(size=(samples, 1, width))
        return np.asarray((common + rng.normal(size=(samples, metrics, width))) / np.sqrt(2))

    questions, documents = members.shape
    shared = mixed(documents) @ members.T
    return np.asarray(np.sqrt(icc) * shared + np.sqrt(1 - icc) * mixed(questions))


def lumps(rise: float, fall: float, size: float = 1.0) -> Callable[[Floats], Floats]:
    """Return a draw of differences: so many questions rise by the size, so many fall by it."""
    up, down = -special.ndtri(rise), special.ndtri(fall)
    return lambda z: np.where(z > up, size, np.where(z < down, -size, 0.0))


LUCK: dict[str, list[tuple[float, float]]] = {
    "a fifth by half": [(0.2, 0.5), (0.64, 1.0), (0.16, 0.0)],
    "a third by .2": [(0.16, 0.8), (0.15, 0.2), (0.55, 1.0), (0.14, 0.0)],
    "all by .05": [(0.8, 0.947), (0.2, 0.053)],
}
"""Name -> shares of questions with the chance to be right; asked again, 1 in 10 answers changes."""


def chances(name: str, z: Floats) -> Floats:
    """Return the chance of each question to be answered rightly, from latent values."""
    shares, values = zip(*LUCK[name], strict=True)
    place = np.searchsorted(np.cumsum(shares), special.ndtr(z))
    return np.asarray(values)[np.minimum(place, len(values) - 1)]


def _of(chance: Floats, fall: float) -> float:
    return fall / float(chance.mean())


CHANGES: dict[str, Callable[[Floats, Floats, float], Floats]] = {
    "none": lambda chance, u, fall: chance,
    "some break": lambda chance, u, fall: np.where(u < _of(chance, fall), 0.0, chance),
    "twice as many by half": lambda chance, u, fall: np.where(
        u < 2 * _of(chance, fall), chance / 2, chance
    ),
    "all a little": lambda chance, u, fall: chance * (1 - _of(chance, fall)),
    "some break, some mend": lambda chance, u, fall: np.where(
        u > 0.95, 1.0, CHANGES["some break"](chance, u, fall + 0.05 * (1 - float(chance.mean())))
    ),
}
"""Name -> chances of a pipeline that is worse by a mean, from those of the first."""


Draw = Callable[[float, Floats], Floats]

DRAWS: dict[str, Draw] = {
    "10 % change": lambda mean, z: lumps(0.05 + max(mean, 0), 0.05 + max(-mean, 0))(z),
    "30 % change": lambda mean, z: lumps(0.15 + max(mean, 0), 0.15 + max(-mean, 0))(z),
    "thirds, 30 %": lambda mean, z: lumps(0.15 + 3 * max(mean, 0), 0.15 + 3 * max(-mean, 0), 1 / 3)(
        z
    ),
    "normal, sd .3": lambda mean, z: np.clip(mean + 0.3 * z, -1.0, 1.0),
}
"""Name -> differences with a mean, from latent values."""
