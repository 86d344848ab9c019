"""Candidates: what rules can ask about the documents, by stratum, in the order to try.

Passages are read in the order of their hash and only until there is enough to choose from, so
the work grows with the questions asked for and not with the documents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from llamaindex_rag_eval.judge.rules.vocabulary import function_words
from testset.corpus.documents import shuffle_key
from testset.corpus.duplicates import boilerplate
from testset.corpus.index import Bm25, keys_of
from testset.corpus.passages import Passage
from testset.generation.quotas import Stratum
from testset.rewording import CalledBy, reworded
from testset.rules.candidate import Candidate
from testset.rules.catalogue import candidates_of

__all__ = ["PassageCandidate", "ranked_candidates"]

LEAST_QUALITY = 0.5
"""Quality, in [0, 1], of a candidate at least; fewer questions are better than bad ones."""
CANDIDATES_PER_ITEM = 12
"""Candidates to find for each item asked for, before reading stops: most are turned down, because
documents state a fact more than once."""
LEAST_PASSAGES = 600
"""Passages to read at least, so that a small set is chosen from many."""
HARD_RANKS = (1, 5)
"""Ranks of the passage in a search, after each of which a question counts as one step harder."""
HARD_SHARE = 0.15
"""Share of the set for which hard questions are preferred; of questions that people ask, a search
by words or by vectors puts about as many behind the first place."""
HARD_TIERS = 2
"""How many quality tiers a preferred hard question may skip."""
SHARED_STEP = 8.0
"""Weight of words, by rarity, within which questions share equally much with their passages."""
VAGUE = 0.7
"""Quality below which a question that is hard to find may be so because it is vague; it is never
preferred."""
TIERS = ((0.9, 0), (0.8, 1), (0.7, 2))
"""Quality from which a candidate is of a tier, and the tier; 3 below. Lower tiers go first."""


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A candidate with the passage that it asks about and the topic of its document."""

    candidate: Candidate
    passage: Passage
    topic: str

    @property
    def stratum(self) -> Stratum:
        """Its topic and type."""
        return Stratum(self.topic, self.candidate.type)


def ranked_candidates(
    passages: Sequence[Passage], topics: Mapping[str, str], *, size: int, seed: int, language: str
) -> dict[Stratum, list[PassageCandidate]]:
    """Return the candidates of each stratum in the order to try them.

    Better quality tiers come first; within a tier, documents take turns; then a hash of seed and
    place decides. Some questions whose passage searches find late are preferred. Of the wordings of
    one question, the one that shares least with its passage comes first.

    Args:
        passages: The passages to ask about.
        topics: Document id -> topic.
        size: How many items are wanted.
        seed: Of the order.
        language: The language of the passages to read; empty for all.
    """
    found, read = _read_candidates(passages, topics, size=size, seed=seed, language=language)
    names = CalledBy.of((p.document.doc_id, p.text) for p in read)
    found += [
        replace(entry, candidate=other)
        for entry in found
        for other in reworded(entry.candidate, entry.passage, names)
    ]
    distinct = list({_letters(entry): entry for entry in reversed(found)}.values())[::-1]
    return _by_stratum(_rank(distinct, read), size, seed)


def _read_candidates(
    passages: Sequence[Passage], topics: Mapping[str, str], *, size: int, seed: int, language: str
) -> tuple[list[PassageCandidate], list[Passage]]:
    """Return enough candidates to choose `size` items from, and the passages that were read."""
    common = boilerplate([(p.document.doc_id, s.text) for p in passages for s in p.sentences])
    found: list[PassageCandidate] = []
    read: list[Passage] = []
    for passage in sorted(
        passages, key=lambda p: shuffle_key(seed, p.document.doc_id, p.start, p.end)
    ):
        if len(found) >= CANDIDATES_PER_ITEM * size and len(read) >= LEAST_PASSAGES:
            break
        if language and passage.language != language:
            continue
        read.append(passage)
        topic = topics[passage.document.doc_id]
        usable = _usable_candidates(passage, common)
        found.extend(PassageCandidate(entry, passage, topic) for entry in usable)
    return found, read


@dataclass(frozen=True, slots=True)
class _RankedCandidate:
    """A candidate and what its place in the order depends on.

    Attributes:
        entry: The candidate.
        late: How late searches find its passage, see `_lateness`; 0 is first.
        shared: Weight of the words, by rarity, that it shares with its passage.
        wording: Its place, from 0, among the wordings of its fact.
    """

    entry: PassageCandidate
    late: int
    shared: float
    wording: int


def _rank(found: Sequence[PassageCandidate], read: Sequence[Passage]) -> list[_RankedCandidate]:
    """Return the candidates ranked; of each fact, the wording that is hardest to find first."""
    numbers = {id(passage): number for number, passage in enumerate(read)}
    places = [numbers[id(entry.passage)] for entry in found]
    asked = [entry.candidate.question for entry in found]
    index = Bm25([passage.text for passage in read])
    late = _lateness(asked, places, index, read)
    facts: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
    for number, entry in enumerate(found):
        candidate = entry.candidate
        facts[places[number], candidate.start, candidate.end, candidate.answer].append(number)
    shared = [_shared_weight(asked[n], entry.passage.text, index) for n, entry in enumerate(found)]
    return [
        _RankedCandidate(found[number], late[number], shared[number], wording)
        for options in facts.values()
        for wording, number in enumerate(
            sorted(options, key=lambda n: (-late[n], shared[n], asked[n]))
        )
    ]


def _lateness(
    asked: Sequence[str], places: Sequence[int], index: Bm25, read: Sequence[Passage]
) -> list[int]:
    """Return how late searches find the passage of each question: 0 (first) to 4.

    Each search, by words and by vectors, adds the number of `HARD_RANKS` that the rank exceeds.

    Args:
        asked: The questions.
        places: For each, the number of its passage in `read`.
        index: The search by words over `read`.
        read: The passages.
    """
    passages = lexical_vectors([passage.text for passage in read])
    questions = lexical_vectors(asked)
    late: list[int] = []
    for question, vector, place in zip(asked, questions, places, strict=True):
        near = passages @ vector
        by_vector = _exceeded(int(np.count_nonzero(near > near[place])) + 1)
        by_words = _exceeded(index.rank(_content_words(question), [place]) or len(read))
        late.append(by_words + by_vector)
    return late


def _content_words(question: str) -> str:
    """Return a question without function words, as most searches read it."""
    return " ".join(word for word in question.split() if word.lower() not in function_words())


def _exceeded(rank: int) -> int:
    return sum(rank > depth for depth in HARD_RANKS)


def _shared_weight(question: str, text: str, index: Bm25) -> float:
    """Return the sum of the rarities (idf) of the words that a question shares with a text."""
    return sum(index.idf(key) for key in sorted(set(keys_of(question)) & set(keys_of(text))))


def _usable_candidates(passage: Passage, common: frozenset[str]) -> list[Candidate]:
    """Return the candidates of a passage that are good enough and not about boilerplate."""
    text = passage.document.text
    return [
        entry
        for entry in candidates_of(passage)
        if entry.quality >= LEAST_QUALITY
        and " ".join(text[entry.start : entry.end].split()) not in common
    ]


def _by_stratum(
    found: Sequence[_RankedCandidate], size: int, seed: int
) -> dict[Stratum, list[PassageCandidate]]:
    """Return the candidates by stratum in their order; each document has one turn in a tier."""
    preferred = _preferred(found, size, seed)
    tiers = [_tier(row.entry) - (HARD_TIERS if id(row) in preferred else 0) for row in found]

    def order(number: int) -> tuple[int, int, tuple[str, int, str]]:
        row = found[number]
        return tiers[number], round(row.shared / SHARED_STEP), _tie_break(row, seed)

    turns: Counter[str] = Counter()
    ranked: list[tuple[int, tuple[int, int, tuple[str, int, str]], PassageCandidate]] = []
    for number in sorted(range(len(found)), key=order):
        entry = found[number].entry
        doc_id = entry.passage.document.doc_id
        ranked.append((tiers[number] + turns[doc_id], order(number), entry))
        turns[doc_id] += 1
    strata: dict[Stratum, list[PassageCandidate]] = defaultdict(list)
    for _, _, entry in sorted(ranked, key=lambda row: row[:2]):
        strata[entry.stratum].append(entry)
    return strata


def _preferred(found: Sequence[_RankedCandidate], size: int, seed: int) -> set[int]:
    """Return the `id()` of the hard questions that may skip tiers: `HARD_SHARE` of the set."""
    hard = [
        row
        for row in found
        if row.late > 0 and row.entry.candidate.quality >= VAGUE and not row.wording
    ]
    hard.sort(key=lambda row: (-row.late, _tie_break(row, seed)))
    return {id(row) for row in hard[: round(HARD_SHARE * size)]}


def _tier(entry: PassageCandidate) -> int:
    return next((tier for least, tier in TIERS if entry.candidate.quality >= least), len(TIERS))


def _letters(entry: PassageCandidate) -> str:
    """Return a question without case, blanks and marks, to tell equal questions."""
    return re.sub(r"[\W_]+", "", entry.candidate.question.casefold())


def _tie_break(row: _RankedCandidate, seed: int) -> tuple[str, int, str]:
    candidate = row.entry.candidate
    doc_id = row.entry.passage.document.doc_id
    place = shuffle_key(seed, doc_id, candidate.start, candidate.end)
    return place, row.wording, candidate.question
