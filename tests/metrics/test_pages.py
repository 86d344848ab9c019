from collections import Counter

from llamaindex_rag_eval.metrics.pages import metric_page, metric_pages
from llamaindex_rag_eval.metrics.ranking import Ndcg


def test_every_metric_is_documented_by_itself():
    for page in metric_pages():
        assert page.question.endswith("?"), page.name
        assert page.question[0].isupper(), page.name
        assert "=" in page.formula, page.name
        assert page.about, page.name
        assert page.limitations.endswith("."), page.name
        assert page.source, page.name
        assert page.needs, page.name
        assert page.bounds[0] < page.bounds[1], page.name


def test_metrics_of_one_module_have_their_own_questions():
    questions = [page.question for page in metric_pages()]
    assert [question for question, count in Counter(questions).items() if count > 1] == []


def test_a_page_is_read_from_the_code():
    page = metric_page("nDCG")
    assert page.name == Ndcg.name
    assert page.question == "How near to the best possible order is this one?"
    assert page.formula.startswith("ndcg@k = ")
    assert page.range == "0..1"
    assert page.needs == "contexts + gold or context_ids + reference_context_ids"
    assert page.settings == {
        "k": "None",
        "gain": "'linear'",
        "coverage": "0.5",
        "threshold": "None",
    }
    assert metric_page("regex_match").settings["pattern"] == "required"
    assert metric_page("mrr").limitations.startswith("Only the first hit counts")
    assert "is not gold evidence is a miss" in metric_page("mrr").limitations
    assert "Limitations" not in metric_page("mrr").about
    assert metric_page("faithfulness").calls == {"ClaimsOf": 1, "SupportOf": 1}


def test_the_page_of_a_claim_metric_says_how_partly_counts():
    for page in metric_pages():
        asks = "SupportOf" in page.calls
        assert ("counts 0.5" in page.about) == (asks and "graded" in page.settings)
    assert "not supported" in metric_page("citation_f1").about
    assert "not supported" not in metric_page("nugget_recall").about  # it counts one half
