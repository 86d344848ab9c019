"""Compare retrievers on the same questions: is the difference larger than chance?"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

from llamaindex_rag_eval.comparison.compare import compare
from llamaindex_rag_eval.comparison.pipelines import grid
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.report import write_html
from testset import Corpus, exact_nodes, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=12)

# Nodes with exact offsets can be compared with the gold spans, whatever their size.
nodes = exact_nodes(corpus.llama_documents(), chunk_size=800)
index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
makers: dict[str, Callable[..., BaseRetriever]] = {
    "bm25": partial(BM25Retriever.from_defaults, nodes=nodes),
    "embedding": index.as_retriever,
}
retrievers = grid(makers, similarity_top_k=[2, 5])

comparison = compare(
    {
        name: RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM())
        for name, retriever in retrievers.items()
    },
    golden,
    metrics=["hit_rate@5", "mrr", "context_recall", "faithfulness"],
    baseline="bm25 similarity_top_k=2",
)
for pair in comparison.pairs:
    print(f"{pair.names[0]} -> {pair.names[1]}")
    for contrast in pair.contrasts:
        print(f"  {contrast.metric.spec}: {contrast.mean_a:.2f} -> {contrast.mean_b:.2f}")
for sentence in comparison.verdict:
    print(sentence)

with tempfile.TemporaryDirectory() as folder:
    report = write_html(comparison, Path(folder) / "report.html")
    print(f"report: {report.stat().st_size // 1024} kB, one file")
