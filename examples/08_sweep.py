"""Sweep: which chunk size and how many passages? Clear losers stop early.

On the command line the same is `rag-eval more sweep sweep.yaml`; its help shows the file.
"""

import tempfile
from pathlib import Path

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

from llamaindex_rag_eval import sweep
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.report.sweep import write_sweep
from testset import Corpus, exact_nodes, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=60)


def make_engine(chunk_size: int, top_k: int) -> RetrieverQueryEngine:
    if chunk_size < 50:
        raise ValueError("a passage of less than 50 characters holds no answer")
    # Nodes with exact offsets can be compared with the gold spans, whatever their size.
    nodes = exact_nodes(corpus.llama_documents(), chunk_size=chunk_size)
    retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=top_k)
    return RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM())


with tempfile.TemporaryDirectory() as folder:
    # Answers and scores are kept in the folder: run again, nothing is asked twice.
    found = sweep(
        {"chunk_size": [20, 100, 400, 1600], "top_k": [1, 5]},
        make_engine,
        golden,
        metrics=["hit_rate@5", "context_recall"],
        out=folder,
    )
    for one in found.ranked:
        means = ", ".join(f"{spec} {mean.value:.2f}" for spec, mean in one.means.items())
        print(f"{one.name}: {one.state}, {one.questions} questions, {means or one.reason}")
    for sentence in found.sentences:
        print(sentence)
    print("cheapest for what they score:", ", ".join(found.front("tokens")))
    print(write_sweep(found, folder).name)
