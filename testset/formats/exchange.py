"""Exports: a golden set in the file format of another tool."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from llamaindex_rag_eval.errors import InputError
from testset.corpus.documents import Corpus
from testset.formats import (
    autorag,
    deepeval,
    labelled_rag,
    langsmith,
    qrels,
    ragas,
    raget,
    table,
)
from testset.golden.golden_set import GoldenSet

__all__ = ["EXPORT_FORMATS", "ExportFormat", "export_golden"]

ExportFormat = Literal[
    "autorag",
    "beir",
    "csv",
    "deepeval",
    "jsonl",
    "labelled_rag",
    "langsmith",
    "raget",
    "ragas",
    "trec",
]

_ALONE: dict[str, Callable[[GoldenSet, Path], tuple[Path, ...]]] = {
    "csv": table.write_csv,
    "deepeval": deepeval.write,
    "jsonl": lambda golden, path: (golden.write(path),),
    "labelled_rag": labelled_rag.write,
    "langsmith": langsmith.write,
    "raget": raget.write,
    "ragas": ragas.write,
}
_WITH_DOCUMENTS: dict[str, Callable[[GoldenSet, Path, Corpus], tuple[Path, ...]]] = {
    "autorag": autorag.write,
    "beir": qrels.write_beir,
}

EXPORT_FORMATS: tuple[str, ...] = tuple(sorted([*_ALONE, *_WITH_DOCUMENTS, "trec"]))
"""The names of the formats."""


def export_golden(
    golden: GoldenSet, path: str | Path, *, to: ExportFormat, corpus: Corpus | None = None
) -> tuple[Path, ...]:
    """Write a golden set for another tool; items that a reviewer rejected, or stale ones, stay out.

    Args:
        golden: The set.
        path: The file to write; a folder for "autorag" and "beir".
        to: The format. "jsonl" is our own and keeps every item.
        corpus: The documents: needed by "autorag" and "beir", whose evidence is chunks; with
            them "trec" judges chunks too, else whole documents.

    Returns:
        The files written.

    Raises:
        InputError: There is no such format, or it needs the documents.
        OutputError: A file cannot be written.
    """
    target = Path(path)
    usable = golden if to == "jsonl" else _usable(golden)
    if to == "trec":
        return qrels.write_trec(usable, target, corpus)
    if to in _ALONE:
        return _ALONE[to](usable, target)
    if to not in _WITH_DOCUMENTS:
        raise InputError(f"no format is named {to!r}; expected one of {', '.join(EXPORT_FORMATS)}")
    if corpus is None:
        raise InputError(f"{to!r} holds the documents too; give them (--docs)")
    return _WITH_DOCUMENTS[to](usable, target, corpus)


def _usable(golden: GoldenSet) -> GoldenSet:
    kept = tuple(item for item in golden if item.status not in {"rejected", "stale"})
    return GoldenSet(kept, size=len(kept))
