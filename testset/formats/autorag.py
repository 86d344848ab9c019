"""AutoRAG: `qa.parquet` and `corpus.parquet` in one folder.

Questions: `qid`, `query`, `retrieval_gt` (lists of chunk ids: all lists are needed, any id of a
list will do), `generation_gt`. Chunks: `doc_id`, `contents`, `path`, `start_end_idx`, `metadata`
with `last_modified_datetime`. Source: "Dataset Format",
https://marker-inc-korea.github.io/AutoRAG/data_creation/data_format.html.
"""

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.data.parquet import require_pyarrow
from llamaindex_rag_eval.errors import DatasetError, OutputError
from testset.corpus.documents import Corpus
from testset.formats.format import Format, ImportedRow
from testset.formats.qrels import GoldChunk, chunks_by_document, relevant_chunks
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
    found = [(item, relevant_chunks(item, chunks)) for item in golden]
    questions = pd.DataFrame(
        [
            {
                "qid": item.id,
                "query": item.question,
                "retrieval_gt": [list(group) for group in groups],
                "generation_gt": [item.reference],
            }
            for item, groups in found
            if groups
        ],
        columns=list(QUESTIONS),
    )
    passages = pd.DataFrame([_passage(chunk) for group in chunks.values() for chunk in group])
    return _write_frame(questions, folder / "qa.parquet"), _write_frame(
        passages, folder / "corpus.parquet"
    )


def read(folder: Path) -> list[ImportedRow]:
    """Read questions, and the chunks that answer them as contexts.

    Raises:
        DatasetError: A file is missing, is no Parquet, or lacks a column.
        InputError: pyarrow is not installed.
    """
    questions = _read_frame(folder / "qa.parquet", *QUESTIONS)
    passages = _read_frame(folder / "corpus.parquet", "doc_id", "contents")
    contents = dict(zip(passages["doc_id"], passages["contents"], strict=True))
    unknown = tuple(name for name in _columns(folder / "qa.parquet") if name not in QUESTIONS)
    return [
        ImportedRow(
            str(row["query"]),
            next(iter(map(str, row["generation_gt"])), ""),
            tuple(
                tuple(contents[name] for name in group if name in contents)
                for group in row["retrieval_gt"]
            ),
            metadata={"reference_aliases": list(map(str, row["generation_gt"]))[1:]},
            unknown=unknown,
        )
        for _, row in questions.iterrows()
    ]


def _passage(chunk: GoldChunk) -> dict[str, object]:
    return {
        "doc_id": chunk.id,
        "contents": chunk.text,
        "path": chunk.doc_id,
        "start_end_idx": [chunk.start, chunk.end],
        "metadata": {"last_modified_datetime": UNDATED, "prev_id": None, "next_id": None},
    }


def _write_frame(frame: "pd.DataFrame", path: Path) -> Path:
    require_pyarrow()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(path, engine="pyarrow", index=False)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from error
    return path


def _read_frame(path: Path, *columns: str) -> "pd.DataFrame":
    require_pyarrow()
    import pandas as pd

    try:
        return pd.read_parquet(path, engine="pyarrow", columns=list(columns))
    except (OSError, ValueError, KeyError) as error:
        wanted = ", ".join(columns)
        raise DatasetError(f"expected Parquet with {wanted}: {error}", file=str(path)) from error


def _columns(path: Path) -> list[str]:
    from pyarrow import parquet

    return [str(name) for name in parquet.read_schema(path).names]


FORMATS = (Format("autorag", write_chunks=write, read=read),)
