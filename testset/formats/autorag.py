"""AutoRAG: `qa.parquet` and `corpus.parquet` in one folder.

Questions: `qid`, `query`, `retrieval_gt` (lists of chunk ids: all lists are needed, any id of a
list will do), `generation_gt`. Chunks: `doc_id`, `contents`, `path`, `start_end_idx`, `metadata`
with `last_modified_datetime`. Source: "Dataset Format",
https://marker-inc-korea.github.io/AutoRAG/data_creation/data_format.html.
"""

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.data.parquet import parquet_records, require_pyarrow
from llamaindex_rag_eval.errors import DatasetError, OutputError
from testset.corpus.chunks import Chunk
from testset.corpus.documents import Corpus
from testset.formats.format import Format, ImportedRow
from testset.formats.qrels import chunk_id, chunks_by_document, relevant_chunks
from testset.golden.golden_set import GoldenSet

if TYPE_CHECKING:
    import pandas as pd

UNDATED = datetime(1970, 1, 1, tzinfo=timezone.utc)
"""AutoRAG requires a time of change; a fixed one gives the same bytes for the same documents."""


QUESTIONS = ("qid", "query", "retrieval_gt", "generation_gt")


def write(golden: GoldenSet, folder: Path, corpus: Corpus) -> tuple[Path, ...]:
    """Write questions and chunks; items without gold spans stay out, since AutoRAG needs some.

    Raises:
        InputError: pyarrow is not installed.
        OutputError: The folder cannot be written.
    """
    import pandas as pd

    chunks = chunks_by_document(corpus)
    questions = [
        (item.id, item.question, [list(group) for group in groups], [item.reference])
        for item in golden
        if (groups := relevant_chunks(item, chunks))
    ]
    passages = [
        _passage(doc_id, chunk) for doc_id, document in chunks.items() for chunk in document
    ]
    return (
        write_frame(pd.DataFrame(questions, columns=list(QUESTIONS)), folder / "qa.parquet"),
        write_frame(pd.DataFrame(passages), folder / "corpus.parquet"),
    )


def read(folder: Path) -> list[ImportedRow]:
    """Read questions, and the chunks that answer them as contexts.

    Raises:
        DatasetError: A file is missing, is no Parquet, or lacks a column.
        InputError: pyarrow is not installed.
    """
    questions = _rows(folder / "qa.parquet", *QUESTIONS)
    passages = _rows(folder / "corpus.parquet", "doc_id", "contents")
    contents = {row["doc_id"]: row["contents"] for row in passages}
    return [
        ImportedRow(
            str(row["query"]),
            next(iter(map(str, row["generation_gt"])), ""),
            tuple(
                tuple(contents[name] for name in group if name in contents)
                for group in row["retrieval_gt"]
            ),
            metadata={"reference_aliases": list(map(str, row["generation_gt"]))[1:]},
            unknown=tuple(name for name in row if name not in QUESTIONS),
        )
        for row in questions
    ]


def _passage(doc_id: str, chunk: Chunk) -> dict[str, object]:
    return {
        "doc_id": chunk_id(doc_id, chunk),
        "contents": chunk.text,
        "path": doc_id,
        "start_end_idx": [chunk.start, chunk.end],
        "metadata": {"last_modified_datetime": UNDATED, "prev_id": None, "next_id": None},
    }


def write_frame(frame: "pd.DataFrame", path: Path) -> Path:
    """Write a table as Parquet; folders on the way are made.

    Raises:
        InputError: pyarrow is not installed.
        OutputError: The file cannot be written.
    """
    require_pyarrow()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(path, engine="pyarrow", index=False)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from error
    return path


def _rows(path: Path, *columns: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = list(parquet_records(path))
    if rows and not rows[0].keys() >= set(columns):
        raise DatasetError(f"expected Parquet with {', '.join(columns)}", file=str(path))
    return rows


FORMATS = (Format("autorag", write_chunks=write, read=read),)
