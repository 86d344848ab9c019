"""Replies as a model writes them, held to their requests; parts, and what they come to."""

from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import (
    ClaimsOf,
    CritiqueOf,
    EntitiesOf,
    GradeOf,
    QuestionsOf,
    RelevanceOf,
    RelevantSentencesOf,
    SimilaritiesOf,
    SupportOf,
)
from llamaindex_rag_eval.models import Reply, Request
from tests.models.asking import RELEVANCE, REQUESTS, SUPPORT
from tests.models.responders import BY_NAME


def output_of(request: Request[Any]) -> dict[str, Any]:
    """Return what a model that judges by words writes."""
    prompt = request.prompt
    assert prompt is not None
    user = {"role": "user", "content": request.to_prompt().model_dump_json()}
    written = BY_NAME[prompt.name]({}, {"messages": [user]})
    assert isinstance(written, dict)
    return written


def reply_to(request: Request[Any], output: dict[str, Any]) -> Reply:
    prompt = request.prompt
    assert prompt is not None
    reply: Reply = request.from_prompt(prompt.output.model_validate(output))
    request.check(reply)
    return reply


LISTS = {
    "support": ("verdicts", "claim"),
    "relevance": ("verdicts", "context"),
    "entities": ("texts", "text"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_good_output_is_a_reply_that_keeps_the_contract(name: str) -> None:
    request = REQUESTS[name]
    assert isinstance(reply_to(request, output_of(request)), request.reply)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("fault", ["missing", "extra", "twice", "zero", "beyond", "none"])
def test_exactly_one_entry_for_each_id_is_taken(name: str, fault: str) -> None:
    request, (field, number) = REQUESTS[name], LISTS[name]
    output = output_of(request)
    entries = output[field]
    count = len(entries)
    if fault == "missing":
        entries.pop(0)
    elif fault == "extra":
        entries.append({**entries[0], number: count + 1})
    elif fault == "twice":
        entries[0] = {**entries[0], number: 2}
    elif fault == "none":
        entries.clear()
    else:
        entries[0][number] = 0 if fault == "zero" else count + 1
    with pytest.raises(ReplyError, match=rf"expected exactly one for each id from 1 to {count}"):
        reply_to(request, output)


@pytest.mark.parametrize("name", LISTS)
def test_entries_out_of_order_are_put_in_order(name: str) -> None:
    request, (field, _) = REQUESTS[name], LISTS[name]
    output = output_of(request)
    expected = reply_to(request, output)
    output[field].reverse()
    assert reply_to(request, output) == expected


@pytest.mark.parametrize("field", ["supported_by", "contradicted_by"])
@pytest.mark.parametrize("number", [0, -1, 4, 1001])
def test_a_source_that_does_not_exist_is_named_as_the_model_counts(field: str, number: int) -> None:
    output = output_of(SUPPORT)
    output["verdicts"][0][field] = [1, number]
    with pytest.raises(ReplyError, match=rf"^source {number} does not exist; ids are 1 to 3$"):
        reply_to(SUPPORT, output)


def test_supported_by_nothing_is_no_verdict_and_the_claim_is_not_repeated() -> None:
    output = output_of(SUPPORT)
    output["verdicts"][0]["supported_by"] = []
    with pytest.raises(ReplyError, match=r"^claim 1 is called supported, but .* empty$"):
        reply_to(SUPPORT, output)


def test_a_source_named_twice_counts_once() -> None:
    output = output_of(SUPPORT)
    output["verdicts"][0]["supported_by"] = [3, 1, 3]
    reply = reply_to(SUPPORT, output)
    assert reply.verdicts[0].sources == (2, 0)  # type: ignore[attr-defined]  # a SupportReply


def test_sources_of_a_verdict_that_is_not_supported_are_left_out() -> None:
    output = output_of(SUPPORT)
    output["verdicts"][2]["supported_by"] = [1]
    assert reply_to(SUPPORT, output).verdicts[2].sources == ()  # type: ignore[attr-defined]  # likewise


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("relevant_sentences", {"needed": [1, 4]}, "sentence 4 does not exist; ids are 1 to 3"),
        ("questions", {"questions": ["One?"]}, "1 questions for 2 asked for"),
        ("questions", {"questions": ["1?", "2?", "3?"]}, "3 questions for 2 asked for"),
        ("grade", {"level": 2}, r"level 2 is not on the scale \[1, 3\]"),
    ],
)
def test_what_is_out_of_range_is_refused(name: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        reply_to(REQUESTS[name], {**output_of(REQUESTS[name]), **change})


def test_blank_claims_are_left_out() -> None:
    reply = reply_to(REQUESTS["claims"], {"claims": [" a ", "", "  "]})
    assert reply.claims == ("a",)  # type: ignore[attr-defined]  # a Claims


def whole_and_parts(request: Request[Any], parts: tuple[Request[Any], ...]) -> tuple[Reply, Reply]:
    whole = reply_to(request, output_of(request))
    joined = request.joined(parts, [reply_to(part, output_of(part)) for part in parts])
    request.check(joined)
    return whole, joined


DIVISIBLE: tuple[Request[Any], ...] = (
    ClaimsOf(text="Ada is tall. Ben is old. Cleo is here."),
    SUPPORT,
    SupportOf(claims=SUPPORT.claims, sources=("Ada is tall. Never: Cleo is here. Ben is old.",)),
    RELEVANCE,
    RelevanceOf(question="q", contexts=("It rains. It is in Oslo.",), answer="Oslo"),
    EntitiesOf(texts=("Ada met Ben.", "Oslo is cold.", "Ada left.")),
    EntitiesOf(texts=("Ada met Ben. Then Cleo met Ada.",)),
    RelevantSentencesOf(question="q", sentences=("one", "two", "three", "four", "five")),
)


@pytest.mark.parametrize("request_", DIVISIBLE, ids=range(len(DIVISIBLE)))
def test_halves_come_to_what_the_whole_does(request_: Request[Any]) -> None:
    parts = request_.halves()
    assert len(parts) == 2
    whole, joined = whole_and_parts(request_, parts)
    assert joined == whole


@pytest.mark.parametrize("request_", [SUPPORT, RELEVANCE], ids=["support", "relevance"])
def test_one_by_one_comes_to_what_the_whole_does(request_: Request[Any]) -> None:
    parts = request_.one_by_one()
    assert len(parts) == 3
    whole, joined = whole_and_parts(request_, parts)
    assert joined == whole
    assert parts[0].one_by_one() == ()


@pytest.mark.parametrize("name", ["questions", "critique", "grade", "preference"])
def test_what_is_about_the_whole_is_not_divided(name: str) -> None:
    assert REQUESTS[name].halves() == REQUESTS[name].one_by_one() == ()


def test_similarities_are_asked_of_no_model() -> None:
    # The tenth request: embeddings answer it, or rules.
    request = SimilaritiesOf(text="a", others=("b",))
    assert (request.prompt, request.to_embed, request.halves()) == (None, ("a", "b"), ())


def test_the_majority_of_critiques_keeps_its_share() -> None:
    request = REQUESTS["critique"]
    assert isinstance(request, CritiqueOf)
    votes = [request.reply.model_validate({"verdict": verdict}) for verdict in (True, False, True)]
    majority = request.majority(votes)  # type: ignore[arg-type]  # they are critiques
    assert (majority.verdict, majority.agreement) == (True, 2 / 3)


def test_the_majority_of_other_replies_is_the_most_frequent_one() -> None:
    request = REQUESTS["grade"]
    assert isinstance(request, GradeOf)
    votes = [request.reply.model_validate({"level": level}) for level in (1, 3, 3)]
    assert request.majority(votes).level == 3  # type: ignore[arg-type]  # they are grades


def test_an_evasive_text_may_have_no_questions() -> None:
    request = QuestionsOf(text="I do not know.", n=2)
    reply_to(request, {"noncommittal": True, "questions": []})
