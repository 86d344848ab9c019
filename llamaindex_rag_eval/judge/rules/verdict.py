"""The verdict on a whole answer, by its words and those of the references."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.rules.support import support_of
from llamaindex_rag_eval.models.request import Embed

__all__ = ["VerdictByRule", "verdict_on"]


class VerdictByRule(NamedTuple):
    """Whether an answer is right.

    Attributes:
        verdict: On the answer as a whole.
        reason: In words.
        missing: What it lacks, in the words of the reference.
        wrong: What is wrong in it, in its own words.
    """

    verdict: Literal["right", "partly_right", "wrong", "not_attempted"]
    reason: str
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def verdict_on(
    question: str,
    response: str,
    references: Sequence[str],
    *,
    expected: str = "answer",
    embed: Embed | None = None,
) -> VerdictByRule:
    """Return the verdict on a response.

    Args:
        question: The question, with the conversation before it.
        response: The answer.
        references: The right answers; one of them is enough.
        expected: `answer`, or what else a good response does: `refuse`, `clarify` (ask back),
            `correct_premise`.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too.

    Example:
        >>> verdict_on("Who built the lock?", "Ito built it.", ["Ito"]).verdict
        'right'
        >>> verdict_on("Who built the lock?", "I don't know.", ["Ito"]).verdict
        'not_attempted'
    """
    refused = is_refusal(response) or not response.strip()
    if expected == "refuse":
        if refused:
            return VerdictByRule("right", "It declines, as it should.")
        return VerdictByRule("wrong", "It answers what it ought to decline.")
    if expected == "clarify" and response.rstrip().endswith(("?", "？")):
        return VerdictByRule("right", "It asks back, as it should.")
    if refused:
        return VerdictByRule("not_attempted", "It gives no answer.")
    if expected == "clarify":
        return VerdictByRule("wrong", "It answers where it ought to ask back.")
    found = support_of([f"{question} {each}" for each in references], [response], embed=embed)
    if any(entry.verdict == "supported" for entry in found):
        return VerdictByRule("right", "It has the words of the reference.")
    return VerdictByRule("wrong", "It lacks the words of the reference.")
