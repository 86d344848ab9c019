"""The data card in a report: all of it, found by itself or named, and nothing of it run."""

from pathlib import Path

import pytest
from markupsafe import escape

from llamaindex_rag_eval.report import html_report
from llamaindex_rag_eval.report.card import card_html
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval
from tests.report.runs import run_of_scores
from tests.report.test_html import HOSTILE, Elements
from testset import Created, GoldenItem, GoldenSet, Rejection, data_card
from testset.golden.golden_set import write_report

ITEMS = tuple(
    GoldenItem(
        id=f"q{number}",
        question=f"{number}?",
        reference="r",
        topic="pumps",
        created=Created(models={"writer": "gpt-4o-mini"}),
    )
    for number in range(3)
)
COST = {"model calls": "431", "tokens": "20,116 sent, 1,219 received", "cost": "$0.0124"}
GOLDEN = GoldenSet(ITEMS, size=4, facts=COST)


@pytest.fixture
def run() -> Run:
    found = run_of_scores("bm25", {"m": [0.25, 0.5, 1.0]})
    assert {sample.id for sample in found.samples} == {"q0", "q1", "q2"}
    return found


def test_a_card_becomes_headings_lists_tables_and_paragraphs():
    html = card_html(data_card(GOLDEN))
    assert '<li dir="auto">items: 3 of 4 asked for</li>' in html
    rows = (
        html.partition('<h3 dir="auto">Topics</h3>')[2]
        .partition("</table></div>")[0]
        .replace("\n", "")
    )
    assert 'role="region" aria-label="Topics"' in rows
    assert '<td></td><th scope="col">items</th>' in rows
    assert '<tr><td dir="auto">pumps</td><td dir="auto">3</td></tr>' in rows
    assert "<h1" not in html
    assert html.rstrip().endswith("</p>")
    assert card_html("") == ""


def test_the_report_tells_calls_tokens_and_cost(run: Run):
    page = html_report(run, card=data_card(GOLDEN))
    for name, value in COST.items():
        assert f"{name}: {value}" in page
    assert "The golden set" in page
    assert "The golden set" not in html_report(run)


def test_hostile_text_of_a_card_is_text(run: Run):
    rejected = Rejection(HOSTILE, "a | b \\| c", f"{HOSTILE}.md", "lint", HOSTILE)
    hostile = ITEMS[0].model_copy(update={"topic": HOSTILE})
    golden = GoldenSet((hostile,), rejected=(rejected,), facts={"stopped": HOSTILE})
    page = html_report(run, card=data_card(golden))
    assert len(Elements(page).scripts) == 2
    assert not Elements(page).of("img")
    cells = [escape(cell) for cell in ("lint", "1", HOSTILE, "a | b \\| c", HOSTILE)]
    row = "\n".join(f'<td dir="auto">{cell}</td>' for cell in cells)
    assert row.replace("&#39;", "'").replace("&#34;", "&quot;") in page
    raw = html_report(run, card=f"# x\n\n## {HOSTILE}\n\n- {HOSTILE}\n\n| {HOSTILE} |\n\n{HOSTILE}")
    assert len(Elements(raw).scripts) == 2
    assert not Elements(raw).of("img")


def test_the_command_finds_the_golden_set_beside_the_run(run: Run, tmp_path: Path):
    run.to_jsonl(tmp_path / "scores.jsonl")
    page = tmp_path / "report.html"
    told = ["report", str(tmp_path / "scores.jsonl"), "-o", str(page)]
    assert rag_eval(*told).exit_code == 0
    assert "The golden set" not in page.read_text("utf-8")
    GOLDEN.write(tmp_path / "golden.jsonl")
    assert rag_eval(*told).exit_code == 0
    assert "model: writer" in page.read_text("utf-8")
    write_report(GOLDEN, tmp_path / "golden.jsonl")
    assert rag_eval(*told).exit_code == 0
    assert "cost: $0.0124" in page.read_text("utf-8")
    GoldenSet(ITEMS[:2]).write(tmp_path / "golden.jsonl")  # not the set of these questions
    assert rag_eval(*told).exit_code == 0
    assert "The golden set" not in page.read_text("utf-8")


def test_the_command_takes_the_card_that_the_generation_wrote(run: Run, tmp_path: Path):
    run.to_jsonl(tmp_path / "scores.jsonl")
    card, page = tmp_path / "card.md", tmp_path / "report.html"
    card.write_text(data_card(GOLDEN), encoding="utf-8")
    told = ["report", str(tmp_path / "scores.jsonl"), "-o", str(page), "--card"]
    assert rag_eval(*told, str(card)).exit_code == 0
    assert "cost: $0.0124" in page.read_text("utf-8")
    missing = rag_eval(*told, str(tmp_path / "none.md"))
    assert missing.exit_code == 2
    assert "none.md" in missing.output
