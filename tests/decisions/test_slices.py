"""Slices: the same comparison for each kind of question."""

from llamaindex_rag_eval.decisions.compare import compare
from tests.report.runs import run_of_scores, sample


def test_kinds_of_questions_are_compared_one_by_one() -> None:
    kinds = [
        sample(f"q{n}", metadata={"type": kind, "split": ("dev", "test")[n % 2]})
        for n, kind in enumerate(["table", "table", "prose", "prose"])
    ]
    a = run_of_scores("a", {"m": [0.0, 0.0, 1.0, 1.0]}, samples=kinds)
    b = run_of_scores("b", {"m": [0.5, 1.0, 1.0, 1.0]}, samples=kinds)
    prose, table = compare(a, b).slices
    assert (prose.value, prose.n, prose.contrasts[0].difference) == ("prose", 2, 0.0)
    assert (table.value, table.n, table.contrasts[0].difference) == ("table", 2, 0.75)


def test_a_key_with_one_value_or_with_a_value_for_each_question_makes_no_slices() -> None:
    many = [sample(f"q{n}", metadata={"type": "t", "topic": f"topic {n}"}) for n in range(20)]
    a, b = (run_of_scores(name, {"m": [0.5] * 20}, samples=many) for name in "ab")
    assert compare(a, b).slices == ()
