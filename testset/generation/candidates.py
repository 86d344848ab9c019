"""The pool: what rules can ask about the documents, by cell of the plan, in the order to try.

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
from testset.generation.quotas import Cell
from testset.rewording import CalledBy, reworded
from testset.rules.candidate import Candidate
from testset.rules.catalogue import candidates_of

__all__ = ["Planned", "pool_of"]

LEAST_QUALITY = 0.5
"""What rules are less sure of is not asked: a short set is better than a bad one."""
CHOICE = 12
"""How many candidates for each question asked for; most documents give several of one fact."""
FEWEST_PASSAGES = 600
HARD = (1, 5)
"""Ranks below which a question counts as harder to find an answer for."""
HARD_SHARE = 0.15
"""Share of the set that may go ahead for being hard to find; of people's questions, a search by
words or vectors puts as many behind the first place."""
AHEAD = 2
"""Tiers that they go ahead."""
ALIKE = 8.0
"""Questions count as sharing equally much with their passages within this weight of words."""
SURE = 0.7
"""Quality below which a question that is hard to find may be hard because it is vague."""
TIERS = ((0.9, 0), (0.8, 1), (0.7, 2))
"""Quality from which a candidate is of the first, second, third tier."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A candidate in its place in the plan."""

    candidate: Candidate
    passage: Passage
    topic: str

    @property
    def cell(self) -> Cell:
        """Its topic and type."""
        return self.topic, self.candidate.type


def pool_of(
    passages: Sequence[Passage], topics: Mapping[str, str], *, size: int, seed: int, language: str
) -> dict[Cell, list[Planned]]:
    """Return the candidates of each cell in the order to try them.

    Best tier first; of one tier, documents take turns; then by the hash of seed and place. Of
    the wordings of one question, the one that says least in the words of its passage comes first.
    Questions that a search by words finds late go before others as good, up to a share.
    """
    pairs = [(p.document.doc_id, s.text) for p in passages for s in p.sentences]
    common = boilerplate(pairs)
    found: list[Planned] = []
    read: list[Passage] = []
    for passage in sorted(
        passages, key=lambda p: shuffle_key(seed, p.document.doc_id, p.start, p.end)
    ):
        if len(found) >= CHOICE * size and len(read) >= FEWEST_PASSAGES:
            break
        if language and passage.language != language:
            continue
        read.append(passage)
        topic = topics[passage.document.doc_id]
        found.extend(Planned(entry, passage, topic) for entry in _worthy(passage, common))
    called = CalledBy.of((p.document.doc_id, p.text) for p in read)
    found += [
        replace(entry, candidate=other)
        for entry in found
        for other in reworded(entry.candidate, entry.passage, called)
    ]
    found = list({_form(entry): entry for entry in reversed(found)}.values())[::-1]
    ranked = _hardest_wording_first(found, read)
    return _by_cell(ranked, size, seed)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A candidate, how late a search finds it, and its place among the wordings of its fact."""

    planned: Planned
    late: int
    shared: float
    wording: int


def _hardest_wording_first(found: Sequence[Planned], read: Sequence[Passage]) -> list[_Ranked]:
    """Return the candidates with how hard they are to find, each fact's hardest wording first."""
    numbers = {id(passage): number for number, passage in enumerate(read)}
    places = [numbers[id(entry.passage)] for entry in found]
    asked = [entry.candidate.question for entry in found]
    index = Bm25([passage.text for passage in read])
    late = _lateness(asked, places, index, read)
    facts: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
    for number, entry in enumerate(found):
        candidate = entry.candidate
        facts[places[number], candidate.start, candidate.end, candidate.answer].append(number)
    shared = [_shared(asked[n], entry.passage.text, index) for n, entry in enumerate(found)]
    return [
        _Ranked(found[number], late[number], shared[number], wording)
        for options in facts.values()
        for wording, number in enumerate(
            sorted(options, key=lambda n: (-late[n], shared[n], asked[n]))
        )
    ]


def _lateness(
    asked: Sequence[str], places: Sequence[int], index: Bm25, read: Sequence[Passage]
) -> list[int]:
    """Return how late each question's passage is found, by words and by vectors; 0 for first.

    -1 for what a search by words finds later than one by vectors: a set of such questions would
    make the one look worse than the other, so that another wording is preferred.
    """
    passages = lexical_vectors([passage.text for passage in read])
    questions = lexical_vectors(asked)
    late: list[int] = []
    for question, vector, place in zip(asked, questions, places, strict=True):
        near = passages @ vector
        by_vector = _missed(int(np.count_nonzero(near > near[place])) + 1)
        by_words = _missed(index.rank(_telling(question), [place]) or len(read))
        late.append(by_words + by_vector)
    return late


def _telling(question: str) -> str:
    """Return the words of a question that most searches keep: function words are left out."""
    return " ".join(word for word in question.split() if word.lower() not in function_words())


def _missed(rank: int) -> int:
    return sum(rank > depth for depth in HARD)


def _shared(question: str, text: str, index: Bm25) -> float:
    """Return the weight of the words, by rarity, that a question has in common with a text."""
    return sum(index.idf(key) for key in sorted(set(keys_of(question)) & set(keys_of(text))))


def _worthy(passage: Passage, common: frozenset[str]) -> list[Candidate]:
    """Return the candidates of a passage that are good enough and stand on no boilerplate."""
    text = passage.document.text
    return [
        entry
        for entry in candidates_of(passage)
        if entry.quality >= LEAST_QUALITY
        and " ".join(text[entry.start : entry.end].split()) not in common
    ]


def _by_cell(found: Sequence[_Ranked], size: int, seed: int) -> dict[Cell, list[Planned]]:
    """Return the candidates by cell: good ones first, some hard ones ahead of easy ones as good."""
    ahead = _ahead(found, size, seed)
    tiers = [_tier(entry.planned) - (AHEAD if id(entry) in ahead else 0) for entry in found]

    def order(number: int) -> tuple[int, int, tuple[str, int, str]]:
        entry = found[number]
        return tiers[number], round(entry.shared / ALIKE), _tie(entry, seed)

    turns: Counter[str] = Counter()
    ranked: list[tuple[int, tuple[int, int, tuple[str, int, str]], Planned]] = []
    for number in sorted(range(len(found)), key=order):
        planned = found[number].planned
        doc_id = planned.passage.document.doc_id
        ranked.append((tiers[number] + turns[doc_id], order(number), planned))
        turns[doc_id] += 1
    cells: dict[Cell, list[Planned]] = defaultdict(list)
    for _, _, planned in sorted(ranked, key=lambda row: row[:2]):
        cells[planned.cell].append(planned)
    return cells


def _ahead(found: Sequence[_Ranked], size: int, seed: int) -> set[int]:
    """Return the ids of the questions that may go first for being hard to find."""
    sure = [
        e for e in found if e.late > 0 and e.planned.candidate.quality >= SURE and not e.wording
    ]
    sure.sort(key=lambda entry: (-entry.late, _tie(entry, seed)))
    return {id(entry) for entry in sure[: round(HARD_SHARE * size)]}


def _tier(entry: Planned) -> int:
    return next((tier for least, tier in TIERS if entry.candidate.quality >= least), len(TIERS))


def _form(entry: Planned) -> str:
    """Return the letters of a question: of two rules that ask alike, the first is kept."""
    return re.sub(r"[\W_]+", "", entry.candidate.question.casefold())


def _tie(entry: _Ranked, seed: int) -> tuple[str, int, str]:
    candidate = entry.planned.candidate
    doc_id = entry.planned.passage.document.doc_id
    place = shuffle_key(seed, doc_id, candidate.start, candidate.end)
    return place, entry.wording, candidate.question
