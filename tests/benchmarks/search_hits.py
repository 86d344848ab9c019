"""How often the two retrievers of a corpus find the evidence of questions among the first five.

    python -m tests.benchmarks.search_hits

Human questions over the paragraphs of encyclopedias, each with the title of its article, and
questions over folders of Markdown and reStructuredText that a reader would keep; both lie in
`RAG_EVAL_DATA`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from tests.benchmarks.drafted.labelled import read_verdicts
from tests.corpora import NAMES, data_folder, rows
from testset import SourceDocument
from testset.corpus.index import CorpusIndex

BEST = 5
Asked = tuple[str, Sequence[int]]
"""A question, and the numbers of the passages with its evidence."""


def corpora(data: Path) -> Iterator[tuple[str, CorpusIndex, list[Asked]]]:
    """Yield the name, the index and the questions of each corpus."""
    for name in NAMES:
        folder = data / "corpora" / name
        texts = [(r["doc_id"], r["text"], r["title"]) for r in rows(folder / "docs.jsonl")]
        index = CorpusIndex.of([SourceDocument(*text) for text in texts])
        asked: list[Asked] = [
            (row["question"], [n for doc in row["relevant"] for n in index.by_document[doc]])
            for row in rows(folder / "questions_dev.jsonl")
        ]
        yield name, index, asked
    labelled, indexes = read_verdicts(data)
    found: dict[str, list[Asked]] = defaultdict(list)
    for entry in labelled:
        if not entry.fault:
            spans = [span for group in entry.draft.gold for span in group]
            numbers = [n for span in spans for n in indexes[entry.corpus].passages_at(span)]
            found[entry.corpus].append((entry.draft.question, numbers))
    for name, questions in found.items():
        yield name, indexes[name], questions


def main() -> None:
    """Print the table."""
    data = data_folder()
    assert data is not None, "RAG_EVAL_DATA names no folder"
    print(f"corpus       questions  hit@{BEST} by words  by parts of words")
    for name, index, asked in corpora(data):
        by_words = [index.bm25.rank(question, numbers) or np.inf for question, numbers in asked]
        near = [(index.vectors.nearness(question), list(numbers)) for question, numbers in asked]
        by_parts = [np.count_nonzero(row > row[numbers].max()) + 1 for row, numbers in near]
        shares = [float(np.mean(np.array(ranks) <= BEST)) for ranks in (by_words, by_parts)]
        print(f"{name:12} {len(asked):9,}  {shares[0]:14.3f}  {shares[1]:17.3f}", flush=True)


if __name__ == "__main__":
    main()
