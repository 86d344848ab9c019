"""A heading names a subject; it answers no question about it."""

from llamaindex_rag_eval.judge.rules.answering import best_answer


def test_a_heading_is_no_answer_where_a_sentence_is_one():
    passage = "# Kestrel kettle\n\nThe Kestrel kettle is a stovetop kettle from Leith."
    answer, _ = best_answer("What is the Kestrel kettle?", [passage])
    assert answer == "The Kestrel kettle is a stovetop kettle from Leith."


def test_headings_alone_answer_nothing():
    assert best_answer("What is the Kestrel kettle?", ["# Kestrel kettle"]) == ("", 0.0)
