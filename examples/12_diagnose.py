"""Diagnose: why are answers wrong? Change the engine as told, and see the loss go.

On the command line: `rag-eval diagnose golden.jsonl --engine my_app:engine -o diagnosis/`.
"""

from collections.abc import Sequence
from pathlib import Path

from llama_index.core.schema import BaseNode

from llamaindex_rag_eval import LostAnswers, diagnose
from llamaindex_rag_eval.engines.defaults import default_engine
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.report.lost import lost_sentences
from testset import Corpus, generate
from testset.corpus.nodes import section_nodes, window_nodes

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=24)
documents = corpus.llama_documents()


def diagnosed(name: str, nodes: Sequence[BaseNode], top_k: int) -> LostAnswers:
    model, vectors = ExtractiveLLM(), LexicalEmbedding()
    engine = default_engine(nodes, "embedding", llm=model, embed_model=vectors, top_k=top_k)
    lost = diagnose(engine, golden, control=0)
    print(f"\n{name}:", *lost_sentences(lost), sep="\n")
    for cause in lost.causes:
        print(f"- {cause.count} {cause.text.title}: {cause.text.remedy}")
    return lost


def count(lost: LostAnswers, cause: str) -> int:
    return sum(entry.count for entry in lost.causes if entry.cause == cause)


first = diagnosed("windows of 256 characters, top_k=1", window_nodes(documents, size=256), 1)
# Told of what was never indexed: chunks cut through the evidence, so cut at headings.
whole = diagnosed("sections, top_k=1", section_nodes(documents), 1)
# Told of what was ranked too low: raise similarity_top_k.
wider = diagnosed("sections, top_k=5", section_nodes(documents), 5)

print(f"\nnever indexed: {count(first, 'never_indexed')}, then {count(whole, 'never_indexed')}")
print(f"ranked too low: {count(whole, 'ranked_too_low')}, then {count(wider, 'ranked_too_low')}")
print("right:", *(f"{lost.right.value:.2f}" for lost in (first, whole, wider)))
