"""Whole runs on corpora with human questions: retrieval, and the time and memory of scoring.

    python -m tests.benchmarks.corpora

For each corpus: hit_rate@5 of BM25 and of the lexical embedding over the corpus's own questions,
by gold span; then generate + run + evaluate on its documents. Last, 500 samples on the first
eight metrics.
"""

import resource
import sys
import time

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.cli.inputs import engine_over
from llamaindex_rag_eval.engines.defaults import default_retriever
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from tests.corpora import NAMES, corpus, data_folder, questions
from testset import exact_nodes, generate

FIRST_EIGHT = DEFAULT_METRICS[:8]
SCORED = 500


def main() -> None:
    """Print the tables."""
    folder = data_folder()
    if folder is None:
        sys.exit("the corpora are not here; set RAG_EVAL_DATA to the folder that holds corpora/")
    print("corpus      questions  hit_rate@5: bm25  embedding   generated  bm25@5 on generated")
    for name in NAMES:
        documents = corpus(folder, name)
        chunks = exact_nodes(documents.llama_documents())
        human = questions(folder, name)
        rates = []
        for kind in ("bm25", "embedding"):
            answers = run(
                default_retriever(chunks, kind, embed_model=LexicalEmbedding(), top_k=5), human
            )
            rates.append(evaluate(answers, metrics=["hit_rate@5"]).summary()[0].mean)
        golden = generate(documents, size=30, seed=7)
        answered = run(engine_over(chunks, "bm25", top_k=5), golden)
        scored = evaluate(answered, metrics=["hit_rate@5", "faithfulness"]).summary()
        print(
            f"{name:10} {len(human):10} {rates[0]:17.3f} {rates[1]:10.3f} {len(golden.items):11} "
            f"{scored[0].mean:15.3f}",
            flush=True,
        )
    documents = corpus(folder, "xquad_en")
    chunks = exact_nodes(documents.llama_documents())
    answers = run(engine_over(chunks, "bm25"), questions(folder, "xquad_en")[:SCORED])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    scored_run = evaluate(answers, metrics=FIRST_EIGHT)
    seconds = time.perf_counter() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(
        f"\n{len(answers)} samples x {len(FIRST_EIGHT)} metrics: {seconds:.1f} s, "
        f"+{grown / 1024:.0f} MB"
    )
    for line in scored_run.summary():
        print(
            f"  {line.metric.spec:22} {line.mean:.3f}  n={line.scored} undefined={line.undefined}"
        )


if __name__ == "__main__":
    main()
