"""LangSmith: examples as JSON Lines, as `Client.create_examples(examples=...)` takes them.

Each line has `id` (a UUID made of the item's id), `inputs`, `outputs`, `metadata` and `split`.
Source: "Example data format", https://docs.langchain.com/langsmith/example-data-format.
"""

import json
import uuid
from collections.abc import Mapping
from pathlib import Path

from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    METADATA,
    Format,
    ImportedRow,
    as_mapping,
    as_messages,
    as_text,
    is_own,
    json_lines,
    metadata_of,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet

NAMESPACE = uuid.UUID("5b8f2a1e-6c1d-5e0a-9d53-0c2f6f1f7a44")
"""Makes UUIDs of our ids: an item that is uploaded twice is the same example."""


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write one example a line."""
    lines = [
        json.dumps(
            {
                "id": str(uuid.uuid5(NAMESPACE, item.id)),
                "inputs": {
                    "question": item.question,
                    "history": [
                        {"role": turn.role, "content": turn.content} for turn in item.turns
                    ],
                },
                "outputs": {
                    "answer": item.reference,
                    "contexts": [group[0].quote for group in item.gold],
                },
                "metadata": metadata_of(item),
                "split": item.split or "base",
            },
            ensure_ascii=False,
        )
        for item in golden
    ]
    return (write_lines(path, lines),)


def read(path: Path) -> list[ImportedRow]:
    """Read examples whose inputs hold a `question` (or an `input`).

    Raises:
        DatasetError: The file cannot be read, or an example has no question.
    """
    rows = []
    for number, row in enumerate(json_lines(path), 1):
        inputs, outputs = as_mapping(row.get("inputs")), as_mapping(row.get("outputs"))
        question = as_text(inputs.get("question")) or as_text(inputs.get("input"))
        if not question:
            raise DatasetError("expected 'question'", file=str(path), line=number, field="inputs")
        contexts = outputs.get("contexts")
        rows.append(
            ImportedRow(
                question,
                as_text(outputs.get("answer")) or as_text(outputs.get("output")),
                tuple((entry,) for entry in contexts) if isinstance(contexts, list) else (),
                as_messages(inputs.get("history")),
                as_mapping(row.get("metadata")),
                _unknown(row),
            )
        )
    return rows


def _unknown(row: Mapping[str, object]) -> tuple[str, ...]:
    metadata = as_mapping(row.get("metadata"))
    known = {"inputs", "outputs", "metadata"} | ({"id", "split"} if is_own(metadata) else set())
    inputs, outputs = as_mapping(row.get("inputs")), as_mapping(row.get("outputs"))
    return (
        *unknown_in(row, known),
        *unknown_in(inputs, {"question", "input", "history"}, under="inputs."),
        *unknown_in(outputs, {"answer", "output", "contexts"}, under="outputs."),
        *unknown_in(metadata, METADATA, under="metadata."),
    )


FORMATS = (Format("langsmith", write=write, read=read),)
