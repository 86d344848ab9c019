"""The pool: what rules can ask about the documents, by cell of the plan, in the order to try.

Passages are read in the order of their hash and only until there is enough to choose from, so
the work grows with the questions asked for and not with the documents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from testset.documents import Corpus
from testset.duplicates import boilerplate, near_duplicates
from testset.lexicon import Lexicon
from testset.passages import Passage, passages_of
from testset.plan import Cell, order_of
from testset.rules.candidate import Candidate
from testset.rules.catalogue import candidates_of
from testset.rules.unanswerable import name_of, swapped
from testset.search import Bm25

__all__ = ["Planned", "kept_passages", "pool_of"]

LEAST_QUALITY = 0.5
"""What rules are less sure of is not asked: a short set is better than a bad one."""
CHOICE = 12
"""How many candidates for each question asked for; most documents give several of one fact."""
FEWEST_PASSAGES = 600
HARD = (1, 5)
"""Ranks in a search by words below which a question counts as harder to find an answer for."""
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


def kept_passages(corpus: Corpus, *, seed: int) -> tuple[list[Passage], list[Passage]]:
    """Return all passages, and those worth asking about: near-duplicates left out."""
    lexicon = Lexicon.of(corpus.texts.values())
    everything = [p for document in corpus.documents for p in passages_of(document, lexicon)]
    repeats = near_duplicates([passage.text for passage in everything], seed=seed)
    return everything, [p for number, p in enumerate(everything) if number not in repeats]


def pool_of(
    passages: Sequence[Passage], topics: Mapping[str, str], *, size: int, seed: int, language: str
) -> dict[Cell, list[Planned]]:
    """Return the candidates of each cell in the order to try them.

    Best tier first, where a question that is harder to find counts one tier more; of one tier,
    documents take turns; then by the hash of seed and place.
    """
    pairs = [(p.document.doc_id, s.text) for p in passages for s in p.sentences]
    common = boilerplate(pairs)
    found: list[Planned] = []
    read = 0
    for passage in sorted(
        passages, key=lambda p: order_of(seed, p.document.doc_id, p.start, p.end)
    ):
        if len(found) >= CHOICE * size and read >= FEWEST_PASSAGES:
            break
        if language and passage.language != language:
            continue
        read += 1
        topic = topics[passage.document.doc_id]
        found.extend(Planned(entry, passage, topic) for entry in _worthy(passage, common))
    found += list(_near_misses(found, seed))
    found = list({_form(entry): entry for entry in reversed(found)}.values())[::-1]
    return _by_cell(found, _hardness(found), seed)


def _hardness(found: Sequence[Planned]) -> dict[int, int]:
    """Return place in `found` -> how hard a search by words finds the candidate's passage."""
    places = {id(entry.passage): entry.passage for entry in found}
    numbers = {key: number for number, key in enumerate(places)}
    index = Bm25([passage.text for passage in places.values()])
    hard: dict[int, int] = {}
    for number, entry in enumerate(found):
        rank = index.rank(entry.candidate.question, [numbers[id(entry.passage)]])
        hard[number] = 0 if rank is None else sum(rank > depth for depth in HARD)
    return hard


def _worthy(passage: Passage, common: frozenset[str]) -> list[Candidate]:
    """Return the candidates of a passage that are good enough and stand on no boilerplate."""
    text = passage.document.text
    return [
        entry
        for entry in candidates_of(passage)
        if entry.quality >= LEAST_QUALITY
        and " ".join(text[entry.start : entry.end].split()) not in common
    ]


def _by_cell(
    found: Sequence[Planned], hard: Mapping[int, int], seed: int
) -> dict[Cell, list[Planned]]:
    """Return the candidates by cell: good ones first, hard ones ahead of easy ones as good."""
    tiers = {number: max(0, _tier(entry) - hard[number]) for number, entry in enumerate(found)}
    best_first = sorted(tiers, key=lambda number: (tiers[number], *_tie(found[number], seed)))
    turns: Counter[str] = Counter()
    ranked: list[tuple[int, tuple[str, str], Planned]] = []
    for number in best_first:
        entry = found[number]
        doc_id = entry.passage.document.doc_id
        ranked.append((tiers[number] + turns[doc_id], _tie(entry, seed), entry))
        turns[doc_id] += 1
    cells: dict[Cell, list[Planned]] = defaultdict(list)
    for _, _, entry in sorted(ranked, key=lambda row: row[:2]):
        cells[entry.cell].append(entry)
    return cells


def _tier(entry: Planned) -> int:
    return next((tier for least, tier in TIERS if entry.candidate.quality >= least), len(TIERS))


def _near_misses(found: Sequence[Planned], seed: int) -> Iterator[Planned]:
    """Yield questions about the wrong name, one for each candidate whose name can be changed."""
    names = [name_of(entry.candidate.question, entry.passage.language) for entry in found]
    known = sorted(set(names) - {""}, key=lambda name: order_of(seed, name, 0, 0))
    for number, (entry, name) in enumerate(zip(found, names, strict=True)):
        if name and entry.candidate.type == "single_hop":
            turn = number % len(known)
            for candidate in swapped(entry.candidate, name, known[turn:] + known[:turn]):
                yield Planned(candidate, entry.passage, entry.topic)


def _form(entry: Planned) -> str:
    """Return the letters of a question: of two rules that ask alike, the first is kept."""
    return re.sub(r"[\W_]+", "", entry.candidate.question.casefold())


def _tie(entry: Planned, seed: int) -> tuple[str, str]:
    candidate = entry.candidate
    doc_id = entry.passage.document.doc_id
    return order_of(seed, doc_id, candidate.start, candidate.end), candidate.question
