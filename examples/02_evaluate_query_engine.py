"""Evaluate a LlamaIndex query engine on your own questions."""

import tempfile
from pathlib import Path

from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.node_parser import TokenTextSplitter

from llamaindex_rag_eval import EvaluationDataset, Faithfulness, evaluate
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM

DOCS = Path(__file__).parent / "docs" / "guides"

# Use your own LLM and embedding model here; these two need neither key nor download.
documents = SimpleDirectoryReader(str(DOCS), recursive=True).load_data()
index = VectorStoreIndex.from_documents(
    documents,
    embed_model=LexicalEmbedding(),
    transformations=[TokenTextSplitter(chunk_size=256, chunk_overlap=0)],
)
query_engine = index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3)

questions = EvaluationDataset.from_rows(
    [
        {
            "question": "What is calibration?",
            "ground_truth": "Calibration is the comparison of a sensor with a known reference, "
            "followed by a correction of the difference.",
        },
        {
            "question": "How often is the fan filter of the VT-480 replaced?",
            "ground_truth": "The fan filter of the VT-480 is replaced every 6 months.",
        },
        {
            "question": "How long does a wetted TH-10 probe dry?",
            "ground_truth": "It dries for 24 hours at room temperature.",
        },
    ]
)

run = evaluate(
    query_engine,
    questions,
    metrics=[Faithfulness(threshold=0.8), "context_recall", "answer_similarity"],
)
for summary in run.summary():
    print(
        f"{summary.metric.spec}: mean {summary.mean:.2f} "
        f"({summary.scored} scored, {summary.undefined} undefined, {summary.failed} failed)"
    )

with tempfile.TemporaryDirectory() as folder:
    table = run.to_csv(Path(folder) / "scores.csv")
    print(f"{len(run.to_pandas())} rows in {table.name}")
