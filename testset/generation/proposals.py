"""Grounds: the passages that a model is asked for proposals about, in their order.

The order is drawn by hashes of the seed and the place of a passage, so that equal inputs give
equal grounds, and a new document changes only those that it is drawn for. A passage of twice the
length is twice as likely to come first (A-ES of Efraimidis and Spirakis, 2006): it says more.
"""

import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from testset.corpus.documents import shuffle_key
from testset.corpus.passages import Passage
from testset.corpus.prepared import PreparedCorpus
from testset.generation.drafts import ModelProposal
from testset.generation.links import Links
from testset.generation.quotas import Stratum
from testset.golden.spans import LocatedFact, span_in_passage
from testset.requests.proposals import Proposals
from testset.requests.question_types import WRITING

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
        self._index, self._rows = prepared.index, prepared.digest.rows
        self._prepared, self._seed, self._about = prepared, seed, about or {}
        self._by_topic: dict[str, list[int]] = defaultdict(list)
        self._ordered: dict[str, list[int]] = {}
        kept, lengths = prepared.kept_numbers, prepared.digest.lengths
        long = kept[lengths[kept] >= LEAST_CHARACTERS] if len(kept) > 1 else kept
        for number in long.tolist():
            doc_id = prepared.doc_ids[prepared.owners[number]]
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
        for number in self._fitting(stratum, self._in_order(stratum.topic)):
            self._taken.add((over_two, number))
            partners = self._partners(number) if over_two else ()
            if partners or not over_two:
                return (number, *partners)
        return ()

    def _partners(self, number: int) -> tuple[int, ...]:
        """Return passages linked with one that are long enough to ask about."""
        lengths = self._prepared.digest.lengths
        linked = self._links.of(number, count=2 * PARTNERS)
        return tuple(n for n in linked if lengths[n] >= LEAST_CHARACTERS)[:PARTNERS]

    def remark(self, numbers: Sequence[int]) -> str:
        """Return a sentence of another document, word for word; empty if there is no other."""
        for other in self._links.elsewhere(numbers[0])[:1]:
            for sentence in self._index.passages[other].sentences[:1]:
                return sentence.text
        return ""

    def _in_order(self, topic: str) -> Sequence[int]:
        """Return the passages of a topic in the order in which they are taken."""
        if topic not in self._ordered:
            self._ordered[topic] = sorted(self._by_topic.get(topic, ()), key=self._key)
        return self._ordered[topic]

    def _key(self, number: int) -> tuple[int, float]:
        digest = self._prepared.digest
        doc_id = self._prepared.doc_ids[self._prepared.owners[number]]
        key = shuffle_key(self._seed, doc_id, *digest.spans[number].tolist())
        drawn = (int(key[:_DIGITS], 16) + 0.5) / 16**_DIGITS  # in (0, 1)
        return self._about.get(doc_id, 0), -math.log(drawn) / max(1, int(digest.lengths[number]))

    def _fitting(self, stratum: Stratum, among: Iterable[int]) -> Iterator[int]:
        over_two = stratum.type in OVER_TWO
        return (
            number
            for number in among
            if (over_two, number) not in self._taken
            and (stratum.type != "table" or self._rows[number])
        )


def types_over(passages: Sequence[Passage], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the types that are wanted and that so many passages may carry."""
    over_two = len(passages) > 1
    rows = any(_has_rows(passage) for passage in passages)
    fitting = (name for name in wanted if (name in OVER_TWO) == over_two)
    return tuple(name for name in fitting if name != "table" or rows)


def _has_rows(passage: Passage) -> bool:
    return any(block.kind == "row" for block in passage.blocks)


def proposals_in(
    reply: Proposals,
    topic: str,
    numbers: tuple[int, ...],
    passages: Sequence[Passage],
    *,
    without: Container[str],
) -> tuple[ModelProposal, ...]:
    """Return the offers of proposals whose vital facts all stand in the passages.

    Args:
        reply: The proposals.
        topic: Where the questions count.
        numbers: The numbers of the passages.
        passages: The passages.
        without: Sentences that no question is about, as they stand in many documents.
    """
    facts_at: list[LocatedFact | None] = []
    for fact in reply.facts:
        span = span_in_passage(fact.quote, passages[fact.passage])
        usable = span is not None and " ".join(span.quote.split()) not in without
        facts_at.append(LocatedFact(fact.statement, span) if span and usable else None)
    proposals: list[ModelProposal] = []
    for offer in reply.offers:
        vital = [facts_at[number] for number in offer.vital]
        okay = (facts_at[number] for number in offer.okay if number not in offer.vital)
        facts = [fact for fact in vital if fact is not None]
        facts += [replace(fact, importance="okay") for fact in okay if fact is not None]
        joined = sorted({reply.facts[number].passage for number in offer.vital})
        asking = WRITING[offer.type]  # type: ignore[index]  # one of the types asked for
        beside = len(facts) - len(vital)
        enough = len(facts) >= asking.least and beside >= asking.least_okay
        whole = None not in vital and enough and len(joined) >= min(2, len(passages))
        if whole:
            about = tuple(numbers[number] for number in joined)
            proposals.append(ModelProposal(Stratum(topic, offer.type), about, offer, tuple(facts)))
    return tuple(proposals)
