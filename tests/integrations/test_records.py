"""What other tools are given of a run, and what they give back."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations.records import (
    evidence_link,
    expected_of,
    feedback_of,
    inputs_of,
    judged,
    metadata_of,
    outputs_of,
    portable,
    rows_of,
    sample_from,
)
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.integrations.published import QUESTIONS, answered_run, answers


@pytest.mark.parametrize("sample", QUESTIONS, ids=lambda sample: sample.id)
def test_a_question_comes_back_whole(sample: SingleTurnSample) -> None:
    back = sample_from(inputs_of(sample), None, expected_of(sample), metadata_of(sample))
    assert back == sample


def test_a_conversation_comes_back_whole() -> None:
    messages = (Message(role="user", content="Hi"), Message(role="assistant", content="Hello."))
    sample = MultiTurnSample(id="talk", messages=messages, reference="A greeting.")
    back = sample_from(
        inputs_of(sample), outputs_of(sample), expected_of(sample), metadata_of(sample)
    )
    assert back == sample
    assert outputs_of(sample) == {"answer": "Hello."}


def test_what_was_edited_in_the_tool_wins() -> None:
    back = sample_from(
        {"question": "Where?"}, None, {"answer": "There."}, metadata_of(QUESTIONS[0])
    )
    assert isinstance(back, SingleTurnSample)
    assert (back.query, back.reference, back.gold) == ("Where?", "There.", QUESTIONS[0].gold)


def test_records_of_others_are_read_by_their_names() -> None:
    asked = {
        "messages": [{"role": "user", "content": "Who?"}, {"role": "user", "content": "When?"}]
    }
    found = {"output": "Today.", "documents": [{"page_content": "It is today."}, "text"]}
    back = sample_from(asked, found, {"expected_response": "Now.", "expected_facts": ["now"]})
    assert isinstance(back, SingleTurnSample)
    assert (back.query, back.response, back.reference) == ("When?", "Today.", "Now.")
    assert back.history == "user: Who?"
    assert back.texts == ("It is today.", "text")
    assert back.reference_facts[0].text == "now"
    plain = sample_from("Who?", "Ada.", "Ada")
    assert isinstance(plain, SingleTurnSample)
    assert (plain.query, plain.response, plain.reference) == ("Who?", "Ada.", "Ada")


def test_a_record_that_is_no_sample_is_refused() -> None:
    with pytest.raises(InputError, match="a record of another tool cannot be read"):
        sample_from({"question": "q"}, None, None, {"rag_eval": {"latency": "long"}})


def test_a_label_is_the_verdict_else_the_threshold_else_why_there_is_no_score() -> None:
    sample = answers()[0]
    scored = Result(metric="m", sample_id=sample.id, score=0.5, feedback="m is 0.5. Half.")
    assert (feedback_of(scored).label, feedback_of(scored).reason) == ("", "Half.")
    assert feedback_of(scored.model_copy(update={"passing": False})).label == "fail"
    assert (
        feedback_of(scored.model_copy(update={"passing": True, "verdict": "right"})).label
        == "right"
    )
    failed = Result.from_error("m", sample, ValueError("broken"))
    found = feedback_of(failed)
    assert (found.score, found.label, found.error) == (None, "failed", "ValueError")


def test_a_model_that_judged_is_told_from_rules() -> None:
    by = {"ClaimsOf": {"embedded-rules/3": 1}, "SimilaritiesOf": {"embedding/small": 2}}
    result = Result(metric="m", sample_id="a", score=1.0, judged_by=by)
    assert feedback_of(result).by == "CODE"
    by["SupportOf"] = {"llm/gpt/0/1": 1}
    assert feedback_of(result.model_copy(update={"judged_by": by})).by == "LLM"


def test_a_run_is_its_samples_with_their_results() -> None:
    rows = list(rows_of(answered_run()))
    assert [sample.id for sample, _ in rows] == ["shelf", "key", "fee"]
    faithfulness, recall = rows[0][1]
    assert (faithfulness.metric, faithfulness.label) == ("faithfulness", "pass")
    assert 0.5 < (faithfulness.score or 0) <= 1
    assert (recall.metric, bool(recall.reason)) == ("context_recall", True)


def test_a_link_leads_to_the_question_in_the_report() -> None:
    assert evidence_link("", "q") == ""
    assert evidence_link("https://host/r.html", "q 1#2") == "https://host/r.html#question=q%201%232"


def test_a_metric_judges_a_record_of_another_tool() -> None:
    metric = Faithfulness(EmbeddedOracle())
    outputs = {"answer": "It is on the left shelf.", "contexts": ["It is on the left shelf."]}
    assert judged(metric, {"question": "Where?"}, outputs).score == pytest.approx(1, abs=0.2)
    lacking = judged(metric, {"question": "Where?"}, {"answer": "It is there."})
    assert (lacking.score, lacking.label) == (None, "failed")
    assert "needs 'contexts'" in lacking.reason


def test_what_leaves_the_machine_names_none_of_its_folders() -> None:
    inside = str(Path.cwd() / "docs" / "hall.md")
    sample = SingleTurnSample.model_validate(
        {
            "id": "a",
            "contexts": ["It stands.", {"path": "/srv/images/hall.png", "caption": "the hall"}],
            "context_spans": [{"doc_id": inside, "start": 0, "end": 9}, None],
            "metadata": {
                "context_metadata": [
                    {"file_path": inside, "page": 2},
                    {"file_path": "/srv/docs/hall.md", "source": "C:\\docs\\b.md", "of": "a/b.md"},
                    {"url": "file:///srv/docs/c.md", "home": "https://example.com/d.md"},
                ],
                "engine_settings": {"docs": "/srv/docs", "top_k": 5},
            },
        }
    )
    own = portable(sample).model_dump(mode="json", exclude_unset=True)
    assert own["contexts"] == ["It stands.", "the hall"]
    assert own["context_spans"] == [{"doc_id": "docs/hall.md", "start": 0, "end": 9}, None]
    assert own["metadata"] == {
        "context_metadata": [
            {"file_path": "docs/hall.md", "page": 2},
            {"file_path": "hall.md", "source": "b.md", "of": "a/b.md"},
            {"url": "c.md", "home": "https://example.com/d.md"},
        ],
        "engine_settings": {"docs": "docs", "top_k": 5},
    }
