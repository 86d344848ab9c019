"""DeepEval: goldens as one JSON list, as `EvaluationDataset.add_goldens_from_json_file` reads it.

Fields: `input`, `expected_output`, `context`, `source_file`, `additional_metadata`, `comments`.
Source: "Datasets", https://deepeval.com/docs/evaluation-datasets.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    METADATA,
    Format,
    ImportedRow,
    as_mapping,
    as_messages,
    as_text,
    as_texts,
    is_own,
    metadata_of,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write single-turn goldens; a conversation before the question stays in the metadata."""
    rows = [
        {
            "input": item.question,
            "expected_output": item.reference,
            "context": [group[0].quote for group in item.gold],
            "name": item.id,
            "comments": None,
            "source_file": item.doc_ids[0] if item.doc_ids else None,
            "additional_metadata": {
                **metadata_of(item),
                "turns": [{"role": turn.role, "content": turn.content} for turn in item.turns],
            },
        }
        for item in golden
    ]
    return (write_lines(path, [json.dumps(rows, ensure_ascii=False, indent=2)]),)


def read(path: Path) -> list[ImportedRow]:
    """Read single-turn goldens.

    Raises:
        DatasetError: The file is no JSON list of objects with an `input`.
    """
    try:
        rows = json.loads(read_text(path))
    except ValueError as error:
        raise DatasetError("expected JSON", file=str(path)) from error
    if not isinstance(rows, list) or any("input" not in as_mapping(row) for row in rows):
        raise DatasetError("expected a list of goldens with 'input'", file=str(path), field="input")
    return [
        ImportedRow(
            as_text(row["input"]),
            as_text(row.get("expected_output")),
            tuple((context,) for context in as_texts(row.get("context"))),
            as_messages(as_mapping(row.get("additional_metadata")).get("turns")),
            as_mapping(row.get("additional_metadata")),
            _unknown(row),
        )
        for row in rows
    ]


def _unknown(row: Mapping[str, object]) -> tuple[str, ...]:
    metadata = as_mapping(row.get("additional_metadata"))
    known = {"input", "expected_output", "context", "additional_metadata"}
    known |= {"name", "source_file"} if is_own(metadata) else set()
    within = unknown_in(metadata, METADATA, under="additional_metadata.")
    return (*unknown_in(row, known), *within)


FORMATS = (Format("deepeval", write=write, read=read),)
