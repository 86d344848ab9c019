"""Candidates: what rules can ask about the documents, by stratum, in the order to try.

Documents are read in the order of their hash and only until there is enough to choose from, so
the work grows with the questions asked for and not with the documents.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain

from testset.checks.answers import letters_of
from testset.corpus.cores import on_every_core
from testset.corpus.digest import document_parts
from testset.corpus.documents import SourceDocument, shuffle_key
from testset.corpus.prepared import PreparedCorpus
from testset.generation.quotas import Stratum
from testset.rules.candidate import Candidate
from testset.rules.registry import candidates_of, collection_schema
from testset.rules.schema import Schema

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


@dataclass(frozen=True)
class TopicCandidate:
    """A candidate with the topic of its document."""

    candidate: Candidate
    topic: str

    @property
    def stratum(self) -> Stratum:
        """Its topic and type."""
        return Stratum(self.topic, self.candidate.type)

    @cached_property
    def letters(self) -> str:
        """The question without case, blanks and marks, to tell equal ones."""
        return letters_of(self.candidate.question)

    @property
    def traits(self) -> Mapping[str, str]:
        """What it is, by the axes of a target."""
        own = self.candidate
        return {**self.stratum.traits, "kind": own.kind or "none", "language": own.language}


def ranked_candidates(
    prepared: PreparedCorpus,
    *,
    size: int,
    seed: int,
    language: str,
    about: Mapping[str, int] | None = None,
) -> dict[Stratum, list[TopicCandidate]]:
    """Return the candidates of each stratum in the order to try them.

    Documents take turns; then a hash of seed and place decides.

    Args:
        prepared: The documents, and their passages to ask about.
        size: How many items are wanted.
        seed: Of the order.
        language: The language to ask in; empty for all.
        about: How many questions there are about documents already; those with none go first.
    """
    about = about or {}
    by_document = prepared.kept_by_document
    candidates: list[TopicCandidate] = []
    read = 0
    drawn = {name: (about.get(name, 0), shuffle_key(seed, name)) for name in by_document}
    order = sorted(by_document, key=lambda name: drawn[name])

    worded: Counter[str] = Counter()

    def enough() -> bool:
        counted = sum(min(count, size) for count in worded.values())
        return counted >= CANDIDATES_PER_ITEM * size and read >= LEAST_PASSAGES

    for doc_id, own_candidates in zip(
        order, _candidates_of_each(prepared, order, enough), strict=False
    ):
        if enough():
            continue  # it was read ahead
        read += len(by_document[doc_id])
        last = int(prepared.digest.spans[by_document[doc_id], 1].max())
        text, topic = prepared.index.documents[doc_id].text, prepared.topics[doc_id]
        for candidate in own_candidates:
            _, start, end = candidate.first
            fits = start < last and candidate.language == (language or candidate.language)
            if fits and " ".join(text[start:end].split()) not in prepared.boilerplate:
                candidates.append(TopicCandidate(candidate, topic))
                worded[candidate.rule] += 1
    candidates = _of_one_answer(candidates)
    distinct = list({entry.letters: entry for entry in reversed(candidates)}.values())[::-1]
    return _by_stratum(distinct, seed, about)


def _candidates_of_each(
    prepared: PreparedCorpus, order: Sequence[str], enough: Callable[[], bool]
) -> Iterator[list[Candidate]]:
    """Yield what rules ask about each document; about many of them, on every core."""
    documents = prepared.index.documents
    schema = collection_schema(documents[doc_id] for doc_id in order)
    read, rest = 0, iter(order)
    while read < READ_HERE and not enough() and (doc_id := next(rest, None)) is not None:
        read += len(documents[doc_id].text)
        yield list(candidates_of(documents[doc_id], schema))
    left = (documents[doc_id] for doc_id in rest if not enough())
    work = partial(_candidates_of, schema=schema)
    yield from chain.from_iterable(on_every_core(work, document_parts(left, PART)))


def _candidates_of(documents: Sequence[SourceDocument], schema: Schema) -> list[list[Candidate]]:
    """Return what rules ask about each of a few documents."""
    return [list(candidates_of(document, schema)) for document in documents]


def _of_one_answer(candidates: Sequence[TopicCandidate]) -> list[TopicCandidate]:
    """Return those whose question has one answer in all of the documents, or parts of one."""
    answers: dict[str, list[str]] = defaultdict(list)
    for entry in candidates:
        answers[entry.letters].append(entry.candidate.answer)
    longest = {letters: max(texts, key=len) for letters, texts in answers.items()}
    clear = {name for name, texts in answers.items() if all(t in longest[name] for t in texts)}
    return [entry for entry in candidates if entry.letters in clear]


def _by_stratum(
    candidates: Sequence[TopicCandidate],
    seed: int,
    about: Mapping[str, int],
) -> dict[Stratum, list[TopicCandidate]]:
    """Return the candidates by stratum in their order: documents take turns."""

    def order(entry: TopicCandidate) -> tuple[str, str]:
        return shuffle_key(seed, *entry.candidate.first), entry.candidate.question

    turns: Counter[str] = Counter()
    ranked: list[tuple[int, int, TopicCandidate]] = []
    for entry in sorted(candidates, key=order):
        doc_id = entry.candidate.first.doc_id
        ranked.append((about.get(doc_id, 0), turns[doc_id], entry))
        turns[doc_id] += 1
    strata: dict[Stratum, list[TopicCandidate]] = defaultdict(list)
    for *_, entry in sorted(ranked, key=lambda row: row[:2]):
        strata[entry.stratum].append(entry)
    return strata
