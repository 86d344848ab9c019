"""LangSmith: examples as JSON Lines, as `Client.create_examples(examples=...)` takes them.

Each line has `id` (a UUID made of the item's id), `inputs`, `outputs`, `metadata` and `split`.
Source: "Example data format", https://docs.langchain.com/langsmith/example-data-format.
"""

import json
import uuid
from pathlib import Path

from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import Row, json_lines, metadata_of, write_text
from testset.formats.values import mapping, messages, text
from testset.golden.golden_set import GoldenSet

__all__ = ["read", "write"]

SPACE = uuid.UUID("5b8f2a1e-6c1d-5e0a-9d53-0c2f6f1f7a44")
"""Where our ids become UUIDs: the same item is the same example, uploaded twice or not."""


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write one example a line."""
    lines = [
        json.dumps(
            {
                "id": str(uuid.uuid5(SPACE, item.id)),
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
    return (write_text(path, lines),)


def read(path: Path) -> list[Row]:
    """Read examples whose inputs hold a `question` (or an `input`).

    Raises:
        DatasetError: The file cannot be read, or an example asks nothing.
    """
    rows = []
    for number, row in enumerate(json_lines(path), 1):
        inputs, outputs = mapping(row.get("inputs")), mapping(row.get("outputs"))
        question = text(inputs.get("question")) or text(inputs.get("input"))
        if not question:
            raise DatasetError("expected 'question'", file=str(path), line=number, field="inputs")
        contexts = outputs.get("contexts")
        rows.append(
            Row(
                question,
                text(outputs.get("answer")) or text(outputs.get("output")),
                tuple((entry,) for entry in contexts) if isinstance(contexts, list) else (),
                messages(inputs.get("history")),
                mapping(row.get("metadata")),
            )
        )
    return rows
