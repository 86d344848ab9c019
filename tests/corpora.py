"""Corpora with human questions, as documents and samples: for tests and benchmarks alone.

The folder is not part of the project; `RAG_EVAL_DATA` says where it lies.
"""

import json
import os
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from testset import Corpus, SourceDocument

NAMES = ("xquad_en", "xquad_de", "xquad_zh", "jsquad_ja")

Row = dict[str, Any]


def data_folder() -> Path | None:
    """Return where the human-labelled data lies, if it does."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("RAG_EVAL_DATA", beside))
    return folder if (folder / "corpora").is_dir() else None


def rows(path: Path) -> list[Row]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def corpus(folder: Path, name: str) -> Corpus:
    """Return the passages of a corpus as documents."""
    found = rows(folder / "corpora" / name / "docs.jsonl")
    return Corpus(
        tuple(
            SourceDocument(str(row["doc_id"]), str(row["text"]), str(row["title"])) for row in found
        )
    )


def questions(folder: Path, name: str) -> list[SingleTurnSample]:
    """Return the human questions of a corpus, with the answer's place as gold."""
    texts = {
        str(r["doc_id"]): str(r["text"]) for r in rows(folder / "corpora" / name / "docs.jsonl")
    }
    return [
        SingleTurnSample(
            id=str(row["id"]),
            query=str(row["question"]),
            reference=str(row["answers"][0]),
            gold=(
                tuple(_span(str(doc), texts[str(doc)], row["answers"]) for doc in row["relevant"]),
            ),
        )
        for row in rows(folder / "corpora" / name / "questions_dev.jsonl")
    ]


def _span(doc_id: str, text: str, answers: object) -> Span:
    """Return where an answer stands in its passage; the whole passage if it does not."""
    assert isinstance(answers, list)
    for answer in answers:
        start = text.find(str(answer))
        if start >= 0:
            return Span(doc_id=doc_id, start=start, end=start + len(str(answer)), quote=str(answer))
    return Span(doc_id=doc_id, start=0, end=len(text), quote=text)
