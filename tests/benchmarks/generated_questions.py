"""Questions written by rules beside questions written by people, on the same corpora.

    python -m tests.benchmarks.generated_questions [corpus ...] [--docs DIR ...] [--size 100]
        [--seeds 7 11 23]

For each corpus and seed: how many items, how many of them faulty; hit_rate@5 of three retrievers on
the generated and on the human questions, and whether both rank the retrievers alike; which rules
and question words the items come from; then ten items drawn at random, unedited. A folder of
documents has no human questions to compare with.
"""

import argparse
import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import BaseNode

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.defaults import RetrieverKind, default_retriever
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.corpora import NAMES, corpus, data_folder, questions
from testset import Corpus, GoldenSet, exact_nodes, generate

TOP = 5
SHOWN = 10
COVERED = 0.5
"""Share of a gold span that a chunk must cover to count as a hit."""

Search = Callable[[str], Sequence[BaseNode]]


def main() -> None:
    """Print the tables and the samples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--docs", type=Path, nargs="*", default=[])
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seeds", "--seed", type=int, nargs="+", default=[7])
    options = parser.parse_args()
    folder = data_folder()
    names = options.corpora or ([] if options.docs else list(NAMES))
    if names and folder is None:
        sys.exit("the corpora are not here; set RAG_EVAL_DATA to the folder that holds corpora/")
    told = [(name, corpus(folder, name), questions(folder, name)) for name in names if folder]
    told += [(path.name, Corpus.read(path), []) for path in options.docs]
    for name, documents, human in told:
        for seed in options.seeds:
            report(name, documents, human, size=options.size, seed=seed)


def report(
    name: str, documents: Corpus, human: Sequence[SingleTurnSample], *, size: int, seed: int
) -> None:
    """Print the figures and the samples of one corpus."""
    golden = generate(documents, size=size, seed=seed)
    found = f"{len(golden.items)} of {size} items"
    print(f"\n{name}, seed {seed}: {found}; {faults(golden, documents)}")
    searches = retrievers(documents, seed)
    rankings = []
    for title, samples in (("generated", [item.sample() for item in golden]), ("human", human)):
        if not samples:
            continue
        rates = {kind: hit_rate(search, samples) for kind, search in searches.items()}
        rankings.append(sorted(rates, key=lambda kind: -rates[kind]))
        shown = "  ".join(f"{kind} {rate:.3f}" for kind, rate in rates.items())
        print(f"  hit_rate@{TOP} {title:9} n={len(samples):4}  {shown}")
    if len(rankings) > 1:
        print(f"  same ranking: {'yes' if rankings[0] == rankings[1] else 'NO'}")
    print(f"  rules: {shares(item.created.models.get('rule', '') for item in golden)}")
    print(f"  openings: {shares(opening(item.question) for item in golden)}")
    drawn = random.Random(seed).sample(golden.items, min(SHOWN, len(golden.items)))
    for item in drawn:
        print(f"  - {item.question}\n      {item.reference}", flush=True)


def shares(names: Iterable[str]) -> str:
    """Return each name with its share in percent, the greatest first."""
    counts = Counter(names)
    whole = max(1, counts.total())
    return ", ".join(f"{name} {100 * n / whole:.0f} %" for name, n in counts.most_common())


def opening(question: str) -> str:
    """Return the first two words of a question; the last characters where no spaces part words."""
    words = question.split()
    return " ".join(words[:2]).lower() if len(words) > 2 else question.rstrip("?？")[-4:]


def faults(golden: GoldenSet, documents: Corpus) -> str:
    """Return, in words, how many offsets, duplicates and answers are wrong."""
    texts = documents.texts
    spans = [(item, span) for item in golden.items for group in item.gold for span in group]
    offsets = sum(texts[span.doc_id][span.start : span.end] != span.quote for _, span in spans)
    repeats = len(golden.items) - len({_plain(item.question) for item in golden.items})
    missing = sum(
        _plain(item.reference) not in "".join(_plain(group[0].quote) for group in item.gold)
        for item in golden.items
        if item.expected_behaviour == "answer"
    )
    return f"{offsets} offset errors, {repeats} duplicates, {missing} answers not in their gold"


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def retrievers(documents: Corpus, seed: int) -> dict[str, Search]:
    """Return the three retrievers over exact chunks, by name."""
    chunks = exact_nodes(documents.llama_documents())
    dice = random.Random(seed)
    found: dict[str, Search] = {}
    kinds: tuple[RetrieverKind, ...] = ("bm25", "embedding")
    for kind in kinds:
        retriever = default_retriever(chunks, kind, embed_model=LexicalEmbedding(), top_k=TOP)
        found[kind] = _nodes_of(retriever)
    found["random"] = lambda _: dice.sample(chunks, TOP)
    return found


def _nodes_of(retriever: BaseRetriever) -> Search:
    return lambda text: [hit.node for hit in retriever.retrieve(text)]


def hit_rate(search: Search, samples: Sequence[SingleTurnSample]) -> float:
    """Return the share of answerable samples of whose evidence some chunk is found."""
    asked = [sample for sample in samples if sample.gold]
    hits = sum(_hit(search(sample.query), sample) for sample in asked)
    return hits / len(asked) if asked else 0.0


def _hit(found: Sequence[BaseNode], sample: SingleTurnSample) -> bool:
    """Return whether every group of the evidence has a span that a chunk covers."""
    return all(
        any(_covers(node, span.doc_id, span.start, span.end) for node in found for span in group)
        for group in sample.gold or ()
    )


def _covers(node: BaseNode, doc_id: str, start: int, end: int) -> bool:
    low, high = getattr(node, "start_char_idx", 0), getattr(node, "end_char_idx", 0)
    shared = max(0, min(end, high) - max(start, low))
    return node.ref_doc_id == doc_id and shared >= COVERED * (end - start)


if __name__ == "__main__":
    main()
