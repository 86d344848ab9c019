"""How a model is asked what the user of a conversation wanted, and whether it was met."""

from llamaindex_rag_eval.judge.prompts.parts import Line, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["INTENTIONS", "IntentionVerdict", "IntentionsInput", "IntentionsOutput"]


class IntentionsInput(Wire):
    """The conversation."""

    conversation: tuple[Line, ...]


class IntentionVerdict(Wire):
    """One thing that the user wanted."""

    intention: str
    reason: str
    met: bool


class IntentionsOutput(Wire):
    """Everything that the user wanted."""

    intentions: tuple[IntentionVerdict, ...]


INTENTIONS = Prompt[IntentionsInput, IntentionsOutput](
    name="intentions",
    instruction="""\
List what the user of `conversation` wants from the assistant, and decide for each whether the assistant met it.
- An intention is a question that should be answered or a thing that should be done. Asking for the same thing again in other words is the same intention; small talk is none.
- met is true if the assistant gave or did what was wanted by the end of the conversation. A promise, a question in return, or a part of it is not enough.
- `reason` comes before the verdict, in at most 15 words. A user who wants nothing gets an empty list.""",
    input=IntentionsInput,
    output=IntentionsOutput,
    examples=(
        Example(
            input=IntentionsInput(
                conversation=(
                    Line(role="user", text="Please book a table for two, and when do you close?"),
                    Line(role="assistant", text="We close at eleven. For which day?"),
                    Line(role="user", text="Never mind the table then. Thanks!"),
                )
            ),
            output=IntentionsOutput(
                intentions=(
                    IntentionVerdict(
                        intention="Book a table for two.",
                        reason="The assistant only asked for the day.",
                        met=False,
                    ),
                    IntentionVerdict(
                        intention="Know the closing time.",
                        reason="It was told: eleven.",
                        met=True,
                    ),
                )
            ),
        ),
    ),
)
