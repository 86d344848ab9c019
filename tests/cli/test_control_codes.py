"""No text of others commands the terminal, a table or a page: its control codes are left out."""

import logging
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from rich.table import Table

from llamaindex_rag_eval import SingleTurnSample, evaluate
from llamaindex_rag_eval.cli.console import PlainFormatter, Printer
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import iter_jsonl
from llamaindex_rag_eval.data.plain_text import json_safe, plain_text
from llamaindex_rag_eval.decisions.decision import Decision
from llamaindex_rag_eval.decisions.gate_formats import junit_xml, markdown_summary
from llamaindex_rag_eval.decisions.limits import Check
from llamaindex_rag_eval.integrations.pytest_plugin import _fail
from llamaindex_rag_eval.report.html import html_report
from llamaindex_rag_eval.ui.labelling import Labelling
from testset import GoldenItem, GoldenSet, data_card
from testset.formats.exchange import export_golden, import_golden

HOSTILE = "\x1b[2J\x1b]0;title\x07Ada\x9b31m\r\x08 is\x1bc tall."
PLAIN = "Ada is tall."


@given(st.text())
def test_plain_text_has_no_control_character_and_stays_plain(text: str) -> None:
    plain = plain_text(text)
    found = {c for c in plain if ord(c) < 32 or 127 <= ord(c) < 160}
    assert found <= {"\n", "\t", "\r"}
    assert "\r" not in plain.replace("\r\n", "")
    assert plain_text(plain) == plain


@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cc", "Cs"])))
def test_text_without_control_characters_stays_as_it_is(text: str) -> None:
    assert plain_text(text) == text


def test_whatever_is_printed_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    printer = Printer()
    printer.show(HOSTILE, table)
    printer.note(HOSTILE)
    Printer(as_json=True).data({"a": HOSTILE})
    printed = "".join(capsys.readouterr())
    assert PLAIN in printed
    assert not {c for c in printed if ord(c) < 32 or 127 <= ord(c) < 160} - {"\n"}
    assert json_safe("\x9b") == "\\u009b"


def test_tables_and_pages_are_plain(tmp_path: Path) -> None:
    sample = SingleTurnSample(id="a", query=HOSTILE, response=HOSTILE, contexts=(HOSTILE,))
    run = evaluate([sample], metrics=["faithfulness"], name=HOSTILE)
    table, page = run.to_csv(tmp_path / "s.csv").read_text(), html_report(run)
    for text in (table, page):
        assert PLAIN in text
        assert not {c for c in text if ord(c) < 32 or 127 <= ord(c) < 160} - {"\n", "\t"}
    assert "u001b" not in page


ANSWER = f"=HYPERLINK(1) | {HOSTILE} <i>"
"""What a hostile engine answers: a formula, a cell's end, control codes and markup."""


def controls(text: str) -> set[str]:
    """Return the control characters of a text but for tabs and ends of lines."""
    return {c for c in text if ord(c) < 32 or 127 <= ord(c) < 160} - {"\n", "\t"}


def test_a_hostile_answer_is_plain_in_files_of_runs_and_read_back_as_it_was(tmp_path: Path) -> None:
    sample = SingleTurnSample(id="a", query="Who?", response=ANSWER, contexts=(HOSTILE,))
    run = evaluate([sample], metrics=["faithfulness"], name=HOSTILE)
    answers = EvaluationDataset([sample]).write(tmp_path / "answers.jsonl")
    scores = run.to_jsonl(tmp_path / "scores.jsonl")
    Labelling(run, tmp_path / "labels.jsonl").write_csv(tmp_path / "sheet.csv")
    sheet = (tmp_path / "sheet.csv").read_text("utf-8")
    for text in (answers.read_text("utf-8"), scores.read_text("utf-8"), sheet):
        assert not controls(text)
    assert next(iter(iter_jsonl(answers))).response == ANSWER
    assert type(run).read(scores).samples[0].response == ANSWER
    assert f"'=HYPERLINK(1) | {PLAIN} <i>" in sheet


def test_a_hostile_message_is_plain_in_what_continuous_integration_reads() -> None:
    check = Check("m", "fails", ANSWER)
    outcome = Decision(HOSTILE, "worse", checks=(check,), reasons=(ANSWER,), notes=(ANSWER,))
    xml, markdown = junit_xml(outcome), markdown_summary(outcome)
    assert not controls(xml + markdown)
    assert f"{PLAIN} &lt;i&gt;" in xml
    assert f"&#124; {PLAIN} &lt;i&gt;" in markdown
    with pytest.raises(AssertionError) as failed:
        _fail([ANSWER])
    assert str(failed.value) == f"=HYPERLINK(1) | {PLAIN} <i>"
    record = logging.LogRecord("a", logging.WARNING, "a", 1, "%s", (HOSTILE,), None)
    assert PlainFormatter().format(record) == PLAIN


@pytest.mark.parametrize("to", ["csv", "ragas", "deepeval", "raget", "langsmith", "jsonl"])
def test_a_hostile_item_is_plain_in_every_format(to: str, tmp_path: Path) -> None:
    item = GoldenItem(id="a", question=f"{HOSTILE}?", reference=ANSWER)
    for name in ("g.csv", "g.jsonl"):
        (path,) = export_golden(GoldenSet((item,)), tmp_path / name, to=to)  # type: ignore[arg-type]
        assert not controls(path.read_text("utf-8"))


def test_no_cell_of_a_golden_set_is_a_formula_and_its_text_comes_back(tmp_path: Path) -> None:
    item = GoldenItem(id="a", question="=1+1", reference="'-5 degrees")
    (path,) = export_golden(GoldenSet((item,)), tmp_path / "g.csv", to="csv")
    assert "'=1+1,'" in path.read_text("utf-8")
    (back,) = import_golden(path, source="csv").golden
    assert (back.question, back.reference) == ("=1+1", "'-5 degrees")


def test_a_data_card_is_plain() -> None:
    item = GoldenItem(id="a", question=HOSTILE, reference=ANSWER, topic=ANSWER)
    card = data_card(GoldenSet((item,), facts={"model": HOSTILE}))
    assert not controls(card)
    assert f"- model: {PLAIN}" in card
    assert f"=HYPERLINK(1) \\| {PLAIN} &lt;i>" in card
