"""The report of where answers are lost: its sentences, its table, and its page."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.diagnosis.cause import TrialName
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers, Trial
from llamaindex_rag_eval.diagnosis.modes import SortedFailure, write_modes
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.report import html_report
from llamaindex_rag_eval.report.lost import (
    beside_runs,
    lost_html,
    lost_sentences,
    lost_table,
    write_lost,
)
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

NOTHING: dict[str, list[object]] = {"diagnoses": [], "modes": []}
HOSTILE = "</style><script>document.title = 'taken'</script>"


def lost_answers() -> LostAnswers:
    """Return three right answers, and one that is lost twice over, in hostile words."""
    samples = [
        SingleTurnSample(id=f"q{n}", query=f"{n} {HOSTILE}", reference="a", response=HOSTILE)
        for n in range(4)
    ]
    trials: dict[TrialName, Trial] = {"alone": Trial(HOSTILE, right=False)}
    return LostAnswers(
        samples,
        (LostAnswer(samples[0], ("ranked_too_low", "misread"), 7, trials),),
        {"q1": {"exchanged": Trial("b", right=True)}},
        unjudged=1,
    )


def test_sentences_say_what_was_found() -> None:
    assert [*lost_sentences(lost_answers())] == [
        "Of 4 questions 1 got no fully right answer: 1 ranked too low.",
        "The share of right answers is 0.750 (0.301 to 0.954).",
        "With perfect retrieval this share would be about 0.750 (0.301 to 0.954).",
        "Of 1 right answer tried with a changed value in the nodes, the share that gives that "
        "value is 1.000 (no interval).",
        "Wrong answers with a second cause, where fixing the first is not enough: 1.",
        "1 question without a verdict are left out.",
    ]


def test_nothing_lost_is_said_so() -> None:
    lost = LostAnswers(lost_answers().samples, ())
    assert next(lost_sentences(lost)) == "Of 4 questions all got a right answer."
    assert "Causes" not in lost_html(lost)


def test_the_table_has_each_cause_with_what_to_do() -> None:
    console = Console(width=200, record=True)
    console.print(lost_table(lost_answers()))
    text = console.export_text()
    assert "ranked too low" in text
    assert "Raise similarity_top_k" in text


def test_no_text_is_markup() -> None:
    html = lost_html(lost_answers())
    assert "<script" not in html
    assert "&lt;/style&gt;&lt;script&gt;" in html


def run_of(samples: Sequence[SingleTurnSample], *scores: float) -> Run:
    return run_of_scores("r", {"answer_verdict": scores}, samples=samples)


def test_a_report_finds_the_diagnosis_of_its_answers_and_no_other(tmp_path: Path) -> None:
    lost = lost_answers()
    write_lost(lost, tmp_path / "diagnosis")
    (tmp_path / "diagnosis.json").write_text("[]")  # of another form
    run = run_of(lost.samples, 0.0, 0.0, 1.0, 1.0)
    beside = beside_runs([(run, tmp_path)])
    assert [entry.as_json() for entry in beside["diagnoses"]] == [lost.as_json()]
    page = html_report(run, **beside)
    assert "Of 4 questions 1 got no fully right answer: 1 ranked too low." in page
    assert "Raise similarity_top_k" in page
    assert "--engine my_app:engine" not in page
    other = [sample.model_copy(update={"response": "b"}) for sample in lost.samples]
    assert beside_runs([(run_of(other, 0.0, 0.0, 1.0, 1.0), tmp_path)]) == NOTHING


def test_a_report_without_a_diagnosis_says_what_answers_show_and_how_to_find_causes() -> None:
    gold = ((Span(doc_id="a.md", start=0, end=17, quote="It weighs 300 kg."),),)
    held = ("Of the pump: It weighs 300 kg.",)
    samples = [
        sample("q0", gold=gold, contexts=held),
        sample("q1", gold=gold),
        sample("q2", error="it broke"),
        sample("q3", gold=gold),
    ]
    page = html_report(run_of(samples, 0.0, 0.5, 0.0, 1.0))
    told = "Of 4 questions 3 got no fully right answer: 1 no answer, 1 not passed on, 1 not used."
    assert told in page
    assert "<code>answer_verdict is at least 1</code>" in page
    assert "rag-eval diagnose scores.jsonl --engine my_app:engine" in page
    assert "rag-eval diagnose scores.jsonl labels.jsonl" in page
    assert page.index('id="decision"') < page.index('id="glance-title"') < page.index('id="lost"')


def test_without_a_diagnosis_the_worst_answers_come_first() -> None:
    page = html_report(run_of_scores("r", {"m": [0.4, 0.0, 1.0, 0.2, 0.3]}))
    examples = page[page.index("<h3>Examples</h3>") :]
    asked = re.findall(r"Where does (q\d) stand", examples[: examples.index("</section>")])
    assert list(dict.fromkeys(asked)) == ["q1", "q3", "q4"]


def test_of_a_metric_where_lower_is_better_high_scores_are_wrong() -> None:
    run = run_of_scores("r", {"m": [0.0, 1.0, 0.5]}, info={"m": {"direction": "lower"}})
    page = html_report(run)
    assert "Of 3 questions 1 got no fully right answer: 1 unknown." in page
    assert "<code>m is at most 0.5</code>" in page


def test_a_report_without_a_metric_of_answers_says_nothing_of_where_they_are_lost() -> None:
    for info in ({"needs": ("contexts",)}, {"direction": "neither"}):
        assert 'id="lost"' not in html_report(run_of_scores("r", {"m": [0.0]}, info={"m": info}))
    assert 'id="lost"' not in html_report(run_of_scores("r", {"m": [None]}))


def test_two_runs_show_which_causes_shrank() -> None:
    before = run_of_scores("before", {"m": [0.0, 0.0, 0.0, 1.0]})
    now = run_of_scores("now", {"m": [0.0, 1.0, 1.0, 1.0]})
    page = html_report(compare(before, now))
    row = page[page.index('<th scope="row">unknown') :]
    assert [int(n) for n in re.findall(r'<td class="n">(?:<button[^>]*>)?(\d+)', row)[:2]] == [3, 1]


def test_modes_are_counted_from_the_most_frequent_on_and_over_runs(tmp_path: Path) -> None:
    asked = ("How far is it?", "How far is the quay?", "Who built it?", "When is high tide?")
    gold = ((Span(doc_id="a.md", start=0, end=4, quote="12 m."),),)
    samples = [sample(f"q{n}", query=query, gold=gold) for n, query in enumerate(asked)]
    before = run_of_scores("before", {"m": [0.0, 0.0, 0.0, 0.0]}, samples=samples)
    now = run_of_scores("now", {"m": [1.0, 0.0, 0.0, 1.0]}, samples=samples)
    modes = [SortedFailure("<b>unit</b>", "q0"), SortedFailure("<b>unit</b>", "q1")]
    write_modes([*modes, SortedFailure("names", "q2")], tmp_path / "diagnosis" / "modes.jsonl")
    page = html_report(compare(before, now), **beside_runs([(before, tmp_path), (now, tmp_path)]))
    assert "&lt;b&gt;unit&lt;/b&gt; 2 → 1, other 1 → 0" in page
    assert "<b>unit</b>" not in page
    shown = page[page.index('id="modes"') : page.index('id="mode-slices"')]
    rows = re.findall(r'<th scope="row" dir="auto">([^<]*)</th>', shown)
    assert rows == ["&lt;b&gt;unit&lt;/b&gt;", "names", "other"]
    assert re.findall(r'<td class="n">(\d+)%</td>', shown) == ["50", "100", "100"]
    slices = page[page.index('id="mode-slices"') :]
    cells = '<th scope="row" dir="auto">a.md</th><td class="n">1</td><td class="n">1</td>'
    assert cells in slices


def test_a_wrong_line_of_modes_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "modes.jsonl").write_text('{"mode": "m"}\n')
    with pytest.raises(DatasetError, match=r"modes.jsonl.*line 1"):
        beside_runs([(run_of_scores("r", {"m": [0.0]}), tmp_path)])
