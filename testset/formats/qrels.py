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
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from llamaindex_rag_eval.data.files import jsonl_objects, read_text
from llamaindex_rag_eval.errors import DatasetError
from testset.corpus.chunks import CHUNK_SIZE, Chunk, chunks_of
from testset.corpus.documents import Corpus
from testset.formats.format import (
    Format,
    ImportedRow,
    as_text,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, GoldSpan, HardNegative


def write_beir(golden: GoldenSet, folder: Path, corpus: Corpus) -> tuple[Path, ...]:
    """Write a BEIR data set; its documents are the chunks that `exact_nodes` would make."""
    chunks = chunks_by_document(corpus)
    passages = (
        {"_id": chunk_id(document.doc_id, chunk), "title": document.title, "text": chunk.text}
        for document in corpus.documents
        for chunk in chunks[document.doc_id]
    )
    queries = ({"_id": item.id, "text": item.question} for item in golden)
    judged = [
        f"{item.id}\t{name}\t{grade}"
        for item in golden
        for name, grade in _judged_chunks(item, chunks).items()
    ]
    return (
        write_lines(folder / "corpus.jsonl", map(_json, passages)),
        write_lines(folder / "queries.jsonl", map(_json, queries)),
        write_lines(folder / "qrels" / "test.tsv", ["query-id\tcorpus-id\tscore", *judged]),
    )


def read_beir(folder: Path) -> list[ImportedRow]:
    """Read a BEIR data set: any relevant document is context enough; answers it has none.

    Raises:
        DatasetError: A file is missing, or a judgement is not of three fields.
    """
    documents = jsonl_objects(folder / "corpus.jsonl")
    texts = {as_text(row.get("_id")): as_text(row.get("text")) for _, row in documents}
    gains = _gains(folder)
    rows = []
    for _, row in jsonl_objects(folder / "queries.jsonl"):
        relevant = gains.get(as_text(row.get("_id")), {})
        group = tuple(texts[name] for name in relevant if name in texts)
        unknown = unknown_in(row, {"_id", "text"})
        contexts = (group,) if group else ()
        rows.append(ImportedRow(as_text(row.get("text")), contexts=contexts, unknown=unknown))
    return rows


def _gains(folder: Path) -> dict[str, dict[str, float]]:
    """Return query id -> document id -> gain, of the judgements above 0 of a BEIR folder.

    Raises:
        DatasetError: The file is missing, or a line is not of its form.
    """
    path = folder / "qrels" / "test.tsv"
    gains: dict[str, dict[str, float]] = {}
    lines = csv.reader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, fields in enumerate(lines, 1):
        if number > 1 and fields:
            query, document, gain = _judgement(fields, path, number)
            if gain > 0:
                gains.setdefault(query, {})[document] = gain
    return gains


def _judgement(fields: list[str], path: Path, number: int) -> tuple[str, str, float]:
    try:
        query, document, gain = fields
        worth = float(gain)
    except ValueError:
        worth = math.nan
    if not math.isfinite(worth):
        raise DatasetError(
            "expected query id, document id and gain, between tabs", file=str(path), line=number
        )
    return query, document, worth


def write_trec(golden: GoldenSet, path: Path, corpus: Corpus | None = None) -> tuple[Path, ...]:
    """Write qrels and the topics beside them: over whole documents, or over their chunks.

    The chunks are those that `exact_nodes` would make. White space in a document's id is
    percent-encoded, since fields end at it.
    """
    chunks = None if corpus is None else chunks_by_document(corpus)

    def judged(item: GoldenItem) -> Mapping[str, int]:
        return dict.fromkeys(item.doc_ids, 1) if chunks is None else _judged_chunks(item, chunks)

    lines = (
        f"{item.id} 0 {_field(name)} {grade}"
        for item in golden
        for name, grade in judged(item).items()
    )
    topics = (f"{item.id}\t{' '.join(item.question.split())}" for item in golden)
    return (
        write_lines(path, lines),
        write_lines(path.with_name(f"{path.stem}.topics.tsv"), topics),
    )


def _field(name: str) -> str:
    return "".join(quote(character) if character.isspace() else character for character in name)


FORMATS = (
    Format("beir", write_chunks=write_beir, read=read_beir),
    Format("trec", write=write_trec, write_chunks=write_trec),
)


COVERED = 0.5
"""Share of a gold span, in [0, 1], from which a chunk that covers it is relevant."""


Chunks = Mapping[str, Sequence[Chunk]]
"""Document id -> its chunks."""


def chunks_by_document(corpus: Corpus, *, chunk_size: int = CHUNK_SIZE) -> Chunks:
    """Return the chunks of each document, at exact offsets."""
    return {
        document.doc_id: chunks_of(document.text, chunk_size=chunk_size)
        for document in corpus.documents
    }


def chunk_id(doc_id: str, chunk: Chunk) -> str:
    """Return the id that `exact_nodes` gives the same chunk."""
    return f"{doc_id}#{chunk.start}-{chunk.end}"


def relevant_chunks(item: GoldenItem, chunks: Chunks) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the chunks that hold the gold spans, groups as in `gold`."""
    groups = (dict.fromkeys(n for span in group for n in _at(span, chunks)) for group in item.gold)
    return tuple(tuple(group) for group in groups if group)


def _at(span: GoldSpan, chunks: Chunks) -> list[str]:
    shares = {
        chunk_id(span.doc_id, chunk): shared / len(span.quote)
        for chunk in chunks.get(span.doc_id, ())
        if (shared := _shared(chunk, span)) > 0 and span.quote
    }
    held = [name for name, share in shares.items() if share >= COVERED]
    return held or [name for name in shares if shares[name] == max(shares.values())][:1]


def _shared(chunk: Chunk, span: GoldSpan | HardNegative) -> int:
    return min(chunk.end, span.end) - max(chunk.start, span.start)


def _judged_chunks(item: GoldenItem, chunks: Chunks) -> Mapping[str, int]:
    """Return the ids of the chunks that are judged: 1 if they hold gold spans, 0 for negatives."""
    relevant = {name: 1 for group in relevant_chunks(item, chunks) for name in group}
    silent = {
        chunk_id(entry.doc_id, chunk): 0
        for entry in item.hard_negatives
        for chunk in chunks.get(entry.doc_id, ())
        if _shared(chunk, entry) >= COVERED * (chunk.end - chunk.start)
    }
    return {**silent, **relevant} if relevant else {}


def _json(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False)
