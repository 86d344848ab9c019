"""The prompt that asks a model which claims the sources support."""

import re
from typing import ClassVar, Literal

from pydantic import PrivateAttr, StrictInt, model_validator

from llamaindex_rag_eval.judge.wire import Contexts, Wire

LONGEST_NUMBERS = 200
"""Characters of a text that may consist of numbers; longer ones are prose."""


class SupportInput(Wire):
    """Contexts, then the question and the claims, by their numbers."""

    contexts: Contexts
    question: str = ""
    claims: dict[str, str]


class SupportVerdict(Wire):
    """The verdict on one claim.

    Attributes:
        claim: The number of the claim.
        evidence: The numbers of the sentences that decide, negative where they contradict; then,
            unless the verdict is "supported", why. A text of numbers alone is read as numbers.
        verdict: "together" is "supported" by several sources at once, by none of them alone.

    No model writes `_probability`; it follows from the log-probabilities of the reply.
    """

    numbered_by: ClassVar[str] = "claim"

    claim: int
    evidence: tuple[StrictInt | str, ...] = ()
    verdict: Literal["supported", "together", "partly", "contradicted", "not_mentioned"]
    _probability: float | None = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _reason_apart(cls, given: object) -> object:
        """Take a reason, and evidence that is no list, for entries of the list."""
        if not isinstance(given, dict):
            return given
        evidence, reason = given.get("evidence", ()), given.get("reason")
        if isinstance(evidence, str | int):
            evidence = (evidence,)
        if isinstance(reason, str) and isinstance(evidence, list | tuple):
            evidence = (*evidence, reason)
        return {**given, "evidence": evidence}

    @property
    def sentences(self) -> tuple[int, ...]:
        """The numbers of the sentences that decide, negative where they contradict."""
        entries = [[e] if isinstance(e, int) else _numbers(e) for e in self.evidence]
        return tuple(number for entry in entries for number in entry)

    @property
    def reason(self) -> str:
        """Why, in words."""
        return " ".join(e for e in self.evidence if isinstance(e, str) and not _numbers(e)).strip()


_NUMBERS = re.compile(
    r"[\s\[(#]*(?:sentences?[\s#]*)?-?\d{1,9}(?:[\s,;\])(#]+(?:and[\s#]+)?-?\d{1,9})*[\s\]).]*",
    re.IGNORECASE,
)


def _numbers(text: str) -> list[int]:
    """Return the numbers of sentences that a text consists of; none if it says anything else."""
    if len(text) > LONGEST_NUMBERS or not _NUMBERS.fullmatch(text):
        return []
    return [int(number) for number in re.findall(r"-?\d+", text)]


class SupportOutput(Wire):
    """One verdict for each claim."""

    verdicts: tuple[SupportVerdict, ...]
