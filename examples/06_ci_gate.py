"""A gate for CI: store runs, and accept a change only if it is shown not to be worse.

The change below retrieves one passage instead of five. The gate stops it: too few questions find
their passage. Where so few questions cannot tell if it is worse, that would not pass either.
"""

import tempfile
from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.query_engine import RetrieverQueryEngine

from llamaindex_rag_eval import Run, evaluate
from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.decisions.gate_formats import markdown_summary, write_junit
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.runs.store.run_store import RunStore
from testset import Corpus, exact_nodes, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=40)
nodes = exact_nodes(corpus.llama_documents(), chunk_size=800)
index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())


def run_with(top_k: int, name: str) -> Run:
    retriever = index.as_retriever(similarity_top_k=top_k)
    engine = RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM())
    return evaluate(engine, golden, metrics=["hit_rate@5", "context_recall"], name=name)


# What `rag-eval gate last --min hit_rate@5=.7 --no-worse-than main --margin .1` does.
policy = Policy.parse(min=["hit_rate@5=.7"], margin=0.1)

with tempfile.TemporaryDirectory() as folder:
    runs = RunStore(Path(folder) / "runs.db")  # .rag-eval/runs.db by default, or a database
    runs.add(run_with(5, "main"))
    runs.add(run_with(1, "a change that saves tokens"), tags=["pull-request"])

    decision = decide(runs.get("main"), runs.get("last"), policy)
    print(markdown_summary(decision))

    report = write_junit(decision, Path(folder) / "gate.xml")
    print(f"{report.name}: {len(decision.checks)} test cases; {decision.outcome}")

    for run in (runs.get("main"), runs.get("last")):
        (mean,) = [entry.mean for entry in run.summary() if entry.metric.spec == "context_recall"]
        print(f"{run.name}: {mean:.3f}")
