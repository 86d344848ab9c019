"""Names of LlamaIndex's evaluation that newer versions dropped: its data sets.

Source: llama_index/core/llama_dataset/rag.py and llama_index/finetuning/embeddings/common.py at
v0.10 to v0.14.20 of https://github.com/run-llama/llama_index.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from llamaindex_rag_eval.compat.names import here
from llamaindex_rag_eval.data.sample import SingleTurnSample

if TYPE_CHECKING:
    import pandas as pd


class JsonFile(BaseModel):
    """A data set in a JSON file."""

    model_config = ConfigDict(extra="ignore")

    def save_json(self, path: str) -> None:
        """Write the file."""
        Path(path).write_text(self.model_dump_json(indent=2), encoding="utf-8")

    @classmethod
    def from_json(cls, path: str) -> Self:
        """Read the file."""
        return cls.model_validate_json(Path(path).read_text(encoding="utf-8"))


class CreatedByType(str, Enum):
    """Who wrote a text."""

    HUMAN = "human"
    AI = "ai"


class CreatedBy(BaseModel):
    """Who wrote a text, and which model."""

    type: CreatedByType
    model_name: str = ""


class RagExamplePrediction(BaseModel):
    """An answer with its contexts."""

    response: str = ""
    contexts: list[str] = Field(default_factory=list)


class LabelledRagDataExample(BaseModel):
    """A question with its reference answer and contexts."""

    query: str
    query_by: CreatedBy | None = None
    reference_contexts: list[str] = Field(default_factory=list)
    reference_answer: str = ""
    reference_answer_by: CreatedBy | None = None


class LabelledRagDataset(JsonFile):
    """Questions with their references; `evaluate` and `run` take it."""

    examples: list[LabelledRagDataExample] = Field(default_factory=list)

    def samples(self) -> Iterator[SingleTurnSample]:
        """Yield the questions as samples."""
        for example in self.examples:
            yield SingleTurnSample(
                query=example.query,
                reference=example.reference_answer,
                reference_contexts=tuple(example.reference_contexts),
            )

    def to_pandas(self) -> "pd.DataFrame":
        """Return a frame with one row an example."""
        import pandas as pd

        return pd.DataFrame([example.model_dump(mode="json") for example in self.examples])


class EmbeddingQAFinetuneDataset(JsonFile):
    """Questions with the ids of the nodes that answer them, and the texts of all nodes."""

    queries: Mapping[str, str]
    corpus: Mapping[str, str]
    relevant_docs: Mapping[str, list[str]]
    mode: str = "text"

    @property
    def query_docid_pairs(self) -> list[tuple[str, list[str]]]:
        """Each question with the ids of its nodes."""
        return [(query, self.relevant_docs[key]) for key, query in self.queries.items()]

    def samples(self) -> Iterator[SingleTurnSample]:
        """Yield the questions as samples."""
        for key, query in self.queries.items():
            ids = tuple(self.relevant_docs[key])
            yield SingleTurnSample(id=key, query=query, reference_context_ids=ids)


def __getattr__(name: str) -> Any:
    """Refuse a name that is not here; of those in the table, the message says what to write."""
    if (value := here("llama_index", name)) is None:
        raise AttributeError(name)
    return value
