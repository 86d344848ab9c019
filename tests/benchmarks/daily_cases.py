"""Is the embedded judge right on what people write daily, and on the examples of other tools' docs?

    python -m tests.benchmarks.daily_cases [--show]

Three files beside the tests of the rules, written before the rules were rebuilt by someone who had
not seen them (`tests/judge/rules/DATA.md`):

- `daily_cases`: whether a response is right by its reference, and supported by its contexts, for
  those on which every careful reader agrees;
- `lengths`: whether five responses to a paragraph of reference come in order: all its points, half
  of them, one, and below that one word of it, and something else;
- `worked_examples`: whether a metric is on the right side of the example's own threshold. Metrics
  that need a model are not counted.

`--show` prints what is judged wrongly.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from llamaindex_rag_eval.errors import NeedsModelError
from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from llamaindex_rag_eval.metrics.registry import metric_of
from tests.benchmarks.changed_claims import REPOSITORY

DATA = REPOSITORY / "tests" / "judge" / "rules"
LOWER_IS_BETTER = frozenset({"hallucination"})
FIELDS = {"query": "question"} | {name: name for name in ("response", "contexts", "reference")}


class Judged(NamedTuple):
    """What the judge says of a case.

    Attributes:
        task: What was judged.
        is_right: Whether that is what a reader says.
        case: The case, in words.
    """

    task: str
    is_right: bool
    case: str


def read(name: str, folder: Path = DATA) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def is_supported(row: dict[str, Any]) -> bool:
    """Return whether all claims of a response are supported by its contexts."""
    claims = claims_of(row["response"], question=row["question"])
    request = SupportOf(claims=claims, sources=tuple(row["contexts"]), question=row["question"])
    return bool(claims) and all(entry.supported for entry in request.by_rule().verdicts)


def daily() -> Iterator[Judged]:
    """Yield the daily cases, each judged by its reference and by its contexts."""
    for row in read("daily_cases"):
        case = f"{row['kind']}, {row['language']}: {row['question']} {row['response']}"
        if row["right"] is not None:
            verdict = verdict_on(row["question"], row["response"], [row["reference"]]).verdict
            yield Judged("daily: right", (verdict == "right") == row["right"], case)
        if row["faithful"] is not None:
            yield Judged("daily: faithful", is_supported(row) == row["faithful"], case)


def lengths() -> Iterator[Judged]:
    """Yield for each reference whether the responses are graded in their order."""
    for row in read("lengths"):
        grades = {
            each["level"]: verdict_on(row["question"], each["text"], [row["reference"]]).probability
            for each in row["responses"]
        }
        ordered = grades["full"] >= grades["half"] >= grades["point"]
        below = max(grades["word"], grades["other"]) < grades["point"]
        yield Judged("lengths: in order", ordered and below, f"{row['question']} {grades}")


def worked() -> Iterator[Judged]:
    """Yield the examples of other tools whose metric needs no model."""
    for row in read("worked_examples"):
        fields = {name: row[key] for name, key in FIELDS.items() if row.get(key)}
        try:
            score = metric_of(row["ours"]).evaluate(**fields).score
        except NeedsModelError:
            continue
        if score is None:
            continue
        low = row["ours"] in LOWER_IS_BETTER
        passes = score <= row["threshold"] if low else score >= row["threshold"]
        case = f"{row['tool']}, {row['ours']} {score:.2f}: {row['question']} {row['response']}"
        yield Judged("worked examples", passes == (row["side"] == "pass"), case)


def main() -> None:
    """Print how many of each task are judged as a reader does."""
    parser = argparse.ArgumentParser(description="The embedded judge on daily cases.")
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly")
    options = parser.parse_args()
    cases = [*daily(), *lengths(), *worked()]
    for task in dict.fromkeys(case.task for case in cases):
        right = [case.is_right for case in cases if case.task == task]
        print(f"{task:20}{sum(right):4} of {len(right)}")
    for case in cases:
        if options.show and not case.is_right:
            print(f"{case.task}: {case.case}")


if __name__ == "__main__":
    main()
