"""Giskard RAGET: a `QATestset` as JSON Lines, as its `load` reads it.

Fields: `id`, `question`, `reference_answer`, `reference_context`, `conversation_history`,
`metadata` with `question_type`, `seed_document_id` and `topic`. Source: "RAGET Testset Generation",
https://docs-oss.giskard.ai/en/stable/open_source/testset_generation/testset_generation/.
"""

import json
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
from testset.golden.item import QuestionType

TYPES: Mapping[str, QuestionType] = {
    "simple": "single_hop",
    "complex": "reasoning",
    "distracting element": "distracting",
    "situational": "situational",
    "double": "double",
    "conversational": "conversational",
}
"""RAGET's name of a question type -> ours."""
SEPARATOR = "\n\n"
"""Put between several contexts, for which RAGET has one text."""


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write one question a line; types RAGET does not know keep their own name."""
    theirs = {ours: name for name, ours in TYPES.items()}
    lines = [
        json.dumps(
            {
                "id": item.id,
                "question": item.question,
                "reference_answer": item.reference,
                "reference_context": SEPARATOR.join(group[0].quote for group in item.gold),
                "conversation_history": [
                    {"role": turn.role, "content": turn.content} for turn in item.turns
                ],
                "metadata": {
                    **metadata_of(item),
                    "question_type": theirs.get(item.type, item.type),
                    "seed_document_id": item.doc_ids[0] if item.doc_ids else None,
                },
            },
            ensure_ascii=False,
        )
        for item in golden
    ]
    return (write_lines(path, lines),)


def read(path: Path) -> list[ImportedRow]:
    """Read a saved test set.

    Raises:
        DatasetError: The file cannot be read, or a line has no `question`.
    """
    rows = []
    for number, row in enumerate(json_lines(path), 1):
        if "question" not in row:
            raise DatasetError("expected 'question'", file=str(path), line=number, field="question")
        kept = dict(as_mapping(row.get("metadata")))
        kept.setdefault("type", TYPES.get(as_text(kept.get("question_type")), "single_hop"))
        context = as_text(row.get("reference_context"))
        rows.append(
            ImportedRow(
                as_text(row["question"]),
                as_text(row.get("reference_answer")),
                ((context,),) if context else (),
                as_messages(row.get("conversation_history")),
                kept,
                _unknown(row),
            )
        )
    return rows


def _unknown(row: Mapping[str, object]) -> tuple[str, ...]:
    metadata = as_mapping(row.get("metadata"))
    known = {"question", "reference_answer", "reference_context", "conversation_history"}
    known |= {"metadata", *(("id",) if is_own(metadata) else ())}
    theirs = METADATA | {"question_type", *(("seed_document_id",) if is_own(metadata) else ())}
    return (*unknown_in(row, known), *unknown_in(metadata, theirs, under="metadata."))


FORMATS = (Format("raget", write=write, read=read),)
