"""Compare two retrievers on the same questions: is the difference more than luck?"""

import tempfile
from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.comparison import compare
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.report import write_html
from testset import Corpus, exact_nodes, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=12)

# Nodes that know their exact place can be held against the gold, whatever their size.
nodes = exact_nodes(corpus.llama_documents(), chunk_size=800)
index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
retrievers = {
    "bm25": BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=5),
    "embedding": index.as_retriever(similarity_top_k=5),
}

metrics = ["hit_rate@5", "mrr", "context_recall", "faithfulness"]
runs = {
    name: evaluate(
        RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM()),
        golden,
        metrics=metrics,
        name=name,
    )
    for name, retriever in retrievers.items()
}

comparison = compare(runs["bm25"], runs["embedding"])
for contrast in comparison.contrasts:
    print(f"{contrast.metric.label}: {contrast.mean_a:.2f} -> {contrast.mean_b:.2f}")
for sentence in comparison.verdict:
    print(sentence)

with tempfile.TemporaryDirectory() as folder:
    report = write_html(comparison, Path(folder) / "report.html")
    print(f"report: {report.stat().st_size // 1024} kB, one file")
