"""The file formats of other tools, one a module, and their names.

A module of this package declares the formats it writes and reads as `FORMATS`; `exchange` finds
them. The names are here, where importing them is quick.
"""

from typing import Literal, get_args

ImportFormat = Literal[
    "autorag", "beir", "csv", "deepeval", "jsonl", "labelled_rag", "langsmith", "raget", "ragas"
]
ExportFormat = Literal[ImportFormat, "huggingface", "trec"]

EXPORT_FORMATS: tuple[str, ...] = tuple(sorted(get_args(ExportFormat)))
"""The names of the formats that `export_golden` writes."""
IMPORT_FORMATS: tuple[str, ...] = tuple(sorted(get_args(ImportFormat)))
"""The names of the formats that `import_golden` reads."""
