"""No text of others commands the terminal, a table or a page: its control codes are left out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

from llamaindex_rag_eval import SingleTurnSample, evaluate
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.data.plain_text import json_safe, plain_text
from llamaindex_rag_eval.report.html import html_report

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
