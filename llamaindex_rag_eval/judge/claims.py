"""Claims: what a text says, taken apart."""

from collections.abc import Sequence
from typing import Literal

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.wire import Divisible, Wire
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written

Granularity = Literal["low", "high"]


class Claims(Reply):
    """The claims that a text makes, each understandable alone."""

    claims: tuple[str, ...]


class ClaimsInput(Wire):
    """How fine to cut, what the text answers, and the text: what calls share comes first."""

    atomicity: Literal["low", "high"] = "high"
    coverage: Literal["low", "high"] = "high"
    question: str = ""
    text: str


class ClaimsOf(Divisible[Claims]):
    """Which claims does this text make?

    Attributes:
        text: The text to take apart.
        question: What the text answers; it resolves "it" and "yes".
        atomicity: `high` splits into the smallest claims, `low` keeps sentences together.
        coverage: `high` keeps every detail, `low` the main statements only.
    """

    prompt = written("claims", ClaimsInput)
    splits_over = "text"

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

    def from_prompt(self, output: Claims) -> Claims:
        """Return the claims, each once, without blank ones."""
        claims = (claim.strip() for claim in output.claims if claim.strip())
        return Claims(claims=tuple(dict.fromkeys(claims)))

    def shorter(self) -> tuple[Request[Claims], ...]:
        """Divide the text between sentences, never within one."""
        return self.halves() if len(sentence_spans(self.text)) > 1 else ()

    def join(self, parts: Sequence[Request[Claims]], replies: Sequence[Claims]) -> Claims:
        """Return the claims of all parts, each once."""
        del parts
        claims = (claim for reply in replies for claim in reply.claims)
        return Claims(claims=tuple(dict.fromkeys(claims)))
