"""Passages: those that a model is asked for questions about, in their order.

The order is drawn by hashes of the seed and the place of a passage, so that equal inputs give
equal passages, and a new document changes only those that it is drawn for. A passage of twice the
length is twice as likely to come first (A-ES of Efraimidis and Spirakis, 2006): it says more.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from testset.corpus.documents import shuffle_key
from testset.corpus.prepared import PreparedCorpus
from testset.generation.links import Links
from testset.generation.quotas import Stratum

LEAST_CHARACTERS = 80
"""Characters of a passage at least; a shorter one states too little to ask about."""
OVER_TWO = frozenset({"conflict", "multi_hop", "summary", "underspecified"})
"""Types of questions over two linked passages or more."""
PARTNERS = 3
"""Linked passages that a model may choose from, to join one of them with the first."""
_DIGITS = 13
"""Hexadecimal digits of a hash that a float holds exactly."""


class Passages:
    """Hand out passages, or several linked ones, each once.

    Args:
        prepared: The documents.
        seed: Of the order.
        about: How many questions there are about documents already; those with none go first.
    """

    def __init__(
        self, prepared: PreparedCorpus, seed: int, about: Mapping[str, int] | None = None
    ) -> None:
        self._prepared, self._digest = prepared, prepared.digest
        self._seed, self._about = seed, about or {}
        self._by_topic: dict[str, list[int]] = defaultdict(list)
        self._ordered: dict[str, list[int]] = {}
        kept = prepared.kept_numbers
        long = kept[self._digest.lengths[kept] >= LEAST_CHARACTERS] if len(kept) > 1 else kept
        for number in long.tolist():
            doc_id = prepared.doc_ids[self._digest.owners[number]]
            self._by_topic[prepared.topics[doc_id]].append(number)
        self._links = Links(prepared.index)
        self._taken: set[tuple[bool, int]] = set()

    def fits(self, type_: str) -> bool:
        """Return whether there is a passage for this type."""
        return any(self.left(Stratum(topic, type_)) for topic in self._by_topic)

    def left(self, stratum: Stratum) -> int:
        """Return how many passages of a stratum have not been taken."""
        return sum(1 for _ in self._fitting(stratum, self._by_topic.get(stratum.topic, ())))

    def take(self, stratum: Stratum) -> tuple[int, ...]:
        """Return the next passage of a topic, with those linked for a type over two; or none."""
        over_two = stratum.type in OVER_TWO
        if stratum.topic not in self._ordered:
            numbers = self._by_topic.get(stratum.topic, ())
            self._ordered[stratum.topic] = sorted(numbers, key=self._key)
        for number in self._fitting(stratum, self._ordered[stratum.topic]):
            self._taken.add((over_two, number))
            partners = self._partners(number) if over_two else ()
            if partners or not over_two:
                return (number, *partners)
        return ()

    def types(self, numbers: Sequence[int], wanted: Iterable[str]) -> tuple[str, ...]:
        """Return the types that are wanted and that so many passages may carry."""
        rows = any(self._digest.rows[number] for number in numbers)
        fitting = (name for name in wanted if (name in OVER_TWO) == (len(numbers) > 1))
        return tuple(name for name in fitting if name != "table" or rows)

    def _partners(self, number: int) -> tuple[int, ...]:
        """Return passages linked with one that are long enough to ask about."""
        linked = self._links.of(number, count=2 * PARTNERS)
        lengths = self._digest.lengths
        return tuple(n for n in linked if lengths[n] >= LEAST_CHARACTERS)[:PARTNERS]

    def _key(self, number: int) -> tuple[int, float]:
        doc_id = self._prepared.doc_ids[self._digest.owners[number]]
        key = shuffle_key(self._seed, doc_id, *self._digest.spans[number].tolist())
        drawn = (int(key[:_DIGITS], 16) + 0.5) / 16**_DIGITS  # in (0, 1)
        length = max(1, int(self._digest.lengths[number]))
        return self._about.get(doc_id, 0), -math.log(drawn) / length

    def _fitting(self, stratum: Stratum, among: Iterable[int]) -> Iterator[int]:
        over_two = stratum.type in OVER_TWO
        return (
            number
            for number in among
            if (over_two, number) not in self._taken
            and (stratum.type != "table" or self._digest.rows[number])
        )
