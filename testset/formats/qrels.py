"""Relevance judgements: a BEIR folder, or a TREC qrels file with its topics.

BEIR: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`), `qrels/test.tsv`
with a head line. Source: Thakur et al. (2021), https://arxiv.org/abs/2104.08663, and
https://github.com/beir-cellar/beir/wiki. TREC: `query 0 document relevance` a line, source:
https://trec.nist.gov/data/qrels_eng/; the questions go to a file `.topics.tsv` beside it.
Items without evidence have no judgement and stay out of the qrels.
"""

import csv
import json
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

from llamaindex_rag_eval.errors import DatasetError
from testset.corpus.documents import Corpus
from testset.formats.gold_chunks import chunks_by_document, relevant
from testset.formats.format import Row, json_lines, text_of_file, write_text
from testset.formats.values import text
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

__all__ = ["read_beir", "write_beir", "write_trec"]


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
        f"{item.id}\t{name}\t1"
        for item in golden
        for name in dict.fromkeys(name for group in relevant(item, chunks) for name in group)
    ]
    return (
        write_text(folder / "corpus.jsonl", passages),
        write_text(folder / "queries.jsonl", queries),
        write_text(folder / "qrels" / "test.tsv", ["query-id\tcorpus-id\tscore", *judged]),
    )


def read_beir(folder: Path) -> list[Row]:
    """Read a BEIR data set: each relevant document is evidence enough; answers it has none.

    Raises:
        DatasetError: A file is missing, or a judgement is not of three fields.
    """
    corpus = {text(row.get("_id")): text(row.get("text")) for row in _rows(folder, "corpus")}
    found: dict[str, list[str]] = defaultdict(list)
    judgements = folder / "qrels" / "test.tsv"
    lines = csv.reader(
        text_of_file(judgements).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    for number, fields in enumerate(lines, 1):
        if len(fields) != 3:
            raise DatasetError("expected three fields", file=str(judgements), line=number)
        query, document, score = fields
        if number > 1 and score not in {"0", "-1"} and document in corpus:
            found[query].append(corpus[document])
    return [
        Row(text(row.get("text")), contexts=(tuple(found[name]),) if found[name] else ())
        for row in _rows(folder, "queries")
        for name in [text(row.get("_id"))]
    ]


def write_trec(golden: GoldenSet, path: Path, corpus: Corpus | None) -> tuple[Path, ...]:
    """Write qrels over chunks; over whole documents if there is no corpus to cut.

    White space in a document's id is percent-encoded, since fields end at it.
    """
    chunks = chunks_by_document(corpus) if corpus is not None else None

    def judged(item: GoldenItem) -> tuple[str, ...]:
        if chunks is None:
            return item.doc_ids
        return tuple(dict.fromkeys(name for group in relevant(item, chunks) for name in group))

    lines = [f"{item.id} 0 {_field(name)} 1" for item in golden for name in judged(item)]
    topics = [f"{item.id}\t{' '.join(item.question.split())}" for item in golden]
    return (
        write_text(path, lines),
        write_text(path.with_name(f"{path.stem}.topics.tsv"), topics),
    )


def _rows(folder: Path, name: str) -> list[dict[str, object]]:
    return [dict(row) for row in json_lines(folder / f"{name}.jsonl")]


def _field(name: str) -> str:
    return "".join(quote(character) if character.isspace() else character for character in name)
