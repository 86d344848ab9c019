"""Topics: documents grouped by the words they share.

Leader clustering: documents are taken in an order that depends on each alone; one that is near
an earlier leader joins it, any other leads a topic of its own. A new document therefore changes
the topics of its own neighbourhood only.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import terms
from testset.corpus.documents import SourceDocument, shuffle_key

__all__ = ["topics_of"]

NEAR = 0.2
"""Cosine from which a document joins a topic; texts of different subjects stay below .1."""
MOST_LEADERS = 256
"""Bounds the time; once there are as many, a document joins the nearest topic."""
WIDTH = 1024
"""Dimensions of the hashed word vectors; collisions of words are rare enough to do no harm."""
READ_LENGTH = 4_000
"""Characters of a document, from its start, that its topic is taken from."""
SHORTEST_WORD = 4
"""Letters of a content word; shorter ones are mostly function words."""
LABEL_WORDS = 3


def topics_of(documents: Sequence[SourceDocument]) -> dict[str, str]:
    """Return document id -> label of its topic: a title, or its three most typical words."""
    words = {document.doc_id: _words(document.text[:READ_LENGTH]) for document in documents}
    seen = Counter(key for counts in words.values() for key in counts)
    rarity = {key: math.log(len(words) / count) + 1 for key, count in seen.items()}
    leaders: list[str] = []
    rows = np.zeros((min(len(words), MOST_LEADERS), WIDTH))
    topics: dict[str, str] = {}
    titles = {document.doc_id: document.title for document in documents}
    for doc_id in sorted(words, key=lambda name: shuffle_key(0, name)):
        row = _vector(words[doc_id], rarity)
        nearest = _nearest(row, rows[: len(leaders)])
        if nearest is not None:
            topics[doc_id] = topics[leaders[nearest]]
            continue
        rows[len(leaders)] = row
        leaders.append(doc_id)
        topics[doc_id] = titles[doc_id] or _label(words[doc_id], rarity) or doc_id
    return topics


def _words(text: str) -> Counter[str]:
    """Count the content words: names and nouns are long, function words are short or frequent."""
    return Counter(
        term.surface.casefold()
        for term in terms(text)
        if (term.kind == "word" and len(term.surface) >= SHORTEST_WORD)
        or (term.kind == "cjk" and len(term.surface) > 1 and not _kana(term.surface))
    )


def _kana(text: str) -> bool:
    return any("\u3040" <= character <= "\u309f" for character in text)


def _vector(counts: Counter[str], rarity: dict[str, float]) -> NDArray[np.float64]:
    row = np.zeros(WIDTH)
    for key, count in counts.items():
        row[int(shuffle_key(0, key)[:8], 16) % WIDTH] += (1 + math.log(count)) * rarity[key] ** 2
    length = float(np.linalg.norm(row))
    return row / length if length else row


def _nearest(row: NDArray[np.float64], rows: NDArray[np.float64]) -> int | None:
    """Return the number of the leader that a document joins; `None` if it leads a topic."""
    if not len(rows):
        return None
    cosines = rows @ row
    best = int(cosines.argmax())
    return best if cosines[best] >= NEAR or len(rows) >= MOST_LEADERS else None


def _label(counts: Counter[str], rarity: dict[str, float]) -> str:
    typical = sorted(counts, key=lambda key: (-counts[key] * rarity[key], key))
    return " · ".join(typical[:LABEL_WORDS])
