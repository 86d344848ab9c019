"""Claims: what a text says, taken apart."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.division import halves_of
from llamaindex_rag_eval.judge.prompts.claims import CLAIMS, ClaimsInput, ClaimsOutput
from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Claims", "ClaimsOf", "Granularity"]

Granularity = Literal["low", "high"]


class Claims(Reply):
    """The claims that a text makes, each understandable alone."""

    claims: tuple[str, ...]


class ClaimsOf(Request[Claims]):
    """Which claims does this text make?

    Attributes:
        text: The text to take apart.
        question: What the text answers; it resolves "it" and "yes".
        atomicity: `high` splits into the smallest claims, `low` keeps sentences together.
        coverage: `high` keeps every detail, `low` the main statements only.
    """

    reply: ClassVar[type[Reply]] = Claims
    prompt: ClassVar[Prompt[Any, Any] | None] = CLAIMS
    ruled: ClassVar[bool] = True

    text: str
    question: str = ""
    atomicity: Granularity = "high"
    coverage: Granularity = "high"

    def by_rule(self, embed: Embed | None = None) -> Claims:
        """Split into sentences and clauses."""
        del embed
        return Claims(
            claims=claims_of(
                self.text,
                question=self.question,
                atomicity=self.atomicity,
                coverage=self.coverage,
            )
        )

    def to_prompt(self) -> ClaimsInput:
        """Return the text with what it answers."""
        return ClaimsInput(
            question=self.question,
            text=self.text,
            atomicity=self.atomicity,
            coverage=self.coverage,
        )

    def from_prompt(self, output: ClaimsOutput) -> Claims:
        """Return the claims, each once, without blank ones."""
        claims = (claim.strip() for claim in output.claims if claim.strip())
        return Claims(claims=tuple(dict.fromkeys(claims)))

    def halves(self) -> tuple[Request[Claims], ...]:
        """Divide the text at a sentence near its middle."""
        return tuple(self.model_copy(update={"text": part}) for part in halves_of(self.text))

    def joined(self, parts: Sequence[Request[Claims]], replies: Sequence[Claims]) -> Claims:
        """Return the claims of all parts, each once."""
        del parts
        found = (claim for reply in replies for claim in reply.claims)
        return Claims(claims=tuple(dict.fromkeys(found)))
