"""LlamaIndex `LabelledRagDataset` JSON, as its `from_json` read it before it was taken out.

One object with `examples`: `query`, `query_by`, `reference_contexts`, `reference_answer`,
`reference_answer_by`. Source: llama-index-core 0.14.20, `llama_dataset/rag.py`; "Contributing a
LabelledRagDataset", https://developers.llamaindex.ai/python/framework/module_guides/evaluating/.
"""

import json
from pathlib import Path

from pydantic import JsonValue

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    Format,
    ImportedRow,
    as_mapping,
    as_text,
    as_texts,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write the data set; a question that a person edited counts as written by a human."""
    examples = [
        {
            "query": item.question,
            "query_by": _by(item),
            "reference_contexts": [group[0].quote for group in item.gold],
            "reference_answer": item.reference,
            "reference_answer_by": _by(item),
        }
        for item in golden
    ]
    whole = json.dumps({"examples": examples}, ensure_ascii=False, indent=4)
    return (write_lines(path, [whole]),)


def read(path: Path) -> list[ImportedRow]:
    """Read a data set.

    Raises:
        DatasetError: The file is no JSON object with `examples` that have a `query`.
    """
    try:
        examples = as_mapping(json.loads(read_text(path))).get("examples")
    except ValueError as error:
        raise DatasetError("expected JSON", file=str(path)) from error
    if not isinstance(examples, list) or any("query" not in as_mapping(row) for row in examples):
        raise DatasetError("expected 'examples' with 'query'", file=str(path), field="examples")
    return [
        ImportedRow(
            as_text(row["query"]),
            as_text(row.get("reference_answer")),
            tuple((context,) for context in as_texts(row.get("reference_contexts"))),
            unknown=unknown_in(row, {"query", "reference_answer", "reference_contexts"}),
        )
        for row in examples
    ]


def _by(item: GoldenItem) -> dict[str, JsonValue]:
    if item.status == "edited":
        return {"model_name": None, "type": "human"}
    return {"model_name": item.created.models.get("writer", ""), "type": "ai"}


FORMATS = (Format("labelled_rag", write=write, read=read),)
