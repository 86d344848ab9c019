"""Print how many nodes of LlamaIndex's splitters are found again in their documents, and rightly.

    python -m tests.benchmarks.node_places [FOLDER...]

Each folder (by default those of $RAG_EVAL_DATA/documents) is read by LlamaIndex's own reader and
cut by its splitters. A node is found rightly if the place holds the node's words. Once with the
path of the file, as nodes have it, and once without any name.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from llama_index.core import SimpleDirectoryReader
from llama_index.core.node_parser import (
    MarkdownNodeParser,
    NodeParser,
    SentenceSplitter,
    SentenceWindowNodeParser,
    TokenTextSplitter,
)
from llama_index.core.schema import BaseNode, TextNode

from llamaindex_rag_eval.judge.rules.tokens import normalise
from testset import Corpus
from testset.corpus.index import CorpusIndex
from testset.corpus.placing import NodePlaces

SPLITTERS: dict[str, NodeParser] = {
    "SentenceSplitter(256)": SentenceSplitter(chunk_size=256, chunk_overlap=32),
    "TokenTextSplitter(128)": TokenTextSplitter(chunk_size=128, chunk_overlap=16),
    "MarkdownNodeParser": MarkdownNodeParser(),
    "SentenceWindowNodeParser": SentenceWindowNodeParser.from_defaults(),
}
NODES = 400
"""Nodes of each folder and splitter, evenly from all."""


def placed(nodes: Sequence[BaseNode], places: NodePlaces, index: CorpusIndex) -> tuple[int, int]:
    """Return how many nodes are placed, and how many of these rightly."""
    found = right = 0
    for node in nodes:
        place = places.locate(node)
        if place is None:
            continue
        found += 1
        shown = index.documents[place[0]].text[place[1] : place[2]]
        right += normalise(node.get_content()).split() == normalise(shown).split()
    return found, right


def main(folders: Sequence[Path]) -> None:
    """Print a line for each folder and splitter."""
    print(f"{'folder':14} {'splitter':26} {'nodes':>6} {'by path':>14} {'by text':>14} {'ms':>6}")
    for folder in folders:
        index = CorpusIndex.of(Corpus.read(folder).documents)
        documents = SimpleDirectoryReader(str(folder), recursive=True).load_data()
        for name, splitter in SPLITTERS.items():
            everything = [
                n for n in splitter.get_nodes_from_documents(documents) if n.get_content().strip()
            ]
            nodes = everything[:: max(1, len(everything) // NODES)]
            started = time.perf_counter()
            by_path = placed(nodes, NodePlaces(index), index)
            took = 1000 * (time.perf_counter() - started) / len(nodes)
            bare = [TextNode(text=node.get_content()) for node in nodes]
            by_text = placed(bare, NodePlaces(index), index)
            shares = (f"{found}, {right} right" for found, right in (by_path, by_text))
            print(
                f"{folder.name:14} {name:26} {len(nodes):6} ",
                *(f"{share:>16}" for share in shares),
                f"{took:6.1f}",
            )


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]]
    main(given or sorted(Path(os.environ["RAG_EVAL_DATA"], "documents").iterdir()))
