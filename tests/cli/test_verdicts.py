"""One verdict, wherever it is shown: `compare`, its JSON, its report, and the gate's exit code."""

import html
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.decision import Decision, decide
from llamaindex_rag_eval.decisions.policy import Allowances, Policy
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval
from tests.report.runs import run_of_scores, sample

EXITS = {"ship": 0, "do not ship": 3, "cannot tell yet": 5, "not comparable": 7}
COLLAPSE = ([1.0], [0.0])


def runs(
    n: int, a: Sequence[float | None] = (0.8,), b: Sequence[float | None] = (0.8,), **scores: float
) -> tuple[Run, Run]:
    """Return two runs over n questions with other answers; `b` begins with scores of its own."""
    before = (*a, *[a[-1]] * n)[:n]
    now = (*b, *[b[-1]] * n)[:n]
    return run_of_scores("main", {"m": before}), run_of_scores("new", {"m": now})


def same_answers(n: int, scores: Sequence[float | None]) -> tuple[Run, Run]:
    run = run_of_scores("main", {"m": [*scores, *[0.8] * (n - len(scores))]})
    return run, run.named("new")


def one_question_less(n: int) -> tuple[Run, Run]:
    return runs(n)[0], run_of_scores("new", {"m": [1.0] * (n - 1)})


def another_reference(n: int, **fields: object) -> tuple[Run, Run]:
    samples = [
        sample("q0", response="Here.", **fields),
        *map(sample, (f"q{k}" for k in range(1, n))),
    ]
    return runs(n)[0], run_of_scores("new", {"m": [1.0] * n}, samples=samples)


def failed(n: int) -> tuple[Run, Run]:
    new = run_of_scores("new", {"m": [None, *[1.0] * (n - 1)]}, failed=[("q0", "m")])
    return runs(n)[0], new


CASES: dict[str, tuple[str, Callable[[], tuple[Run, Run]]]] = {
    # Alike, with other answers; the margin is .2.
    "2 questions": ("cannot tell yet", lambda: runs(2)),
    "8 questions": ("cannot tell yet", lambda: runs(8)),
    "19 questions": ("cannot tell yet", lambda: runs(19)),
    "20 questions": ("ship", lambda: runs(20)),
    "50 questions": ("ship", lambda: runs(50)),
    "19 questions, all of them better": ("cannot tell yet", lambda: runs(19, [0.2], [1.0])),
    "the same answers to 2 questions": ("ship", lambda: same_answers(2, [])),
    "the same answers, one undefined": ("ship", lambda: same_answers(50, [None])),
    "a question less": ("not comparable", lambda: one_question_less(50)),
    "another reference": ("not comparable", lambda: another_reference(50, reference="Elsewhere.")),
    "other gold": (
        "not comparable",
        lambda: another_reference(50, reference_contexts=["A label."]),
    ),
    "a failure, less than the margin": ("ship", lambda: failed(50)),
    # 2 of 22 that are taken to fall by 1 are .09 of the margin of .2; 20 do not show the rest.
    "missing scores": ("cannot tell yet", lambda: runs(22, [1.0], [None, None, 1.0])),
    "missing in the baseline": ("cannot tell yet", lambda: runs(22, [None, None, 0.0], [0.0])),
    "missing scores that are few enough": ("ship", lambda: runs(50, b=[None, None, 0.8])),
    "a loss within the margin": ("ship", lambda: runs(50, b=[0.78])),
    "a loss beyond it": ("do not ship", lambda: runs(50, b=[0.4])),
    "a loss within it on 19": ("cannot tell yet", lambda: runs(19, b=[0.78])),
    "a collapse on 2": ("cannot tell yet", lambda: runs(2, *COLLAPSE)),
    "five common questions of others": ("not comparable", lambda: one_question_less(6)),
    "a collapse on 4": ("cannot tell yet", lambda: runs(4, *COLLAPSE)),
    "a collapse on 8": ("do not ship", lambda: runs(8, *COLLAPSE)),
    "a collapse on 50": ("do not ship", lambda: runs(50, *COLLAPSE)),
}


SHOWN = (
    "8 questions",
    "20 questions",
    "the same answers to 2 questions",
    "a question less",
    "a failure, less than the margin",
    "missing scores",
    "a loss beyond it",
    "a collapse on 2",
)
"""Cases that are looked at wherever a verdict is shown: of each verdict one or more."""


def decided(case: str, **allowed: bool) -> Decision:
    """Return the decision on the runs of a case."""
    _, make = CASES[case]
    return decide(*make(), Policy(margin=0.2, allow=Allowances(**allowed)))


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_its_verdict(case: str) -> None:
    expected, _ = CASES[case]
    assert decided(case).verdict == expected


@pytest.mark.parametrize("case", SHOWN)
def test_headline_json_report_and_exit_code_are_one_verdict(case: str, tmp_path: Path) -> None:
    expected, make = CASES[case]
    page = tmp_path / "report.html"
    a, b = (run.to_jsonl(tmp_path / f"{run.name}.jsonl") for run in make())
    margin = ("--margin", ".2")
    shown = rag_eval("compare", a, b, *margin, "--report", page, "--json")
    (decision,) = json.loads(shown.stdout)["decisions"]
    assert decision["verdict"] == expected

    gate = rag_eval("gate", b, "--no-worse-than", a, *margin, "--json")
    assert (gate.exit_code, json.loads(gate.stdout)["verdict"]) == (EXITS[expected], expected)

    call = re.search(
        r'<div class="decision ([\w-]+)">\s*<p class="call">([^<]*)</p>', page.read_text()
    )
    assert call is not None
    assert tuple(map(html.unescape, call.groups())) == (
        expected.replace(" ", "-"),
        decision["headline"],
    )
    assert decision["headline"].lower().startswith(expected)
    printed = " ".join(rag_eval("compare", a, b, *margin).stdout.split())
    assert f"new: {decision['headline']}." in printed


BLOCKED = [name for name, (verdict, _) in CASES.items() if verdict != "ship"]


@pytest.mark.parametrize("case", BLOCKED)
def test_what_is_inconclusive_may_be_allowed_and_nothing_else(case: str) -> None:
    verdict, _ = CASES[case]
    # What is worse by more than the margin on average does not pass, shown or not.
    passes = verdict == "cannot tell yet" and case not in ("a collapse on 2", "a collapse on 4")
    decision = decided(case, inconclusive=True)
    assert (decision.verdict, decision.held) == (verdict, passes)


@pytest.mark.parametrize("case", [case for case in SHOWN if case in BLOCKED])
def test_the_exit_code_is_0_where_what_is_inconclusive_is_allowed(
    case: str, tmp_path: Path
) -> None:
    verdict, make = CASES[case]
    a, b = (run.to_jsonl(tmp_path / f"{run.name}.jsonl") for run in make())
    gate = ("gate", b, "--no-worse-than", a, "--margin", ".2", "--allow-inconclusive")
    passes = decided(case, inconclusive=True).held
    assert rag_eval(*gate).exit_code == (0 if passes else EXITS[verdict])


def test_many_metrics_let_no_collapse_pass_as_inconclusive(tmp_path: Path) -> None:
    names = [f"m{k}" for k in range(8)]
    a = run_of_scores("main", {name: [1.0] * 8 for name in names}).to_jsonl(tmp_path / "a.jsonl")
    b = run_of_scores("new", {name: [0.0] * 8 for name in names}).to_jsonl(tmp_path / "b.jsonl")
    gate = rag_eval("gate", b, "--no-worse-than", a, "--allow-inconclusive")
    assert gate.exit_code == 3


def test_only_the_metrics_that_are_compared_decide(tmp_path: Path) -> None:
    a = run_of_scores("main", {"m": [0.5] * 50, "k": [1.0] * 50}).to_jsonl(tmp_path / "main.jsonl")
    b = run_of_scores("new", {"m": [0.9] * 50, "k": [0.0] * 50}).to_jsonl(tmp_path / "new.jsonl")
    verdicts = [
        json.loads(rag_eval("compare", a, b, *metrics, "--json").stdout)["decisions"][0]["verdict"]
        for metrics in ((), ("-m", "m"))
    ]
    assert verdicts == ["do not ship", "ship"]
