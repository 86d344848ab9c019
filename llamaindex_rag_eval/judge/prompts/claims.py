"""How a model is asked to take a text apart into claims."""

from typing import Literal

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["CLAIMS", "ClaimsInput", "ClaimsOutput"]


class ClaimsInput(Wire):
    """The text, what it answers, and how fine to cut."""

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
