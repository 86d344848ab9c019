"""Questions that rules write, read one by one: how many of them a person keeps as they stand.

    python -m tests.benchmarks.kept_by_eye [--show]

Rules write a set of each folder of documents in `RAG_EVAL_DATA` (default `../shared/data` beside
the repository), of our own pages in `tests/data/pages`, and of the demo's documents. What a reader
makes of some of the questions, drawn at random, stands in `tests/data/kept_by_eye.jsonl`: "keep",
"mend" (worth it with another wording) or "drop". A question that is written otherwise since counts
as not read. After the first round of reading, rules were mended; the second round is of questions
that nobody had read then; the third, of those that are worded otherwise since, by who mended them.

For each rule and each language: how many were written, read and kept; for each language, also those
of the second round alone. With `--show`, the questions that were written and not read are listed.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.corpora import data_folder
from testset import Corpus, generate

ROOT = Path(__file__).parents[2]
VERDICTS = ROOT / "tests" / "data" / "kept_by_eye.jsonl"
PAGES = ROOT / "tests" / "data" / "pages"
SIZE, SEED = 50, 11
SECOND = 2
"""The round of reading after which rules only went."""


class Written(NamedTuple):
    """A question that a rule wrote, and what a reader made of it; empty if nobody read it."""

    language: str
    rule: str
    question: str
    verdict: str
    round: int = 0


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    lines = VERDICTS.read_text(encoding="utf-8").splitlines()
    verdicts = {row["id"]: row for row in map(json.loads, lines)}
    found: list[Written] = []
    for folder in folders():
        own = list(written(folder, verdicts))
        found += own
        print(f"  {folder.name:14} {counts(own)}", flush=True)
    for title, names in (
        ("rule", sorted({one.rule for one in found})),
        ("language", sorted({one.language for one in found})),
    ):
        print(f"\n{title:24} written  read  kept")
        for name in names:
            print(f"{name:24} {counts([one for one in found if name in (one.rule, one.language)])}")
    print(f"{'all':24} {counts(found)}")
    second = [one for one in found if one.round == SECOND]
    print("\nsecond round")
    for name in sorted({one.language for one in second}):
        print(f"{name:24} {counts([one for one in second if one.language == name])}")
    for one in found if show else ():
        if not one.verdict:
            print(f"  {one.language} {one.rule}: {one.question}")


def folders() -> list[Path]:
    """Return the folders of documents, those that are here."""
    data = data_folder()
    given = sorted((data / "documents").iterdir()) if data is not None else []
    return [*given, *sorted(PAGES.iterdir()), ROOT / "examples" / "docs"]


def written(folder: Path, verdicts: dict[str, dict[str, Any]]) -> Iterator[Written]:
    """Yield what rules ask about the documents of a folder."""
    for item in generate(Corpus.read(folder), size=SIZE, seed=SEED).items:
        rule = item.created.models.get("rule", "")
        row = verdicts.get(item.id, {"verdict": "", "round": 0})
        yield Written(item.axes.language, rule, item.question, row["verdict"], row["round"])


def counts(found: list[Written]) -> str:
    """Return how many questions were written, read and kept, and the share kept of those read."""
    verdicts = Counter(one.verdict for one in found)
    read = len(found) - verdicts[""]
    share = f"{100 * verdicts['keep'] / read:4.0f} %" if read else ""
    return f"{len(found):7} {read:5} {verdicts['keep']:5} {share}"


if __name__ == "__main__":
    main()
