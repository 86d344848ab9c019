import itertools

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.data.sample import ToolCall
from llamaindex_rag_eval.formulas.tool_calls import paired_matches


def call(name, **args):
    return ToolCall(name=name, args=args)


CALLS = st.lists(
    st.builds(call, st.sampled_from("ab"), x=st.integers(0, 1), y=st.integers(0, 1)), max_size=4
)


def best_by_trying_all(table, *, ordered):
    """Return the greatest sum of matches over all one-to-one pairings."""
    rows, columns = len(table), len(table[0]) if table else 0
    best = 0.0
    for size in range(min(rows, columns) + 1):
        for chosen in itertools.combinations(range(rows), size):
            for order in itertools.permutations(range(columns), size):
                if ordered and list(order) != sorted(order):
                    continue
                best = max(best, sum(table[i][j] for i, j in zip(chosen, order, strict=True)))
    return best


@settings(deadline=None, max_examples=60)
@given(CALLS, CALLS, st.sampled_from(["ordered", "unordered"]))
def test_no_other_pairing_matches_better(wanted, made, order):
    pairs = paired_matches(wanted, made, order=order, arguments="nested")
    table = [
        [
            0.0
            if w.name != m.name
            else ((w.args["x"] == m.args["x"]) + (w.args["y"] == m.args["y"])) / 2
            for m in made
        ]
        for w in wanted
    ]
    expected = best_by_trying_all(table, ordered=order == "ordered")
    assert sum(match for _, _, match in pairs) == pytest.approx(expected)
    assert len({i for i, _, _ in pairs}) == len({j for _, j, _ in pairs}) == len(pairs)
