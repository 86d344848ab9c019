"""The last reader over judged questions: what it keeps of the good ones, what it turns down.

    python -m tests.benchmarks.last_reader [--show]

The questions are those of `verdicts.jsonl` in `RAG_EVAL_DATA` (default `../shared/data` beside the
repository), which the reader was built on, and our own of `tests/testset/rules/last_reader.jsonl`,
over other kinds of documents. Last come people's questions of the corpora, and how many of them it
turns down. With `--show`, its mistakes are listed.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from tests.corpora import NAMES, corpus, data_folder, questions
from testset.rules.reader import fault_of

OWN = Path(__file__).parents[1] / "testset" / "rules" / "last_reader.jsonl"
"""Thirty good and thirty bad questions over leaflets, by-laws and release notes."""


class Judged(NamedTuple):
    """A question with its answer, its evidence, and what a reader makes of it."""

    language: str
    verdict: str
    question: str
    answer: str
    evidence: str


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    folder = data_folder()
    if folder is not None and (verdicts := folder / "verdicts.jsonl").exists():
        report("verdicts", list(read_judged(verdicts)), show=show)
    report("own", list(read_judged(OWN)), show=show)
    for name in NAMES if folder is not None else ():
        refused, asked = people_refused(folder, name)
        print(f"  {name}: {refused} of {asked} questions of people turned down")


def read_judged(path: Path) -> Iterator[Judged]:
    """Yield the judged questions of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        evidence = " ".join(row["quote"])
        yield Judged(row["language"], row["verdict"], row["question"], row["reference"], evidence)


def people_refused(folder: Path, name: str) -> tuple[int, int]:
    """Return how many of people's questions of a corpus the reader turns down, of how many."""
    texts, asked = corpus(folder, name).texts, questions(folder, name)
    refused = 0
    for sample in asked:
        span = (sample.gold or ())[0][0]
        sentences = [(a, b) for a, b in sentence_spans(texts[span.doc_id]) if a <= span.start < b]
        evidence = texts[span.doc_id][slice(*sentences[0])] if sentences else ""
        refused += bool(
            fault_of(sample.query, sample.reference or "", name[-2:], evidence=evidence)
        )
    return refused, len(asked)


def report(name: str, rows: list[Judged], *, show: bool) -> None:
    """Print, by language, the share of good questions kept and of bad ones turned down."""
    counts: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        fault = fault_of(row.question, row.answer, row.language, evidence=row.evidence)
        for language in (row.language, "all"):
            counts[language][row.verdict].append(bool(fault))
        if show and bool(fault) != (row.verdict == "drop") and row.verdict != "mend":
            print(f"  {row.language} {row.verdict}: {row.question} => {row.answer[:80]} ({fault})")
    print(f"\n{name}: language, good kept, bad turned down, to be mended turned down")
    for language in sorted(counts, key=lambda key: (key == "all", key)):
        good, bad, mend = (counts[language][verdict] for verdict in ("keep", "drop", "mend"))
        kept = f"{good.count(False)} of {len(good)}"
        print(f"  {language:4} {kept:>12} {sum(bad)} of {len(bad)} {sum(mend):>4} of {len(mend)}")


if __name__ == "__main__":
    main()
