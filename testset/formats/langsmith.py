"""LangSmith: examples as JSON Lines, as `Client.create_examples(examples=...)` takes them.

An example's `id` is a UUID made of the item's. Source: "Example data format",
https://docs.langchain.com/langsmith/example-data-format.
"""

import uuid

from testset.formats.records import Field, Records

NAMESPACE = uuid.UUID("5b8f2a1e-6c1d-5e0a-9d53-0c2f6f1f7a44")
"""Makes UUIDs of our ids: an item that is uploaded twice is the same example."""

EXAMPLES = Records(
    "langsmith",
    (
        Field("id", "id", lambda item: str(uuid.uuid5(NAMESPACE, item.id))),
        Field("inputs.question", "question", other="inputs.input"),
        Field("inputs.history", "turns"),
        Field("outputs.answer", "reference", other="outputs.output"),
        Field("outputs.contexts", "contexts"),
        Field("metadata", "metadata"),
        Field("split", "split", lambda item: item.split or "base"),
    ),
)

FORMATS = (EXAMPLES.format,)
