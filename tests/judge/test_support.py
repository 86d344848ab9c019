"""Support: the sources that a model names, held against those there are."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import Support, SupportReply
from tests.judge.replies import output_of, reply_to
from tests.models.asking import SUPPORT


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


def verdicts(*words: str) -> SupportReply:
    """Return a verdict on each claim; one that is supported names the first source."""
    pairs = zip(SUPPORT.claims, words, strict=True)
    return SupportReply(
        verdicts=tuple(
            Support.model_validate(
                {"claim": claim, "verdict": word, "sources": (0,) if word == "supported" else ()}
            )
            for claim, word in pairs
        )
    )


def test_the_majority_of_votes_decides_each_claim_by_itself() -> None:
    yes, no, against = "supported", "not_mentioned", "contradicted"
    votes = [verdicts(yes, no, yes), verdicts(yes, yes, no), verdicts(no, no, against)]
    first, second, third = SUPPORT.majority(votes).verdicts
    assert (first.verdict, first.agreement, first.probability) == (yes, 2 / 3, 2 / 3)
    assert (second.verdict, second.agreement, second.probability) == (no, 2 / 3, 1 / 3)
    assert (third.verdict, third.agreement) == (yes, 1 / 3)  # three ways: the first vote


def test_a_verdict_on_another_claim_is_refused() -> None:
    reply = verdicts("supported", "supported", "supported")
    entries = reply.verdicts
    with pytest.raises(ReplyError, match=r"'Ben is old\.'"):
        SUPPORT.check(SupportReply(verdicts=(entries[1], entries[0], entries[2])))
