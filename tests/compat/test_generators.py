"""Generators of test sets under other tools' names, each called as its documentation shows."""

import json
from pathlib import Path

import pytest
from llama_index.core.schema import Document, TextNode

from llamaindex_rag_eval.compat.script import imports_from_here
from llamaindex_rag_eval.errors import InputError

NAMES = ("pumps", "vents")
TEXTS = [
    f"# The {name}\n\nThis is a page of the yard, and it is for you. Mind the weight.\n\n"
    + "".join(
        f"## {letter}arvat {name}\n\n- Weight: {ord(letter) + 20 * number} kg\n\n"
        for letter in "BDGHK"
    )
    for number, name in enumerate(NAMES)
]
DOCUMENTS = [Document(text=text, id_=f"{name}.md") for name, text in zip(NAMES, TEXTS, strict=True)]


def test_ragas_writes_a_test_set_for_documents() -> None:
    with imports_from_here():
        from ragas.testset import TestsetGenerator  # type: ignore[import-not-found]
        from ragas.testset.synthesizers import (  # type: ignore[import-not-found]
            default_query_distribution,
        )

        generator = TestsetGenerator.from_llama_index(llm=None, embedding_model=None)
        with pytest.warns(UserWarning, match="3 of 9 questions were written: .* candidates"):
            generator.generate_with_llamaindex_docs(DOCUMENTS, testset_size=9)
        testset = generator.generate_with_llamaindex_docs(
            DOCUMENTS, testset_size=2, query_distribution=default_query_distribution()
        )
    frame = testset.to_pandas()
    assert len(set(frame["reference"])) == 2
    assert list(frame["user_input"]) == [s.query for s in testset.to_evaluation_dataset().samples]
    for row in testset.to_list():
        assert any(row["reference_contexts"][0] in text for text in TEXTS)


def test_ragas_of_old_counts_by_evolutions_and_asks_about_chunks() -> None:
    with imports_from_here():
        from ragas.testset import TestsetGenerator

        chunks = [TextNode(id_="pumps.md", text=TEXTS[0])]
        generator = TestsetGenerator.from_langchain(generator_llm=None)
        testset = generator.generate_with_chunks(chunks, test_size=1, distributions={"simple": 1.0})
        assert len(testset) == 1
        with pytest.raises(InputError, match="expected a 'knowledge_graph'"):
            generator.generate(testset_size=1)


def test_deepeval_writes_goldens_for_files_and_contexts(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.md" for name in NAMES]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_text(text, "utf-8")
    with imports_from_here():
        from deepeval.synthesizer import Synthesizer  # type: ignore[import-not-found]

        writer = Synthesizer()
        goldens = writer.generate_goldens_from_docs(
            document_paths=list(map(str, paths)), max_goldens_per_context=1
        )
        more = writer.generate_goldens_from_contexts(
            contexts=[TEXTS[:1]], max_goldens_per_context=1
        )
        saved = writer.save_as("json", str(tmp_path / "out"))
        with pytest.raises(InputError, match="expected 'csv'"):
            writer.save_as("xlsx", str(tmp_path))
    assert len(goldens) == 2
    assert [golden.expected_output in TEXTS[0] for golden in more] == [True]
    rows = json.loads(Path(saved).read_text("utf-8"))
    assert [row["input"] for row in rows] == [golden.input for golden in (*goldens, *more)]


def test_llama_index_writes_data_sets_that_newer_versions_cannot() -> None:
    nodes = [TextNode(id_=name, text=text) for name, text in zip(NAMES, TEXTS, strict=True)]
    with imports_from_here():
        from llama_index.core.evaluation import (  # type: ignore[attr-defined]
            generate_question_context_pairs,
        )
        from llama_index.core.llama_dataset.generator import (  # type: ignore[import-not-found]
            RagDatasetGenerator,
        )

        pairs = generate_question_context_pairs(nodes, num_questions_per_chunk=1)
        labelled = RagDatasetGenerator.from_documents(
            DOCUMENTS, num_questions_per_chunk=1
        ).generate_dataset_from_nodes()
    assert len({example.reference_answer for example in labelled.examples}) == 2
    assert pairs.corpus == dict(zip(NAMES, TEXTS, strict=True))
    for query, ids in pairs.query_docid_pairs:
        assert len(ids) == 1, query


def test_a_model_that_a_subclass_calls_judges() -> None:
    with imports_from_here():
        from deepeval.metrics import ToxicityMetric  # type: ignore[import-not-found]
        from deepeval.models import DeepEvalBaseLLM  # type: ignore[import-not-found]
        from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]

        class Own(DeepEvalBaseLLM):  # type: ignore[misc] # of no type here
            def load_model(self) -> list[str]:
                return []

            def generate(self, prompt: str) -> str:
                self.model.append(prompt)
                return '{"reason": "It threatens the reader.", "verdict": true}'

        own = Own()
        metric = ToxicityMetric(threshold=0.5, model=own)
        metric.measure(LLMTestCase(input="Hello?", actual_output="I will find you."))
    assert (metric.score, metric.is_successful()) == (1.0, False)
    assert "I will find you." in own.model[0]
