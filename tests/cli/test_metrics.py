"""`rag-eval more metrics`: the list, and the page of one metric."""

import json

from tests.cli.command_line import rag_eval


def test_metrics_lists_all_and_explains_one() -> None:
    listed = json.loads(rag_eval("more", "metrics", "--json").stdout)
    assert {"faithfulness", "ndcg"} <= {entry["name"] for entry in listed}
    assert set(listed[0]) == {"name", "question", "range", "direction", "needs", "judge"}
    assert "formula" in json.loads(rag_eval("more", "metrics", "ndcg@10", "--json").stdout)
    page = rag_eval("more", "metrics", "ndcg@10").stdout
    assert page.startswith("ndcg\n")
    assert "source:" in page


def test_no_word_of_the_list_is_cut_off() -> None:
    listed = json.loads(rag_eval("more", "metrics", "--json").stdout)
    words = rag_eval("more", "metrics").stdout.split()
    assert all(set(entry["question"].split()) <= set(words) for entry in listed)
