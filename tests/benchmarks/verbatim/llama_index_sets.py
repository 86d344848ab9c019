"""LlamaIndex 0.10 to 0.14.20: its data sets, and its evaluators over them."""

import asyncio
import tempfile
from pathlib import Path

from llama_index.core.evaluation import EmbeddingQAFinetuneDataset, FaithfulnessEvaluator
from llama_index.core.llama_dataset import (
    CreatedBy,
    CreatedByType,
    LabelledRagDataExample,
    LabelledRagDataset,
)
from llama_index.core.llms import MockLLM

by = CreatedBy(type=CreatedByType.HUMAN)
example = LabelledRagDataExample(
    query="Where does the ferry go?",
    query_by=by,
    reference_answer="To Bergen.",
    reference_contexts=["The ferry goes to Bergen."],
    reference_answer_by=by,
)
with tempfile.TemporaryDirectory() as folder:
    path = str(Path(folder, "set.json"))
    LabelledRagDataset(examples=[example]).save_json(path)
    dataset = LabelledRagDataset.from_json(path)
assert dataset.to_pandas()["reference_answer"][0] == "To Bergen."
pairs = EmbeddingQAFinetuneDataset(
    queries={"q": "Where?"}, corpus={"n": "There."}, relevant_docs={"q": ["n"]}
)
assert pairs.query_docid_pairs == [("Where?", ["n"])]
judge = FaithfulnessEvaluator(llm=MockLLM())
assert asyncio.run(judge.aevaluate(response="a", contexts=["b"])).score is not None
