"""Generators of test sets under the names of ragas, DeepEval and LlamaIndex, over `testset`.

Without a model, rules write; there may then be fewer questions than asked for, and a warning says
why. What is written is verified, and its evidence stands in the documents word for word.

Source: https://docs.ragas.io/en/stable/getstarted/rag_testset_generation/,
https://deepeval.com/docs/synthesizer-introduction, llama_index/core/llama_dataset/generator.py and
llama_index/finetuning/embeddings/common.py of LlamaIndex 0.10 to 0.14.
"""

import asyncio
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from llama_index.core.schema import BaseNode, Document, TextNode
from pydantic import BaseModel, Field

from llamaindex_rag_eval.compat.deepeval_case import Golden, golden_frame, write_rows
from llamaindex_rag_eval.compat.llama_index import (
    EmbeddingQAFinetuneDataset,
    JsonFile,
    LabelledRagDataExample,
    LabelledRagDataset,
)
from llamaindex_rag_eval.compat.models import LlmLike, judge_from
from llamaindex_rag_eval.compat.names import TABLE, absent
from llamaindex_rag_eval.compat.ragas import EvaluationDataset
from llamaindex_rag_eval.errors import InputError
from testset import Corpus, GoldenSet, generate

if TYPE_CHECKING:
    import pandas as pd

    from testset.golden.item import QuestionType

SIZE = 10
"""Questions that are written where a call does not say how many."""


def golden_set(docs: Any, size: int, llm: LlmLike | None, **options: Any) -> GoldenSet:
    """Write a golden set; warn if it has fewer items than asked for.

    Args:
        docs: What `testset.generate` takes: documents or nodes, a folder or a file.
        size: How many items.
        llm: Writes and verifies; without it `Settings.llm`, else rules.
        options: More of `testset.generate`.
    """
    golden = generate(docs, size=size, judge=judge_from(llm), **options)
    if len(golden) < size:
        reasons = "; ".join(dict.fromkeys(cell.reason for cell in golden.shortfall))
        warnings.warn(f"{len(golden)} of {size} questions were written: {reasons}", stacklevel=3)
    return golden


class QuerySynthesizer:
    """A kind of question, under ragas's names for them.

    Attributes:
        type: Ours.
    """

    type: "ClassVar[QuestionType]" = "single_hop"

    def __init__(self, llm: LlmLike | None = None, **ignored: object) -> None:
        del llm, ignored


class SingleHopSpecificQuerySynthesizer(QuerySynthesizer):
    """Questions that one passage answers."""


class MultiHopSpecificQuerySynthesizer(QuerySynthesizer):
    """Questions that need two passages."""

    type = "multi_hop"


class MultiHopAbstractQuerySynthesizer(MultiHopSpecificQuerySynthesizer):
    """Questions that need two passages; ours are always specific."""


def default_query_distribution(
    llm: LlmLike | None = None, *args: object, **ignored: object
) -> list[tuple[QuerySynthesizer, float]]:
    """Return ragas's mix: half of one passage, half of several."""
    del args, ignored
    return [
        (SingleHopSpecificQuerySynthesizer(llm), 0.5),
        (MultiHopSpecificQuerySynthesizer(llm), 0.5),
    ]


EVOLUTIONS: "Mapping[str, QuestionType]" = TABLE["ragas"]["evolutions"]
"""Evolution of ragas 0.1 -> our type of question."""


class Persona:
    """Somebody who asks, as ragas describes them."""

    def __init__(self, name: str, role_description: str) -> None:
        self.name, self.role_description = name, role_description


class NodeType(str, Enum):
    """What a node of a knowledge graph is."""

    DOCUMENT = "document"
    CHUNK = "chunk"
    UNKNOWN = ""


class Node(BaseModel):
    """A document in a knowledge graph: its `page_content` and its `document_metadata`."""

    type: NodeType = NodeType.UNKNOWN
    properties: dict[str, Any] = Field(default_factory=dict)


class KnowledgeGraph(JsonFile):
    """Documents; what relates them is found by `testset.generate`, and transforms add nothing."""

    nodes: list[Node] = Field(default_factory=list)

    save = JsonFile.save_json

    @classmethod
    def load(cls, path: str) -> "KnowledgeGraph":
        """Read the file."""
        return cls.from_json(path)


class Testset:
    """What ragas's generator returns.

    Attributes:
        golden: The golden set, with checks, spans and what could not be written.
    """

    __test__ = False  # pytest takes classes of this name for tests

    def __init__(self, golden: GoldenSet) -> None:
        self.golden = golden

    @property
    def samples(self) -> tuple[Any, ...]:
        """The questions as samples."""
        return self.golden.samples()

    def to_evaluation_dataset(self) -> EvaluationDataset:
        """Return the questions, to be answered."""
        return EvaluationDataset(self.golden.samples())

    def to_list(self) -> list[dict[str, object]]:
        """Return one row a question, with ragas's names."""
        return [
            {
                "user_input": sample.query,
                "reference_contexts": list(sample.reference_contexts),
                "reference": sample.reference,
                "synthesizer_name": item.type,
            }
            for item, sample in ((item, item.sample()) for item in self.golden)
        ]

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a question, with ragas's names."""
        import pandas as pd

        columns = ["user_input", "reference_contexts", "reference", "synthesizer_name"]
        return pd.DataFrame(self.to_list(), columns=columns)

    def to_csv(self, path: str, **options: Any) -> None:
        """Write one row a question."""
        self.to_pandas().to_csv(path, index=False, **options)

    def to_jsonl(self, path: str) -> None:
        """Write the golden set, which `rag-eval run` reads."""
        self.golden.write(path)

    def __len__(self) -> int:
        return len(self.golden)


class TestsetGenerator:
    """ragas's generator of test sets, 0.1 to 0.4.

    Args:
        llm: Writes and verifies; without it `Settings.llm`, else rules.
        embedding_model: Taken, and not used: two retrievers of our own look for other evidence.
        knowledge_graph: The documents, for `generate`.
        persona_list: Who asks.
        ignored: Settings of ragas that change nothing here.
    """

    __test__ = False  # pytest takes classes of this name for tests

    def __init__(
        self,
        llm: LlmLike | None = None,
        embedding_model: object = None,
        knowledge_graph: KnowledgeGraph | None = None,
        persona_list: Sequence[Persona] | None = None,
        **ignored: object,
    ) -> None:
        del embedding_model, ignored
        self.llm, self.personas, self.graph = llm, persona_list or (), knowledge_graph

    @classmethod
    def from_llama_index(
        cls, llm: LlmLike | None = None, *models: object, **options: Any
    ) -> "TestsetGenerator":
        """Return a generator over a model of LlamaIndex; ragas 0.1 calls it `generator_llm`."""
        del models
        return cls(options.pop("generator_llm", llm), **options)

    from_langchain = from_llama_index

    def generate_with_llamaindex_docs(
        self,
        documents: Iterable[BaseNode],
        testset_size: int | None = None,
        *,
        query_distribution: Sequence[tuple[QuerySynthesizer, float]] | None = None,
        distributions: Mapping[Any, float] | None = None,
        test_size: int = SIZE,
        **ignored: object,
    ) -> Testset:
        """Write a test set for documents of LlamaIndex.

        Args:
            documents: The documents.
            testset_size: How many questions.
            query_distribution: Kinds of question with their shares; by default our own mix.
            distributions: The same of ragas 0.1.
            test_size: The size of ragas 0.1.
            ignored: Options of ragas that change nothing here, as transforms.

        Raises:
            InputError: There is nothing to ask about.
        """
        del ignored
        types: dict[str, float] = {}
        for kind, share in query_distribution or ():
            types[kind.type] = types.get(kind.type, 0.0) + share
        for evolution, share in (distributions or {}).items():
            types[EVOLUTIONS[str(getattr(evolution, "name", evolution))]] = share
        people = [f"{each.name}: {each.role_description}" for each in self.personas]
        return Testset(
            golden_set(
                list(documents),
                testset_size or test_size,
                self.llm,
                types=types or None,
                personas=people or None,
            )
        )

    def generate_with_langchain_docs(
        self, documents: Iterable[Any], *args: Any, **options: Any
    ) -> Testset:
        """Write a test set for documents of LangChain; see `generate_with_llamaindex_docs`."""
        ours = [Document(text=each.page_content, metadata=each.metadata) for each in documents]
        return self.generate_with_llamaindex_docs(ours, *args, **options)

    def generate_with_chunks(self, chunks: Iterable[Any], *args: Any, **options: Any) -> Testset:
        """Write a test set for chunks: texts, nodes, or documents of LangChain."""
        return self.generate_with_llamaindex_docs(map(_document_of, chunks), *args, **options)

    def generate(self, testset_size: int = SIZE, **options: Any) -> Testset:
        """Write a test set for the documents of the knowledge graph.

        Raises:
            InputError: There is no knowledge graph; the message says what to call.
        """
        if self.graph is None:
            raise InputError(
                "expected a 'knowledge_graph' of documents; or call "
                "`generate_with_llamaindex_docs(documents, testset_size=…)`"
            )
        nodes = [node.properties for node in self.graph.nodes if node.type != NodeType.CHUNK]
        texts = [
            Document(text=own["page_content"], metadata=own.get("document_metadata") or {})
            for own in nodes
        ]
        return self.generate_with_llamaindex_docs(texts, testset_size, **options)


def _document_of(chunk: Any) -> Document:
    if isinstance(chunk, str):
        return Document(text=chunk)
    return Document(text=str(getattr(chunk, "page_content", None) or chunk.get_content()))


@dataclass
class StylingConfig:
    """How questions are asked; what is said of answers changes nothing, they quote documents."""

    scenario: str = ""
    task: str = ""
    input_format: str = ""
    expected_output_format: str = ""


class Synthesizer:
    """DeepEval's writer of goldens.

    Args:
        model: Writes and verifies; without it `Settings.llm`, else rules.
        styling_config: Who asks.
        ignored: Settings of DeepEval that change nothing here.

    Attributes:
        synthetic_goldens: All that were written.
    """

    def __init__(
        self,
        model: LlmLike | None = None,
        *,
        styling_config: StylingConfig | None = None,
        **ignored: object,
    ) -> None:
        del ignored
        self.model = model
        style = styling_config or StylingConfig()
        self.persona = f"{style.scenario} {style.task} {style.input_format}".strip()
        self.synthetic_goldens: list[Golden] = []

    def generate_goldens_from_docs(
        self, document_paths: Sequence[str], *, max_goldens_per_context: int = 2, **ignored: object
    ) -> list[Golden]:
        """Write goldens for files; `max_goldens_per_context` of each file."""
        del ignored
        texts = [
            Document(text=each.text, id_=f"{path}/{each.doc_id}")
            for path in document_paths
            for each in Corpus.read(path).documents
        ]
        return self._written(texts, max_goldens_per_context * len(texts))

    def generate_goldens_from_contexts(
        self,
        contexts: Sequence[Sequence[str]],
        *,
        max_goldens_per_context: int = 2,
        source_files: Sequence[str] | None = None,
        **ignored: object,
    ) -> list[Golden]:
        """Write goldens for texts that belong together, `max_goldens_per_context` of each."""
        del ignored
        names = source_files or [f"context {number}" for number in range(len(contexts))]
        texts = [
            Document(text="\n\n".join(parts), id_=name)
            for parts, name in zip(contexts, names, strict=True)
        ]
        return self._written(texts, max_goldens_per_context * len(texts))

    def _written(self, documents: Sequence[Document], size: int) -> list[Golden]:
        who = [self.persona] if self.persona else None
        samples = golden_set(documents, size, self.model, personas=who).samples()
        written = [
            Golden(
                input=sample.query,
                expected_output=sample.reference,
                context=list(map(str, sample.reference_contexts)),
            )
            for sample in samples
        ]
        self.synthetic_goldens += written
        return written

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a golden."""
        return golden_frame(self.synthetic_goldens)

    def save_as(self, file_type: str, directory: str, file_name: str | None = None) -> str:
        """Write the goldens as `csv`, `json` or `jsonl`; return the path."""
        return write_rows(self.to_pandas(), file_type, directory, file_name)

    def __getattr__(self, name: str) -> Any:
        """Refuse what writes without documents; the message says what to write."""
        raise AttributeError(absent("deepeval", f"Synthesizer.{name}"))


class RagDatasetGenerator:
    """LlamaIndex's writer of labelled data sets.

    Args:
        nodes: What to ask about.
        llm: Writes and verifies; without it `Settings.llm`, else rules.
        num_questions_per_chunk: How many questions a node.
        ignored: Settings of LlamaIndex that change nothing here.
    """

    def __init__(
        self,
        nodes: Sequence[BaseNode],
        llm: LlmLike | None = None,
        num_questions_per_chunk: int = 3,
        **ignored: object,
    ) -> None:
        del ignored
        self.nodes, self.llm, self.per_chunk = list(nodes), llm, num_questions_per_chunk

    @classmethod
    def from_documents(
        cls, documents: Sequence[BaseNode], *args: Any, **options: Any
    ) -> "RagDatasetGenerator":
        """Return a generator over documents."""
        return cls(documents, *args, **options)

    def generate_dataset_from_nodes(self) -> LabelledRagDataset:
        """Write questions with reference answers and contexts."""
        golden = golden_set(self.nodes, self.per_chunk * len(self.nodes), self.llm)
        return LabelledRagDataset(
            examples=[
                LabelledRagDataExample(
                    query=sample.query,
                    reference_contexts=list(map(str, sample.reference_contexts)),
                    reference_answer=sample.reference,
                )
                for sample in golden.samples()
            ]
        )

    def generate_questions_from_nodes(self) -> LabelledRagDataset:
        """Write questions; they have their answers, too, since these were verified."""
        return self.generate_dataset_from_nodes()

    async def agenerate_dataset_from_nodes(self) -> LabelledRagDataset:
        """Write questions; see `generate_dataset_from_nodes`."""
        return await asyncio.to_thread(self.generate_dataset_from_nodes)


def generate_question_context_pairs(
    nodes: Sequence[TextNode],
    llm: LlmLike | None = None,
    *args: object,
    num_questions_per_chunk: int = 2,
    **ignored: object,
) -> EmbeddingQAFinetuneDataset:
    """Write questions with the ids of the nodes that answer them.

    Args:
        nodes: What to ask about.
        llm: Writes and verifies; without it `Settings.llm`, else rules.
        args: Settings of LlamaIndex that change nothing here.
        num_questions_per_chunk: How many questions a node.
        ignored: Likewise.
    """
    del args, ignored
    golden = golden_set(nodes, num_questions_per_chunk * len(nodes), llm)
    texts = {node.node_id: node.get_content() for node in nodes}
    quotes = {item.id: [span.quote for span in chain(*item.gold)] for item in golden}
    return EmbeddingQAFinetuneDataset(
        queries={item.id: item.question for item in golden},
        corpus=texts,
        relevant_docs={
            key: [name for name, text in texts.items() if any(quote in text for quote in wanted)]
            for key, wanted in quotes.items()
        },
    )


generate_qa_embedding_pairs = generate_question_context_pairs
