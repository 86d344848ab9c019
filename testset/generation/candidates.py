"""Candidates: what rules can ask about the documents, by stratum, in the order to try.

Documents are read in the order of their hash and only until there is enough to choose from, so
the work grows with the questions asked for and not with the documents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from testset.corpus.bm25 import Bm25, keys_of
from testset.corpus.cores import on_every_core
from testset.corpus.digest import document_parts
from testset.corpus.documents import SourceDocument, shuffle_key
from testset.corpus.passages import Passage
from testset.corpus.prepared import PreparedCorpus
from testset.generation.quotas import Stratum
from testset.rules.candidate import Candidate, Span
from testset.rules.registry import candidates_of

CANDIDATES_PER_ITEM = 12
"""Candidates to find for each item asked for, before reading stops: most are turned down, because
documents state a fact more than once."""
LEAST_PASSAGES = 600
"""Passages to read at least, so that a small set is chosen from many."""
READ_HERE = 400_000
"""Characters of the documents that this process asks about, some two seconds' work, before it
shares the others with those on the other cores, which take as long to begin."""
PART = 100_000
"""Characters that each of them asks about at a time: some are read in vain when there is enough."""
TIERS = 10
"""Tiers of candidates by how sure they are; the surest go first."""


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
    prepared: PreparedCorpus,
    *,
    size: int,
    seed: int,
    language: str,
    about: Mapping[str, int] | None = None,
) -> dict[Stratum, list[PassageCandidate]]:
    """Return the candidates of each stratum in the order to try them.

    Surer tiers come first; within a tier, documents take turns; then a hash of seed and
    place decides. Of the wordings of one question, the one that shares least with its passage
    comes first.

    Args:
        prepared: The documents, and their passages to ask about.
        size: How many items are wanted.
        seed: Of the order.
        language: The language to ask in; empty for all.
        about: How many questions there are about documents already; those with none go first.
    """
    about = about or {}
    by_document = prepared.kept_by_document
    found: list[PassageCandidate] = []
    read: list[Passage] = []
    drawn = {name: (about.get(name, 0), shuffle_key(seed, name)) for name in by_document}
    order = sorted(by_document, key=lambda name: drawn[name])

    def enough() -> bool:
        return len(found) >= CANDIDATES_PER_ITEM * size and len(read) >= LEAST_PASSAGES

    for doc_id, asked in zip(order, _asked_about(prepared, order, enough), strict=False):
        if enough():
            continue  # it was read ahead
        own = [prepared.index.passages[number] for number in by_document[doc_id]]
        read += own
        document = own[0].document
        for candidate in asked:
            place = _passage_at(candidate.first, own)
            if place is None or not _usable(candidate, document, prepared.boilerplate, language):
                continue
            if not candidate.absent or not prepared.together.stand(candidate.absent):
                found.append(PassageCandidate(candidate, place, prepared.topics[doc_id]))
    found = _told_apart(found)
    distinct = list({_letters(entry): entry for entry in reversed(found)}.values())[::-1]
    return _by_stratum(distinct, _wordings(distinct, read), seed, about)


def _asked_about(
    prepared: PreparedCorpus, order: Sequence[str], enough: Callable[[], bool]
) -> Iterator[list[Candidate]]:
    """Yield what rules ask about each document; about many of them, on every core."""
    read, rest = 0, iter(order)
    while read < READ_HERE and not enough() and (doc_id := next(rest, None)) is not None:
        first = prepared.kept_by_document[doc_id][0]
        document = prepared.index.passages[first].document
        read += len(document.text)
        yield list(candidates_of(document))
    left = (prepared.index.documents[doc_id] for doc_id in rest if not enough())
    yield from chain.from_iterable(on_every_core(_asked, document_parts(left, PART)))


def _asked(documents: Sequence[SourceDocument]) -> list[list[Candidate]]:
    """Return what rules ask about each of a few documents."""
    return [list(candidates_of(document)) for document in documents]


def _told_apart(found: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Return candidates without those that several places answer each in its own way.

    Such a question is asked with its page or heading named, if that tells it from the others.
    """
    found = _of_one_number(found)
    kept = _of_one_answer(found)
    told = {id(entry) for entry in kept}
    wider = [
        replace(entry, candidate=replace(entry.candidate, question=entry.candidate.wider))
        for entry in found
        if id(entry) not in told and entry.candidate.wider not in {"", entry.candidate.question}
    ]
    return kept + _of_one_answer(wider)


def _of_one_number(found: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Return those from sentences without the ones that are asked with several numbers."""
    asked: dict[str, set[str]] = defaultdict(set)
    keys = [re.sub(r"\d+", "0", _letters(entry)) for entry in found]
    for key, entry in zip(keys, found, strict=True):
        asked[key].add(_letters(entry))
    pairs = zip(keys, found, strict=True)
    return [e for k, e in pairs if len(asked[k]) == 1 or not _of_sentence(e.candidate)]


def _of_sentence(candidate: Candidate) -> bool:
    return candidate.rule.startswith("sentence.")


def _of_one_answer(found: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Return those whose question has one answer in all of the documents, or parts of one."""
    longest: dict[str, str] = {}
    for entry in found:
        longest[_letters(entry)] = max(
            longest.get(_letters(entry), ""), entry.candidate.answer, key=len
        )
    told = {_letters(e) for e in found if e.candidate.answer not in longest[_letters(e)]}
    return [entry for entry in found if _letters(entry) not in told]


def _passage_at(span: Span, passages: Sequence[Passage]) -> Passage | None:
    """Return the passage that holds the start of a span, or the next one; `None` behind all."""
    return next((passage for passage in passages if span.start < passage.end), None)


def _usable(
    candidate: Candidate, document: SourceDocument, common: Container[str], language: str
) -> bool:
    """Return whether a candidate is in the language, and not about boilerplate."""
    quote = document.text[candidate.first.start : candidate.first.end]
    fits = not language or candidate.language == language
    return fits and " ".join(quote.split()) not in common


def _wordings(found: Sequence[PassageCandidate], read: Sequence[Passage]) -> list[int]:
    """Return for each candidate its place, from 0, among the wordings of its fact.

    The wording whose words, weighted by rarity, its passage shares least comes first.
    """
    index = Bm25.of([passage.text for passage in read])
    facts: dict[tuple[tuple[tuple[Span, ...], ...], str], list[int]] = defaultdict(list)
    for number, entry in enumerate(found):
        facts[entry.candidate.spans, entry.candidate.answer].append(number)
    places = [0] * len(found)
    for options in facts.values():
        if len(options) == 1:
            continue
        shared = {n: _shared(found[n], index) for n in options}
        options.sort(key=lambda n: (shared[n], found[n].candidate.question))
        for place, number in enumerate(options):
            places[number] = place
    return places


def _shared(entry: PassageCandidate, index: Bm25) -> float:
    """Return the sum of the rarities (idf) of the words that question and passage share."""
    asked, held = set(keys_of(entry.candidate.question)), set(keys_of(entry.passage.text))
    return sum(index.idf(key) for key in sorted(asked & held))


def _by_stratum(
    found: Sequence[PassageCandidate],
    wordings: Sequence[int],
    seed: int,
    about: Mapping[str, int],
) -> dict[Stratum, list[PassageCandidate]]:
    """Return the candidates by stratum in their order; each document has one turn in a tier."""

    def order(number: int) -> tuple[int, str, int, str]:
        candidate = found[number].candidate
        place = shuffle_key(seed, *candidate.first)
        return _tier(candidate), place, wordings[number], candidate.question

    turns: Counter[str] = Counter()
    ranked: list[tuple[int, int, tuple[int, str, int, str], PassageCandidate]] = []
    for number in sorted(range(len(found)), key=order):
        entry = found[number]
        doc_id = entry.candidate.first.doc_id
        turn = _tier(entry.candidate) + turns[doc_id]
        ranked.append((about.get(doc_id, 0), turn, order(number), entry))
        turns[doc_id] += 1
    strata: dict[Stratum, list[PassageCandidate]] = defaultdict(list)
    for *_, entry in sorted(ranked, key=lambda row: row[:3]):
        strata[entry.stratum].append(entry)
    return strata


def _tier(candidate: Candidate) -> int:
    return round(TIERS * (1 - candidate.sure))


def _letters(entry: PassageCandidate) -> str:
    """Return a question with its turns, without case, blanks and marks, to tell equal ones."""
    candidate = entry.candidate
    asked = [*(turn.question for turn in candidate.turns), candidate.question]
    return re.sub(r"[\W_]+", "", " ".join(asked).casefold())
