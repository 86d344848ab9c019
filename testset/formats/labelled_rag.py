"""LlamaIndex `LabelledRagDataset` JSON, as its `from_json` read it before it was taken out.

A question that a person edited counts as written by a human. Source: llama-index-core 0.14.20,
`llama_dataset/rag.py`; "Contributing a LabelledRagDataset",
https://developers.llamaindex.ai/python/framework/module_guides/evaluating/.
"""

from pydantic import JsonValue

from testset.formats.records import Field, Records
from testset.golden.item import GoldenItem


def _writer(item: GoldenItem) -> dict[str, JsonValue]:
    if item.status == "edited":
        return {"model_name": None, "type": "human"}
    return {"model_name": item.created.models.get("writer", ""), "type": "ai"}


EXAMPLES = Records(
    "labelled_rag",
    (
        Field("query", "question"),
        Field("query_by", write=_writer),
        Field("reference_contexts", "contexts"),
        Field("reference_answer", "reference"),
        Field("reference_answer_by", write=_writer),
    ),
    within="examples",
    indent=4,
)

FORMATS = (EXAMPLES.format,)
