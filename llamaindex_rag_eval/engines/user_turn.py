"""User's turn: what does a person with this goal say next to an assistant?"""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request


class Line(BaseModel):
    """One message of the conversation."""

    model_config = ConfigDict(frozen=True)

    role: str
    content: str


class UserTurn(Reply):
    """What the user says next.

    Attributes:
        reached: Whether the user has what they wanted, and says nothing more.
        message: What they say; empty if `reached`.
    """

    reached: bool
    message: str = ""


class UserTurnInput(BaseModel):
    """Who the user is, what they want, and what was said."""

    persona: str
    goal: str
    conversation: tuple[Line, ...]


class UserTurnOutput(BaseModel):
    """Whether the goal is reached, after the reason, and the next message."""

    reason: str
    reached: bool
    message: str


USER_TURN = Prompt[UserTurnInput, UserTurnOutput](
    name="user_turn",
    instruction=(
        "You play the user of an assistant, to test it. `persona` says who you are, `goal` what "
        "you want to know or have done, `conversation` what was said so far. Say in `reason` what "
        "of the goal is still open. If nothing is, or the assistant has made clear that it cannot "
        "help, set `reached` to true and leave `message` empty. Else write in `message` what this "
        "person says next: short, in the language of the conversation, one step at a time, and "
        "nothing that only the assistant could know. Tell what you want when you are asked."
    ),
    input=UserTurnInput,
    output=UserTurnOutput,
    examples=(
        Example(
            input=UserTurnInput(
                persona="a plumber",
                goal="the weight of pump 7 and whether it can be sent to Graz",
                conversation=(
                    Line(role="user", content="How heavy is pump 7?"),
                    Line(role="assistant", content="Pump 7 weighs 12 kg."),
                ),
            ),
            output=UserTurnOutput(
                reason="The weight is told; whether it can be sent to Graz is open.",
                reached=False,
                message="Good. Can you send one to Graz?",
            ),
        ),
    ),
)


class UserTurnOf(Request[UserTurn]):
    """What does this user say next?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = USER_TURN

    persona: str
    goal: str
    conversation: tuple[Line, ...]

    def check(self, reply: UserTurn) -> None:
        """Raise `ReplyError` if the user neither has reached the goal nor says anything."""
        if not (reply.reached or reply.message.strip()):
            raise ReplyError("expected a message, or that the goal is reached")

    def from_prompt(self, output: UserTurnOutput) -> UserTurn:
        """Return the next message."""
        return UserTurn(reached=output.reached, message="" if output.reached else output.message)
