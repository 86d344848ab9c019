"""The views beside the scores: kinds of questions, distributions."""

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.report import html_report
from tests.report.runs import run_of_scores, sample

SAMPLES = [sample(f"q{n}", metadata={"type": ("prose", "table")[n // 3]}) for n in range(4)]


def test_a_run_alone_shows_its_means_by_kind_of_question() -> None:
    page = html_report(run_of_scores("r", {"m": [0.0, 0.25, 0.125, 1.0]}, samples=SAMPLES))
    row = page[page.index('<span class="key">type:</span> <span dir="auto">prose') :]
    # (0 + 1/4 + 1/8) / 3
    assert '<td class="n">3</td>' in row[:120]
    assert '<td class="n">0.125</td>' in row[:200]


def test_a_comparison_shows_the_distribution_of_each_run_and_of_the_differences() -> None:
    a = run_of_scores("a", {"m": [0.0, 0.0, 1.0, 1.0]})
    b = run_of_scores("b", {"m": [0.0, 1.0, 1.0, 1.0]})
    page = html_report(compare(a, b))
    assert "distribution from 0.0 to 1.0: 2 0 0 0 0 0 0 0 0 2" in page
    assert "distribution from 0.0 to 1.0: 1 0 0 0 0 0 0 0 0 3" in page
    assert "distribution from -1.0 to 1.0: 0 0 0 0 0 3 0 0 0 0 1" in page


def test_kinds_of_one_question_are_folded() -> None:
    asked = [sample(f"q{n}", metadata={"type": kind}) for n, kind in enumerate(["a", "a", "<b>"])]
    run = run_of_scores("r", {"m": [0.0, 0.25, 1.0]}, samples=asked)
    for page in (html_report(run), html_report(compare(run, run.named("s")))):
        assert '<span class="key">type:</span> <span dir="auto">a</span></th>' in page
        assert "1 kind of one question each" in page
        assert '<li><span class="key">type:</span> <span dir="auto">&lt;b&gt;</span></li>' in page
