"""Baselines of one line: what no judge at all would reach, by the words that two texts share."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from tests.benchmarks.measuring.records import WORD, Array, Record, whole_text

Words = Sequence[str]


def baselines(rows: Sequence[Record], text: str, source: str) -> dict[str, Array]:
    """Return for each record how alike two of its fields are, by each baseline.

    Args:
        rows: The records.
        text: The field that a share is taken of.
        source: The field it is looked for in; of several contexts, all together.

    Returns:
        Values in [0, 1] by name: the share of the words of the one that the other has, F1 of the
        words, F1 of their longest common subsequence (ROUGE-L), and the cosine of the words
        weighed by how few of these texts have them (TF-IDF).

    Example:
        >>> rows = [{"a": "a red mill", "b": "the red mill"}, {"a": "a ship", "b": "a fox"}]
        >>> found = baselines(rows, "a", "b")
        >>> [(name, values.round(2).tolist()) for name, values in found.items()][::3]
        [('words', [0.67, 0.5]), ('TF-IDF', [0.59, 0.06])]
    """
    pairs = [(_words(row[text]), _words(row[source])) for row in rows]
    found = {name: np.array([measure(*pair) for pair in pairs]) for name, measure in MEASURES}
    return {**found, "TF-IDF": _tf_idf(pairs)}


def _words(value: object) -> list[str]:
    return WORD.findall(whole_text(value).lower())


def _share(text: Words, source: Words) -> float:
    known = set(source)
    return sum(word in known for word in text) / max(1, len(text))


def _token_f1(text: Words, source: Words) -> float:
    common = sum((Counter(text) & Counter(source)).values())
    return 2 * common / max(1, len(text) + len(source))


def _rouge_l(text: Words, source: Words) -> float:
    return 2 * LCSseq.similarity(text, source) / max(1, len(text) + len(source))


MEASURES: tuple[tuple[str, Callable[[Words, Words], float]], ...] = (
    ("words", _share),
    ("token F1", _token_f1),
    ("ROUGE-L", _rouge_l),
)


def _tf_idf(pairs: Sequence[tuple[Words, Words]]) -> Array:
    texts = [text for pair in pairs for text in pair]
    having = Counter(word for text in texts for word in set(text))
    rarity = {word: math.log((1 + len(texts)) / (1 + n)) for word, n in having.items()}

    def weighed(text: Words) -> Mapping[str, float]:
        return {word: n * rarity[word] for word, n in Counter(text).items()}

    found = []
    for one, other in ((weighed(text), weighed(source)) for text, source in pairs):
        dot = math.fsum(weight * other.get(word, 0.0) for word, weight in one.items())
        norm = math.hypot(*one.values()) * math.hypot(*other.values())
        found.append(dot / norm if norm else 0.0)
    return np.array(found)
