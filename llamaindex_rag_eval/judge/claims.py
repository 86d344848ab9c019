"""Claims: what a text says, taken apart."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.wire import Wire, text_halves
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Claims", "ClaimsOf", "Granularity"]

Granularity = Literal["low", "high"]


class Claims(Reply):
    """The claims that a text makes, each understandable alone."""

    claims: tuple[str, ...]


class ClaimsInput(Wire):
    """The text, what it answers, and how fine to cut."""

    history: str = ""
    question: str = ""
    text: str
    atomicity: Literal["low", "high"] = "high"
    coverage: Literal["low", "high"] = "high"


class ClaimsOutput(Wire):
    """The claims."""

    claims: tuple[str, ...]


CLAIMS = Prompt[ClaimsInput, ClaimsOutput](
    name="claims",
    instruction="""\
List the factual claims that `text` makes, in its own order and language.
- Every claim must be understood without the text: replace pronouns, and use `question` to complete short answers ("Yes", "42").
- State what the text states. Add nothing, correct nothing, and leave no statement out, true or not.
- Keep numbers, dates, names, conditions and hedges ("about", "may") with the claim they belong to.
- atomicity high: one fact a claim. low: one claim a sentence.
- coverage high: every detail. low: only the main statements.
- Questions, greetings, and saying that one does not know are no claims. A text without claims gets an empty list.""",
    input=ClaimsInput,
    output=ClaimsOutput,
    examples=(
        Example(
            input=ClaimsInput(
                question="Who built the Karlin bridge and when?",
                text="It was built by Ada Holm in 1911, probably of local granite.",
            ),
            output=ClaimsOutput(
                claims=(
                    "The Karlin bridge was built by Ada Holm.",
                    "The Karlin bridge was built in 1911.",
                    "The Karlin bridge was probably built of local granite.",
                )
            ),
        ),
        Example(
            input=ClaimsInput(
                question="Is the north gate open on Sundays?",
                text="No. It opens Monday to Friday, 8 to 17.",
                atomicity="low",
            ),
            output=ClaimsOutput(
                claims=(
                    "The north gate is not open on Sundays.",
                    "The north gate opens Monday to Friday, 8 to 17.",
                )
            ),
        ),
        Example(
            input=ClaimsInput(
                question="What is the warranty?", text="Sorry, the documents do not say."
            ),
            output=ClaimsOutput(claims=()),
        ),
    ),
)


class ClaimsOf(Request[Claims]):
    """Which claims does this text make?

    Attributes:
        text: The text to take apart.
        question: What the text answers; it resolves "it" and "yes".
        history: The conversation before the question.
        atomicity: `high` splits into the smallest claims, `low` keeps sentences together.
        coverage: `high` keeps every detail, `low` the main statements only.
    """

    reply: ClassVar[type[Reply]] = Claims
    prompt: ClassVar[Prompt[Any, Any] | None] = CLAIMS
    ruled: ClassVar[bool] = True

    text: str
    question: str = ""
    history: str = ""
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
            history=self.history,
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
        return tuple(self.model_copy(update={"text": part}) for part in text_halves(self.text))

    def join(self, parts: Sequence[Request[Claims]], replies: Sequence[Claims]) -> Claims:
        """Return the claims of all parts, each once."""
        del parts
        found = (claim for reply in replies for claim in reply.claims)
        return Claims(claims=tuple(dict.fromkeys(found)))
