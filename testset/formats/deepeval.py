"""DeepEval: goldens as one JSON list, as `EvaluationDataset.add_goldens_from_json_file` reads it.

A conversation before the question stays in the metadata: goldens have a single turn. Source:
"Datasets", https://deepeval.com/docs/evaluation-datasets.
"""

from testset.formats.records import Field, Records

GOLDENS = Records(
    "deepeval",
    (
        Field("input", "question"),
        Field("expected_output", "reference"),
        Field("context", "contexts"),
        Field("name", "id"),
        Field("comments", write=lambda _: None),
        Field("source_file", "document"),
        Field("additional_metadata", "metadata"),
        Field("additional_metadata.turns", "turns"),
    ),
    within="",
)

FORMATS = (GOLDENS.format,)
