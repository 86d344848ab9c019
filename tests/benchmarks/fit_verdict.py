"""How much doubt is left about an answer that was found, if nothing contradicts it?

    python -m tests.benchmarks.fit_verdict [--dry-run]

Reads `evouna_nq` and `evouna_tq` in `RAG_EVAL_DATA` (default `../shared/data` beside the
repository). The embedded judge says how likely a response gives the reference's answer before it
looks for contradictions. Where it finds none, it errs less often than that says:

    doubt_left = wrong answers among those that it supports / sum of (1 - probability) over them

Prints the share for each set and for both, and writes it to
`llamaindex_rag_eval/judge/rules/verdict_weights.json`.
"""

import argparse
import json

from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.judge.rules.claims import claims_of
from tests.benchmarks.changed_claims import REPOSITORY
from tests.benchmarks.labelled_claims import label_of, records

WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "verdict_weights.json"
SETS = ("evouna_nq", "evouna_tq")


def errors_of(name: str, doubt_left: float) -> tuple[int, float]:
    """Return how many supported answers are wrong, and how many were to be by the raw doubt."""
    wrong, expected = 0, 0.0
    for record in records(name):
        question, response = str(record["question"]), str(record["response"])
        claims = claims_of(str(record["reference"]), question=question)
        asked = SupportOf(claims=claims, sources=(response,), question=question)
        for entry in asked.by_rule().verdicts:
            if entry.supported and entry.probability is not None:
                wrong += not label_of(name, record["labels"])[1]  # type: ignore[arg-type] # a mapping
                expected += (1 - entry.probability) / doubt_left
    return wrong, expected


def main() -> None:
    """Print the shares, and write that of both sets."""
    parser = argparse.ArgumentParser(description="Fit the doubt that is left about an answer.")
    parser.add_argument("--dry-run", action="store_true", help="print, but write nothing")
    options = parser.parse_args()
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    found = {name: errors_of(name, stored["doubt_left"]) for name in SETS}
    found["both"] = tuple(map(sum, zip(*found.values(), strict=True)))  # type: ignore[assignment] # a pair
    for name, (wrong, expected) in found.items():
        print(f"{name:10} {wrong:5} wrong of {expected:6.1f} expected: {wrong / expected:.3f}")
    if not options.dry_run:
        wrong, expected = found["both"]
        stored["doubt_left"] = round(wrong / expected, 3)
        WEIGHTS.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
