"""Relevance judgements: a BEIR folder, or a TREC qrels file with its topics.

BEIR: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`), `qrels/test.tsv`
with a head line. Source: Thakur et al. (2021), https://arxiv.org/abs/2104.08663, and
https://github.com/beir-cellar/beir/wiki. TREC: `query 0 document relevance` a line, source:
https://trec.nist.gov/data/qrels_eng/; the questions go to a file `.topics.tsv` beside it.
Items without gold spans have no judgement and stay out of the qrels: nothing relevant could be
found, and tools would count that as a miss.

Judged are chunks. A chunk is relevant if it covers at least half of a gold span; where none does,
because the span is longer than any chunk, the one that covers most of it. A chunk that lies at
least half in a hard negative, and is not relevant, is judged 0.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import DatasetError
from testset.corpus.chunks import CHUNK_SIZE, chunks_of
from testset.corpus.documents import Corpus
from testset.formats.format import (
    Format,
    ImportedRow,
    as_text,
    json_lines,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, GoldSpan


def write_beir(golden: GoldenSet, folder: Path, corpus: Corpus) -> tuple[Path, ...]:
    """Write a BEIR data set; its documents are the chunks that `exact_nodes` would make."""
    chunks = chunks_by_document(corpus)
    passages = [
        json.dumps({"_id": chunk.id, "title": chunk.title, "text": chunk.text}, ensure_ascii=False)
        for group in chunks.values()
        for chunk in group
    ]
    queries = [
        json.dumps({"_id": item.id, "text": item.question}, ensure_ascii=False) for item in golden
    ]
    judged = [
        f"{item.id}\t{name}\t{grade}"
        for item in golden
        for name, grade in _judged_chunks(item, chunks).items()
    ]
    return (
        write_lines(folder / "corpus.jsonl", passages),
        write_lines(folder / "queries.jsonl", queries),
        write_lines(folder / "qrels" / "test.tsv", ["query-id\tcorpus-id\tscore", *judged]),
    )


def read_beir(folder: Path) -> list[ImportedRow]:
    """Read a BEIR data set: any relevant document is context enough; answers it has none.

    Raises:
        DatasetError: A file is missing, or a judgement is not of three fields.
    """
    corpus = {as_text(row.get("_id")): as_text(row.get("text")) for row in _rows(folder, "corpus")}
    found: dict[str, list[str]] = defaultdict(list)
    judgements = folder / "qrels" / "test.tsv"
    lines = csv.reader(read_text(judgements).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, fields in enumerate(lines, 1):
        if len(fields) != 3:
            raise DatasetError("expected three fields", file=str(judgements), line=number)
        query, document, score = fields
        if number > 1 and score not in {"0", "-1"} and document in corpus:
            found[query].append(corpus[document])
    return [
        ImportedRow(
            as_text(row.get("text")),
            contexts=(tuple(found[name]),) if found[name] else (),
            unknown=unknown_in(row, {"_id", "text"}),
        )
        for row in _rows(folder, "queries")
        for name in [as_text(row.get("_id"))]
    ]


def write_trec(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write qrels over whole documents, and the topics beside them.

    White space in a document's id is percent-encoded, since fields end at it.
    """
    return _write_qrels(golden, path, lambda item: dict.fromkeys(item.doc_ids, 1))


def write_trec_chunks(golden: GoldenSet, path: Path, corpus: Corpus) -> tuple[Path, ...]:
    """Write qrels over the chunks that `exact_nodes` would make, and the topics beside them."""
    chunks = chunks_by_document(corpus)
    return _write_qrels(golden, path, lambda item: _judged_chunks(item, chunks))


def _write_qrels(
    golden: GoldenSet, path: Path, judged: Callable[[GoldenItem], Mapping[str, int]]
) -> tuple[Path, ...]:
    lines = [
        f"{item.id} 0 {_field(name)} {grade}"
        for item in golden
        for name, grade in judged(item).items()
    ]
    topics = [f"{item.id}\t{' '.join(item.question.split())}" for item in golden]
    return (
        write_lines(path, lines),
        write_lines(path.with_name(f"{path.stem}.topics.tsv"), topics),
    )


def _rows(folder: Path, name: str) -> list[dict[str, object]]:
    return [dict(row) for row in json_lines(folder / f"{name}.jsonl")]


def _field(name: str) -> str:
    return "".join(quote(character) if character.isspace() else character for character in name)


FORMATS = (
    Format("beir", write_chunks=write_beir, read=read_beir),
    Format("trec", write=write_trec, write_chunks=write_trec_chunks),
)


COVERED = 0.5
"""Share of a gold span, in [0, 1], from which a chunk that covers it is relevant."""


@dataclass(frozen=True, slots=True)
class GoldChunk:
    """A chunk; its id is the one that `exact_nodes` gives the same chunk."""

    id: str
    title: str
    text: str
    doc_id: str
    start: int
    end: int


def chunks_by_document(
    corpus: Corpus, *, chunk_size: int = CHUNK_SIZE
) -> dict[str, tuple[GoldChunk, ...]]:
    """Return the chunks of each document, at exact offsets."""
    return {
        document.doc_id: tuple(
            GoldChunk(
                f"{document.doc_id}#{chunk.start}-{chunk.end}",
                document.title,
                chunk.text,
                document.doc_id,
                chunk.start,
                chunk.end,
            )
            for chunk in chunks_of(document.text, chunk_size=chunk_size)
        )
        for document in corpus.documents
    }


def relevant_chunks(
    item: GoldenItem, chunks: Mapping[str, Sequence[GoldChunk]]
) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the chunks that hold the gold spans, groups as in `gold`."""
    groups = (
        tuple(
            dict.fromkeys(
                name for span in group for name in _chunks_at(span, chunks.get(span.doc_id, ()))
            )
        )
        for group in item.gold
    )
    return tuple(group for group in groups if group)


def _chunks_at(span: GoldSpan, chunks: Sequence[GoldChunk]) -> list[str]:
    shares = {
        chunk.id: (min(chunk.end, span.end) - max(chunk.start, span.start)) / len(span.quote)
        for chunk in chunks
        if chunk.start < span.end and span.start < chunk.end and span.quote
    }
    held = [name for name, share in shares.items() if share >= COVERED]
    return held or [name for name in shares if shares[name] == max(shares.values())][:1]


def _judged_chunks(
    item: GoldenItem, chunks: Mapping[str, Sequence[GoldChunk]]
) -> Mapping[str, int]:
    """Return the ids of the chunks that are judged: 1 if they hold gold spans, 0 for negatives."""
    relevant = {name: 1 for group in relevant_chunks(item, chunks) for name in group}
    silent = {
        chunk.id: 0
        for entry in item.hard_negatives
        for chunk in chunks.get(entry.doc_id, ())
        if min(chunk.end, entry.end) - max(chunk.start, entry.start)
        >= COVERED * (chunk.end - chunk.start)
    }
    return {**silent, **relevant} if relevant else {}
