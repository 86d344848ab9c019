"""How a model is asked which contexts were useful to arrive at an answer."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["RELEVANCE", "RelevanceInput", "RelevanceOutput", "RelevanceVerdict"]


class RelevanceInput(Wire):
    """Contexts first, for the provider's cache; then the question and the answer."""

    contexts: tuple[Numbered, ...]
    question: str
    answer: str


class RelevanceVerdict(Wire):
    """The verdict on one context."""

    context: int
    reason: str
    useful: bool


class RelevanceOutput(Wire):
    """One verdict for each context."""

    verdicts: tuple[RelevanceVerdict, ...]


RELEVANCE = Prompt[RelevanceInput, RelevanceOutput](
    name="relevance",
    instruction="""\
For each of `contexts`, decide whether it was useful to arrive at `answer` to `question`.
- useful: it holds at least part of what the answer states, or a fact needed to work it out.
- not useful: it is about the same subject, but the answer could be given just as well without it.
- Judge each context by itself, whatever the others hold. `reason` first, in at most 12 words.
- Give exactly one verdict for each context, in order of their ids.""",
    input=RelevanceInput,
    output=RelevanceOutput,
    examples=(
        Example(
            input=RelevanceInput(
                contexts=(
                    Numbered(id=1, text="Mount Sarn was first climbed by the Ilves sisters."),
                    Numbered(id=2, text="Mount Sarn is 4,012 m high and lies in the Velt range."),
                ),
                question="How high is Mount Sarn?",
                answer="Mount Sarn is 4,012 metres high.",
            ),
            output=RelevanceOutput(
                verdicts=(
                    RelevanceVerdict(
                        context=1, reason="Who climbed it, not its height.", useful=False
                    ),
                    RelevanceVerdict(context=2, reason="States the height.", useful=True),
                )
            ),
        ),
    ),
)
