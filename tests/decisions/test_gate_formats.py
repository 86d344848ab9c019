"""Formats: the outcome of a gate as JUnit XML and as Markdown."""

from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from llamaindex_rag_eval.decisions.decision import Decision, decide
from llamaindex_rag_eval.decisions.gate_formats import (
    junit_xml,
    markdown_summary,
    write_junit,
    write_summary,
)
from llamaindex_rag_eval.decisions.limits import Check, result_of
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.errors import OutputError
from tests.report.runs import run_of_scores

RUN = run_of_scores("new", {"faithfulness": [1.0, 0.5, 0.75] * 2})
OUTCOME = decide(None, RUN, Policy.parse(min=["faithfulness=.7", "faithfulness=.9"]))
HOSTILE = 'a\x00\x1b[31m<b> & "q" ]]> | `x` @team\n# h\ud800\uffff\u202e![i](http://x)'


def outcome(text: str, *, held: bool = False) -> Decision:
    check = Check(text, result_of(held=held), text)
    return Decision(text, "not worse", held, (check,), (text,), text, text, notes=(text,))


def test_a_check_is_a_case_and_one_that_does_not_hold_a_failure() -> None:
    root = Xml.fromstring(junit_xml(OUTCOME))  # noqa: S314 - our own
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "mean of faithfulness must be at least 0.7",
        "mean of faithfulness must be at least 0.9",
        "no result may be missing",
        "at most 10% of results may be undefined",
    ]
    assert [len(case.findall("failure")) for case in cases] == [0, 1, 0, 0]
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.get("message", "").startswith("mean 0.750")


@pytest.mark.parametrize("held", [True, False])
def test_any_text_gives_xml_that_is_well_formed_and_says_it(held: bool) -> None:
    root = Xml.fromstring(junit_xml(outcome(HOSTILE, held=held)).encode())  # noqa: S314 - our own
    case = root.find("testsuite/testcase")
    assert case is not None
    name = case.get("name", "")
    assert '<b> & "q" ]]> | `x` @team' in name
    assert not {"\x00", "\x1b", "\ud800", "\uffff"} & set(name)


def test_the_summary_says_first_whether_the_gate_holds_and_lists_failures_first() -> None:
    lines = markdown_summary(OUTCOME).splitlines()
    missed = "mean of faithfulness must be at least 0.9"
    assert lines[0] == f"### ❌ rag-eval: new: Do not ship&#58; {missed}"
    assert lines[2].startswith("3 of 4 checks hold. Not met&#58; mean of faithfulness")
    rows = [line for line in lines if line.startswith(("| ❌", "| ✅"))]
    assert [row[2] for row in rows] == ["❌", "✅", "✅", "✅"]
    held = decide(None, RUN, Policy.parse(min=["faithfulness=.7"]))
    assert markdown_summary(held).startswith("### ✅ rag-eval: new: Ship&#58; every limit is kept")


def test_too_few_questions_have_a_mark_and_a_type_of_their_own() -> None:
    runs = [run_of_scores(name, {"m": [0.8] * 10}) for name in ("new", "main")]
    open_ = decide(runs[1], runs[0])
    assert "### ❌ rag-eval: new: Cannot tell yet&#58; add about 42 questions" in markdown_summary(
        open_
    )
    assert "| ⚠️ | m must not be worse than main by 0.05 or more |" in markdown_summary(open_)
    assert 'type="cannot tell"' in junit_xml(open_)


def test_no_text_becomes_markup_of_the_summary() -> None:
    text = markdown_summary(outcome(HOSTILE))
    for piece in ("<b>", "`x`", "@team", "\n# h", "![i](", "http://", "\x1b", "\x00", "\u202e"):
        assert piece not in text
    row = next(line for line in text.splitlines() if line.startswith("| ❌"))
    # Four bars of the table, and none of the text.
    assert row.count("|") == 4
    text.encode()


def test_both_are_written_to_files(tmp_path: Path) -> None:
    assert write_junit(OUTCOME, tmp_path / "a" / "gate.xml").read_text("utf-8") == junit_xml(
        OUTCOME
    )
    assert "rag-eval" in write_summary(OUTCOME, tmp_path / "gate.md").read_text("utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        write_junit(OUTCOME, tmp_path)
