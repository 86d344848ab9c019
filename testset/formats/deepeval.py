"""DeepEval: goldens as one JSON list, as `EvaluationDataset.add_goldens_from_json_file` reads it.

Fields: `input`, `expected_output`, `context`, `source_file`, `additional_metadata`, `comments`.
Source: "Datasets", https://deepeval.com/docs/evaluation-datasets.
"""

import json
from pathlib import Path

from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import Row, metadata_of, text_of_file, write_text
from testset.formats.values import mapping, messages, text, texts
from testset.golden.golden_set import GoldenSet

__all__ = ["read", "write"]


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
    return (write_text(path, [json.dumps(rows, ensure_ascii=False, indent=2)]),)


def read(path: Path) -> list[Row]:
    """Read single-turn goldens.

    Raises:
        DatasetError: The file is no JSON list of objects with an `input`.
    """
    try:
        rows = json.loads(text_of_file(path))
    except ValueError as error:
        raise DatasetError("expected JSON", file=str(path)) from error
    if not isinstance(rows, list) or any("input" not in mapping(row) for row in rows):
        raise DatasetError("expected a list of goldens with 'input'", file=str(path), field="input")
    return [
        Row(
            text(row["input"]),
            text(row.get("expected_output")),
            tuple((context,) for context in texts(row.get("context"))),
            messages(mapping(row.get("additional_metadata")).get("turns")),
            mapping(row.get("additional_metadata")),
        )
        for row in rows
    ]
