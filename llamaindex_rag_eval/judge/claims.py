"""Claims: what a text says, taken apart."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.wire import MOST_COUNTED, Wire, parts_of, text_halves
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

Granularity = Literal["low", "high"]


class Claims(Reply):
    """The claims that a text makes, each understandable alone."""

    claims: tuple[str, ...]


class ClaimsInput(Wire):
    """How fine to cut, what the text answers, and the text: what calls have in common comes first."""

    atomicity: Literal["low", "high"] = "high"
    coverage: Literal["low", "high"] = "high"
    history: str = ""
    question: str = ""
    text: str


class ClaimsOutput(Wire):
    """The claims."""

    claims: tuple[str, ...]


CLAIMS = Prompt[ClaimsInput, ClaimsOutput](
    name="claims",
    instruction="""\
List the factual claims that `text` makes, in its order and language.
- Each is a whole sentence, understood without the text: replace pronouns, complete short answers ("Yes", "42") by `question` and `history`, name the speaker for "I" or "we".
- Add nothing, correct nothing, leave nothing out, true or not. Numbers, dates, names, conditions and hedges ("may") stay with their claim.
- atomicity high: one fact a claim, one claim for each item of a list; other names for one thing ("Ada / Ada Holm") stay in one claim. low: one claim a sentence.
- coverage high: every detail. low: main statements only.
- A command is the claim that one is to do it. Questions, greetings and not knowing are no claims; the list may be empty.""",
    input=ClaimsInput,
    output=ClaimsOutput,
    examples=(
        Example(
            input=ClaimsInput(
                question="Who built the Karlin bridge?",
                text="Ada Holm and Jon Berg, in about 1911. Cross it on foot.",
            ),
            output=ClaimsOutput(
                claims=(
                    "Ada Holm built the Karlin bridge.",
                    "Jon Berg built the Karlin bridge.",
                    "The Karlin bridge was built in about 1911.",
                    "One is to cross the Karlin bridge on foot.",
                )
            ),
        ),
        Example(
            input=ClaimsInput(
                atomicity="low",
                question="Is the gate open on Sundays?",
                text="No, Monday to Friday, 8 to 17. Sorry!",
            ),
            output=ClaimsOutput(
                claims=("The gate is not open on Sundays but Monday to Friday, 8 to 17.",)
            ),
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

    prompt: ClassVar[Prompt[Any, Any] | None] = CLAIMS

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

    def from_prompt(self, output: ClaimsOutput) -> Claims:
        """Return the claims, each once, without blank ones."""
        claims = (claim.strip() for claim in output.claims if claim.strip())
        return Claims(claims=tuple(dict.fromkeys(claims)))

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """No more claims than the text has room for, in words of its own or the question's."""
        longest = 2 * (len(self.text) + len(self.question) + len(self.history))
        items = {"items": {"maxLength": longest}} if longest <= MOST_COUNTED else {}
        return {"claims": parts_of(self.text) | items}

    def halves(self) -> tuple[Request[Claims], ...]:
        """Divide the text at a sentence near its middle."""
        return tuple(self.model_copy(update={"text": part}) for part in text_halves(self.text))

    def shorter(self) -> tuple[Request[Claims], ...]:
        """Divide the text between sentences, never within one."""
        return self.halves() if len(sentence_spans(self.text)) > 1 else ()

    def join(self, parts: Sequence[Request[Claims]], replies: Sequence[Claims]) -> Claims:
        """Return the claims of all parts, each once."""
        del parts
        found = (claim for reply in replies for claim in reply.claims)
        return Claims(claims=tuple(dict.fromkeys(found)))
