"""Is the embedded judge fooled by one word? A table by language and kind of change.

    python -m tests.benchmarks.contradictions [FILE …] [--even]

Each line of a file is a response to a question, `claim`, beside one short `source`, with its
`label` and the `kind` of change. Told are, of those labelled contradicted or not mentioned, how
many are called supported, which is false; of those labelled supported, how many are kept, and how
many are called contradicted. Without a file it reads `contradictions.jsonl` in `RAG_EVAL_DATA`
and the project's own claims in `tests/judge/rules`: `changed_claims.jsonl`, and
`rephrased_claims.jsonl` and `stated_values.jsonl`, of which `fit_rules` sees nothing. `--even`
leaves out the groups of odd number, which `contradictions.jsonl` gives to `fit_rules`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.judge.rules.claims import claims_of
from tests.benchmarks.changed_claims import DATA, REPOSITORY

LANGUAGES = ("en", "de", "zh", "ja")
RULES = REPOSITORY / "tests" / "judge" / "rules"
OWN, REPHRASED = RULES / "changed_claims.jsonl", RULES / "rephrased_claims.jsonl"
VALUES = RULES / "stated_values.jsonl"
Row = Mapping[str, str]


def read(path: Path, *, even: bool = False) -> list[Row]:
    """Return the claims of a file."""
    rows: list[Row] = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [row for row in rows if not even or int(row["group"][-2:]) % 2 == 0]


def verdict_on(row: Row) -> str:
    """Return the verdict on a response: supported if all its claims are."""
    claims = claims_of(row["claim"], question=row["question"])
    asked = SupportOf(claims=claims, sources=(row["source"],), question=row["question"])
    verdicts = {each.verdict for each in asked.by_rule().verdicts}
    if "contradicted" in verdicts:
        return "contradicted"
    return "supported" if verdicts == {"supported"} else "not_mentioned"


def counted(rows: Iterable[Row]) -> dict[tuple[str, str], Counter[tuple[str, str]]]:
    """Return the verdicts by label and kind, each by language; `all` stands for all kinds."""
    found: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        verdict = verdict_on(row)
        for kind in (row["kind"], "all"):
            cell = found.setdefault((row["label"], kind), Counter())
            cell[row["language"], "n"] += 1
            cell[row["language"], verdict] += 1
    return found


def table(rows: Iterable[Row]) -> str:
    """Return the table: supported of all, and in brackets how many are called contradicted."""
    lines = [f"{'label':15}{'kind':20}" + "".join(f"{name:>14}" for name in LANGUAGES)]
    for (label, kind), cell in sorted(counted(rows).items()):
        cells = [
            f"{cell[name, 'supported']}/{cell[name, 'n']} ({cell[name, 'contradicted']})"
            for name in LANGUAGES
        ]
        lines.append(f"{label:15}{kind:20}" + "".join(f"{each:>14}" for each in cells))
    return "\n".join(lines)


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description="Is the embedded judge fooled by one word?")
    parser.add_argument("files", nargs="*", type=Path, help="claims, one a line")
    parser.add_argument("--even", action="store_true", help="groups of even number only")
    options = parser.parse_args()
    for path in options.files or [DATA / "contradictions.jsonl", OWN, REPHRASED, VALUES]:
        print(f"\n{path.name}: called supported, of all (called contradicted)")
        print(table(read(path, even=options.even)))


if __name__ == "__main__":
    main()
